//! The logs of accesses: one beside each runtime of this machine, and perhaps one for a whole team.

use crate::error::PortError;
use async_trait::async_trait;
use skillc_domain::event::AccessEvent;
use skillc_domain::time::{Timestamp, UnixNs};
use skillc_domain::usage::{Usage, UsageQuery};
use std::path::Path;

/// Keeps access events and counts them.
#[async_trait]
pub trait AccessLog: Send + Sync {
    /// Adds events, all or none, and says how many were new: one whose id is there already changes nothing. What the log
    /// needs is made if need be. When this returns `Ok`, the events survive the end of the process, also when somebody
    /// retires the log meanwhile. Several may append at once; each waits for the others a few seconds at most.
    ///
    /// # Errors
    /// Any kind; the log then holds what it held.
    async fn append(&self, events: &[AccessEvent]) -> Result<u64, PortError>;

    /// Counts events, as `domain::usage::usage` does; nothing where there is no log. Counting happens in the store: memory
    /// does not grow with the number of events. Makes nothing and changes nothing.
    ///
    /// # Errors
    /// `Corrupt`, `Denied`, `Busy`, `Failed`; of a server also `Unreachable`, `Insecure`, `NotReady`, `Newer`.
    async fn usage(&self, query: &UsageQuery) -> Result<Usage, PortError>;
}

/// A place in the order of a log; each event comes after those that were there when it was added, and no place is ever
/// used twice. Places begin at 1, so 0 comes before all.
pub type Position = i64;

/// An event at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEvent {
    /// Its place.
    pub position: Position,
    /// The event. One that was logged without an id has that of `EventId::derived`.
    pub event: AccessEvent,
}

/// Which events are to be deleted: those for which every part holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forget {
    /// Of the skill whose source stands at this canonical path.
    pub skill_path: Option<String>,
    /// Before this second. An event whose time cannot be read is not before anything.
    pub before: Option<Timestamp>,
}

/// The log at one path of this machine. Nothing is made but by `append` and `acknowledge`.
#[async_trait]
pub trait LocalLog: AccessLog {
    /// Events after a place, in their order, at most `limit`; none where there is no log.
    ///
    /// # Errors
    /// `Corrupt`, `Denied`, `Busy`, `Failed`.
    async fn events(&self, after: Position, limit: u32) -> Result<Vec<LoggedEvent>, PortError>;

    /// How many events stand after a place.
    ///
    /// # Errors
    /// As `events`.
    async fn count(&self, after: Position) -> Result<u64, PortError>;

    /// When the log was last written; `None` when there is none.
    async fn written_at(&self) -> Option<UnixNs>;

    /// The last place whose event a team's store has confirmed, 0 if none; stores are distinguished by their identity.
    ///
    /// # Errors
    /// As `events`.
    async fn acknowledged(&self, store: &str) -> Result<Position, PortError>;

    /// Remembers that a team's store has every event up to a place. Never goes back.
    ///
    /// # Errors
    /// Any kind; nothing is changed then.
    async fn acknowledge(&self, store: &str, up_to: Position) -> Result<(), PortError>;

    /// Deletes events and says how many; nothing of them stays in the log's files.
    ///
    /// # Errors
    /// Any kind; the log then holds what it held.
    async fn forget(&self, what: &Forget) -> Result<u64, PortError>;

    /// Deletes the log with its files, and the folders above it up to and without `up_to` as far as they are empty then,
    /// provided that no event stands after `last`; whether that was so. An append that meets this ends in a new log. True
    /// when there is no log.
    ///
    /// # Errors
    /// Any kind; the events are then still there.
    async fn retire(&self, last: Position, up_to: &Path) -> Result<bool, PortError>;
}

/// The logs of this machine.
pub trait LocalLogs: Send + Sync {
    /// The log at a path, which need not be there. Looks at nothing yet.
    fn at(&self, path: &Path) -> Box<dyn LocalLog>;
}
