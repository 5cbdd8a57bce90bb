//! Deleting a log whose events have gone elsewhere.

use super::folder;
use super::waiting::{LOG_BUSY_TIMEOUT, wait_for_others};
use crate::connection::{beside, failure, open_existing};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};
use skillc_ports::{ErrorKind, PortError, Position};
use std::io;
use std::path::Path;

/// Deletes a log if no event stands after a place, and the folders above it up to another one as far as they are empty.
pub fn retire(log: &Path, last: Position, up_to: &Path) -> Result<bool, PortError> {
    refuse_linked_folders(log, up_to)?;
    let doing = || format!("delete the log '{}'", log.display());
    let held = folder::alone(log, LOG_BUSY_TIMEOUT).map_err(|e| failure("delete the log", log, e))?;
    // Somebody else may have retired it before the folder was held.
    if held.is_some() && log.symlink_metadata().is_ok() {
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
        delete_files(log).map_err(|error| PortError::io(doing(), error))?;
    }
    drop(held);
    remove_empty_folders(log, up_to);
    Ok(true)
}

fn open(log: &Path) -> rusqlite::Result<Connection> {
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
fn delete_files(log: &Path) -> io::Result<()> {
    std::fs::remove_file(log)?;
    for suffix in ["-wal", "-shm", "-journal"] {
        match std::fs::remove_file(beside(log, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// The folders above a log, the nearest first; none unless it stands below `up_to`.
fn folders<'a>(log: &'a Path, up_to: &'a Path) -> impl Iterator<Item = &'a Path> {
    let is_below = log.starts_with(up_to);
    log.ancestors().skip(1).take_while(move |folder| is_below && *folder != up_to)
}

/// A link on the way would lead to a log that is somebody else's.
fn refuse_linked_folders(log: &Path, up_to: &Path) -> Result<(), PortError> {
    let is_link = |folder: &Path| folder.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    match folders(log, up_to).find(|folder| is_link(folder)) {
        Some(link) => {
            Err(PortError::new(ErrorKind::Denied, format!("delete below the link '{}'", link.display())))
        }
        None => Ok(()),
    }
}

/// Those that hold something, or that cannot be removed, stay.
fn remove_empty_folders(log: &Path, up_to: &Path) {
    for folder in folders(log, up_to) {
        match std::fs::remove_dir(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return,
            _ => {}
        }
    }
}
