//! Access logs: one database per runtime, written by many short-lived processes.

mod append;
mod columns;
mod conditions;
mod folder_lock;
mod forget;
mod history;
mod indexed;
mod journal_mode;
mod legacy_ids;
mod open;
mod owners;
mod pool;
mod read;
mod relabel;
mod repair;
mod retire;
mod rewrite;
mod row;
mod row_scan;
mod schema;
mod streamed_ids;
mod take_over;
mod usage;
mod usage_builder;

use crate::connection::{failure, refuse_links, with_suffix};
use async_trait::async_trait;
use pool::LogPool;
use read::{LastRead, LogSnapshot};
use skillc_domain::event::AccessEvent;
use skillc_domain::history::{HistoryTally, ReadingStep, SectionReads, SkillCost, SkillFunnel};
use skillc_domain::time::UnixNs;
use skillc_domain::usage::{Usage, UsageFilter, UsageQuery};
use skillc_fs::Folder;
use skillc_ports::{
    AccessLog, EventLabel, Forget, HistoryCounts, LocalLog, LocalLogs, LogPosition, LoggedEvent, Patience,
    PortError, RepairedLog,
};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

/// How long a batch of events waits until the rows of other programs are migrated: ten times what a million of them
/// need.
const TAKE_OVER_TIME_MAX: Duration = Duration::from_secs(60);

/// Access logs in SQLite files. By default the log that was read last stays open, also for an event after that, and all
/// other writes open their log.
#[derive(Clone)]
pub struct SqliteLocalLogs {
    pool: Option<Arc<LogPool>>,
    last_read: Option<Arc<LastRead>>,
}

impl Default for SqliteLocalLogs {
    fn default() -> Self {
        Self { pool: None, last_read: Some(Arc::default()) }
    }
}

impl SqliteLocalLogs {
    /// For a long-running process: connections that append single events stay open between calls, without a
    /// transaction.
    pub fn pooled() -> Self {
        Self { pool: Some(Arc::default()), last_read: None }
    }
}

impl LocalLogs for SqliteLocalLogs {
    fn at(&self, path: &Path) -> Box<dyn LocalLog> {
        let Self { pool, last_read } = self.clone();
        Box::new(SqliteLog { path: path.to_owned(), pool, last_read })
    }

    fn is_damaged(&self, path: &Path) -> Result<bool, PortError> {
        repair::is_damaged(path)
    }
}

/// The log at one path.
#[derive(Clone)]
struct SqliteLog {
    path: PathBuf,
    pool: Option<Arc<LogPool>>,
    last_read: Option<Arc<LastRead>>,
}

impl SqliteLog {
    /// Queries a snapshot of the log; a missing log counts as empty.
    fn read<T: Default>(&self, query: impl Fn(&LogSnapshot) -> rusqlite::Result<T>) -> Result<T, PortError> {
        let result = match &self.last_read {
            Some(last) => last.read(&self.path, query),
            None => read::read(&self.path, query),
        };
        result.map_err(|error| failure("read the log", &self.path, error))
    }
}

#[async_trait]
impl AccessLog for SqliteLog {
    async fn append(&self, events: &[AccessEvent]) -> Result<u64, PortError> {
        if events.len() > 1 {
            // Copies are recognized by their ids, which rows of other programs lack.
            take_over::take_over(&self.path, &Patience::new(TAKE_OVER_TIME_MAX, Arc::default()))?;
        }
        match (&self.pool, &self.last_read, events) {
            // Batches use a large page cache, which should not remain allocated.
            (Some(pool), _, [event]) => append::append_pooled(&self.path, event, pool),
            (None, Some(last), [event]) => append::append_after_read(&self.path, event, last),
            _ => append::append(&self.path, events),
        }
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Usage, PortError> {
        self.read(|log| usage::usage(log, query))
    }
}

#[async_trait]
impl HistoryCounts for SqliteLog {
    async fn history(&self, filter: &UsageFilter) -> Result<Vec<HistoryTally>, PortError> {
        self.read(|log| history::tallies(log, filter))
    }

    async fn funnels(&self, filter: &UsageFilter) -> Result<Vec<SkillFunnel>, PortError> {
        self.read(|log| history::funnels(log, filter))
    }

    async fn costs(&self, filter: &UsageFilter) -> Result<Vec<SkillCost>, PortError> {
        self.read(|log| history::costs(log, filter))
    }

    async fn reading_steps(&self, filter: &UsageFilter) -> Result<Vec<ReadingStep>, PortError> {
        self.read(|log| history::reading_steps(log, filter))
    }

    async fn section_reads(&self, filter: &UsageFilter) -> Result<Vec<SectionReads>, PortError> {
        self.read(|log| history::section_reads(log, filter))
    }
}

#[async_trait]
impl LocalLog for SqliteLog {
    async fn events(&self, after: LogPosition, limit: u32) -> Result<Vec<LoggedEvent>, PortError> {
        self.read(|log| log.events(after, limit))
    }

    async fn count(&self, after: LogPosition) -> Result<u64, PortError> {
        self.read(|log| log.count(after))
    }

    async fn written_at(&self) -> Option<UnixNs> {
        let (folder, name) = Folder::of_file(&self.path).ok()?;
        let time = |name: &OsStr| folder.modified(name)?.duration_since(UNIX_EPOCH).ok();
        // New rows are in the write-ahead log first.
        let newest = time(&name)?.max(time(&with_suffix(&name, "-wal")).unwrap_or_default());
        i64::try_from(newest.as_nanos()).ok()
    }

    async fn acknowledged(&self, store: &str) -> Result<LogPosition, PortError> {
        self.read(|log| log.acknowledged(store))
    }

    async fn acknowledge(&self, store: &str, up_to: LogPosition) -> Result<(), PortError> {
        append::acknowledge(&self.path, store, up_to)
    }

    async fn forget(&self, what: &Forget) -> Result<u64, PortError> {
        refuse_links(&self.path)?;
        forget::forget(&self.path, what).map_err(|error| failure("delete from the log", &self.path, error))
    }

    async fn relabel(&self, skill_path: &str, to: EventLabel<'_>) -> Result<u64, PortError> {
        refuse_links(&self.path)?;
        take_over::take_over(&self.path, &Patience::new(TAKE_OVER_TIME_MAX, Arc::default()))?;
        relabel::relabel(&self.path, skill_path, to)
    }

    async fn take_over(&self, patience: &Patience) -> Result<u64, PortError> {
        if self.read(take_over::has_nothing_to_do)? {
            return Ok(0);
        }
        take_over::take_over(&self.path, patience)
    }

    async fn repair(&self) -> Result<Option<RepairedLog>, PortError> {
        refuse_links(&self.path)?;
        repair::repair(&self.path)
    }

    async fn retire(&self, last: LogPosition, up_to: &Path) -> Result<bool, PortError> {
        retire::retire(&self.path, last, up_to)
    }
}
