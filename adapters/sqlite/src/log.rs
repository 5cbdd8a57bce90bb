//! The access log: one database a runtime, many short processes writing to it.

mod append;
mod conditions;
mod covered;
mod folder;
mod forget;
mod inherit;
mod journal;
mod kept;
mod owners;
mod read;
mod retire;
mod scan;
mod schema;
mod select;
mod side;
mod tallies;
mod usage;
mod waiting;

use crate::connection::{failure, refuse_links, with_suffix};
use async_trait::async_trait;
use kept::Kept;
use read::Reading;
use skillc_domain::event::AccessEvent;
use skillc_domain::time::UnixNs;
use skillc_domain::usage::{Usage, UsageQuery};
use skillc_fs::Folder;
use skillc_ports::{AccessLog, Forget, LocalLog, LocalLogs, LoggedEvent, PortError, Position};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// Access logs in SQLite files.
#[derive(Clone, Copy, Debug, Default)]
pub struct SqliteLocalLogs;

impl LocalLogs for SqliteLocalLogs {
    fn at(&self, path: &Path) -> Box<dyn LocalLog> {
        Box::new(SqliteLog { path: path.to_owned(), kept: None })
    }
}

/// The same for a process that lives on: logs to which events are added stay open, and are in no transaction meanwhile.
#[derive(Clone, Default)]
pub struct KeptLocalLogs(Arc<Kept>);

impl LocalLogs for KeptLocalLogs {
    fn at(&self, path: &Path) -> Box<dyn LocalLog> {
        Box::new(SqliteLog { path: path.to_owned(), kept: Some(self.0.clone()) })
    }
}

/// The log at one path.
#[derive(Clone)]
struct SqliteLog {
    path: PathBuf,
    kept: Option<Arc<Kept>>,
}

impl SqliteLog {
    /// Asks the log; where there is none, the answer is that of an empty one.
    fn read<T: Default>(&self, ask: impl Fn(&Reading) -> rusqlite::Result<T>) -> Result<T, PortError> {
        read::read(&self.path, ask).map_err(|error| failure("read the log", &self.path, error))
    }
}

#[async_trait]
impl AccessLog for SqliteLog {
    async fn append(&self, events: &[AccessEvent]) -> Result<u64, PortError> {
        match (&self.kept, events) {
            // What many events need in memory is not kept.
            (Some(kept), [event]) => append::append_one(&self.path, event, kept),
            _ => append::append(&self.path, events),
        }
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Usage, PortError> {
        self.read(|log| usage::usage(log, query))
    }
}

#[async_trait]
impl LocalLog for SqliteLog {
    async fn events(&self, after: Position, limit: u32) -> Result<Vec<LoggedEvent>, PortError> {
        self.read(|log| log.events(after, limit))
    }

    async fn count(&self, after: Position) -> Result<u64, PortError> {
        self.read(|log| log.count(after))
    }

    async fn written_at(&self) -> Option<UnixNs> {
        let (folder, name) = Folder::of_file(&self.path).ok()?;
        let time = |name: &OsStr| folder.modified(name)?.duration_since(UNIX_EPOCH).ok();
        // New rows go to the write-ahead log first.
        let newest = time(&name)?.max(time(&with_suffix(&name, "-wal")).unwrap_or_default());
        i64::try_from(newest.as_nanos()).ok()
    }

    async fn acknowledged(&self, store: &str) -> Result<Position, PortError> {
        self.read(|log| log.acknowledged(store))
    }

    async fn acknowledge(&self, store: &str, up_to: Position) -> Result<(), PortError> {
        append::acknowledge(&self.path, store, up_to)
    }

    async fn forget(&self, what: &Forget) -> Result<u64, PortError> {
        refuse_links(&self.path)?;
        forget::forget(&self.path, what).map_err(|error| failure("delete from the log", &self.path, error))
    }

    async fn retire(&self, last: Position, up_to: &Path) -> Result<bool, PortError> {
        retire::retire(&self.path, last, up_to)
    }
}
