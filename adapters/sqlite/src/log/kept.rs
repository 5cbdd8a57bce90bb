//! Logs that stay open between events. Within this process one writer at a time has a log's connection; to other processes
//! it is one that writes now and then: they add, forget and retire as ever, and whoever comes back to a log looks whether it
//! is still the one at its path.

use super::journal::has_all_open;
use crate::connection::Db;
use rusqlite::ffi;
use skillc_fs::Identity;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Logs that stay open at a time: those of the skills that an agent uses for one task.
const LOGS_MAX: usize = 8;

/// Memory for the pages of a log that stays open: the last pages of the table and of its indexes, where the next event goes.
const CACHE_KIB: i64 = 512;

/// The logs that are open, and those that are written.
#[derive(Default)]
pub struct Kept {
    logs: Mutex<Logs>,
    freed: Condvar,
}

#[derive(Default)]
struct Logs {
    /// Waiting for their next event, the longest first.
    open: Vec<(PathBuf, OpenLog)>,
    /// Somebody's at the moment.
    taken: Vec<PathBuf>,
}

/// A log in write-ahead mode with every file of it open.
pub struct OpenLog {
    /// In no transaction.
    pub db: Db,
    /// The file that it has open.
    pub file: Identity,
}

/// The one place of a log, while it is somebody's.
pub struct Place<'a> {
    kept: &'a Kept,
    log: PathBuf,
    open: Option<OpenLog>,
}

impl OpenLog {
    /// A log that was written just now; `None` where the next one could not be sure of it. While it is open, nobody switches
    /// it to another mode.
    pub fn new(db: Db, file: Identity) -> Option<Self> {
        // An open file cannot be deleted elsewhere.
        if !cfg!(unix) || !has_all_open(&db) {
            return None;
        }
        // Where that fails there are more pages, and no other answer.
        let _ = db.pragma_update(None, "cache_size", -CACHE_KIB);
        Some(Self { db, file })
    }
}

impl Kept {
    /// Waits until nobody of this process writes a log.
    ///
    /// # Errors
    /// Busy after the time.
    pub fn place(&self, log: &Path, timeout: Duration) -> rusqlite::Result<Place<'_>> {
        let start = Instant::now();
        let mut logs = self.locked();
        while logs.taken.iter().any(|taken| taken == log) {
            let left = timeout.checked_sub(start.elapsed()).ok_or_else(busy)?;
            logs = self.freed.wait_timeout(logs, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        logs.taken.push(log.to_owned());
        let at = logs.open.iter().position(|(path, _)| path == log);
        let open = at.map(|at| logs.open.remove(at).1);
        Ok(Place { kept: self, log: log.to_owned(), open })
    }

    fn locked(&self) -> MutexGuard<'_, Logs> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place<'_> {
    /// The open log, if it is still the file that stands there.
    pub fn take_open(&mut self, now: Option<Identity>) -> Option<OpenLog> {
        self.open.take().filter(|open| Some(open.file) == now)
    }

    /// Keeps a log open.
    pub fn keep(&mut self, open: OpenLog) {
        self.open = Some(open);
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut logs = self.kept.locked();
        logs.taken.retain(|taken| *taken != self.log);
        logs.open.extend(self.open.take().map(|open| (self.log.clone(), open)));
        let longest = (logs.open.len() > LOGS_MAX).then(|| logs.open.remove(0));
        drop(logs);
        self.kept.freed.notify_all();
        drop(longest);
    }
}

fn busy() -> rusqlite::Error {
    let error = ffi::Error::new(ffi::SQLITE_BUSY);
    rusqlite::Error::SqliteFailure(error, Some("others of this process write it".to_owned()))
}
