//! The runtime of a skill: the folder that a build fills.

use crate::error::PortError;
use std::path::Path;
use std::sync::Arc;

/// A file that skillc writes into a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuntimeFile {
    /// `SKILL.md`.
    Stub,
    /// `.skillc-meta/manifest.json`.
    Manifest,
    /// `.skillc-meta/deployed.json`: the places to which the skill was deployed.
    Deployments,
}

impl RuntimeFile {
    /// Path relative to the runtime.
    pub fn path(self) -> &'static str {
        match self {
            Self::Stub => "SKILL.md",
            Self::Manifest => ".skillc-meta/manifest.json",
            Self::Deployments => ".skillc-meta/deployed.json",
        }
    }
}

/// The build lock; dropping it releases the lock.
pub trait RuntimeGuard: Send + Sync {}

/// Reads and writes a given runtime, and nothing outside of it. If there is a link on the path to it, every method
/// fails with `Linked` and changes nothing.
pub trait RuntimeStore: Send + Sync {
    /// The same runtimes for a command that examines every one of them: folders are listed once, and the files of a
    /// runtime are read together. Changes that other processes make meanwhile may go unnoticed.
    fn for_listing(&self) -> Arc<dyn RuntimeStore>;

    /// Fails if a folder is reached through a link, whether it exists or not.
    ///
    /// # Errors
    /// `Linked` with the link, `Denied`, `Failed`.
    fn refuse_links(&self, folder: &Path) -> Result<(), PortError>;

    /// Creates the runtime and its `.skillc-meta` if needed, then waits for the lock. On a file system without locks,
    /// it is granted at once.
    ///
    /// # Errors
    /// `Denied` if the runtime cannot be written, `Failed`.
    fn lock(&self, runtime: &Path) -> Result<Box<dyn RuntimeGuard>, PortError>;

    /// Takes the lock without waiting; `None` if another build holds it or it cannot be taken here. Creates nothing.
    fn try_lock(&self, runtime: &Path) -> Option<Box<dyn RuntimeGuard>>;

    /// Marks a commit whose files may not be written yet (RFC-0001:C-PUBLISH). The marker contains the file name of
    /// the index.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn mark_pending(&self, runtime: &Path, index_name: &str) -> Result<(), PortError>;

    /// The content of the marker; `None` if it is not set, which costs one file system call.
    fn pending(&self, runtime: &Path) -> Option<String>;

    /// Removes the marker.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn clear_pending(&self, runtime: &Path) -> Result<(), PortError>;

    /// The content of a file; `None` if it does not exist.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn read(&self, runtime: &Path, file: RuntimeFile) -> Result<Option<Vec<u8>>, PortError>;

    /// Replaces a file as a whole: a reader sees the old bytes or the new ones. Creates folders if needed.
    ///
    /// # Errors
    /// `Denied`, `Failed`; the old file is then unchanged.
    fn write(&self, runtime: &Path, file: RuntimeFile, bytes: &[u8]) -> Result<(), PortError>;
}
