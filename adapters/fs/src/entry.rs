//! Kinds of folder entries.

use cap_std::fs::Metadata;

/// The kind of an entry, links not followed.
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

/// The kind and metadata of an entry.
#[derive(Clone, Debug)]
pub struct FolderEntry {
    /// Derived from `metadata`.
    pub kind: EntryKind,
    /// Metadata of the entry itself; links are not followed.
    pub metadata: Metadata,
}

impl FolderEntry {
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
