//! The journal: changes of several steps that are under way.

use crate::error::PortError;

/// Records a change of several steps before the first one, so that a later process can complete it if this one is killed.
pub trait Journal: Send + Sync {
    /// Records a change.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`; the change must then not begin.
    fn begin(&self, change: &[u8]) -> Result<Box<dyn JournalRecord>, PortError>;

    /// Waits until no other process renames or removes a skill, and keeps others waiting until the guard is dropped. On file systems
    /// without locks it does not wait.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`.
    fn exclusive(&self) -> Result<Box<dyn JournalGuard>, PortError>;

    /// The changes whose process ended without closing them. Each is returned to one process only, until that ends or closes
    /// it too. A journal that cannot be read holds none.
    fn interrupted(&self) -> Vec<InterruptedChange>;

    /// The same changes, which stay for a later process. Writes nothing.
    fn peek(&self) -> Vec<Vec<u8>>;
}

/// Keeps other processes from renaming and removing skills, until it is dropped.
pub trait JournalGuard: Send + Sync {}

/// A record that this process has to itself. Dropping it leaves the record to a later process.
pub trait JournalRecord: Send + Sync {
    /// Deletes the record: the change is complete, or undone.
    ///
    /// # Errors
    /// `Denied`, `Failed`; the record is then still there.
    fn close(self: Box<Self>) -> Result<(), PortError>;
}

/// A change that was interrupted.
pub struct InterruptedChange {
    /// What was recorded.
    pub change: Vec<u8>,
    /// Its record.
    pub record: Box<dyn JournalRecord>,
}
