//! The tables of a log, and how one that something older made becomes one of ours.

use super::inherit;
use super::side::{SIDE, fill};
use rusqlite::{Connection, Transaction, TransactionBehavior};

/// The columns that every log has, whoever made it, beside `id`.
pub const BASE: [&str; 8] = ["timestamp", "run_id", "command", "skill", "skill_path", "cwd", "args", "error"];

/// By owner (path and name of the skill), then time: periods, days, projects, and whatever lies in a short time.
pub const BY_TIME: &str = "access_log_by_time";
/// By owner, then what was read: sections, files, commands.
pub const BY_READ: &str = "access_log_by_read";
/// Failed accesses only.
pub const ERRORS: &str = "access_log_errors";
/// Searches only.
pub const SEARCHES: &str = "access_log_searches";
/// Rows that cannot be read in part: none, as a rule.
pub const FLAWED: &str = "access_log_flawed";
/// Ids are unique.
const IDS: &str = "idx_access_log_event";
/// Rows of those who do not know the columns beside. The next writer of ours looks at them. A trigger would do so at once,
/// but every writer would have to compile it, which costs as much as writing the row; and tools with an older SQLite could
/// not add a row any more.
const UNSEEN: &str = "access_log_unseen";

/// Whether a row's time can be read. Each index that leaves the others out demands these words. Each holds every column of
/// which a filter speaks, also this one, or SQLite would look up every row in the table.
pub const SOUND: &str = "flaws & 2 = 0";

/// All that a table of ours has.
pub const OURS: [&str; 7] = [IDS, BY_TIME, BY_READ, ERRORS, SEARCHES, FLAWED, UNSEEN];

/// Ids for which the table is gone through at once when old rows get theirs.
const PAGE_ROWS: u32 = 20_000;

const TABLES: &str = "
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

/// Makes the tables, or adds what a log of an older version lacks. What rows say already, they say afterwards.
pub fn migrate(db: &mut Connection) -> rusqlite::Result<()> {
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    change.execute_batch(TABLES)?;
    add_columns(&change)?;
    change.execute_batch(&fill())?;
    change.execute_batch(&format!("CREATE UNIQUE INDEX IF NOT EXISTS {IDS} ON access_log(event_id)"))?;
    give_ids(&change)?;
    change.execute_batch(&indexes())?;
    change.commit()
}

/// Indexes, made when the rows are complete.
fn indexes() -> String {
    format!(
        "CREATE INDEX IF NOT EXISTS {BY_TIME} ON access_log(skill_path, skill, timestamp, cwd, flaws) WHERE {SOUND};
         CREATE INDEX IF NOT EXISTS {BY_READ} ON access_log(
             skill_path, skill, file, section, command, timestamp, cwd, flaws) WHERE {SOUND};
         CREATE INDEX IF NOT EXISTS {ERRORS} ON access_log(
             skill_path, skill, target, command, error, timestamp, cwd, flaws) WHERE error IS NOT NULL AND {SOUND};
         CREATE INDEX IF NOT EXISTS {SEARCHES} ON access_log(
             skill_path, skill, target, command, timestamp, cwd, flaws) WHERE command = 'search' AND {SOUND};
         CREATE INDEX IF NOT EXISTS {FLAWED} ON access_log(skill_path, skill, cwd, timestamp, flaws) WHERE flaws > 0;
         CREATE INDEX IF NOT EXISTS {UNSEEN} ON access_log(id) WHERE flaws IS NULL;"
    )
}

fn add_columns(change: &Transaction<'_>) -> rusqlite::Result<()> {
    let known = columns(change)?;
    let side = SIDE.map(|(name, kind, _)| (name, kind));
    for (name, kind) in [("event_id", "TEXT")].into_iter().chain(side) {
        if !known.iter().any(|column| column == name) {
            change.execute_batch(&format!("ALTER TABLE access_log ADD COLUMN {name} {kind}"))?;
        }
    }
    Ok(())
}

/// Names of the table's columns; none where there is no table.
pub fn columns(db: &Connection) -> rusqlite::Result<Vec<String>> {
    db.prepare("SELECT name FROM pragma_table_info('access_log')")?.query_map([], |row| row.get(0))?.collect()
}

/// Gives rows without an id the one that any copy of them gets.
fn give_ids(change: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut update = change.prepare("UPDATE access_log SET event_id = ?1 WHERE id = ?2")?;
    let mut after = 0;
    loop {
        let page = inherit::missing(change, after, PAGE_ROWS)?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.position;
        for row in &page {
            update.execute((&row.event.event_id, row.position))?;
        }
    }
}

/// Whether there are rows at which nobody of ours has looked; an error where that cannot be told at a glance.
pub fn has_unseen(db: &Connection) -> rusqlite::Result<bool> {
    let sql = format!("SELECT 1 FROM access_log INDEXED BY {UNSEEN} WHERE flaws IS NULL");
    db.prepare_cached(&sql)?.exists([])
}

/// Whether a statement failed because the table, or what is newest of it, is not there yet.
pub fn is_older(error: &rusqlite::Error) -> bool {
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
