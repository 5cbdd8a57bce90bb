//! A pool of open logs for a long-running process. Only one thread at a time uses a log's connection.
//!
//! To other processes it looks like an ordinary writer. They append, forget and retire at any time, so every user of
//! a pooled connection checks that it still belongs to the file at the log's path.

use super::journal_mode::is_wal;
use super::open::busy;
use crate::connection::Db;
use skillc_fs::Identity;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of open logs: those of the skills that an agent uses for one task.
const LOGS_MAX: usize = 8;

/// Size in KiB of an idle log's page cache: the last pages of the table and its indexes, which the next event
/// changes.
const CACHE_KIB: i64 = 512;

/// Open connections by path of the log.
#[derive(Default)]
pub struct LogPool {
    logs: Mutex<PooledLogs>,
    released: Condvar,
}

#[derive(Default)]
struct PooledLogs {
    /// Connections by log, least recently used first.
    idle: Vec<(PathBuf, OpenConnection)>,
    in_use: Vec<PathBuf>,
}

/// A connection in write-ahead mode, with every file of the log open.
pub struct OpenConnection {
    /// The database, not in a transaction.
    pub db: Db,
    /// Identifies the log's main file.
    pub file: Identity,
}

/// Exclusive use of a log within this process; dropping it returns the connection to the pool.
pub struct LogGuard<'a> {
    pool: &'a LogPool,
    log: PathBuf,
    connection: Option<OpenConnection>,
}

impl OpenConnection {
    /// Prepares a connection for the pool; `None` if it cannot be reused safely. While it is open, no process can
    /// leave WAL mode.
    pub fn new(db: Db, file: Identity) -> Option<Self> {
        // Other systems do not delete open files, so the log could not be retired.
        if !cfg!(unix) || !is_wal(&db) {
            return None;
        }
        // A failure only costs memory.
        let _ = db.pragma_update(None, "cache_size", -CACHE_KIB);
        Some(Self { db, file })
    }
}

impl LogPool {
    /// Waits until no other thread uses the log.
    ///
    /// # Errors
    /// `SQLITE_BUSY` after the timeout.
    pub fn acquire(&self, log: &Path, timeout: Duration) -> rusqlite::Result<LogGuard<'_>> {
        let start = Instant::now();
        let mut logs = self.locked();
        while logs.in_use.iter().any(|used| used == log) {
            let in_use = || busy("another thread of this process is writing it");
            let left = timeout.checked_sub(start.elapsed()).ok_or_else(in_use)?;
            logs = self.released.wait_timeout(logs, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        logs.in_use.push(log.to_owned());
        let at = logs.idle.iter().position(|(path, _)| path == log);
        let connection = at.map(|at| logs.idle.remove(at).1);
        Ok(LogGuard { pool: self, log: log.to_owned(), connection })
    }

    fn locked(&self) -> MutexGuard<'_, PooledLogs> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LogGuard<'_> {
    /// Takes the open connection if it belongs to this file; closes any other.
    pub fn take_connection(&mut self, file: Option<Identity>) -> Option<OpenConnection> {
        self.connection.take().filter(|open| Some(open.file) == file)
    }

    /// Makes a connection available to the next user of the log.
    pub fn put_back(&mut self, connection: OpenConnection) {
        self.connection = Some(connection);
    }
}

impl Drop for LogGuard<'_> {
    fn drop(&mut self) {
        let mut logs = self.pool.locked();
        logs.in_use.retain(|used| *used != self.log);
        logs.idle.extend(self.connection.take().map(|connection| (self.log.clone(), connection)));
        let evicted = (logs.idle.len() > LOGS_MAX).then(|| logs.idle.remove(0));
        drop(logs);
        self.pool.released.notify_all();
        // Closing takes time, which other threads need not wait for.
        drop(evicted);
    }
}
