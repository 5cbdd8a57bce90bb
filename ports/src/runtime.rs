//! The folder that a build fills: stub, manifest, lock and marker.

use crate::error::PortError;
use std::path::Path;

/// A file that skillc writes into a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Artifact {
    /// `SKILL.md`.
    Stub,
    /// `.skillc-meta/manifest.json`.
    Manifest,
    /// `.skillc-meta/deployed.json`: where the skill was deployed to.
    Deployments,
}

impl Artifact {
    /// Path relative to the runtime.
    pub fn path(self) -> &'static str {
        match self {
            Self::Stub => "SKILL.md",
            Self::Manifest => ".skillc-meta/manifest.json",
            Self::Deployments => ".skillc-meta/deployed.json",
        }
    }
}

/// Held while a build runs; dropping it lets the next one go on.
pub trait RuntimeGuard: Send + Sync {}

/// Reads and writes runtimes. Writes nothing outside the runtime that is named: with a link on the way to it every method fails
/// as `Linked`, and writes and reads nothing.
pub trait RuntimeStore: Send + Sync {
    /// Refuses a folder that is reached through a link, whether it is there or not.
    ///
    /// # Errors
    /// `Linked` with the link, `Denied`, `Failed`.
    fn refuse_links(&self, folder: &Path) -> Result<(), PortError>;

    /// Makes the runtime and its `.skillc-meta` if need be, and waits until no other build holds the lock. Where the
    /// file system knows no locks, it is granted at once.
    ///
    /// # Errors
    /// `Denied` when the runtime cannot be written, `Failed`.
    fn lock(&self, runtime: &Path) -> Result<Box<dyn RuntimeGuard>, PortError>;

    /// The lock if it is free at once; `None` when another build holds it or it cannot be taken here. Makes nothing.
    fn try_lock(&self, runtime: &Path) -> Option<Box<dyn RuntimeGuard>>;

    /// Sets the marker which says that a commit may have come before its files (RFC-0001:C-PUBLISH). It holds the
    /// file name of the index that is being committed.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn mark_pending(&self, runtime: &Path, index_name: &str) -> Result<(), PortError>;

    /// What the marker holds, if it is set; without one this costs one look at the file system.
    fn pending(&self, runtime: &Path) -> Option<String>;

    /// Takes the marker away.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn clear_pending(&self, runtime: &Path) -> Result<(), PortError>;

    /// The bytes of an artifact; `None` when it is not there.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn read(&self, runtime: &Path, artifact: Artifact) -> Result<Option<Vec<u8>>, PortError>;

    /// Puts an artifact in place whole: a reader sees the old bytes or the new ones. Folders are made if need be.
    ///
    /// # Errors
    /// `Denied`, `Failed`; the old artifact then stands as it was.
    fn write(&self, runtime: &Path, artifact: Artifact, bytes: &[u8]) -> Result<(), PortError>;
}
