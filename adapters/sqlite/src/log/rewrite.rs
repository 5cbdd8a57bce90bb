//! Writes the rows of a log to a new file that then replaces the log. Other processes use the log in the meantime;
//! only the replacement itself locks them out, for milliseconds.

use super::folder_lock;
use super::journal_mode::is_on_network;
use super::open::{LOG_BUSY_TIMEOUT, busy, open_to_change};
use super::row::flaws;
use super::schema::{TABLES, create_indexes};
use crate::connection::{Db, failure, open_or_create, with_suffix};
use rusqlite::{Connection, TransactionBehavior, params};
use skillc_fs::{Folder, Identity};
use skillc_ports::{LogPosition, LoggedEvent, PortError};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Suffix of the new file. If a process is interrupted, the next writer deletes the file that it left.
const NEW: &str = ".new";
/// Size in KiB of the page cache while rows are written.
const CACHE_KIB: i64 = 64 * 1024;
/// Number of attempts, 20 ms apart, to replace the log while others read it.
const TRIES_MAX: u32 = 10;
const TRY_EVERY: Duration = Duration::from_millis(20);
/// How long each attempt waits for readers while it locks others out.
const BUSY_TIMEOUT: Duration = Duration::from_millis(10);

/// Exclusive permission to rewrite a log or delete from it. Dropping it deletes the new file.
pub struct LogRewrite {
    log: PathBuf,
    folder: Folder,
    name: OsString,
    new: OsString,
    file: File,
}

/// The new file, while rows are added to it.
pub struct NewLog<'a> {
    rewriting: &'a LogRewrite,
    db: Db,
}

impl LogRewrite {
    /// Acquires the permission; `None` if another process has it.
    pub fn begin(log: &Path) -> Result<Option<Self>, PortError> {
        let (folder, name) = Folder::of_file(log)?;
        let new = with_suffix(&name, NEW);
        let file = folder.open_or_create_file(&new)?;
        let is_free = file.try_lock().is_ok();
        // A process that just replaced the log renamed the file that was locked here.
        let is_named = Identity::of_open(&file) == Identity::at(&log.with_file_name(&new));
        Ok((is_free && is_named).then(|| Self { log: log.to_owned(), folder, name, new, file }))
    }

    /// Creates an empty new file, without indexes.
    pub fn new_log(&self) -> rusqlite::Result<NewLog<'_>> {
        self.file.set_len(0).map_err(|error| busy(&error.to_string()))?;
        let db = open_or_create(&self.log.with_file_name(&self.new))?;
        // Nobody reads the file before it is complete, and nothing is lost if it is.
        db.pragma_update_and_check(None, "journal_mode", "OFF", |_| Ok(()))?;
        db.pragma_update(None, "synchronous", "OFF")?;
        db.pragma_update(None, "cache_size", -CACHE_KIB)?;
        // Sorts rows for the indexes on a second core.
        db.pragma_update_and_check(None, "threads", 1, |_| Ok(()))?;
        db.execute_batch(TABLES)?;
        Ok(NewLog { rewriting: self, db })
    }

    /// Adds rows to the completed new file.
    pub fn append(&self, rows: &[LoggedEvent]) -> rusqlite::Result<()> {
        let new = open_or_create(&self.log.with_file_name(&self.new))?;
        insert(&new, rows)?;
        new.close()
    }

    /// Replaces the log by the completed new file, after `add_rest` has added the rows that the log received in the
    /// meantime. Returns false, and changes nothing, if the log was deleted or is constantly being read.
    pub fn replace(
        &self,
        old: Identity,
        mut add_rest: impl FnMut(&Connection, &Connection) -> rusqlite::Result<()>,
    ) -> Result<bool, PortError> {
        let failed = |error| failure("write the log", &self.log, error);
        self.sync()?;
        for _ in 0..TRIES_MAX {
            self.move_wal();
            let folder = folder_lock::lock_exclusive(&self.log, LOG_BUSY_TIMEOUT).map_err(failed)?;
            if Identity::at(&self.log) != Some(old) {
                return Ok(false);
            }
            let replaced = self.try_replace(&mut add_rest)?;
            // Others use the log in between.
            drop(folder);
            if let Some(old) = replaced {
                self.folder.sync();
                drop(old);
                return Ok(true);
            }
            std::thread::sleep(TRY_EVERY);
        }
        Ok(false)
    }

    /// Checkpoints most of the write-ahead log while others use it, so that little remains to be done under the lock.
    fn move_wal(&self) {
        if let Ok(db) = open_to_change(&self.log) {
            let _ = db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        }
    }

    /// Replaces the log and returns the old one; `None` if another process is reading it. The caller closes the old
    /// log after releasing the lock, since freeing the blocks of a large one takes a tenth of a second.
    fn try_replace(
        &self,
        add_rest: &mut impl FnMut(&Connection, &Connection) -> rusqlite::Result<()>,
    ) -> Result<Option<Db>, PortError> {
        let failed = |error| failure("write the log", &self.log, error);
        let mut db = open_to_change(&self.log).map_err(failed)?;
        db.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
        if !self.is_wal_empty(&db) {
            return Ok(None);
        }
        // Blocks writers.
        let change = db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        if self.wal_bytes() > 0 {
            return Ok(None);
        }
        let new = open_or_create(&self.log.with_file_name(&self.new)).map_err(failed)?;
        // One sync instead of one per step.
        new.pragma_update(None, "synchronous", "OFF").map_err(failed)?;
        add_rest(&change, &new).map_err(failed)?;
        new.close().map_err(failed)?;
        self.sync()?;
        self.swap()?;
        drop(change);
        Ok(Some(db))
    }

    /// Replaces a log that cannot be opened as a database; it stays next to the new one under another name.
    pub fn replace_damaged(&self, aside: &OsString) -> Result<(), PortError> {
        let failed = |error| failure("write the log", &self.log, error);
        self.sync()?;
        let _folder = folder_lock::lock_exclusive(&self.log, LOG_BUSY_TIMEOUT).map_err(failed)?;
        self.folder.rename(&self.name, &self.folder, aside)?;
        self.swap()?;
        self.folder.sync();
        Ok(())
    }

    /// Checkpoints the whole write-ahead log and returns whether it is empty. A remaining one would be taken for that
    /// of the new log.
    fn is_wal_empty(&self, db: &Connection) -> bool {
        let checkpoint = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
        checkpoint.is_ok_and(|is_busy| !is_busy) && self.wal_bytes() == 0
    }

    fn sync(&self) -> Result<(), PortError> {
        self.file.sync_all().map_err(|error| PortError::io("write the new log", error))
    }

    fn wal_bytes(&self) -> u64 {
        self.folder.len(with_suffix(&self.name, "-wal")).unwrap_or_default()
    }

    fn swap(&self) -> Result<(), PortError> {
        self.folder.rename(&self.new, &self.folder, &self.name)?;
        for suffix in ["-wal", "-shm", "-journal"] {
            self.folder.remove_file(with_suffix(&self.name, suffix))?;
        }
        Ok(())
    }
}

impl Drop for LogRewrite {
    fn drop(&mut self) {
        // After the replacement, the name is free or belongs to another process's file.
        if Identity::of_open(&self.file) == Identity::at(&self.log.with_file_name(&self.new)) {
            for suffix in ["", "-wal", "-shm", "-journal"] {
                let _ = self.folder.remove_file(with_suffix(&self.new, suffix));
            }
        }
    }
}

/// Deletes the new file of a process that was killed while writing it.
pub fn remove_abandoned(log: &Path) {
    let new = log.file_name().map(|name| log.with_file_name(with_suffix(name, NEW)));
    if new.is_some_and(|new| Identity::at(&new).is_some()) {
        // If another process owns the file, or it cannot be deleted, it stays.
        drop(LogRewrite::begin(log));
    }
}

impl NewLog<'_> {
    /// Adds rows with their positions.
    pub fn insert(&self, rows: &[LoggedEvent]) -> rusqlite::Result<()> {
        insert(&self.db, rows)
    }

    /// The connection to the new file.
    pub fn db(&self) -> &Connection {
        &self.db
    }

    /// Creates the indexes, unless `is_over` interrupts it, and prepares the file to replace the log.
    pub fn finish(self, is_over: impl FnMut() -> bool + Send + 'static) -> rusqlite::Result<()> {
        const STEPS: i32 = 10_000;
        self.db.progress_handler(STEPS, Some(is_over))?;
        create_indexes(&self.db)?;
        self.db.progress_handler(0, None::<fn() -> bool>)?;
        if !is_on_network(&self.rewriting.log) {
            self.db.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        }
        self.db.close()
    }
}

/// Adds rows with their positions, in one transaction.
pub fn insert(db: &Connection, rows: &[LoggedEvent]) -> rusqlite::Result<()> {
    let change = db.unchecked_transaction()?;
    let mut insert = change.prepare_cached(
        "INSERT INTO access_log(id, timestamp, run_id, command, skill, skill_path, cwd, args, error, event_id, target,
                                file, section, flaws)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?;
    for LoggedEvent { position, event } in rows {
        insert.execute(params![
            position,
            event.timestamp.to_string(),
            event.run_id,
            event.command,
            event.skill,
            event.skill_path,
            event.cwd,
            event.args,
            event.error,
            event.event_id.to_string(),
            event.target,
            event.file,
            event.section,
            flaws(event),
        ])?;
    }
    drop(insert);
    change.commit()
}

/// Copies the positions that team stores have acknowledged; copies nothing from a log without that table.
pub fn copy_acknowledged(from: &Connection, to: &Connection) -> rusqlite::Result<()> {
    let Ok(mut known) = from.prepare("SELECT store, position FROM acknowledged") else { return Ok(()) };
    let mut rows = known.query([])?;
    while let Some(row) = rows.next()? {
        let (store, position): (String, LogPosition) = (row.get(0)?, row.get(1)?);
        to.execute(
            "INSERT OR REPLACE INTO acknowledged(store, position) VALUES (?1, ?2)",
            params![store, position],
        )?;
    }
    Ok(())
}
