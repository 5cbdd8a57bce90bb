//! Detects that a path leads to a different file than before.

use std::fs::{File, Metadata};
use std::path::Path;

/// Device and inode of a file. Always equal on systems other than Unix, where an open file cannot be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(u64, u64);

impl Identity {
    /// Identifies the entry at a path without following a link; `None` if there is none.
    pub fn at(path: &Path) -> Option<Self> {
        path.symlink_metadata().ok().map(|metadata| Self::of(&metadata))
    }

    /// Identifies an open file or folder; `None` if the system fails to.
    pub fn of_open(file: &File) -> Option<Self> {
        file.metadata().ok().map(|metadata| Self::of(&metadata))
    }

    #[cfg(unix)]
    fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self(metadata.dev(), metadata.ino())
    }

    #[cfg(not(unix))]
    fn of(_: &Metadata) -> Self {
        Self(0, 0)
    }
}
