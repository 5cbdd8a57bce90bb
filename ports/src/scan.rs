//! Scanning folders for skills, and caching the scans.

use crate::error::PortError;
use skillc_domain::discovery::scan::{ScanBounds, ScannedRoot};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The current scan of a folder, and whether it differs from the cached one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// The current scan; the same `Arc` as `known` if nothing changed. A skill keeps its known head if its stamp is
    /// unchanged and old enough to be trusted.
    pub scanned: Arc<ScannedRoot>,
    /// Whether the scan differs from `known`, or a stamp has become old enough to be trusted.
    pub is_news: bool,
}

/// Finds the folders with skills below a folder. No file is opened, so a FIFO never blocks.
///
/// Skips names that begin with a dot, and `node_modules`; names that are not valid text are reported as problems. A
/// link to a folder counts as its target, by its canonical path, and everything below it is searched, except links.
/// But if the target is inside the root (where it is found anyway), above the link itself, or outside the border,
/// only a skill directly in it counts. So loops end.
///
/// If the bounds include files, Markdown files directly in the root are skills too, unless the root itself is one. A
/// file that is neither regular nor a link to a regular file is reported as a problem.
pub trait SkillScanner: Send + Sync {
    /// Scans a folder, level by level. With a `known` scan, it makes one `stat` call per folder and skill, and lists
    /// only folders that have changed.
    ///
    /// Files that vanish during the scan are omitted; a folder that cannot be read gets a problem.
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
    /// The cached scan of each root, in the given order; `None` if there is none.
    fn get(&self, roots: &[PathBuf]) -> Vec<Option<Arc<ScannedRoot>>>;

    /// Caches the scan of a root, replacing an earlier one.
    fn insert(&self, root: &Path, scanned: &Arc<ScannedRoot>);
}
