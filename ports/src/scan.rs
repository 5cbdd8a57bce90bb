//! Searching folders for skills, and remembering what was seen.

use crate::error::PortError;
use skillc_domain::discovery::scan::{ScanBounds, ScannedRoot};
use std::path::{Path, PathBuf};

/// A search, and whether it tells anything that was not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// What is there now. A skill's head is kept where its stamp is the known one and can be trusted.
    pub scanned: ScannedRoot,
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
        known: Option<ScannedRoot>,
    ) -> Result<Scan, PortError>;
}

/// How much is remembered of each skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// All.
    #[default]
    Whole,
    /// All but descriptions, which are empty.
    Light,
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoScanMemory;

impl ScanMemory for NoScanMemory {
    fn recall(&self, roots: &[PathBuf], _: Detail) -> Vec<Option<ScannedRoot>> {
        vec![None; roots.len()]
    }

    fn keep(&self, _: &[(PathBuf, &ScannedRoot)]) {}
}

/// Remembers searches between runs. It never fails: what cannot be kept or read is searched anew.
pub trait ScanMemory: Send + Sync {
    /// What is remembered of each root, by its path as it is asked for.
    fn recall(&self, roots: &[PathBuf], detail: Detail) -> Vec<Option<ScannedRoot>>;

    /// Remembers whole searches in place of what was remembered of these roots.
    fn keep(&self, searches: &[(PathBuf, &ScannedRoot)]);
}
