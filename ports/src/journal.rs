//! The journal: records of multi-step changes in progress.

use crate::error::PortError;

/// Records a multi-step change before its first step, so that a later process can complete it if this one is killed.
pub trait Journal: Send + Sync {
    /// Records a change.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`; the change must then not begin.
    fn begin(&self, change: &[u8]) -> Result<Box<dyn JournalRecord>, PortError>;

    /// Waits until no other process renames or removes a skill, and makes other processes wait until the guard is
    /// dropped. Does not wait on file systems without locks.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`.
    fn exclusive(&self) -> Result<Box<dyn JournalGuard>, PortError>;

    /// The changes whose process ended without closing them. Each is returned to only one process, until that ends or
    /// closes it. An unreadable journal has none.
    fn interrupted(&self) -> Vec<InterruptedChange>;

    /// The same changes, left for a later process. Writes nothing.
    fn peek(&self) -> Vec<Vec<u8>>;
}

/// Keeps other processes from renaming and removing skills, until it is dropped.
pub trait JournalGuard: Send + Sync {}

/// A record that this process owns. Dropping it leaves the record to a later process.
pub trait JournalRecord: Send + Sync {
    /// Deletes the record: the change is complete, or undone.
    ///
    /// # Errors
    /// `Denied`, `Failed`; the record then remains.
    fn close(self: Box<Self>) -> Result<(), PortError>;
}

/// A change that was interrupted.
pub struct InterruptedChange {
    /// The recorded bytes.
    pub change: Vec<u8>,
    /// The record to close.
    pub record: Box<dyn JournalRecord>,
}
