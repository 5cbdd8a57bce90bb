//! Writes to a log: appends events and records what a team's store has acknowledged.

use super::folder_lock::{self, FolderLock};
use super::journal_mode;
use super::open::{LOG_BUSY_TIMEOUT, keep_wal_on_close, set_busy_handler};
use super::pool::{LogGuard, LogPool, OpenConnection};
use super::read::LastRead;
use super::rewrite::remove_abandoned;
use super::row::flaws;
use super::schema::{complete_columns, has_foreign_rows, is_large, is_schema_outdated, migrate};
use crate::connection::{Db, failure, make_parent, open_or_create, with_suffix};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, TransactionBehavior, params, params_from_iter};
use skillc_domain::event::AccessEvent;
use skillc_fs::{Folder, Identity};
use skillc_ports::{ErrorKind, LogPosition, PortError};
use std::ffi::OsStr;
use std::path::Path;
use std::slice;
use std::time::Duration;

/// Size in bytes of the write-ahead log above which a writer runs a checkpoint: about six events. Each process reads
/// all of it when it opens the log, so a long one slows down every command; a checkpoint costs two syncs.
const WAL_BYTES_MAX: u64 = 128 * 1024;

/// The same shortly after a checkpoint, when many processes are writing and would all wait for the syncs.
const WAL_BYTES_MAX_AT_ONCE: u64 = 512 * 1024;
/// How long after a checkpoint the larger limit applies.
const RECENTLY: Duration = Duration::from_secs(1);

/// Maximum number of attempts if other processes retire the log in the meantime; more than two cannot be coincidence.
const TRIES_MAX: u32 = 8;

/// Size of the page cache for a batch in KiB. Its rows touch pages throughout the index by read sections, and evicted
/// pages are written repeatedly.
const BATCH_CACHE_KIB: i32 = 16 * 1024;

/// Number of events in one statement. The fixed cost of a statement equals that of a few rows.
const ROWS_MAX: usize = 64;

/// Appends events; returns how many were new.
pub fn append(log: &Path, events: &[AccessEvent]) -> Result<u64, PortError> {
    retry(|| write(log, |db| insert(db, events), None))
}

/// Appends one event through a pooled connection; returns the number of new events.
pub fn append_pooled(log: &Path, event: &AccessEvent, pool: &LogPool) -> Result<u64, PortError> {
    let events = std::slice::from_ref(event);
    let mut guard =
        pool.acquire(log, LOG_BUSY_TIMEOUT).map_err(|error| failure("write the log", log, error))?;
    if let Some(open) = guard.take_connection(Identity::at(log))
        && let Some((result, open)) = append_through(open, log, events)
    {
        guard.put_back(open);
        return result;
    }
    retry(|| write(log, |db| insert(db, events), Some(&mut guard)))
}

/// Appends one event through the connection by which this process has just read the log, if there is one; returns the
/// number of new events.
pub fn append_after_read(log: &Path, event: &AccessEvent, last: &LastRead) -> Result<u64, PortError> {
    let events = slice::from_ref(event);
    let open = last.take_connection(log);
    match open.and_then(|open| append_through(open, log, events)) {
        Some((result, _)) => result,
        None => append(log, events),
    }
}

/// Appends through an open connection, and returns it too; `None` if that fails for a reason that reopening the log
/// will report or remove.
fn append_through(
    mut open: OpenConnection,
    log: &Path,
    events: &[AccessEvent],
) -> Option<(Result<u64, PortError>, OpenConnection)> {
    let result = run_migrated(&mut open.db, |db| insert(db, events))
        .map_err(|error| failure("write the log", log, error));
    match result {
        Err(error) if error.kind != ErrorKind::Busy => return None,
        Err(_) => {}
        Ok(_) => checkpoint_if_long(&open.db, log),
    }
    // If the log was retired in the meantime, the event is written to the next one too; ids make that harmless.
    (Identity::at(log) == Some(open.file)).then_some((result, open))
}

/// Records that a store has every event up to a position.
pub fn acknowledge(log: &Path, store: &str, up_to: LogPosition) -> Result<(), PortError> {
    let set = |db: &mut Connection| {
        // The port promises that the acknowledgment survives a power failure.
        db.pragma_update(None, "synchronous", "FULL")?;
        let sql = "INSERT INTO acknowledged(store, position) VALUES (?1, ?2)
                   ON CONFLICT(store) DO UPDATE SET position = max(position, excluded.position)";
        db.execute(sql, params![store, up_to]).map(drop)
    };
    // Not repeated: positions in a retired log are meaningless in the next one.
    write(log, set, None).result
}

/// The outcome of one attempt to write.
pub(super) struct WriteAttempt<T> {
    result: Result<T, PortError>,
    /// Whether another process deleted the log or its folder in the meantime.
    is_retired: bool,
}

/// Repeats an attempt while the log is being retired. If the next log already has the event, ids make that harmless.
pub(super) fn retry<T>(mut attempt: impl FnMut() -> WriteAttempt<T>) -> Result<T, PortError> {
    for _ in 1..TRIES_MAX {
        let WriteAttempt { result, is_retired } = attempt();
        if !is_retired {
            return result;
        }
    }
    attempt().result
}

/// Opens a log, creating it if missing, and writes to it. With a guard, the connection is returned to the pool
/// afterwards.
pub(super) fn write<T>(
    log: &Path,
    act: impl Fn(&mut Connection) -> rusqlite::Result<T>,
    guard: Option<&mut LogGuard<'_>>,
) -> WriteAttempt<T> {
    let (file, folder) = match create_if_missing(log) {
        Ok(created) => created,
        Err(error) => return WriteAttempt { is_retired: is_sign_of_retiring(&error), result: Err(error) },
    };
    let is_retired = || Identity::at(log) != Some(file);
    let failed = |error| Err(failure("write the log", log, error));
    match open(log, folder) {
        Ok(mut db) => {
            let result = run_migrated(&mut db, act).inspect(|_| checkpoint_if_long(&db, log)).or_else(failed);
            remove_abandoned(log);
            // Checked while the log is open, since its inode may be reused once it is closed.
            let is_retired = is_retired();
            if let Some(guard) = guard.filter(|_| result.is_ok() && !is_retired)
                && let Some(open) = OpenConnection::new(db, file)
            {
                guard.put_back(open);
            }
            WriteAttempt { result, is_retired }
        }
        Err(error) => WriteAttempt { result: failed(error), is_retired: is_retired() },
    }
}

/// Whether an error can mean that folders were deleted while they were being created.
fn is_sign_of_retiring(error: &PortError) -> bool {
    matches!(error.kind, ErrorKind::NotFound | ErrorKind::AlreadyExists)
}

/// Completes the schema and the rows of a log in place. Returns 0, since the number of incomplete rows is unknown.
pub fn migrate_in_place(log: &Path) -> Result<u64, PortError> {
    retry(|| write(log, |db| migrate(db).map(|()| 0), None))
}

/// Switches a log to WAL mode, in which readers do not block writers.
pub fn begin_wal(log: &Path) -> Result<(), PortError> {
    retry(|| write(log, |_| Ok(()), None))
}

/// Creates the log's file if missing; returns its identity and a lock on its folder.
fn create_if_missing(log: &Path) -> Result<(Identity, FolderLock), PortError> {
    let parent = make_parent(log)?;
    let doing = || format!("create '{}'", log.display());
    let gone = || PortError::new(ErrorKind::NotFound, doing());
    let lock = folder_lock::lock_shared(log, LOG_BUSY_TIMEOUT);
    let lock = lock.map_err(|error| failure("write the log", log, error))?.ok_or_else(gone)?;
    if Identity::at(log).is_none() {
        // An empty file is an empty database.
        parent.touch(log.file_name().unwrap_or_default())?;
    }
    let file = Identity::at(log).ok_or_else(gone)?;
    Ok((file, lock))
}

/// Opens a log for writing; the lock is held until SQLite has opened every file.
fn open(log: &Path, _lock: FolderLock) -> rusqlite::Result<Db> {
    let db = open_or_create(log)?;
    set_busy_handler(&db)?;
    journal_mode::use_wal(&db, log)?;
    // Closing must not cost a sync; a later writer runs the checkpoint.
    keep_wal_on_close(&db)?;
    db.pragma_update(None, "wal_autocheckpoint", 0)?;
    Ok(db)
}

/// Runs `act`; if the schema is missing or outdated, migrates it and runs `act` again.
fn run_migrated<T>(
    db: &mut Connection,
    act: impl Fn(&mut Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    match act(db) {
        Err(error) if is_schema_outdated(&error) => {
            migrate(db)?;
            act(db)
        }
        result => result,
    }
}

fn insert(db: &mut Connection, events: &[AccessEvent]) -> rusqlite::Result<u64> {
    if let [event] = events {
        return insert_one(db, event);
    }
    // Rows of other programs need ids before copies of them arrive.
    if has_foreign_rows(db)? {
        migrate(db)?;
    }
    db.pragma_update(None, "cache_size", -BATCH_CACHE_KIB)?;
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let new =
        events.chunks(ROWS_MAX).map(|rows| insert_rows(&change, rows)).sum::<rusqlite::Result<u64>>()?;
    change.commit()?;
    Ok(new)
}

/// Inserts an event that has its own id. A large log with rows of other programs stays as it is, since migrating them
/// would take too long.
fn insert_one(db: &mut Connection, event: &AccessEvent) -> rusqlite::Result<u64> {
    let events = slice::from_ref(event);
    match has_foreign_rows(db) {
        Ok(true) if !is_large(db)? => migrate(db)?,
        Err(error) if is_schema_outdated(&error) && is_large(db)? => {
            complete_columns(db)?;
            return insert_unindexed(db, event);
        }
        Ok(_) => {}
        Err(error) => return Err(error),
    }
    insert_rows(db, events)
}

/// Inserts an event into a table that lacks the unique index.
fn insert_unindexed(db: &Connection, event: &AccessEvent) -> rusqlite::Result<u64> {
    let new = db.prepare_cached(&insertion(1, ""))?.execute(params_from_iter(values(event)))?;
    Ok(new as u64)
}

/// Skips events whose id exists; fails without the unique index.
fn insert_rows(db: &Connection, events: &[AccessEvent]) -> rusqlite::Result<u64> {
    let sql = insertion(events.len(), "ON CONFLICT(event_id) DO NOTHING");
    let new = db.prepare_cached(&sql)?.execute(params_from_iter(events.iter().flat_map(values)))?;
    Ok(new as u64)
}

/// A failure ends the transaction, not the statement alone: for that, SQLite would copy each page that several rows
/// change to a file first.
fn insertion(rows: usize, on_conflict: &str) -> String {
    let rows = vec!["(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"; rows].join(", ");
    format!(
        "INSERT OR ROLLBACK INTO access_log(timestamp, run_id, command, skill, skill_path, cwd, args, error,
                                            event_id, target, file, section, flaws)
         VALUES {rows} {on_conflict}"
    )
}

fn values(event: &AccessEvent) -> [ToSqlOutput<'_>; 13] {
    [
        owned(event.timestamp.to_string()),
        text(&event.run_id),
        text(&event.command),
        text(&event.skill),
        text(&event.skill_path),
        text(&event.cwd),
        text(&event.args),
        maybe(&event.error),
        owned(event.event_id.to_string()),
        maybe(&event.target),
        maybe(&event.file),
        maybe(&event.section),
        ToSqlOutput::Borrowed(ValueRef::Integer(flaws(event))),
    ]
}

fn owned(text: String) -> ToSqlOutput<'static> {
    ToSqlOutput::Owned(Value::Text(text))
}

fn text(text: &str) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes()))
}

fn maybe(some: &Option<String>) -> ToSqlOutput<'_> {
    some.as_deref().map_or(ToSqlOutput::Borrowed(ValueRef::Null), text)
}

/// Runs a checkpoint if the write-ahead log is long. SQLite's automatic checkpoints would never shorten it: a process
/// that opens the log alone recovers it, and then considers none of its frames as checkpointed.
fn checkpoint_if_long(db: &Connection, log: &Path) {
    let Ok((folder, name)) = Folder::of_file(log) else { return };
    let bytes = folder.len(with_suffix(&name, "-wal")).unwrap_or_default();
    let was_emptied = || was_changed_recently(&folder, &name);
    let is_long = bytes > WAL_BYTES_MAX && (bytes > WAL_BYTES_MAX_AT_ONCE || !was_emptied());
    if is_long {
        // The event is already safe. If another process is in the way, a later writer runs the checkpoint.
        let _ = db.busy_timeout(Duration::ZERO);
        let _ = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = set_busy_handler(db);
    }
}

/// Whether a checkpoint was recent, since only checkpoints change the main file.
fn was_changed_recently(folder: &Folder, name: &OsStr) -> bool {
    folder.modified(name).is_some_and(|at| at.elapsed().is_ok_and(|age| age < RECENTLY))
}
