//! Changes below folders, as they happen.

use crate::error::PortError;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// What is called when something changed. It is called on a thread of the watcher and must not block.
pub type Changed = Arc<dyn Fn() + Send + Sync>;

/// A watch that goes on until it is dropped; then nothing is told any more.
pub trait Watch: Send {}

/// Watches folders.
pub trait Watcher: Send + Sync {
    /// Watches folders with everything below them.
    ///
    /// After a file or folder below one is made, written, renamed or removed, `changed` is called: soon, at least once, and
    /// maybe more often than things changed. Reading is no change. Whoever is told looks for himself at what it was.
    ///
    /// Links below a folder are not followed. For a folder that is not there the nearest one above it stands in, of which
    /// only the steps towards the missing one are told; who is told then watches anew to come closer. The same holds for a
    /// folder that is removed and made again.
    ///
    /// # Errors
    /// `Failed` where the system cannot watch, or not so many folders; then nothing is watched.
    fn watch(&self, folders: &BTreeSet<PathBuf>, changed: Changed) -> Result<Box<dyn Watch>, PortError>;
}
