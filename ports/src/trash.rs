//! The trash: what users have replaced by force.

use crate::error::PortError;
use std::path::{Path, PathBuf};

/// A slot in the trash, reserved before anything is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrashSlot {
    /// Id of the entry.
    pub id: String,
    /// The path that is replaced.
    pub place: PathBuf,
    /// The name in the same folder under which the old content waits for the trash.
    pub aside: String,
}

/// A file or folder that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrashEntry {
    /// Id of the entry; begins with the time, so that ids sort by age.
    pub id: String,
    /// The original path.
    pub place: PathBuf,
}

/// Keeps what was replaced by force until the user restores it. After a kill at any step each entry is complete, in the
/// trash or next to its original path, and its record says where.
pub trait Trash: Send + Sync {
    /// Reserves a slot before the content of a path is replaced.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`; nothing may then be replaced.
    fn reserve(&self, place: &Path) -> Result<TrashSlot, PortError>;

    /// Moves the old content into the trash. If there is none, only the record is removed.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`; the content is then still next to its original path, or in both places.
    fn take(&self, slot: &TrashSlot) -> Result<(), PortError>;

    /// Moves the content of a path into the trash.
    ///
    /// # Errors
    /// As for `reserve` and `take`; `NotFound` if the path does not exist.
    fn put(&self, place: &Path) -> Result<TrashEntry, PortError>;

    /// Deletes an entry for good. One that is not there is success.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`.
    fn delete(&self, entry: &TrashEntry) -> Result<(), PortError>;

    /// All entries, newest first.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`.
    fn entries(&self) -> Result<Vec<TrashEntry>, PortError>;

    /// Restores an entry to its original path.
    ///
    /// # Errors
    /// `NotFound` for an unknown entry, `AlreadyExists` if its path is taken, `Linked`, `Denied`, `Failed`. It then remains
    /// in the trash.
    fn restore(&self, entry: &TrashEntry) -> Result<(), PortError>;
}
