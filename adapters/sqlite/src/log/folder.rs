//! Keeps the retiring of a log apart from those who use it, by a lock on its folder.
//!
//! SQLite opens a database's own file first and those beside it later, by name. Whoever had opened a log just before it
//! was deleted, and then met the files of the next log at the same path, would mix two databases. The lock is on the
//! folder itself, so that no file is left over. Where the system knows no such locks, it also does not delete open files,
//! or the log is no write-ahead one.

use rusqlite::ffi;
use skillc_fs::{Folder, Identity};
use skillc_ports::ErrorKind;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// How often a held lock is tried: it is held for about as long.
const TRY_EVERY: Duration = Duration::from_micros(100);

/// The folder of a log while it is held; let go when dropped. Empty where it cannot be locked.
pub struct Held(#[expect(dead_code, reason = "open is what it has to be")] Option<File>);

/// Held by those who use a log while they open its files; `None` where there is no folder.
pub fn shared(log: &Path, timeout: Duration) -> rusqlite::Result<Option<Held>> {
    hold(log, timeout, File::try_lock_shared)
}

/// Held by the one who deletes a log; `None` where there is no folder.
pub fn alone(log: &Path, timeout: Duration) -> rusqlite::Result<Option<Held>> {
    hold(log, timeout, File::try_lock)
}

fn hold(
    log: &Path,
    timeout: Duration,
    lock: impl Fn(&File) -> Result<(), TryLockError>,
) -> rusqlite::Result<Option<Held>> {
    let parent = log.parent().filter(|parent| !parent.as_os_str().is_empty());
    let path = parent.unwrap_or(Path::new("."));
    let start = Instant::now();
    loop {
        let folder = match Folder::open(path).and_then(|folder| folder.to_lock()) {
            Ok(folder) => folder,
            Err(error) if error.kind == ErrorKind::NotFound => return Ok(None),
            Err(_) => return Ok(Some(Held(None))),
        };
        match lock(&folder) {
            Ok(()) if is_still_at(&folder, path) => return Ok(Some(Held(Some(folder)))),
            Err(TryLockError::Error(_)) => return Ok(Some(Held(None))),
            _ if start.elapsed() >= timeout => return Err(busy()),
            // It was deleted meanwhile, perhaps for another one of this name.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => std::thread::sleep(TRY_EVERY),
        }
    }
}

fn is_still_at(folder: &File, path: &Path) -> bool {
    let named = Identity::at(path);
    named.is_some() && Identity::of_open(folder) == named
}

fn busy() -> rusqlite::Error {
    let error = ffi::Error::new(ffi::SQLITE_BUSY);
    rusqlite::Error::SqliteFailure(error, Some("its folder is locked".to_owned()))
}
