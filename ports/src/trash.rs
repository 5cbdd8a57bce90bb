//! The trash: files that users replaced by force or deleted.

use crate::error::PortError;
use std::path::{Path, PathBuf};

/// A slot in the trash, reserved before anything is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrashSlot {
    /// Id of the entry.
    pub id: String,
    /// The path that is replaced.
    pub place: PathBuf,
    /// A name in the same folder; the old content waits there to be moved to the trash.
    pub aside: String,
}

/// A file or folder in the trash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrashEntry {
    /// Id of the entry; begins with the time, so that ids sort by age.
    pub id: String,
    /// The original path; for a receipt, the first one.
    pub place: PathBuf,
    /// A summary if the entry is a receipt; `None` for a single file or folder.
    pub receipt: Option<ReceiptSummary>,
}

/// What a receipt contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptSummary {
    /// The command that made the changes.
    pub command: String,
    /// Number of paths that it changed.
    pub places: usize,
}

/// The paths that one command changes, which are restored together. Old content is stored before each change, so that
/// the receipt is complete whenever the command is killed. Dropping it leaves the receipt in the trash.
pub trait Receipt: Send {
    /// Id of its entry.
    fn id(&self) -> &str;

    /// Stores a copy of a path's content before it is changed. Also records if there is nothing.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`; the path must then not be changed.
    fn copy(&mut self, place: &Path) -> Result<(), PortError>;

    /// Moves the content of a path into the trash.
    ///
    /// # Errors
    /// As `copy`; `NotFound` if there is none.
    fn take(&mut self, place: &Path) -> Result<(), PortError>;

    /// Records the current content of the copied paths, so that a later restore detects other changes to them. Drops
    /// paths that did not change.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn seal(&mut self) -> Result<(), PortError>;

    /// Closes the receipt. If nothing was changed, no entry remains.
    ///
    /// # Errors
    /// As `seal`.
    fn close(self: Box<Self>) -> Result<(), PortError>;
}

/// Stores replaced files until the user restores them. If the process is killed at any step, each entry is complete,
/// either in the trash or next to its original path, and its record says where.
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

    /// Deletes an entry permanently. A missing entry is success.
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
    /// `NotFound` for an unknown entry, `AlreadyExists` if its path is taken, `Linked`, `Denied`, `Failed`. It then
    /// remains in the trash.
    fn restore(&self, entry: &TrashEntry) -> Result<(), PortError>;

    /// Begins a receipt for the changes of a command.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`.
    fn begin_receipt(&self, command: &str) -> Result<Box<dyn Receipt>, PortError>;

    /// Restores the paths of a receipt, and returns those that something else has changed since: they remain in the
    /// receipt. An interrupted restore can be repeated.
    ///
    /// # Errors
    /// `NotFound` for an unknown receipt, `Linked`, `Denied`, `Failed`; paths that were not restored remain in it.
    fn restore_receipt(&self, entry: &TrashEntry) -> Result<Vec<PathBuf>, PortError>;
}
