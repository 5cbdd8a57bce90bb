//! The access log: one database a runtime, many short processes writing to it.

use crate::connection::{beside, failure, make_parent, open_existing, open_or_create};
use async_trait::async_trait;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, Row, params};
use skillc_domain::event::AccessEvent;
use skillc_domain::time::UnixNs;
use skillc_ports::{AccessLog, PortError};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// How often the change to WAL is tried, since SQLite does not wait for it by itself: 50 tries of 20 ms.
const WAL_TRIES_MAX: u32 = 50;
const WAL_TRY_EVERY: Duration = Duration::from_millis(20);

/// Bytes of the write-ahead log from which a writer empties it into the main file: about ten events. Each process that
/// opens the log reads it whole, so a long one costs every command; emptying costs two syncs, once in ten.
const WAL_BYTES_MAX: u64 = 128 * 1024;

/// Access logs in SQLite.
#[derive(Clone, Copy, Debug, Default)]
pub struct SqliteAccessLog;

#[async_trait]
impl AccessLog for SqliteAccessLog {
    async fn append(&self, log: &Path, event: &AccessEvent) -> Result<(), PortError> {
        make_parent(log)?;
        append(log, event).map_err(|error| failure("write the log", log, error))
    }

    async fn events(&self, log: &Path) -> Result<Vec<AccessEvent>, PortError> {
        if !log.is_file() {
            return Ok(Vec::new());
        }
        events(log).map_err(|error| failure("read the log", log, error))
    }

    async fn written_at(&self, log: &Path) -> Option<UnixNs> {
        // New rows go to the write-ahead log first.
        let wal = beside(log, "-wal");
        let time =
            |path: &Path| std::fs::metadata(path).ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok();
        let newest = time(log)?.max(time(&wal).unwrap_or_default());
        i64::try_from(newest.as_nanos()).ok()
    }
}

fn append(log: &Path, event: &AccessEvent) -> rusqlite::Result<()> {
    let db = open_or_create(log)?;
    use_wal(&db)?;
    // A later writer, not the last to leave, moves rows to the main file: leaving costs no sync.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    db.pragma_update(None, "wal_autocheckpoint", 0)?;
    match insert(&db, event) {
        Err(error) if is_older_schema(&error) => {
            migrate(&db)?;
            insert(&db, event)?;
        }
        done => done?,
    }
    empty_wal_if_long(&db, log);
    Ok(())
}

/// SQLite's own checkpoints would never shorten it: a process that opens the log alone recovers it, and then takes every
/// frame for one that is still to be moved.
fn empty_wal_if_long(db: &Connection, log: &Path) {
    let bytes = std::fs::metadata(beside(log, "-wal")).map_or(0, |wal| wal.len());
    if bytes > WAL_BYTES_MAX {
        // The event is safe already; where somebody is in the way, a later writer empties it.
        let _ = db.busy_timeout(Duration::ZERO);
        let _ = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    }
}

/// Switches to WAL if need be. The pragma's answer is looked at: it fails by saying another mode.
fn use_wal(db: &Connection) -> rusqlite::Result<()> {
    db.pragma_update(None, "synchronous", "NORMAL")?;
    for attempt in 1.. {
        let now: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if now == "wal" {
            return Ok(());
        }
        match db.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0)) {
            // A file system without shared memory stays with the journal it has, which is slower and as safe.
            Ok(_) => return Ok(()),
            Err(error) if attempt < WAL_TRIES_MAX && is_busy(&error) => std::thread::sleep(WAL_TRY_EVERY),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn insert(db: &Connection, event: &AccessEvent) -> rusqlite::Result<()> {
    db.prepare(
        "INSERT OR IGNORE INTO access_log(timestamp, run_id, command, skill, skill_path, cwd, args, error, event_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        event.timestamp, event.run_id, event.command, event.skill, event.skill_path, event.cwd, event.args,
        event.error, event.event_id
    ])?;
    Ok(())
}

/// Whether a statement failed because the table, or its newest column, is not there yet.
fn is_older_schema(error: &rusqlite::Error) -> bool {
    let text = error.to_string();
    text.contains("no such table") || text.contains("no column named")
}

/// Makes the table, or adds what a log of an older version lacks. Rows that are there stay as they are.
fn migrate(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(
        "BEGIN IMMEDIATE;
         CREATE TABLE IF NOT EXISTS access_log (
             id INTEGER PRIMARY KEY AUTOINCREMENT,
             timestamp TEXT NOT NULL,
             run_id TEXT NOT NULL,
             command TEXT NOT NULL,
             skill TEXT NOT NULL,
             skill_path TEXT NOT NULL,
             cwd TEXT NOT NULL,
             args TEXT NOT NULL,
             error TEXT,
             event_id TEXT
         );",
    )?;
    let upgraded = add_event_id(db);
    db.execute_batch(if upgraded.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    upgraded
}

fn add_event_id(db: &Connection) -> rusqlite::Result<()> {
    let known: i64 = db.query_row(
        "SELECT count(*) FROM pragma_table_info('access_log') WHERE name = 'event_id'",
        [],
        |row| row.get(0),
    )?;
    if known == 0 {
        db.execute_batch("ALTER TABLE access_log ADD COLUMN event_id TEXT")?;
    }
    db.execute_batch("CREATE UNIQUE INDEX IF NOT EXISTS idx_access_log_event ON access_log(event_id)")
}

fn events(log: &Path) -> rusqlite::Result<Vec<AccessEvent>> {
    let db = open_existing(log)?;
    let columns = "timestamp, run_id, command, skill, skill_path, cwd, args, error";
    let with_id = format!("SELECT {columns}, ifnull(event_id, '') FROM access_log ORDER BY id");
    let without = format!("SELECT {columns}, '' FROM access_log ORDER BY id");
    let mut all = match db.prepare(&with_id) {
        Err(error) if error.to_string().contains("no such column") => db.prepare(&without)?,
        Err(error) if error.to_string().contains("no such table") => return Ok(Vec::new()),
        prepared => prepared?,
    };
    all.query_map([], event)?.collect()
}

fn event(row: &Row<'_>) -> rusqlite::Result<AccessEvent> {
    Ok(AccessEvent {
        timestamp: row.get(0)?,
        run_id: row.get(1)?,
        command: row.get(2)?,
        skill: row.get(3)?,
        skill_path: row.get(4)?,
        cwd: row.get(5)?,
        args: row.get(6)?,
        error: row.get(7)?,
        event_id: row.get(8)?,
    })
}
