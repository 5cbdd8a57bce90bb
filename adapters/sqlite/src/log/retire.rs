//! Deletes a log after its events were stored elsewhere.

use super::folder_lock;
use super::open::{LOG_BUSY_TIMEOUT, open_to_change};
use crate::connection::{failure, refuse_links, with_suffix};
use rusqlite::{Connection, TransactionBehavior};
use skillc_fs::{Folder, Identity};
use skillc_ports::{LogPosition, PortError};
use std::path::Path;

/// Deletes a log that has no events after `last`, and the empty folders above it below `up_to`; returns whether it
/// did.
pub fn retire(log: &Path, last: LogPosition, up_to: &Path) -> Result<bool, PortError> {
    refuse_links(log)?;
    let failed = |error| failure("delete the log", log, error);
    let lock = folder_lock::lock_exclusive(log, LOG_BUSY_TIMEOUT).map_err(failed)?;
    // Another process may have retired it before the lock was taken.
    if lock.is_some() && Identity::at(log).is_some() {
        let mut db = open_to_change(log).map_err(failed)?;
        // Blocks writers.
        let change = db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        if has_more(&change, last).map_err(failed)? {
            return Ok(false);
        }
        // Other systems do not delete open files; a writer may get in between.
        #[cfg(not(unix))]
        (drop(change), drop(db));
        delete_files(log)?;
    }
    drop(lock);
    remove_empty_folders(log, up_to);
    Ok(true)
}

fn has_more(db: &Connection, last: LogPosition) -> rusqlite::Result<bool> {
    match db.prepare("SELECT 1 FROM access_log WHERE id > ?1") {
        Err(error) if error.to_string().contains("no such table") => Ok(false),
        prepared => prepared?.exists([last]),
    }
}

/// Deletes the main file first; without it, SQLite discards the others.
fn delete_files(log: &Path) -> Result<(), PortError> {
    let (folder, name) = Folder::of_file(log)?;
    for suffix in ["", "-wal", "-shm", "-journal"] {
        folder.remove_file(with_suffix(&name, suffix))?;
    }
    Ok(())
}

/// The folders between a log and `up_to`, nearest first; none if the log is not below `up_to`.
fn folders<'a>(log: &'a Path, up_to: &'a Path) -> impl Iterator<Item = &'a Path> {
    let is_below = log.starts_with(up_to);
    log.ancestors().skip(1).take_while(move |folder| is_below && *folder != up_to)
}

/// Deletes empty folders, and stops at the first that is not empty or cannot be deleted.
fn remove_empty_folders(log: &Path, up_to: &Path) {
    for path in folders(log, up_to) {
        let removed = Folder::of_file(path).and_then(|(above, name)| above.remove_empty_folder(name));
        if removed.is_err() {
            return;
        }
    }
}
