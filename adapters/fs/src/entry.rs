//! What an entry of a folder is, without following it.

use cap_std::fs::Metadata;

/// The kinds that callers tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, or on Windows a junction.
    Link,
    /// A FIFO, a socket or a device.
    Other,
}

/// An entry as it was when it was looked at.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its kind.
    pub kind: EntryKind,
    /// What the system says about it.
    pub metadata: Metadata,
}

impl Entry {
    /// Classifies metadata that was taken without following links.
    pub(crate) fn of(metadata: Metadata) -> Self {
        let kind = match () {
            () if metadata.is_symlink() => EntryKind::Link,
            () if metadata.is_dir() => EntryKind::Folder,
            () if metadata.is_file() => EntryKind::File,
            () => EntryKind::Other,
        };
        Self { kind, metadata }
    }
}
