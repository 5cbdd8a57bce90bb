//! Reading a log as it stands, which changes nothing: a log of an older version, or of another tool, is not migrated.

use super::schema::{BASE, OURS, columns, has_unseen};
use super::select::{event, from_rows, number, text};
use super::side::SIDE;
use super::waiting::{LOG_BUSY_TIMEOUT, wait_for_others};
use super::{folder, inherit};
use crate::connection::{Db, open_existing, open_unwritable, with_suffix};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OptionalExtension, ffi};
use skillc_fs::{Folder, Identity};
use skillc_ports::{LoggedEvent, Position};
use std::path::Path;

/// How the rows of a log are reached.
pub enum Layout {
    /// There is no table.
    Empty,
    /// The table has all that ours have, in every row.
    Ours,
    /// A table with the base columns; the text stands in the place of ours after `FROM`.
    Other {
        /// A subquery that gives the columns that ours have.
        rows: String,
        /// Whether the rows may have ids.
        has_ids: bool,
    },
}

impl Layout {
    /// What stands after `FROM` for rows with all columns; `None` when there are none.
    pub fn rows(&self) -> Option<&str> {
        match self {
            Self::Empty => None,
            Self::Ours => Some("access_log"),
            Self::Other { rows, .. } => Some(rows),
        }
    }
}

/// One moment of a log.
pub struct Reading {
    /// Within a transaction.
    pub db: Db,
    /// How its rows are reached.
    pub layout: Layout,
}

/// Asks a log at one moment; where there is none, the answer is the default.
pub fn read<T: Default>(path: &Path, ask: impl Fn(&Reading) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    match Reading::open(path)? {
        Some(log) => ask(&log),
        None => Ok(T::default()),
    }
}

impl Reading {
    /// `None` when there is no log.
    fn open(path: &Path) -> rusqlite::Result<Option<Self>> {
        let Some(folder) = folder::shared(path, LOG_BUSY_TIMEOUT)? else { return Ok(None) };
        // While the folder is held, the log is not retired.
        if Identity::at(path).is_none() {
            return Ok(None);
        }
        let db = begin(path)?;
        // The moment is fixed and all files are open: the log may go.
        drop(folder);
        let layout = layout(&db)?;
        Ok(Some(Self { db, layout }))
    }

    /// What stands after `FROM` for rows with all columns; `None` when there are none.
    pub fn rows(&self) -> Option<&str> {
        self.layout.rows()
    }

    /// Events after a place.
    pub fn events(&self, after: Position, limit: u32) -> rusqlite::Result<Vec<LoggedEvent>> {
        let Some(rows) = self.rows() else { return Ok(Vec::new()) };
        let sql = format!("{} WHERE id > ?1 ORDER BY id LIMIT ?2", from_rows(rows));
        let mut page: Vec<LoggedEvent> =
            self.db.prepare(&sql)?.query_map((after, limit), event)?.collect::<Result<_, _>>()?;
        let has_ids = !matches!(self.layout, Layout::Other { has_ids: false, .. });
        inherit::give(&self.db, has_ids, &mut page)?;
        Ok(page)
    }

    /// How many events stand after a place.
    pub fn count(&self, after: Position) -> rusqlite::Result<u64> {
        if self.rows().is_none() {
            return Ok(0);
        }
        self.db.query_row("SELECT count(*) FROM access_log WHERE id > ?1", [after], |row| number(row, 0))
    }

    /// What a team's store has confirmed.
    pub fn acknowledged(&self, store: &str) -> rusqlite::Result<Position> {
        let sql = "SELECT position FROM acknowledged WHERE store = ?1";
        match self.db.query_row(sql, [store], |row| row.get(0)).optional() {
            Err(error) if error.to_string().contains("no such table") => Ok(0),
            found => Ok(found?.unwrap_or_default()),
        }
    }
}

/// Opens a log and begins a transaction.
fn begin(path: &Path) -> rusqlite::Result<Db> {
    let has_wal =
        Folder::of_file(path).is_ok_and(|(folder, name)| folder.kind(with_suffix(&name, "-wal")).is_some());
    let begun = open_existing(path).and_then(|db| {
        wait_for_others(&db)?;
        // Leaving as the last one would move rows to the main file and delete the other.
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, has_wal)?;
        look(&db)?;
        Ok(db)
    });
    match begun {
        Err(error) if !has_wal && is_unwritable(&error) => {
            let db = open_unwritable(path)?;
            look(&db)?;
            Ok(db)
        }
        done => done,
    }
}

/// The first look is what meets a lock, a broken file, or a folder that cannot be written.
fn look(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema")
}

/// In a folder that cannot be written SQLite cannot make the files that belong to a log in WAL mode. When there are none,
/// the main file holds everything, and nobody is about to change it.
fn is_unwritable(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// How the rows of a log are reached.
///
/// # Errors
/// `SQLITE_CORRUPT` for a view, and for a table that lacks what every log has.
pub fn layout(db: &Connection) -> rusqlite::Result<Layout> {
    let mut names = db.prepare("SELECT name, type FROM sqlite_schema WHERE tbl_name = 'access_log'")?;
    let word = |row: &rusqlite::Row<'_>, at| text(row, at).map(Option::unwrap_or_default);
    let names: Vec<(String, String)> =
        names.query_map([], |row| Ok((word(row, 0)?, word(row, 1)?)))?.collect::<Result<_, _>>()?;
    let Some((_, kind)) = names.iter().find(|(name, _)| name == "access_log") else {
        return Ok(Layout::Empty);
    };
    if kind != "table" {
        return Err(corrupt(format!("access_log is a {kind}")));
    }
    if OURS.iter().all(|ours| names.iter().any(|(name, _)| name == ours)) && !has_unseen(db)? {
        return Ok(Layout::Ours);
    }
    let known = columns(db)?;
    let has = |name: &str| known.iter().any(|column| column == name);
    if let Some(missing) = BASE.iter().chain(&["id"]).find(|name| !has(name)) {
        return Err(corrupt(format!("access_log lacks '{missing}'")));
    }
    Ok(Layout::Other { rows: other_rows(has), has_ids: has("event_id") })
}

fn corrupt(found: String) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), Some(found))
}

/// A subquery that makes of any table with the base columns what one of ours holds.
fn other_rows(has: impl Fn(&str) -> bool) -> String {
    let base = BASE.iter().map(|name| match *name {
        "error" => "error".to_owned(),
        name => format!("ifnull({name}, '') AS {name}"),
    });
    let id = if has("event_id") { "event_id" } else { "NULL AS event_id" }.to_owned();
    let is_looked_at = SIDE.iter().all(|(name, ..)| has(name));
    let side = SIDE.iter().map(|(name, _, value)| match is_looked_at {
        true => format!("CASE WHEN flaws IS NULL THEN {value} ELSE {name} END AS {name}"),
        false => format!("{value} AS {name}"),
    });
    let columns: Vec<String> = ["id".to_owned(), id].into_iter().chain(base).chain(side).collect();
    format!("(SELECT {} FROM access_log)", columns.join(", "))
}
