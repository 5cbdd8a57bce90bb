//! Information about files and folders, without opening or changing them.

use crate::error::PortError;
use skillc_domain::time::UnixNs;
use std::path::{Path, PathBuf};

/// The type of an entry; links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InspectedKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link or junction.
    Link,
    /// A FIFO, a socket or a device.
    Special,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InspectedEntry {
    /// Its path.
    pub path: PathBuf,
    /// Its kind.
    pub kind: InspectedKind,
    /// Whether every user of this machine may write to it. Always false for links, and on systems without such
    /// permissions.
    pub is_world_writable: bool,
    /// When it was last modified.
    pub modified_ns: UnixNs,
}

/// The size of everything below a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FolderSize {
    /// Number of regular files.
    pub files: u64,
    /// Total size of those files in bytes.
    pub bytes: u64,
}

/// Inspects paths on this machine. Opens no file and changes nothing.
pub trait Inspector: Send + Sync {
    /// The entry at a path; `None` if there is none, or its folder is missing.
    ///
    /// # Errors
    /// `Linked` if there is a link on the path, `Denied`, `Failed`.
    fn entry(&self, path: &Path) -> Result<Option<InspectedEntry>, PortError>;

    /// All entries of a folder, even hidden ones, sorted by the bytes of their names; none if the folder does not
    /// exist.
    ///
    /// # Errors
    /// As `entry`.
    fn entries(&self, folder: &Path) -> Result<Vec<InspectedEntry>, PortError>;

    /// Whether a link leads back to itself.
    fn is_loop(&self, link: &Path) -> bool;

    /// Whether a path is an executable file; follows links.
    fn is_program(&self, path: &Path) -> bool;

    /// The size of everything below a folder. Links are not followed, and unreadable entries are not counted.
    fn size(&self, folder: &Path) -> FolderSize;
}
