//! Whether a path still leads to the file that was there.

use std::fs::{File, Metadata};
use std::path::Path;

/// What tells a file from another one that takes its place: device and number. Elsewhere than on Unix an open file cannot be
/// deleted, so that all are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(u64, u64);

impl Identity {
    /// Of what is at a path, a link not followed; `None` when nothing is.
    pub fn at(path: &Path) -> Option<Self> {
        path.symlink_metadata().ok().map(|metadata| Self::of(&metadata))
    }

    /// Of an open file or folder; `None` where the system does not say.
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
