//! Changes the name and path of a renamed skill's events.

use super::append::{retry, write};
use super::schema::{has_foreign_rows, migrate};
use rusqlite::{Connection, params};
use skillc_fs::Identity;
use skillc_ports::{EventLabel, PortError};
use std::path::Path;

/// Number of rows per transaction. With their index entries they take a few milliseconds, for which other writers
/// wait.
const ROWS_MAX: usize = 256;

/// Relabels the events of a skill; returns their number.
pub fn relabel(log: &Path, skill_path: &str, to: EventLabel<'_>) -> Result<u64, PortError> {
    if Identity::at(log).is_none() || skill_path == to.skill_path {
        return Ok(0);
    }
    retry(|| write(log, |db| all_rows(db, skill_path, to), None))
}

fn all_rows(db: &mut Connection, skill_path: &str, to: EventLabel<'_>) -> rusqlite::Result<u64> {
    // The id of a row without one is derived from its path, among other things.
    if has_foreign_rows(db)? {
        migrate(db)?;
    }
    let sql = format!(
        "UPDATE access_log SET skill = ?1, skill_path = ?2
         WHERE id IN (SELECT id FROM access_log WHERE skill_path = ?3 LIMIT {ROWS_MAX})"
    );
    let mut rows = 0;
    loop {
        let changed = db.execute(&sql, params![to.skill, to.skill_path, skill_path])?;
        rows += changed as u64;
        if changed < ROWS_MAX {
            return Ok(rows);
        }
    }
}
