//! Deletes events without leaving traces in the log's files.

use super::conditions::Conditions;
use super::folder_lock;
use super::open::{LOG_BUSY_TIMEOUT, busy, open_to_change};
use super::read::{layout, read};
use super::repair::remove_damaged;
use super::rewrite::LogRewrite;
use crate::connection::Db;
use rusqlite::{Connection, TransactionBehavior};
use skillc_fs::Identity;
use skillc_ports::{ErrorKind, Forget, PortError};
use std::path::Path;

/// Deletes events; returns how many.
pub fn forget(log: &Path, what: &Forget) -> rusqlite::Result<u64> {
    let conditions = conditions(what);
    let exists = |rows: &str| format!("SELECT EXISTS (SELECT 1 FROM {rows} WHERE {conditions})");
    let is_any = read(log, |log| match log.rows() {
        Some(rows) => log.db.query_row(&exists(rows), conditions.values(), |row| row.get(0)),
        None => Ok(false),
    })?;
    // A rewrite of the log would bring the events back.
    let _rewriting = match Identity::at(log) {
        Some(_) => Some(exclusive(log)?),
        None => None,
    };
    if !is_any {
        // Completes an interrupted deletion. Without write access there cannot have been one.
        let _ = open(log).and_then(|db| wipe(&db));
        return Ok(0);
    }
    let mut db = open(log)?;
    let deleted = delete(&mut db, &conditions)?;
    wipe(&db)?;
    Ok(deleted)
}

/// Prevents other processes from rewriting the log, and removes what repairs left next to it. `None` if writing is
/// not permitted.
fn exclusive(log: &Path) -> rusqlite::Result<Option<LogRewrite>> {
    let wrapped = |error: PortError| rusqlite::Error::ToSqlConversionFailure(Box::new(error));
    match LogRewrite::begin(log) {
        Err(error) if error.kind == ErrorKind::Denied => Ok(None),
        Err(error) => Err(wrapped(error)),
        Ok(None) => Err(busy("another process rewrites it")),
        Ok(rewriting) => {
            remove_damaged(log).map_err(wrapped)?;
            Ok(rewriting)
        }
    }
}

fn conditions(what: &Forget) -> Conditions {
    let mut conditions = Conditions::default();
    if let Some(path) = &what.skill_path {
        conditions.and("skill_path = ?", [path]);
    }
    if let Some(name) = &what.skill {
        conditions.and("skill = ?", [name]);
    }
    if let Some(before) = &what.before {
        conditions.valid_time();
        conditions.and("timestamp < ?", [&before.to_string()]);
    }
    conditions
}

fn open(log: &Path) -> rusqlite::Result<Db> {
    let _folder = folder_lock::lock_shared(log, LOG_BUSY_TIMEOUT)?;
    let db = open_to_change(log)?;
    // Overwrites deleted rows at once, in case `wipe` is interrupted.
    db.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(db)
}

fn delete(db: &mut Connection, conditions: &Conditions) -> rusqlite::Result<u64> {
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let layout = layout(&change)?;
    let Some(rows) = layout.rows() else { return Ok(0) };
    let sql = format!("DELETE FROM access_log WHERE id IN (SELECT id FROM {rows} WHERE {conditions})");
    let deleted = change.execute(&sql, conditions.values())?;
    lower_acknowledged(&change)?;
    change.commit()?;
    Ok(deleted as u64)
}

/// Lowers acknowledged positions. A table without AUTOINCREMENT reuses the positions of its deleted last rows, which
/// no team store has acknowledged yet.
fn lower_acknowledged(db: &Connection) -> rusqlite::Result<()> {
    let tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND (name = 'acknowledged'
                  OR name = 'access_log' AND sql NOT LIKE '%AUTOINCREMENT%')";
    if db.query_row(tables, [], |row| row.get::<_, i64>(0))? == 2 {
        let last = "(SELECT ifnull(max(id), 0) FROM access_log)";
        db.execute_batch(&format!("UPDATE acknowledged SET position = {last} WHERE position > {last}"))?;
    }
    Ok(())
}

/// Rewrites the database, since split pages retain copies of rows, and empties the write-ahead log, which contains
/// old pages.
fn wipe(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch("VACUUM")?;
    let is_busy: bool = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if is_busy {
        return Err(busy("its write-ahead log is being read"));
    }
    Ok(())
}
