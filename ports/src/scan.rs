//! Scanning folders for skills, and caching the scans.

use crate::error::PortError;
use skillc_domain::discovery::scan::{ScanBounds, ScannedRoot};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The present scan of a folder, and whether it differs from the cached one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// The current scan; the same `Arc` as `known` if nothing changed. A skill keeps its known head if its stamp is unchanged
    /// and old enough to be trusted.
    pub scanned: Arc<ScannedRoot>,
    /// Whether the scan differs from `known`, or a stamp has become old enough to be trusted.
    pub is_news: bool,
}

/// Finds the folders with skills below a folder.
///
/// Names that begin with a dot and `node_modules` are left out, and names that cannot be written as text become a
/// problem. A link to a folder counts as the folder that it leads to, by its canonical path; all below it is searched too,
/// but no link below it, unless the folder lies inside the root, where it is met anyway, above the link itself, or out of
/// the border: then only a skill that stands right there counts. So loops end. No file is opened: a FIFO never blocks.
///
/// Where the bounds take files, so are Markdown files directly in the root, unless the root itself is a skill; one that is not
/// a regular file, or a link to anything but such a file, is a problem.
pub trait SkillScanner: Send + Sync {
    /// Scans a folder, level by level. With a `known` scan it takes one stat per folder and skill, and lists only folders that
    /// have changed.
    ///
    /// Files that vanish during the scan are left out; a folder that cannot be read is a problem of that folder.
    ///
    /// # Errors
    /// `NotFound` if there is no folder, `Escapes` if a link leads out of the border, `Denied`, `Failed`.
    fn scan(
        &self,
        root: &Path,
        bounds: &ScanBounds<'_>,
        known: Option<Arc<ScannedRoot>>,
    ) -> Result<Scan, PortError>;
}

/// Caches scans between calls. It never fails: a folder whose scan cannot be stored or read is scanned again.
pub trait ScanCache: Send + Sync {
    /// The cached scan of each root, by its path as given.
    fn get(&self, roots: &[PathBuf]) -> Vec<Option<Arc<ScannedRoot>>>;

    /// Caches the scan of a root, in place of an earlier one.
    fn insert(&self, root: &Path, scanned: &Arc<ScannedRoot>);
}
