//! The tables and indexes of a log, and the migration of older logs.

use super::columns::{DERIVED, fill};
use super::legacy_ids;
use rusqlite::{Connection, Transaction, TransactionBehavior};

/// Index by skill (path, name), then by time: for periods, days, projects and short time spans.
pub const BY_TIME: &str = "access_log_by_time";
/// Index by skill, then by what was read: for sections, files and commands.
pub const BY_READ: &str = "access_log_by_read";
/// Index of failed accesses.
pub const ERRORS: &str = "access_log_errors";
/// Index of searches.
pub const SEARCHES: &str = "access_log_searches";
/// Index of rows with an invalid value, usually none.
pub const FLAWED: &str = "access_log_flawed";
/// Unique index of event ids.
const IDS: &str = "idx_access_log_event";
/// Index of rows without derived columns, written by other programs; our next writer derives them. A trigger could do
/// so at once, but each writer would have to compile it, which costs as much as the row itself, and programs with an
/// older SQLite could no longer write.
const FOREIGN: &str = "access_log_unseen";

/// Condition for a valid timestamp. SQLite uses a partial index only if a query contains its exact condition, and
/// avoids the table only if the index contains every column of the query, including this one.
pub const VALID_TIME: &str = "flaws & 2 = 0";

/// Condition for rows that are accesses. Other rows only add a section to an access, or say that a skill was offered.
pub const IS_ACCESS: &str = "flaws & 16 = 0";

/// All indexes of the current schema.
pub const INDEXES: [&str; 7] = [IDS, BY_TIME, BY_READ, ERRORS, SEARCHES, FLAWED, FOREIGN];

/// Number of rows that get ids in one transaction.
const PAGE_ROWS: u32 = 1_000;

/// Maximum number of rows of other programs that a writer migrates itself, which takes a few milliseconds.
const IN_PLACE_ROWS_MAX: u32 = 2_000;

/// The tables, without indexes.
pub const TABLES: &str = "
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
        event_id TEXT,
        target TEXT,
        file TEXT,
        section TEXT,
        flaws INTEGER
    );
    CREATE TABLE IF NOT EXISTS acknowledged (store TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;";

/// Creates the tables or completes an older schema; never changes existing values.
pub fn migrate(db: &mut Connection) -> rusqlite::Result<()> {
    complete_columns(db)?;
    // Ids first: until the derived columns exist too, the rows count as another program's, so that an interrupted
    // migration is repeated.
    db.execute_batch(&format!("CREATE UNIQUE INDEX IF NOT EXISTS {IDS} ON access_log(event_id)"))?;
    assign_ids(db)?;
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    change.execute_batch(&fill())?;
    create_indexes(&change)?;
    change.commit()
}

/// Adds the columns that the table lacks; their values are null.
pub fn complete_columns(db: &mut Connection) -> rusqlite::Result<()> {
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    change.execute_batch(TABLES)?;
    add_columns(&change)?;
    change.commit()
}

/// Creates the indexes that the table lacks.
pub fn create_indexes(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(&indexes())
}

fn indexes() -> String {
    format!(
        "CREATE UNIQUE INDEX IF NOT EXISTS {IDS} ON access_log(event_id);
         CREATE INDEX IF NOT EXISTS {BY_TIME} ON access_log(skill_path, skill, timestamp, cwd, flaws) WHERE {VALID_TIME};
         CREATE INDEX IF NOT EXISTS {BY_READ} ON access_log(
             skill_path, skill, file, section, command, timestamp, cwd, flaws) WHERE {VALID_TIME};
         CREATE INDEX IF NOT EXISTS {ERRORS} ON access_log(
             skill_path, skill, target, command, error, timestamp, cwd, flaws) WHERE error IS NOT NULL AND {VALID_TIME};
         CREATE INDEX IF NOT EXISTS {SEARCHES} ON access_log(
             skill_path, skill, target, command, timestamp, cwd, flaws) WHERE command = 'search' AND {VALID_TIME};
         CREATE INDEX IF NOT EXISTS {FLAWED} ON access_log(skill_path, skill, cwd, timestamp, flaws) WHERE flaws > 0;
         CREATE INDEX IF NOT EXISTS {FOREIGN} ON access_log(id) WHERE flaws IS NULL;"
    )
}

fn add_columns(change: &Transaction<'_>) -> rusqlite::Result<()> {
    let known = columns(change)?;
    let derived = DERIVED.map(|(name, kind, _)| (name, kind));
    for (name, kind) in [("event_id", "TEXT")].into_iter().chain(derived) {
        if !known.iter().any(|column| column == name) {
            change.execute_batch(&format!("ALTER TABLE access_log ADD COLUMN {name} {kind}"))?;
        }
    }
    Ok(())
}

/// Column names; empty without a table.
pub fn columns(db: &Connection) -> rusqlite::Result<Vec<String>> {
    db.prepare("SELECT name FROM pragma_table_info('access_log')")?.query_map([], |row| row.get(0))?.collect()
}

/// Assigns ids to rows without one. Any copy of these rows gets the same ids.
fn assign_ids(db: &mut Connection) -> rusqlite::Result<()> {
    let mut after = 0;
    loop {
        // Read before the transaction, so that other writers need not wait; they would assign the same ids.
        let page = legacy_ids::rows_without_id(db, after, PAGE_ROWS)?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.position;
        let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let sql = "UPDATE access_log SET event_id = ?1 WHERE id = ?2 AND event_id IS NULL";
        for row in &page {
            change.prepare_cached(sql)?.execute((row.event.event_id.to_string(), row.position))?;
        }
        change.commit()?;
    }
}

/// Whether a log has too many rows for a writer to migrate them itself.
pub fn is_large(db: &Connection) -> rusqlite::Result<bool> {
    match db.query_row("SELECT ifnull(max(id), 0) FROM access_log", [], |row| row.get::<_, i64>(0)) {
        Err(error) if is_schema_outdated(&error) => Ok(false),
        last => Ok(last? > i64::from(IN_PLACE_ROWS_MAX)),
    }
}

/// The number of rows of other programs in a log with all indexes; `None` if it lacks one, or there are many such
/// rows.
pub fn unseen_rows(db: &Connection) -> rusqlite::Result<Option<u32>> {
    let known =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name IN (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    if db.query_row(known, INDEXES, |row| row.get::<_, i64>(0))? < INDEXES.len() as i64 {
        return Ok(None);
    }
    let sql = format!(
        "SELECT count(*) FROM (SELECT 1 FROM access_log INDEXED BY {FOREIGN} WHERE flaws IS NULL LIMIT ?1)"
    );
    let rows: u32 = db.query_row(&sql, [IN_PLACE_ROWS_MAX + 1], |row| row.get(0))?;
    Ok(Some(rows).filter(|rows| *rows <= IN_PLACE_ROWS_MAX))
}

/// Whether other programs have added rows.
///
/// # Errors
/// If the index is missing.
pub fn has_foreign_rows(db: &Connection) -> rusqlite::Result<bool> {
    let sql = format!("SELECT 1 FROM access_log INDEXED BY {FOREIGN} WHERE flaws IS NULL");
    db.prepare_cached(&sql)?.exists([])
}

/// Whether a statement failed because a table, column or index does not exist yet.
pub fn is_schema_outdated(error: &rusqlite::Error) -> bool {
    let text = error.to_string();
    [
        "no such table",
        "no such column",
        "no such index",
        "has no column named",
        "ON CONFLICT clause does not match",
    ]
    .iter()
    .any(|sign| text.contains(sign))
}
