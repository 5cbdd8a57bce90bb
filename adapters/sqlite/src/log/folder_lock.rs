//! Locks on a log's folder, which prevent a log from being deleted while it is in use.
//!
//! SQLite opens the main file first and the files next to it later, by name. A process that opened a log just before
//! its deletion and then found the files of the next log at the same path would mix two databases. The lock is on the
//! folder itself, so that no file is left behind. On systems without such locks, either open files are not deleted or
//! the log has no write-ahead log.

use super::open::busy;
use skillc_fs::{Folder, Identity};
use skillc_ports::ErrorKind;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// The pause between two attempts, about as long as the lock is held.
const TRY_EVERY: Duration = Duration::from_micros(100);

/// A lock that is held until dropped; contains `None` if the system cannot lock folders.
pub struct FolderLock(#[expect(dead_code, reason = "kept open")] Option<File>);

/// Locks the folder for opening the log's files; `None` if there is no folder.
pub fn lock_shared(log: &Path, timeout: Duration) -> rusqlite::Result<Option<FolderLock>> {
    acquire(log, timeout, File::try_lock_shared)
}

/// Locks the folder for deleting the log; `None` if there is no folder.
pub fn lock_exclusive(log: &Path, timeout: Duration) -> rusqlite::Result<Option<FolderLock>> {
    acquire(log, timeout, File::try_lock)
}

fn acquire(
    log: &Path,
    timeout: Duration,
    lock: impl Fn(&File) -> Result<(), TryLockError>,
) -> rusqlite::Result<Option<FolderLock>> {
    let parent = log.parent().filter(|parent| !parent.as_os_str().is_empty());
    let path = parent.unwrap_or(Path::new("."));
    let start = Instant::now();
    loop {
        let folder = match Folder::open(path).and_then(|folder| folder.to_lock()) {
            Ok(folder) => folder,
            Err(error) if error.kind == ErrorKind::NotFound => return Ok(None),
            Err(_) => return Ok(Some(FolderLock(None))),
        };
        match lock(&folder) {
            Ok(()) if is_still_at(&folder, path) => return Ok(Some(FolderLock(Some(folder)))),
            Err(TryLockError::Error(_)) => return Ok(Some(FolderLock(None))),
            _ if start.elapsed() >= timeout => return Err(busy("its folder is locked")),
            // It was deleted in the meantime, and perhaps replaced by a new folder.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => std::thread::sleep(TRY_EVERY),
        }
    }
}

fn is_still_at(folder: &File, path: &Path) -> bool {
    let named = Identity::at(path);
    named.is_some() && Identity::of_open(folder) == named
}
