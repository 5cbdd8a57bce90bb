//! Writing to a log: adding events, and remembering what a team has.

use super::folder::{self, Held};
use super::journal;
use super::kept::{Kept, OpenLog, Place};
use super::schema::{has_unseen, is_older, migrate};
use super::select::flaws;
use super::waiting::{LOG_BUSY_TIMEOUT, wait_for_others};
use crate::connection::{Db, failure, make_parent, open_or_create, with_suffix};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, TransactionBehavior, params, params_from_iter};
use skillc_domain::event::AccessEvent;
use skillc_fs::{Folder, Identity};
use skillc_ports::{ErrorKind, PortError, Position};
use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

/// Bytes of the write-ahead log from which a writer empties it into the main file: about six events. Each process that
/// opens the log reads it whole, so a long one costs every command; emptying costs two syncs, once in six.
const WAL_BYTES_MAX: u64 = 128 * 1024;

/// The same where it was emptied just now: many write at once, and would wait for all the syncs.
const WAL_BYTES_MAX_AT_ONCE: u64 = 512 * 1024;
const JUST_NOW: Duration = Duration::from_secs(1);

/// How often events are written again because the log was retired meanwhile; more than twice is somebody's intent.
const TRIES_MAX: u32 = 8;

/// Memory for pages while many events are added: those of the index by what is read lie all over it, and what does not
/// stay in memory is written again and again.
const BATCH_CACHE_KIB: i32 = 16 * 1024;

/// Events of one statement: what a statement costs, however many rows it has, is as much as a few rows.
const ROWS_MAX: usize = 64;

/// Adds events and says how many were new.
pub fn append(log: &Path, events: &[AccessEvent]) -> Result<u64, PortError> {
    let attempt = || write(log, |db| insert(db, events));
    for _ in 1..TRIES_MAX {
        let Written { done, is_retired } = attempt();
        // Ids make it harmless to write again what the next log may have got from the last one.
        if !is_retired {
            return done;
        }
    }
    attempt().done
}

/// Adds an event by the connection that is kept, or that is kept from then on; says whether it was new.
pub fn append_one(log: &Path, event: &AccessEvent, kept: &Kept) -> Result<u64, PortError> {
    let events = std::slice::from_ref(event);
    let mut place =
        kept.place(log, LOG_BUSY_TIMEOUT).map_err(|error| failure("write the log", log, error))?;
    if let Some(open) = place.take_open(Identity::at(log))
        && let Some(done) = append_again(log, events, open, &mut place)
    {
        return done;
    }
    let attempt = |place: &mut _| write_and_keep(log, |db| insert(db, events), Some(place));
    for _ in 1..TRIES_MAX {
        let Written { done, is_retired } = attempt(&mut place);
        if !is_retired {
            return done;
        }
    }
    attempt(&mut place).done
}

/// Adds events by an open connection; `None` where that is of no use, which opening the log anew then explains.
fn append_again(
    log: &Path,
    events: &[AccessEvent],
    mut open: OpenLog,
    place: &mut Place<'_>,
) -> Option<Result<u64, PortError>> {
    let done =
        act_on(&mut open.db, |db| insert(db, events)).map_err(|error| failure("write the log", log, error));
    match done {
        Err(error) if error.kind != ErrorKind::Busy => return None,
        Err(_) => {}
        Ok(_) => empty_wal_if_long(&open.db, log),
    }
    // Where it was retired meanwhile, ids make it harmless that the event goes to the next one too.
    (Identity::at(log) == Some(open.file)).then(|| {
        place.keep(open);
        done
    })
}

/// Remembers that a store has every event up to a place.
pub fn acknowledge(log: &Path, store: &str, up_to: Position) -> Result<(), PortError> {
    let set = |db: &mut Connection| {
        // Without it the events would be sent again after a loss of power, which is harmless; but it is promised.
        db.pragma_update(None, "synchronous", "FULL")?;
        let sql = "INSERT INTO acknowledged(store, position) VALUES (?1, ?2)
                   ON CONFLICT(store) DO UPDATE SET position = max(position, excluded.position)";
        db.execute(sql, params![store, up_to]).map(drop)
    };
    // Places of a log that was retired mean nothing in the next one.
    write(log, set).done
}

/// How an attempt to write ended.
struct Written<T> {
    done: Result<T, PortError>,
    /// Whether the file at the path is no longer the one that was written, or its folder went.
    is_retired: bool,
}

/// Opens a log, which is made if it is not there, and writes to it.
fn write<T>(log: &Path, act: impl Fn(&mut Connection) -> rusqlite::Result<T>) -> Written<T> {
    write_and_keep(log, act, None)
}

/// The same; the log then stays open in a place.
fn write_and_keep<T>(
    log: &Path,
    act: impl Fn(&mut Connection) -> rusqlite::Result<T>,
    place: Option<&mut Place<'_>>,
) -> Written<T> {
    let (file, folder) = match claim(log) {
        Ok(claimed) => claimed,
        Err(error) => return Written { is_retired: is_sign_of_retiring(&error), done: Err(error) },
    };
    let is_retired = || Identity::at(log) != Some(file);
    let failed = |error| Err(failure("write the log", log, error));
    match open(log, folder) {
        Ok(mut db) => {
            let done = act_on(&mut db, act).inspect(|_| empty_wal_if_long(&db, log)).or_else(failed);
            // The log is still open: once it is closed, the next file at the path may get its number.
            let is_retired = is_retired();
            if let Some(place) = place.filter(|_| done.is_ok() && !is_retired)
                && let Some(open) = OpenLog::new(db, file)
            {
                place.keep(open);
            }
            Written { done, is_retired }
        }
        Err(error) => Written { done: failed(error), is_retired: is_retired() },
    }
}

/// Folders were deleted while they were made.
fn is_sign_of_retiring(error: &PortError) -> bool {
    matches!(error.kind, ErrorKind::NotFound | ErrorKind::AlreadyExists)
}

/// Makes the log's file if there is none, and says which one is about to be opened. Folders may go meanwhile.
fn claim(log: &Path) -> Result<(Identity, Held), PortError> {
    let parent = make_parent(log)?;
    let doing = || format!("create '{}'", log.display());
    let gone = || PortError::new(ErrorKind::NotFound, doing());
    let held = folder::shared(log, LOG_BUSY_TIMEOUT).map_err(|error| failure("write the log", log, error))?;
    let folder = held.ok_or_else(gone)?;
    if Identity::at(log).is_none() {
        // An empty file is an empty database.
        parent.touch(log.file_name().unwrap_or_default())?;
    }
    let file = Identity::at(log).ok_or_else(gone)?;
    Ok((file, folder))
}

/// Opens a log to write; its folder is held until SQLite has every file open.
fn open(log: &Path, _folder: Held) -> rusqlite::Result<Db> {
    let db = open_or_create(log)?;
    wait_for_others(&db)?;
    journal::use_wal(&db, log)?;
    // A later writer, not the last to leave, moves rows to the main file: leaving costs no sync.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    db.pragma_update(None, "wal_autocheckpoint", 0)?;
    Ok(db)
}

/// Writes, after making or completing the tables if need be.
fn act_on<T>(
    db: &mut Connection,
    act: impl Fn(&mut Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    match act(db) {
        Err(error) if is_older(&error) => {
            migrate(db)?;
            act(db)
        }
        done => done,
    }
}

fn insert(db: &mut Connection, events: &[AccessEvent]) -> rusqlite::Result<u64> {
    // They need their ids before copies of them come in.
    if has_unseen(db)? {
        migrate(db)?;
    }
    if let [_] = events {
        return insert_rows(db, events);
    }
    db.pragma_update(None, "cache_size", -BATCH_CACHE_KIB)?;
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let new =
        events.chunks(ROWS_MAX).map(|rows| insert_rows(&change, rows)).sum::<rusqlite::Result<u64>>()?;
    change.commit()?;
    Ok(new)
}

/// The id is what tells copies apart; the index sees to that, and the statement fails where there is none.
fn insert_rows(db: &Connection, events: &[AccessEvent]) -> rusqlite::Result<u64> {
    let rows = vec!["(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"; events.len()].join(", ");
    let sql = format!(
        "INSERT INTO access_log(timestamp, run_id, command, skill, skill_path, cwd, args, error, event_id,
                                target, file, section, flaws)
         VALUES {rows} ON CONFLICT(event_id) DO NOTHING"
    );
    let new = db.prepare_cached(&sql)?.execute(params_from_iter(events.iter().flat_map(values)))?;
    Ok(new as u64)
}

fn values(event: &AccessEvent) -> [ToSqlOutput<'_>; 13] {
    [
        text(&event.timestamp),
        text(&event.run_id),
        text(&event.command),
        text(&event.skill),
        text(&event.skill_path),
        text(&event.cwd),
        text(&event.args),
        maybe(&event.error),
        text(&event.event_id),
        maybe(&event.target),
        maybe(&event.file),
        maybe(&event.section),
        ToSqlOutput::Borrowed(ValueRef::Integer(flaws(event))),
    ]
}

fn text(text: &str) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes()))
}

fn maybe(some: &Option<String>) -> ToSqlOutput<'_> {
    some.as_deref().map_or(ToSqlOutput::Borrowed(ValueRef::Null), text)
}

/// SQLite's own checkpoints would never shorten it: a process that opens the log alone recovers it, and then takes every
/// frame for one that is still to be moved.
fn empty_wal_if_long(db: &Connection, log: &Path) {
    let Ok((folder, name)) = Folder::of_file(log) else { return };
    let bytes = folder.len(with_suffix(&name, "-wal")).unwrap_or_default();
    let was_emptied = || was_changed_just_now(&folder, &name);
    let is_long = bytes > WAL_BYTES_MAX && (bytes > WAL_BYTES_MAX_AT_ONCE || !was_emptied());
    if is_long {
        // The event is safe already; where somebody is in the way, a later writer empties it.
        let _ = db.busy_timeout(Duration::ZERO);
        let _ = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = wait_for_others(db);
    }
}

/// Emptying the write-ahead log is what changes the main file.
fn was_changed_just_now(folder: &Folder, name: &OsStr) -> bool {
    folder.modified(name).is_some_and(|at| at.elapsed().is_ok_and(|age| age < JUST_NOW))
}
