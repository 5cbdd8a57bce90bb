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
    /// The original path; of a receipt the first one.
    pub place: PathBuf,
    /// What a receipt is of; `None` for a single file or folder.
    pub receipt: Option<ReceiptSummary>,
}

/// What a receipt is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptSummary {
    /// The command that made the changes.
    pub command: String,
    /// Number of places that it changed.
    pub places: usize,
}

/// The places that one command changes, which are restored together. What was there is stored before each change, so that a
/// receipt is complete whenever the command is killed. Dropping it leaves the receipt in the trash.
pub trait Receipt: Send {
    /// Id of its entry.
    fn id(&self) -> &str;

    /// Copies the content of a path, which is then changed. That there is nothing is recorded too.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`; the path must then stay as it is.
    fn copy(&mut self, place: &Path) -> Result<(), PortError>;

    /// Moves the content of a path into the trash.
    ///
    /// # Errors
    /// As `copy`; `NotFound` if there is none.
    fn take(&mut self, place: &Path) -> Result<(), PortError>;

    /// Records what is now at the copied paths, so that a later restore recognizes whether anything else has changed them. Forgets
    /// those that did not change.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn seal(&mut self) -> Result<(), PortError>;

    /// Ends the receipt. One without any change leaves no entry.
    ///
    /// # Errors
    /// As `seal`.
    fn close(self: Box<Self>) -> Result<(), PortError>;
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

    /// Begins a receipt for the changes of a command.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`.
    fn begin_receipt(&self, command: &str) -> Result<Box<dyn Receipt>, PortError>;

    /// Restores the places of a receipt, and returns those that stay because something else changed them since: they remain in the
    /// receipt. A restore that is killed can be repeated.
    ///
    /// # Errors
    /// `NotFound` for an unknown receipt, `Linked`, `Denied`, `Failed`; what was not restored remains in it.
    fn restore_receipt(&self, entry: &TrashEntry) -> Result<Vec<PathBuf>, PortError>;
}
