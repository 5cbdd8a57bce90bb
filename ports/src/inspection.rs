//! Looks at files and folders without opening or changing them.

use crate::error::PortError;
use skillc_domain::time::UnixNs;
use std::path::{Path, PathBuf};

/// The kind of an entry, links not followed.
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
    /// Whether every user of this machine may write it; always false for links, and on systems without such permissions.
    pub is_world_writable: bool,
    /// When it was changed.
    pub modified_ns: UnixNs,
}

/// How much there is below a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FolderSize {
    /// Regular files.
    pub files: u64,
    /// Their bytes together.
    pub bytes: u64,
}

/// Looks at places of this machine. Opens no file and changes nothing.
pub trait Inspector: Send + Sync {
    /// The entry at a path; `None` if there is none, or its folder is missing.
    ///
    /// # Errors
    /// `Linked` if a link is on the way, `Denied`, `Failed`.
    fn entry(&self, path: &Path) -> Result<Option<InspectedEntry>, PortError>;

    /// All entries of a folder, even hidden ones, by the bytes of their names; none if there is no folder.
    ///
    /// # Errors
    /// As `entry`.
    fn entries(&self, folder: &Path) -> Result<Vec<InspectedEntry>, PortError>;

    /// Whether a link leads back to itself.
    fn is_loop(&self, link: &Path) -> bool;

    /// Whether a path is a file that can be started as a program; follows links.
    fn is_program(&self, path: &Path) -> bool;

    /// How much there is below a folder; links are not followed, and what cannot be read is not counted.
    fn size(&self, folder: &Path) -> FolderSize;
}
