//! Deleting events so that nothing of them stays in the log's files.

use super::conditions::Conditions;
use super::folder;
use super::read::{layout, read};
use super::waiting::{LOG_BUSY_TIMEOUT, wait_for_others};
use crate::connection::{Db, open_existing};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior, ffi};
use skillc_ports::Forget;
use std::path::Path;

/// Deletes events and says how many.
pub fn forget(log: &Path, what: &Forget) -> rusqlite::Result<u64> {
    let conditions = conditions(what);
    let stands = |rows: &str| format!("SELECT EXISTS (SELECT 1 FROM {rows} WHERE {conditions})");
    let is_any = read(log, |log| match log.rows() {
        Some(rows) => log.db.query_row(&stands(rows), conditions.values(), |row| row.get(0)),
        None => Ok(false),
    })?;
    if !is_any {
        // An earlier deletion may have been interrupted; where this one may not write, there was none.
        let _ = open(log).and_then(|db| wipe(&db));
        return Ok(0);
    }
    let mut db = open(log)?;
    let deleted = delete(&mut db, &conditions)?;
    wipe(&db)?;
    Ok(deleted)
}

fn conditions(what: &Forget) -> Conditions {
    let mut conditions = Conditions::default();
    if let Some(path) = &what.skill_path {
        conditions.and("skill_path = ?", [path]);
    }
    if let Some(before) = &what.before {
        conditions.sound();
        conditions.and("timestamp < ?", [before]);
    }
    conditions
}

fn open(log: &Path) -> rusqlite::Result<Db> {
    let _folder = folder::shared(log, LOG_BUSY_TIMEOUT)?;
    let db = open_existing(log)?;
    wait_for_others(&db)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // Deleted rows become zeros at once, should what follows be interrupted.
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
    take_back_confirmations(&change)?;
    change.commit()?;
    Ok(deleted as u64)
}

/// A table that something else made may use places again when its last rows are gone; what comes there next is not what a
/// team's store has confirmed.
fn take_back_confirmations(db: &Connection) -> rusqlite::Result<()> {
    let tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND (name = 'acknowledged'
                  OR name = 'access_log' AND sql NOT LIKE '%AUTOINCREMENT%')";
    if db.query_row(tables, [], |row| row.get::<_, i64>(0))? == 2 {
        let last = "(SELECT ifnull(max(id), 0) FROM access_log)";
        db.execute_batch(&format!("UPDATE acknowledged SET position = {last} WHERE position > {last}"))?;
    }
    Ok(())
}

/// Writes the database anew, since pages that were split hold copies of rows in their gaps, and empties the write-ahead
/// log, which holds the pages as they were.
fn wipe(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch("VACUUM")?;
    let is_busy: bool = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if is_busy {
        let error = ffi::Error::new(ffi::SQLITE_BUSY);
        return Err(rusqlite::Error::SqliteFailure(
            error,
            Some("its write-ahead log is being read".to_owned()),
        ));
    }
    Ok(())
}
