//! Opens logs, and waits for locks that other processes hold.

use crate::connection::{Db, open_existing};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ffi};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// Limit for waiting for a lock on a log. Writers need milliseconds, and commands wait for their log before they
/// exit. Indexes have a longer limit.
pub const LOG_BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The pause between two attempts, about as long as a writer holds the lock. SQLite's own pauses grow to 100 ms, so
/// with many writers one may lose to all newcomers for seconds.
const PAUSE: Duration = Duration::from_millis(2);

/// Opens an existing log for changes. Closing it leaves the write-ahead log as it is.
pub fn open_to_change(log: &Path) -> rusqlite::Result<Db> {
    let db = open_existing(log)?;
    set_busy_handler(&db)?;
    keep_wal_on_close(&db)?;
    Ok(db)
}

/// Makes statements wait for a lock up to `LOG_BUSY_TIMEOUT`, then fail as busy.
pub fn set_busy_handler(db: &Connection) -> rusqlite::Result<()> {
    db.busy_handler(Some(pause))
}

/// Prevents the last connection from running a checkpoint and deleting the write-ahead log when it closes.
pub fn keep_wal_on_close(db: &Connection) -> rusqlite::Result<bool> {
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
}

/// An `SQLITE_BUSY` error that SQLite itself did not detect.
pub fn busy(message: &str) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), Some(message.to_owned()))
}

/// Busy handler: SQLite passes the number of earlier calls for the same lock; the result says whether to try again.
fn pause(pauses: i32) -> bool {
    let retries = PAUSE * pauses.unsigned_abs() < LOG_BUSY_TIMEOUT;
    if retries {
        sleep(PAUSE);
    }
    retries
}
