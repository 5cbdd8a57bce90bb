//! Where things go that a user replaced by force.

use crate::error::PortError;
use std::path::{Path, PathBuf};

/// A place in the trash, reserved before anything is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrashSlot {
    /// Names the entry.
    pub id: String,
    /// What is replaced.
    pub place: PathBuf,
    /// The name beside the place under which the old one is kept until the trash takes it.
    pub aside: String,
}

/// Something that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrashEntry {
    /// Names the entry; begins with the time, so that ids sort by age.
    pub id: String,
    /// Where it was.
    pub place: PathBuf,
}

/// Keeps what was replaced by force, until the user takes it back. After a kill at any step each entry is whole, in the trash or
/// beside its place, and its record tells where.
pub trait Trash: Send + Sync {
    /// Records that what is at a place is about to be replaced.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`; nothing may be replaced then.
    fn reserve(&self, place: &Path) -> Result<TrashSlot, PortError>;

    /// Takes what is kept beside the place. Nothing there is success, and the record goes.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`; it is then still beside its place, or in both.
    fn take(&self, slot: &TrashSlot) -> Result<(), PortError>;

    /// Moves what is at a place into the trash.
    ///
    /// # Errors
    /// As `reserve` and `take`; `NotFound` where nothing is there.
    fn put(&self, place: &Path) -> Result<TrashEntry, PortError>;

    /// All entries, the newest first.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`.
    fn entries(&self) -> Result<Vec<TrashEntry>, PortError>;

    /// Puts an entry back where it was.
    ///
    /// # Errors
    /// `NotFound` without such an entry, `AlreadyExists` where something is at its place, `Linked`, `Denied`, `Failed`. It is
    /// then still in the trash.
    fn restore(&self, entry: &TrashEntry) -> Result<(), PortError>;
}
