//! Reads a log without changing it. Logs of older versions and other programs are not migrated.

use super::columns::{BASE, DERIVED, without_time_check};
use super::journal_mode::is_wal;
use super::open::{LOG_BUSY_TIMEOUT, set_busy_handler};
use super::pool::OpenConnection;
use super::row::{event, from_rows, number, text};
use super::schema::{INDEXES, columns, has_foreign_rows};
use super::{folder_lock, legacy_ids};
use crate::connection::{Db, open_existing, open_unwritable, with_suffix};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OptionalExtension, ffi};
use skillc_fs::{Folder, Identity};
use skillc_ports::{LogPosition, LoggedEvent};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Number of statements that stay prepared for the next query: a command asks several with the same parts.
const STATEMENTS_MAX: usize = 32;

/// The layout of a log's tables.
pub enum LogLayout {
    /// There is no table.
    Empty,
    /// The current schema, with every row complete.
    Current,
    /// A table with at least the base columns.
    Other {
        /// A subquery with all columns of the current schema.
        rows: String,
        /// Whether the table has a column for event ids.
        has_ids: bool,
    },
}

impl LogLayout {
    /// A `FROM` clause with all columns; `None` if there is no table.
    pub fn rows(&self) -> Option<&str> {
        match self {
            Self::Empty => None,
            Self::Current => Some("access_log"),
            Self::Other { rows, .. } => Some(rows),
        }
    }
}

/// A snapshot of a log.
pub struct LogSnapshot {
    /// The database, in a transaction.
    pub db: Db,
    pub layout: LogLayout,
    /// The log's main file.
    file: Identity,
}

/// Queries a snapshot of a log; returns the default if there is no log.
pub fn read<T: Default>(
    path: &Path,
    query: impl Fn(&LogSnapshot) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    match LogSnapshot::open(path)? {
        Some(log) => query(&log),
        None => Ok(T::default()),
    }
}

/// The log that this process read last, kept open for the next query. The first connection scans the whole
/// write-ahead log; without this, five queries would scan it five times.
#[derive(Default)]
pub struct LastRead(Mutex<Option<OpenLog>>);

/// An open log without a transaction.
struct OpenLog {
    path: PathBuf,
    file: Identity,
    db: Db,
}

impl LastRead {
    /// Like [`read`], but uses the open log if it is still the one at this path.
    pub fn read<T: Default>(
        &self,
        path: &Path,
        query: impl Fn(&LogSnapshot) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let log = match self.take(path) {
            Some(log) => log,
            None => match LogSnapshot::open(path)? {
                Some(log) => log,
                None => return Ok(T::default()),
            },
        };
        let result = query(&log)?;
        self.put_back(path, log);
        Ok(result)
    }

    /// Takes the connection of the open log for a change, if it is in write-ahead mode; `None` if another file is at the
    /// path by now.
    pub fn take_connection(&self, path: &Path) -> Option<OpenConnection> {
        let OpenLog { file, db, .. } = self.take_open(path)?;
        let is_ready = is_wal(&db) && db.pragma_update(None, "synchronous", "NORMAL").is_ok();
        is_ready.then_some(OpenConnection { db, file })
    }

    fn take_open(&self, path: &Path) -> Option<OpenLog> {
        // The log at another path stays open: a command alternates between the log of a skill and one that may not
        // exist.
        let of_path = |open: &mut OpenLog| open.path == path;
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner).take_if(of_path)?;
        (Identity::at(path) == Some(open.file)).then_some(open)
    }

    /// Takes a new snapshot of the open log. On failure, the caller reopens the log, which reports the reason.
    fn take(&self, path: &Path) -> Option<LogSnapshot> {
        let open = self.take_open(path)?;
        begin_snapshot(&open.db).ok()?;
        let layout = layout(&open.db).ok()?;
        Some(LogSnapshot { db: open.db, layout, file: open.file })
    }

    fn put_back(&self, path: &Path, log: LogSnapshot) {
        // Other systems do not delete open files, so the log could not be retired.
        if cfg!(unix) && commit(&log.db).is_ok() {
            let open = OpenLog { path: path.to_owned(), file: log.file, db: log.db };
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(open);
        }
    }
}

impl LogSnapshot {
    /// Opens a snapshot; `None` if there is no log.
    fn open(path: &Path) -> rusqlite::Result<Option<Self>> {
        let Some(lock) = folder_lock::lock_shared(path, LOG_BUSY_TIMEOUT)? else { return Ok(None) };
        // The lock prevents the log from being retired.
        let Some(file) = Identity::at(path) else { return Ok(None) };
        let db = begin(path)?;
        // The snapshot has been taken, and all files are open.
        drop(lock);
        let layout = layout(&db)?;
        Ok(Some(Self { db, layout, file }))
    }

    /// Like `LogLayout::rows`.
    pub fn rows(&self) -> Option<&str> {
        self.layout.rows()
    }

    /// The events after a position.
    pub fn events(&self, after: LogPosition, limit: u32) -> rusqlite::Result<Vec<LoggedEvent>> {
        let mut page = self.rows_after(after, limit)?;
        let has_ids = !matches!(self.layout, LogLayout::Other { has_ids: false, .. });
        legacy_ids::assign(&self.db, has_ids, &mut page)?;
        Ok(page)
    }

    /// The events after a position; missing ids stay missing.
    pub fn rows_after(&self, after: LogPosition, limit: u32) -> rusqlite::Result<Vec<LoggedEvent>> {
        match self.rows() {
            Some(rows) => select(&self.db, &without_time_check(rows), after, limit),
            None => Ok(Vec::new()),
        }
    }

    /// Counts the events after a position.
    pub fn count(&self, after: LogPosition) -> rusqlite::Result<u64> {
        if self.rows().is_none() {
            return Ok(0);
        }
        self.db.query_row("SELECT count(*) FROM access_log WHERE id > ?1", [after], |row| number(row, 0))
    }

    /// The last position that a team's store has acknowledged; 0 for none.
    pub fn acknowledged(&self, store: &str) -> rusqlite::Result<LogPosition> {
        let sql = "SELECT position FROM acknowledged WHERE store = ?1";
        match self.db.query_row(sql, [store], |row| row.get(0)).optional() {
            Err(error) if error.to_string().contains("no such table") => Ok(0),
            found => Ok(found?.unwrap_or_default()),
        }
    }
}

/// The events of an open log after a position; missing ids stay missing.
pub fn rows_after(db: &Connection, after: LogPosition, limit: u32) -> rusqlite::Result<Vec<LoggedEvent>> {
    match layout(db)?.rows() {
        Some(rows) => select(db, &without_time_check(rows), after, limit),
        None => Ok(Vec::new()),
    }
}

fn select(db: &Connection, rows: &str, after: LogPosition, limit: u32) -> rusqlite::Result<Vec<LoggedEvent>> {
    let sql = format!("{} WHERE id > ?1 ORDER BY id LIMIT ?2", from_rows(rows));
    db.prepare(&sql)?.query_map((after, limit), event)?.collect()
}

/// Opens a log and begins a read transaction.
fn begin(path: &Path) -> rusqlite::Result<Db> {
    let has_wal =
        Folder::of_file(path).is_ok_and(|(folder, name)| folder.kind(with_suffix(&name, "-wal")).is_some());
    let begun = open_existing(path).and_then(|db| {
        set_busy_handler(&db)?;
        db.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
        // Closing the last connection would otherwise run a checkpoint and delete the write-ahead log.
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, has_wal)?;
        begin_snapshot(&db)?;
        Ok(db)
    });
    match begun {
        Err(error) if !has_wal && is_unwritable(&error) => {
            let db = open_unwritable(path)?;
            begin_snapshot(&db)?;
            Ok(db)
        }
        done => done,
    }
}

/// Begins a transaction. Its first statement detects locks, corruption and unwritable folders.
fn begin_snapshot(db: &Connection) -> rusqlite::Result<()> {
    db.prepare_cached("BEGIN")?.execute([])?;
    db.prepare_cached("SELECT count(*) FROM sqlite_schema")?.query_row([], |_| Ok(()))
}

fn commit(db: &Connection) -> rusqlite::Result<()> {
    db.prepare_cached("COMMIT")?.execute([]).map(drop)
}

/// Whether SQLite failed to create the files of WAL mode in an unwritable folder. If they do not exist, the main file
/// is complete and no process is writing.
fn is_unwritable(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Determines the layout of a log.
///
/// # Errors
/// `SQLITE_CORRUPT` for a view, and for a table without the base columns.
pub fn layout(db: &Connection) -> rusqlite::Result<LogLayout> {
    let mut names =
        db.prepare_cached("SELECT name, type FROM sqlite_schema WHERE tbl_name = 'access_log'")?;
    let word = |row: &rusqlite::Row<'_>, at| text(row, at).map(Option::unwrap_or_default);
    let names: Vec<(String, String)> =
        names.query_map([], |row| Ok((word(row, 0)?, word(row, 1)?)))?.collect::<Result<_, _>>()?;
    let Some((_, kind)) = names.iter().find(|(name, _)| name == "access_log") else {
        return Ok(LogLayout::Empty);
    };
    if kind != "table" {
        return Err(corrupt(format!("access_log is a {kind}")));
    }
    if INDEXES.iter().all(|index| names.iter().any(|(name, _)| name == index)) && !has_foreign_rows(db)? {
        return Ok(LogLayout::Current);
    }
    let known = columns(db)?;
    let has = |name: &str| known.iter().any(|column| column == name);
    if let Some(missing) = BASE.iter().chain(&["id"]).find(|name| !has(name)) {
        return Err(corrupt(format!("access_log lacks '{missing}'")));
    }
    Ok(LogLayout::Other { rows: other_rows(has), has_ids: has("event_id") })
}

fn corrupt(found: String) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), Some(found))
}

/// A subquery with the current columns over a table that has at least the base columns.
pub fn other_rows(has: impl Fn(&str) -> bool) -> String {
    let base = BASE.iter().map(|name| match *name {
        "error" => "error".to_owned(),
        name => format!("ifnull({name}, '') AS {name}"),
    });
    let id = if has("event_id") { "event_id" } else { "NULL AS event_id" }.to_owned();
    let has_derived = DERIVED.iter().all(|(name, ..)| has(name));
    let derived = DERIVED.iter().map(|(name, _, value)| match has_derived {
        true => format!("CASE WHEN flaws IS NULL THEN {value} ELSE {name} END AS {name}"),
        false => format!("{value} AS {name}"),
    });
    let columns: Vec<String> = ["id".to_owned(), id].into_iter().chain(base).chain(derived).collect();
    format!("(SELECT {} FROM access_log)", columns.join(", "))
}
