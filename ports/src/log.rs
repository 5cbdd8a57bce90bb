//! Access logs: one in each runtime of this machine, and possibly one of a team.

use crate::error::PortError;
use crate::patience::Patience;
use async_trait::async_trait;
use skillc_domain::event::AccessEvent;
use skillc_domain::history::{HistoryTally, ReadingStep, SectionReads, SkillCost, SkillFunnel};
use skillc_domain::time::{Timestamp, UnixNs};
use skillc_domain::usage::{Usage, UsageFilter, UsageQuery};
use std::path::{Path, PathBuf};

/// Stores access events and counts them.
#[async_trait]
pub trait AccessLog: Send + Sync {
    /// Appends events, all or none, and returns how many were new; an event with a known id changes nothing. Creates
    /// the log if needed. When this returns `Ok`, the events survive the end of the process, even if another process
    /// retires the log at the same time. Concurrent appends wait for each other, a few seconds at most.
    ///
    /// # Errors
    /// Any kind; the log is then unchanged.
    async fn append(&self, events: &[AccessEvent]) -> Result<u64, PortError>;

    /// Counts events like `domain::usage::usage`; zero if there is no log. The store counts, so memory use does not
    /// grow with the number of events. Creates and changes nothing.
    ///
    /// # Errors
    /// `Corrupt`, `Denied`, `Busy`, `Failed`; for a server also `Unreachable`, `Insecure`, `NotReady`, `Newer`.
    async fn usage(&self, query: &UsageQuery) -> Result<Usage, PortError>;
}

/// A position in the order of a log. Later events have larger positions, and no position is used twice. Positions begin
/// at 1, so 0 precedes all.
pub type LogPosition = i64;

/// An event and its position in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEvent {
    /// The event's position in the log.
    pub position: LogPosition,
    /// The event. An event logged without an id has the one of `EventId::derived`.
    pub event: AccessEvent,
}

/// The events to delete: those that match every given criterion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forget {
    /// Events of the skill with this canonical source path.
    pub skill_path: Option<String>,
    /// Events of every skill of this name.
    pub skill: Option<String>,
    /// Events before this second. An event with an unreadable time never matches.
    pub before: Option<Timestamp>,
}

/// The name and place of a skill that was renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventLabel<'a> {
    /// Its name.
    pub skill: &'a str,
    /// The canonical path of its source.
    pub skill_path: &'a str,
}

/// The result of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairedLog {
    /// Events that could be read.
    pub events: u64,
    /// The new path of the damaged file.
    pub aside: PathBuf,
}

/// Counts the events that were imported from agents' histories, with the same results as the functions of
/// `domain::history`. The store counts. If there is no log, nothing is counted. Creates and changes nothing.
#[async_trait]
pub trait HistoryCounts: Send + Sync {
    /// Counts by agent, skill and kind, including offered skills: `history_tallies`.
    ///
    /// # Errors
    /// `Corrupt`, `Denied`, `Busy`, `Failed`.
    async fn history(&self, filter: &UsageFilter) -> Result<Vec<HistoryTally>, PortError>;

    /// Counts how far sessions got with each skill: `funnels`.
    ///
    /// # Errors
    /// As `history`.
    async fn funnels(&self, filter: &UsageFilter) -> Result<Vec<SkillFunnel>, PortError>;

    /// Sums up the tokens of each skill by model: `costs`.
    ///
    /// # Errors
    /// As `history`.
    async fn costs(&self, filter: &UsageFilter) -> Result<Vec<SkillCost>, PortError>;

    /// Counts which files are read after which: `reading_steps`.
    ///
    /// # Errors
    /// As `history`.
    async fn reading_steps(&self, filter: &UsageFilter) -> Result<Vec<ReadingStep>, PortError>;

    /// Counts which agent reads which sections: `section_reads`.
    ///
    /// # Errors
    /// As `history`.
    async fn section_reads(&self, filter: &UsageFilter) -> Result<Vec<SectionReads>, PortError>;
}

/// The log at a local path. Only `append` and `acknowledge` create anything.
#[async_trait]
pub trait LocalLog: AccessLog + HistoryCounts {
    /// At most `limit` events after a position, in order; none if there is no log.
    ///
    /// # Errors
    /// `Corrupt`, `Denied`, `Busy`, `Failed`.
    async fn events(&self, after: LogPosition, limit: u32) -> Result<Vec<LoggedEvent>, PortError>;

    /// The number of events after a position.
    ///
    /// # Errors
    /// As `events`.
    async fn count(&self, after: LogPosition) -> Result<u64, PortError>;

    /// When the log was last written; `None` if there is none.
    async fn written_at(&self) -> Option<UnixNs>;

    /// The last position that a team's store has confirmed, or 0; `store` is the identity of the store.
    ///
    /// # Errors
    /// As `events`.
    async fn acknowledged(&self, store: &str) -> Result<LogPosition, PortError>;

    /// Records that a team's store has every event up to a position. Never moves back.
    ///
    /// # Errors
    /// Any kind; nothing is then changed.
    async fn acknowledge(&self, store: &str, up_to: LogPosition) -> Result<(), PortError>;

    /// Deletes events and returns their number. Nothing of them remains in the log's files.
    ///
    /// # Errors
    /// Any kind; the log is then unchanged.
    async fn forget(&self, what: &Forget) -> Result<u64, PortError>;

    /// Changes the name and path of a skill's events, which are found by their canonical source path, and returns
    /// their number. Ids, positions and everything else stay. Works in steps, none of which blocks another process
    /// for more than 50 ms.
    ///
    /// # Errors
    /// Any kind. Some events may then have the new label; a repetition relabels the rest.
    async fn relabel(&self, skill_path: &str, to: EventLabel<'_>) -> Result<u64, PortError>;

    /// Migrates a large log that other programs or older versions wrote, so that counting and copying its events is
    /// fast. Returns the number of rows, 0 if there was nothing to do. Takes seconds for a million rows, blocks no
    /// other process for more than 50 ms, and stops when `patience` ends; the log is then unchanged.
    ///
    /// # Errors
    /// Any kind; the log is then unchanged.
    async fn take_over(&self, patience: &Patience) -> Result<u64, PortError>;

    /// Replaces a damaged log by one with the events that can be read. The damaged file is kept next to it until
    /// `forget`. `None` if the log is sound, or there is none.
    ///
    /// # Errors
    /// Any kind; the log is then unchanged.
    async fn repair(&self) -> Result<Option<RepairedLog>, PortError>;

    /// Deletes the log with its files if no event follows `last`, and then the empty folders above it, up to but not
    /// including `up_to`. Returns whether the log is gone; also true if there was none. A concurrent append continues
    /// in a new log.
    ///
    /// # Errors
    /// Any kind; the events are then still in the log.
    async fn retire(&self, last: LogPosition, up_to: &Path) -> Result<bool, PortError>;
}

/// The logs of this machine.
pub trait LocalLogs: Send + Sync {
    /// The log at a path, which may not exist. Accesses no file yet.
    fn at(&self, path: &Path) -> Box<dyn LocalLog>;

    /// Whether the log at a path is damaged, so that `repair` is needed; false if there is none. Writes nothing, not
    /// even the files that accompany an open database. If another process is just completing a write, a half-written
    /// log counts as damaged.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`.
    fn is_damaged(&self, path: &Path) -> Result<bool, PortError>;
}
