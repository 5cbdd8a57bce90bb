//! Deleting a log whose events have gone elsewhere.

use super::folder;
use super::waiting::{LOG_BUSY_TIMEOUT, wait_for_others};
use crate::connection::{Db, failure, open_existing, refuse_links, with_suffix};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};
use skillc_fs::{Folder, Identity};
use skillc_ports::{PortError, Position};
use std::path::Path;

/// Deletes a log if no event stands after a place, and the folders above it up to another one as far as they are empty.
pub fn retire(log: &Path, last: Position, up_to: &Path) -> Result<bool, PortError> {
    refuse_links(log)?;
    let held = folder::alone(log, LOG_BUSY_TIMEOUT).map_err(|e| failure("delete the log", log, e))?;
    // Somebody else may have retired it before the folder was held.
    if held.is_some() && Identity::at(log).is_some() {
        let mut db = open(log).map_err(|error| failure("delete the log", log, error))?;
        // While this is held, nobody can add an event.
        let change = db
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|error| failure("delete the log", log, error))?;
        if has_more(&change, last).map_err(|error| failure("delete the log", log, error))? {
            return Ok(false);
        }
        // Elsewhere an open file cannot be deleted, so that there is a moment in between.
        #[cfg(not(unix))]
        (drop(change), drop(db));
        delete_files(log)?;
    }
    drop(held);
    remove_empty_folders(log, up_to);
    Ok(true)
}

fn open(log: &Path) -> rusqlite::Result<Db> {
    let db = open_existing(log)?;
    wait_for_others(&db)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(db)
}

fn has_more(db: &Connection, last: Position) -> rusqlite::Result<bool> {
    match db.prepare("SELECT 1 FROM access_log WHERE id > ?1") {
        Err(error) if error.to_string().contains("no such table") => Ok(false),
        prepared => prepared?.exists([last]),
    }
}

/// The database goes first: what stays when this is interrupted belongs to nothing, and SQLite drops it.
fn delete_files(log: &Path) -> Result<(), PortError> {
    let (folder, name) = Folder::of_file(log)?;
    for suffix in ["", "-wal", "-shm", "-journal"] {
        folder.remove_file(with_suffix(&name, suffix))?;
    }
    Ok(())
}

/// The folders above a log, the nearest first; none unless it stands below `up_to`.
fn folders<'a>(log: &'a Path, up_to: &'a Path) -> impl Iterator<Item = &'a Path> {
    let is_below = log.starts_with(up_to);
    log.ancestors().skip(1).take_while(move |folder| is_below && *folder != up_to)
}

/// Those that hold something, or that cannot be removed, stay.
fn remove_empty_folders(log: &Path, up_to: &Path) {
    for path in folders(log, up_to) {
        let removed = Folder::of_file(path).and_then(|(above, name)| above.remove_empty_folder(name));
        if removed.is_err() {
            return;
        }
    }
}
