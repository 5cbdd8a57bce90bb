//! Searching folders for skills, and remembering what was seen.

use crate::error::PortError;
use skillc_domain::discovery::scan::{ScanBounds, ScannedRoot};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A search, and whether it tells anything that was not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// What is there now: that which was known, where it is no news. A skill's head is kept where its stamp is the known one
    /// and can be trusted.
    pub scanned: Arc<ScannedRoot>,
    /// Whether it differs from what was known, or a stamp in it can be trusted only now.
    pub is_news: bool,
}

/// Finds the folders with skills below a folder.
///
/// Names that begin with a dot and `node_modules` are left out, and names that cannot be written as text become a
/// problem. A link to a folder counts as the folder that it leads to, by its canonical path; all below it is searched too,
/// but no link below it, unless the folder lies inside the root, where it is met anyway, above the link itself, or out of
/// the border: then only a skill that stands right there counts. So loops end. No file is opened: a FIFO never blocks.
pub trait SkillScanner: Send + Sync {
    /// Searches a folder, from the top down, level by level. With what is `known` of it, one look at each folder and each
    /// skill is enough; only folders that changed are listed again.
    ///
    /// What vanishes meanwhile is left out; a folder that cannot be read becomes a problem of that folder.
    ///
    /// # Errors
    /// `NotFound` when there is no folder, `Escapes` when a link leads out of the border to it, `Denied`, `Failed`.
    fn scan(
        &self,
        root: &Path,
        bounds: &ScanBounds<'_>,
        known: Option<Arc<ScannedRoot>>,
    ) -> Result<Scan, PortError>;
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoScanCache;

impl ScanCache for NoScanCache {
    fn get(&self, roots: &[PathBuf]) -> Vec<Option<Arc<ScannedRoot>>> {
        vec![None; roots.len()]
    }

    fn insert(&self, _: &Path, _: &Arc<ScannedRoot>) {}
}

/// Remembers searches between runs. It never fails: what cannot be kept or read is searched anew.
pub trait ScanCache: Send + Sync {
    /// What is remembered of each root, by its path as it is asked for.
    fn get(&self, roots: &[PathBuf]) -> Vec<Option<Arc<ScannedRoot>>>;

    /// Remembers a search in place of what was remembered of this root.
    fn insert(&self, root: &Path, scanned: &Arc<ScannedRoot>);
}
