//! Changes below folders, as they happen.

use crate::error::PortError;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Callback for changes. It runs on a thread of the watcher and must not block.
pub type Changed = Arc<dyn Fn() + Send + Sync>;

/// An active watch; dropping it ends the callbacks.
pub trait Watch: Send {}

/// Reports changes below folders.
pub trait Watcher: Send + Sync {
    /// Watches folders and everything below them.
    ///
    /// After a file or folder is created, written, renamed or removed, `changed` is called: soon, at least once, and
    /// possibly more often than changes happened. Reads do not count. The callback does not describe the change;
    /// rescan.
    ///
    /// Links are not followed. For a missing folder, its nearest existing ancestor is watched, but only for changes
    /// that affect the path to the missing folder; call `watch` again after each to get closer. The same holds for a
    /// folder that is removed and created again.
    ///
    /// # Errors
    /// `Failed` if the system cannot watch at all, or not that many folders; then nothing is watched.
    fn watch(&self, folders: &BTreeSet<PathBuf>, changed: Changed) -> Result<Box<dyn Watch>, PortError>;
}
