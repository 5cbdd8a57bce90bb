//! Whether a path still leads to the file that was there.

use std::fs::Metadata;
use std::path::Path;

/// What tells a file from another one that takes its place: device and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(u64, u64);

impl Identity {
    /// Of what stands at a path; `None` when nothing does.
    pub fn at(path: &Path) -> Option<Self> {
        path.symlink_metadata().ok().map(|metadata| Self::of(&metadata))
    }

    /// Of an open file.
    #[cfg(unix)]
    pub fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self(metadata.dev(), metadata.ino())
    }

    /// Of an open file: it cannot be deleted here, so that there is nothing to tell apart.
    #[cfg(not(unix))]
    pub fn of(_metadata: &Metadata) -> Self {
        Self(0, 0)
    }
}
