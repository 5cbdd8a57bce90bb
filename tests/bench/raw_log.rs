//! SQLite alone with a log's own tables: inserting, counting and copying events.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Result as Sql, params};
use skillc_domain::event::AccessEvent;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const INSERT: &str = "
    INSERT INTO access_log(timestamp, run_id, command, skill, skill_path, cwd, args, error, event_id,
                           target, file, section, flaws)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 0)";

/// The same timeout as the program's.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The same limit on the write-ahead log as the program's: each process that opens the database reads all of it.
const WAL_BYTES_MAX: u64 = 128 * 1024;
/// Page cache for a long fill, in KiB: all indexes of a million rows.
const FILL_CACHE_KIB: i64 = 512 * 1024;

/// The argument with which this program counts once in a new process.
pub const ONCE: &str = "--count-once";

/// How a connection leaves a database in WAL mode.
#[derive(Clone, Copy)]
pub enum Leaving {
    /// As the program does: without a checkpoint, unless there are many rows.
    AtOnce,
    /// As SQLite does by default.
    Plain,
}

/// Seconds to open a log, add an event and close it.
pub fn append(log: &Path, event: &AccessEvent, leaving: Leaving) -> Result<f64, String> {
    let start = Instant::now();
    append_one(log, event, leaving).map_err(|e| format!("{}: {e}", log.display()))?;
    Ok(start.elapsed().as_secs_f64())
}

fn append_one(log: &Path, event: &AccessEvent, leaving: Leaving) -> Sql<()> {
    let db = Connection::open(log)?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    db.pragma_update(None, "synchronous", "NORMAL")?;
    if let Leaving::AtOnce = leaving {
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    }
    insert(&db, std::iter::once(event.clone()))?;
    if let Leaving::AtOnce = leaving {
        let wal = log.with_file_name("logs.db-wal");
        if fs::metadata(wal).is_ok_and(|wal| wal.len() > WAL_BYTES_MAX) {
            db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        }
    }
    db.close().map_err(|(_, error)| error)
}

/// Removes all rows and the team's confirmations from a log, and leaves it in its main file.
pub fn empty(log: &Path) -> Result<(), String> {
    let emptied = || {
        let db = Connection::open(log)?;
        db.execute_batch(
            "DELETE FROM access_log; DELETE FROM acknowledged; DELETE FROM sqlite_sequence; VACUUM",
        )?;
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    };
    emptied().map_err(|e: rusqlite::Error| format!("{}: {e}", log.display()))
}

/// Moves all rows of a log into its main file.
pub fn settle(log: &Path) -> Result<(), String> {
    let settled = || {
        let db = Connection::open(log)?;
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    };
    settled().map_err(|e: rusqlite::Error| format!("{}: {e}", log.display()))
}

/// Adds events to an existing log in one transaction, and leaves them in its main file.
pub fn fill(log: &Path, events: impl Iterator<Item = AccessEvent>) -> Result<(), String> {
    let filled = || {
        let db = Connection::open(log)?;
        db.pragma_update(None, "cache_size", -FILL_CACHE_KIB)?;
        db.execute_batch("BEGIN")?;
        insert(&db, events)?;
        db.execute_batch("COMMIT")?;
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    };
    filled().map_err(|e: rusqlite::Error| format!("{}: {e}", log.display()))
}

fn insert(db: &Connection, events: impl Iterator<Item = AccessEvent>) -> Sql<()> {
    let mut insert = db.prepare(INSERT)?;
    for e in events {
        insert.execute(params![
            e.timestamp.to_string(),
            e.run_id,
            e.command,
            e.skill,
            e.skill_path,
            e.cwd,
            e.args,
            e.error,
            e.event_id.to_string(),
            e.target,
            e.file,
            e.section
        ])?;
    }
    Ok(())
}

/// Seconds to copy all rows of a log to an empty one with the same tables, in one transaction.
pub fn copy(from: &Path, to: &Path) -> Result<f64, String> {
    let start = Instant::now();
    let copied = || {
        let db = Connection::open(to)?;
        db.execute("ATTACH ? AS source", [from.to_string_lossy()])?;
        // Without an order, SQLite would copy the pages of the indexes unchanged.
        db.execute("INSERT INTO access_log SELECT * FROM source.access_log ORDER BY id", [])?;
        db.close().map_err(|(_, error)| error)
    };
    copied().map_err(|e: rusqlite::Error| format!("{}: {e}", to.display()))?;
    Ok(start.elapsed().as_secs_f64())
}

/// Number of rows in a log; 0 if it does not exist.
pub fn rows(log: &Path) -> Result<u64, String> {
    if !log.exists() {
        return Ok(0);
    }
    let counted = || {
        let count: i64 =
            read_only(log)?.query_row("SELECT count(*) FROM access_log", [], |row| row.get(0))?;
        Ok(count.unsigned_abs())
    };
    counted().map_err(|e: rusqlite::Error| format!("{}: {e}", log.display()))
}

/// Seconds to open a log, query it and close it, in a new process, as every command is.
pub fn ask_in_new_process(log: &Path, query: &str) -> Result<f64, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let done = Command::new(program).arg(ONCE).arg(log).arg(query).output().map_err(|e| e.to_string())?;
    let printed = String::from_utf8_lossy(&done.stdout).into_owned();
    printed.trim().parse().map_err(|_| format!("no figure from a new process: {printed:?}"))
}

/// The same in this process. Several statements are separated by `;`; every column of every result is read.
pub fn ask(log: &Path, query: &str) -> Result<f64, String> {
    let asked = || -> Sql<usize> {
        let db = read_only(log)?;
        query.split(';').map(|statement| read_all(&db, statement)).sum()
    };
    let start = Instant::now();
    let found = asked().map_err(|e| format!("{}: {e}", log.display()))?;
    let taken = start.elapsed().as_secs_f64();
    if found > 0 { Ok(taken) } else { Err(format!("{} holds nothing for {query:?}", log.display())) }
}

fn read_all(db: &Connection, query: &str) -> Sql<usize> {
    let mut statement = db.prepare(query)?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    let mut found = 0;
    while let Some(row) = rows.next()? {
        (0..columns).try_for_each(|column| row.get_ref(column).map(drop))?;
        found += 1;
    }
    Ok(found)
}

/// Opens a log in WAL mode for writing, but writes nothing, not even on closing.
fn read_only(log: &Path) -> Sql<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(log, flags)?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(db)
}
