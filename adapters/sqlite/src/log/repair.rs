//! Repairs a damaged log: writes the readable rows to a new one, and keeps the damaged file next to it.

use super::columns::BASE;
use super::open::open_to_change;
use super::read::{LogSnapshot, other_rows, read};
use super::rewrite::{LogRewrite, NewLog, copy_acknowledged};
use super::row::{event, from_rows};
use super::schema::columns;
use super::streamed_ids::StreamedIds;
use crate::connection::{Db, failure, is_corruption, open_existing, open_unwritable, with_suffix};
use rusqlite::Connection;
use skillc_fs::{Folder, Identity};
use skillc_ports::{ErrorKind, LogPosition, LoggedEvent, PortError, RepairedLog};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Suffix of the damaged file.
const DAMAGED: &str = ".damaged";
/// Number of rows read at a time.
const PAGE_ROWS: u32 = 500;
/// Number of positions to skip one by one if the last position is unknown: more rows than a page has.
const SKIPS_MAX: u32 = 100_000;

/// Repairs a log; `None` if no new one had to be written, or there is none.
pub fn repair(log: &Path) -> Result<Option<RepairedLog>, PortError> {
    if Identity::at(log).is_none() {
        return Ok(None);
    }
    if is_sound(log)? {
        return if is_damaged(log)? { write_back(log).map(|()| None) } else { Ok(None) };
    }
    let failed = |error| failure("repair the log", log, error);
    let busy = || PortError::new(ErrorKind::Busy, format!("repair the log '{}'", log.display()));
    let rewriting = LogRewrite::begin(log)?.ok_or_else(busy)?;
    let new = rewriting.new_log().map_err(failed)?;
    let events = match open_existing(log) {
        Ok(old) => copy_readable(&old, &new).map_err(failed)?,
        Err(_) => 0,
    };
    new.finish(|| false).map_err(failed)?;
    let aside = free_name(log)?;
    rewriting.replace_damaged(&aside)?;
    Ok(Some(RepairedLog { events, aside: log.with_file_name(aside) }))
}

/// Whether a log is damaged. Reads only its main file, without the files that SQLite creates for an open database.
pub fn is_damaged(log: &Path) -> Result<bool, PortError> {
    if Identity::at(log).is_none() {
        return Ok(false);
    }
    let checked = open_unwritable(log).and_then(|db| is_intact(&db));
    match checked {
        Err(error) if is_corruption(&error) => Ok(true),
        checked => checked.map(|is_intact| !is_intact).map_err(|error| failure("read the log", log, error)),
    }
}

/// Writes to the main file, which is damaged, what its write-ahead log still has.
fn write_back(log: &Path) -> Result<(), PortError> {
    let failed = |error| failure("repair the log", log, error);
    let db = open_to_change(log).map_err(failed)?;
    let checkpoint = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
    match checkpoint.map_err(failed)? {
        true => Err(PortError::new(ErrorKind::Busy, format!("repair the log '{}'", log.display()))),
        false => Ok(()),
    }
}

/// Deletes the damaged files that repairs of a log left next to it.
pub fn remove_damaged(log: &Path) -> Result<(), PortError> {
    let (folder, name) = Folder::of_file(log)?;
    for (entry, _) in folder.entries()?.into_iter().filter(|(entry, _)| is_set_aside(entry, &name)) {
        folder.remove_file(&entry)?;
    }
    Ok(())
}

fn is_set_aside(entry: &OsStr, log: &OsStr) -> bool {
    let start = with_suffix(log, DAMAGED);
    entry.as_encoded_bytes().starts_with(start.as_encoded_bytes())
}

fn is_sound(log: &Path) -> Result<bool, PortError> {
    match read(log, |log: &LogSnapshot| is_intact(&log.db)) {
        Err(error) if is_corruption(&error) => Ok(false),
        checked => checked.map_err(|error| failure("read the log", log, error)),
    }
}

fn is_intact(db: &Connection) -> rusqlite::Result<bool> {
    db.query_row("PRAGMA quick_check(1)", [], |row| Ok(row.get::<_, String>(0)? == "ok"))
}

fn free_name(log: &Path) -> Result<OsString, PortError> {
    let (folder, name) = Folder::of_file(log)?;
    let first = with_suffix(&name, DAMAGED);
    let numbered = (2..u32::MAX).map(|number| with_suffix(&first, &format!("-{number}")));
    let mut names = std::iter::once(first.clone()).chain(numbered);
    Ok(names.find(|name| folder.kind(name).is_none()).unwrap_or(first))
}

/// Copies the readable rows; returns their number, which is 0 if the schema cannot be read.
fn copy_readable(old: &Db, new: &NewLog<'_>) -> rusqlite::Result<u64> {
    let Some(rows) = readable_rows(old) else { return Ok(0) };
    let mut ids = StreamedIds::default();
    let (mut events, mut after, mut skips) = (0, LogPosition::MIN, 0);
    let last = last_position(old);
    loop {
        let (page, is_readable) = page(old, &rows, after);
        let is_empty = page.is_empty();
        if let Some(end) = page.last() {
            (after, skips) = (end.position, 0);
        }
        events += page.len() as u64;
        new.insert(&ids.assign(page))?;
        let is_end = if is_readable {
            is_empty
        } else {
            // The next row is on an unreadable page; readable rows may follow.
            (after, skips) = (after.max(0) + 1, skips + 1);
            last.map_or(skips > SKIPS_MAX, |last| after >= last)
        };
        if is_end {
            // If this fails, team stores receive the events again; their ids make that harmless.
            let _ = copy_acknowledged(old, new.db());
            return Ok(events);
        }
    }
}

/// A subquery with all columns that reads only the table; `None` if the schema cannot be read.
fn readable_rows(db: &Connection) -> Option<String> {
    let known = columns(db).ok()?;
    let has = |name: &str| known.iter().any(|column| column == name);
    let is_log = BASE.iter().chain(&["id"]).all(|name| has(name));
    let rows = other_rows(has);
    is_log.then(|| rows.replace("FROM access_log", "FROM access_log NOT INDEXED"))
}

/// Rows after a position up to the first unreadable one, and whether the whole page could be read.
fn page(db: &Connection, rows: &str, after: LogPosition) -> (Vec<LoggedEvent>, bool) {
    let mut page = Vec::new();
    let sql = format!("{} WHERE id > ?1 ORDER BY id LIMIT ?2", from_rows(rows));
    let Ok(mut select) = db.prepare(&sql) else { return (page, false) };
    let Ok(mut found) = select.query((after, PAGE_ROWS)) else { return (page, false) };
    loop {
        match found.next().and_then(|row| row.map(event).transpose()) {
            Ok(Some(row)) => page.push(row),
            Ok(None) => return (page, true),
            Err(_) => return (page, false),
        }
    }
}

/// The highest position ever used.
fn last_position(db: &Connection) -> Option<LogPosition> {
    let sequence = "SELECT seq FROM sqlite_sequence WHERE name = 'access_log'";
    let ask = |sql| db.query_row(sql, [], |row| row.get::<_, Option<LogPosition>>(0)).ok().flatten();
    ask(sequence).or_else(|| ask("SELECT max(id) FROM access_log NOT INDEXED"))
}
