//! Stores in SQLite how far the files of agents' histories were imported, and what was forgotten.

use crate::connection::{Db, failure, make_parent, open_existing, open_or_create};
use rusqlite::{Connection, Row, TransactionBehavior, params};
use skillc_fs::Folder;
use skillc_ports::{ForgottenSpan, HistoryBookmark, HistoryBookmarks, PortError};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS bookmark(
        file TEXT PRIMARY KEY, bytes INTEGER NOT NULL, modified_ns INTEGER NOT NULL, position INTEGER NOT NULL,
        has_pending INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS forgotten(skill TEXT, until_ns INTEGER NOT NULL);";

/// Bookmarks in a file, which the first import creates.
pub struct SqliteHistoryBookmarks {
    path: PathBuf,
    /// Opened by the first query and then reused, since an import makes one query per file.
    db: Mutex<Option<Db>>,
}

impl SqliteHistoryBookmarks {
    /// Uses the bookmarks in a file.
    pub fn new(path: PathBuf) -> Self {
        Self { path, db: Mutex::default() }
    }

    fn locked(&self) -> MutexGuard<'_, Option<Db>> {
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queries the file; returns the default if the file does not exist.
    fn read<T: Default>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, PortError> {
        let mut db = self.locked();
        if db.is_none() {
            let exists = Folder::of_file(&self.path).is_ok_and(|(folder, name)| folder.kind(name).is_some());
            if !exists {
                return Ok(T::default());
            }
            let opened = open_existing(&self.path).map_err(|error| failure("read", &self.path, error))?;
            *db = Some(opened);
        }
        let Some(open) = db.as_ref() else { return Ok(T::default()) };
        match query(open) {
            Err(error) if error.to_string().contains("no such table") => Ok(T::default()),
            found => found.map_err(|error| failure("read", &self.path, error)),
        }
    }

    fn write(&self, act: impl FnOnce(&Connection) -> rusqlite::Result<()>) -> Result<(), PortError> {
        make_parent(&self.path)?;
        let mut db = self.locked();
        // A reader's connection may be read-only.
        let opened = open_or_create(&self.path).map_err(|error| failure("write", &self.path, error))?;
        let open = db.insert(opened);
        let done = open.execute_batch(TABLES).and_then(|()| {
            let change = open.transaction_with_behavior(TransactionBehavior::Immediate)?;
            act(&change)?;
            change.commit()
        });
        done.map_err(|error| failure("write", &self.path, error))
    }
}

fn bookmark(row: &Row<'_>) -> rusqlite::Result<HistoryBookmark> {
    let number = |at| row.get::<_, i64>(at).map(|number| u64::try_from(number).unwrap_or_default());
    Ok(HistoryBookmark {
        bytes: number(0)?,
        modified: row.get(1)?,
        position: number(2)?,
        has_pending: row.get(3)?,
    })
}

/// Converts a number for SQLite.
fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl HistoryBookmarks for SqliteHistoryBookmarks {
    fn bookmarks_in(&self, folder: &Path) -> Result<HashMap<PathBuf, HistoryBookmark>, PortError> {
        // Texts that begin with `/a/` sort between `/a/` and `/a0`, since `0` is the character after `/`.
        let folder = folder.to_string_lossy();
        let base = folder.trim_end_matches('/');
        self.read(|db| {
            let sql = "SELECT bytes, modified_ns, position, has_pending, file FROM bookmark WHERE file > ?1 AND file < ?2";
            let mut statement = db.prepare_cached(sql)?;
            let mut rows = statement.query([format!("{base}/"), format!("{base}0")])?;
            let mut found = HashMap::new();
            while let Some(row) = rows.next()? {
                let file: String = row.get(4)?;
                if !file[base.len() + 1..].contains('/') {
                    found.insert(PathBuf::from(file), bookmark(row)?);
                }
            }
            Ok(found)
        })
    }

    fn set_bookmarks(&self, bookmarks: &[(PathBuf, HistoryBookmark)]) -> Result<(), PortError> {
        self.write(|db| {
            let sql = "INSERT OR REPLACE INTO bookmark(file, bytes, modified_ns, position, has_pending)
                       VALUES (?1, ?2, ?3, ?4, ?5)";
            for (file, mark) in bookmarks {
                let HistoryBookmark { bytes, modified, position, has_pending } = mark;
                let values =
                    params![file.to_string_lossy(), stored(*bytes), modified, stored(*position), has_pending];
                db.prepare_cached(sql)?.execute(values)?;
            }
            Ok(())
        })
    }

    fn forgotten(&self) -> Result<Vec<ForgottenSpan>, PortError> {
        self.read(|db| {
            let span = |row: &Row<'_>| Ok(ForgottenSpan { skill: row.get(0)?, until: row.get(1)? });
            db.prepare("SELECT skill, until_ns FROM forgotten")?.query_map([], span)?.collect()
        })
    }

    fn add_forgotten(&self, span: &ForgottenSpan) -> Result<(), PortError> {
        self.write(|db| {
            let ForgottenSpan { skill, until } = span;
            db.execute("DELETE FROM forgotten WHERE skill IS ?1 AND until_ns <= ?2", params![skill, until])?;
            db.execute("INSERT INTO forgotten(skill, until_ns) VALUES (?1, ?2)", params![skill, until])?;
            Ok(())
        })
    }
}
