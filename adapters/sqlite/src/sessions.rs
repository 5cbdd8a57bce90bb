//! Stores in SQLite which versions of skills agents' sessions have loaded.

use crate::connection::{failure, is_corruption, make_parent, open_existing, open_or_create};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use skillc_domain::limits::{SESSION_LOAD_AGE_MAX_S, SESSION_LOADS_MAX};
use skillc_domain::time::UnixNs;
use skillc_ports::{ErrorKind, PortError, SessionStore};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long to wait until another process releases the file. Sending a text twice costs less than a longer wait.
const BUSY_TIMEOUT: Duration = Duration::from_secs(1);

/// Version of the table. A file with another version is cleared.
const LAYOUT: i64 = 1;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS loaded(
        session TEXT NOT NULL, path TEXT NOT NULL, version TEXT NOT NULL, at_ns INTEGER NOT NULL,
        PRIMARY KEY(session, path)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS loaded_at ON loaded(at_ns);";

/// The loads of all sessions, in a file or in memory.
#[derive(Debug)]
pub struct SqliteSessions(SessionLocation);

#[derive(Debug)]
enum SessionLocation {
    /// A file, created by the first load.
    File(PathBuf),
    /// In memory; opened by the first load.
    Memory(Mutex<Option<Connection>>),
}

impl SqliteSessions {
    /// Shares sessions between processes in this file.
    pub fn new(file: PathBuf) -> Self {
        Self(SessionLocation::File(file))
    }

    /// Stores sessions of this process only.
    pub fn in_memory() -> Self {
        Self(SessionLocation::Memory(Mutex::default()))
    }
}

impl SessionStore for SqliteSessions {
    fn remember(&self, session: &str, path: &str, version: &str, now: UnixNs) -> Result<bool, PortError> {
        let load = Load { session, path, version, now };
        match &self.0 {
            SessionLocation::File(file) => in_file(file, &load),
            SessionLocation::Memory(db) => {
                let mut db = db.lock().unwrap_or_else(PoisonError::into_inner);
                in_memory(&mut db, &load)
                    .map_err(|error| PortError::new(ErrorKind::Failed, "store the session").caused_by(error))
            }
        }
    }

    fn forget(&self, session: &str, path: &str) -> Result<(), PortError> {
        let forget = |db: &Connection| {
            db.execute("DELETE FROM loaded WHERE session = ?1 AND path = ?2", [session, path]).map(drop)
        };
        let done = match &self.0 {
            SessionLocation::File(file) => open_existing(file).and_then(|db| forget(&db)),
            SessionLocation::Memory(db) => {
                let db = db.lock().unwrap_or_else(PoisonError::into_inner);
                db.as_ref().map_or(Ok(()), forget)
            }
        };
        done.map_err(|error| {
            PortError::new(ErrorKind::Failed, "delete a load of the session").caused_by(error)
        })
    }
}

fn in_memory(db: &mut Option<Connection>, load: &Load<'_>) -> rusqlite::Result<bool> {
    let db = match db {
        Some(db) => db,
        none => none.insert(Connection::open_in_memory()?),
    };
    load.write(db)
}

fn in_file(file: &Path, load: &Load<'_>) -> Result<bool, PortError> {
    let folder = make_parent(file)?;
    let done = match try_in_file(file, load) {
        // A damaged file is replaced by an empty one.
        Err(error) if is_corruption(&error) => {
            let _ = folder.remove_file(file.file_name().unwrap_or_default());
            try_in_file(file, load)
        }
        done => done,
    };
    done.map_err(|error| failure("store the session in", file, error))
}

fn try_in_file(file: &Path, load: &Load<'_>) -> rusqlite::Result<bool> {
    let mut db = open_or_create(file)?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    // A power failure may lose it; a text is then sent twice.
    db.pragma_update(None, "synchronous", "OFF")?;
    load.write(&mut db)
}

/// A skill loaded by a session.
struct Load<'a> {
    session: &'a str,
    path: &'a str,
    version: &'a str,
    now: UnixNs,
}

impl Load<'_> {
    fn write(&self, db: &mut Connection) -> rusqlite::Result<bool> {
        let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let layout: i64 = change.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if layout != LAYOUT {
            change.execute_batch("DROP TABLE IF EXISTS loaded")?;
            change.execute_batch(TABLES)?;
            change.pragma_update(None, "user_version", LAYOUT)?;
        }
        let oldest = self.now.saturating_sub(SESSION_LOAD_AGE_MAX_S.saturating_mul(1_000_000_000));
        change.execute("DELETE FROM loaded WHERE at_ns < ?1", [oldest])?;
        let old: Option<String> = change
            .query_row(
                "SELECT version FROM loaded WHERE session = ?1 AND path = ?2",
                [self.session, self.path],
                |row| row.get(0),
            )
            .optional()?;
        change.execute(
            "INSERT OR REPLACE INTO loaded(session, path, version, at_ns) VALUES (?1, ?2, ?3, ?4)",
            params![self.session, self.path, self.version, self.now],
        )?;
        change.execute(
            "DELETE FROM loaded WHERE (session, path) IN
             (SELECT session, path FROM loaded ORDER BY at_ns DESC LIMIT -1 OFFSET ?1)",
            [SESSION_LOADS_MAX],
        )?;
        change.commit()?;
        Ok(old.is_none_or(|old| old != self.version))
    }
}
