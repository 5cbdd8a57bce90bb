//! All sessions in one SQLite file.

use crate::connection::{failure, is_corruption, make_parent, open_or_create};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use skillc_domain::limits::{SESSION_LOAD_AGE_MAX_S, SESSION_LOADS_MAX};
use skillc_domain::time::UnixNs;
use skillc_ports::{PortError, SessionStore};
use std::path::PathBuf;
use std::time::Duration;

/// How long to wait for another process: a session is not worth a longer wait.
const BUSY_TIMEOUT: Duration = Duration::from_secs(1);

/// Version of the tables; those of another version are dropped.
const LAYOUT: i64 = 1;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS loaded(
        session TEXT NOT NULL, path TEXT NOT NULL, version TEXT NOT NULL, at_ns INTEGER NOT NULL,
        PRIMARY KEY(session, path)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS loaded_at ON loaded(at_ns);";

/// Sessions in a file that is created with the first entry.
#[derive(Clone, Debug)]
pub struct SqliteSessions {
    file: PathBuf,
}

impl SqliteSessions {
    /// Stores sessions in this file.
    pub fn new(file: PathBuf) -> Self {
        Self { file }
    }

    fn attempt(&self, load: &Load<'_>) -> rusqlite::Result<bool> {
        let mut db = open_or_create(&self.file)?;
        db.busy_timeout(BUSY_TIMEOUT)?;
        // A power failure may lose an entry; then a text is sent twice.
        db.pragma_update(None, "synchronous", "OFF")?;
        load.write(&mut db)
    }
}

impl SessionStore for SqliteSessions {
    fn remember(&self, session: &str, path: &str, version: &str, now: UnixNs) -> Result<bool, PortError> {
        let load = Load { session, path, version, now };
        let folder = make_parent(&self.file)?;
        let attempt = match self.attempt(&load) {
            // A corrupt file is replaced by a new one.
            Err(error) if is_corruption(&error) => {
                let _ = folder.remove_file(self.file.file_name().unwrap_or_default());
                self.attempt(&load)
            }
            attempt => attempt,
        };
        attempt.map_err(|error| failure("remember the session in", &self.file, error))
    }
}

/// A text that was sent in a session.
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
