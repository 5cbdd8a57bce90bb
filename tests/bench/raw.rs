//! SQLite alone, doing the unavoidable work of an index: inserting the rows, querying the matches.

use rusqlite::{Connection, OpenFlags, Result as Sql, params};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const CREATE: &str = "CREATE VIRTUAL TABLE s USING fts5(file, section, content, tokenize='porter unicode61')";
const SEARCH: &str = "SELECT file, section, snippet(s, 2, '[MATCH]', '[/MATCH]', '...', 32), rank \
                      FROM s WHERE s MATCH ? ORDER BY rank LIMIT 10";
const LOOK_UP: &str =
    "SELECT file, text, level, start_line, end_line FROM headings WHERE text = ? COLLATE NOCASE";

/// The argument with which this program measures one raw insert in a new process.
pub const ONCE: &str = "--raw-once";

/// The rows of an index in memory, and a plain FTS5 database of them.
pub struct Raw {
    rows: Vec<[String; 3]>,
    database: PathBuf,
}

impl Raw {
    /// Reads the rows that `skc` put into its index. `database` is the path for the plain database.
    pub fn of_index(index: &Path, database: PathBuf) -> Result<Self, String> {
        read_rows(index).map(|rows| Raw { rows, database }).map_err(|e| format!("{}: {e}", index.display()))
    }

    /// Seconds to insert every row into a new database, in one transaction, with SQLite's default settings. The
    /// database remains, for [`Self::search`].
    pub fn insert(&self) -> Result<f64, String> {
        let _ = fs::remove_file(&self.database);
        let start = Instant::now();
        insert_rows(&self.rows, &self.database).map_err(|e| format!("raw FTS5: {e}"))?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// The same in a new process, as every build is: its memory must be allocated page by page.
    pub fn insert_in_new_process(&self, index: &Path) -> Result<f64, String> {
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let done = Command::new(program).arg(ONCE).args([index, &self.database]).output();
        let printed = String::from_utf8_lossy(&done.map_err(|e| e.to_string())?.stdout).into_owned();
        printed.trim().parse().map_err(|_| format!("no figure from a new process: {printed:?}"))
    }

    /// Seconds to open that database, query a word's ten best matches, and close it.
    pub fn search(&self, word: &str) -> Result<f64, String> {
        ask(&self.database, SEARCH, &format!("\"{word}\""), 4)
    }
}

/// Seconds to open `skc`'s own index, look one heading up, and close it.
pub fn look_up(index: &Path, heading: &str) -> Result<f64, String> {
    ask(index, LOOK_UP, heading, 5)
}

fn read_rows(index: &Path) -> Sql<Vec<[String; 3]>> {
    let connection = read_only(index)?;
    let mut rows = connection.prepare("SELECT file, section, content FROM sections")?;
    rows.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))?.collect()
}

fn insert_rows(rows: &[[String; 3]], database: &Path) -> Sql<()> {
    let mut connection = Connection::open(database)?;
    let transaction = connection.transaction()?;
    transaction.execute_batch(CREATE)?;
    let mut insert = transaction.prepare("INSERT INTO s VALUES (?, ?, ?)")?;
    for [file, section, content] in rows {
        insert.execute(params![file, section, content])?;
    }
    drop(insert);
    transaction.commit()?;
    connection.close().map_err(|(_, error)| error)
}

/// Reads every column of every row, as any caller would. No result is an error, since it would cost nothing.
fn ask(database: &Path, query: &str, argument: &str, columns: usize) -> Result<f64, String> {
    let asked = || -> Sql<usize> {
        let connection = read_only(database)?;
        let mut statement = connection.prepare(query)?;
        let mut rows = statement.query([argument])?;
        let mut found = 0;
        while let Some(row) = rows.next()? {
            (0..columns).try_for_each(|column| row.get_ref(column).map(drop))?;
            found += 1;
        }
        Ok(found)
    };
    let start = Instant::now();
    let found = asked().map_err(|e| format!("{}: {e}", database.display()))?;
    let taken = start.elapsed().as_secs_f64();
    if found > 0 { Ok(taken) } else { Err(format!("{} holds nothing for {argument:?}", database.display())) }
}

fn read_only(database: &Path) -> Sql<Connection> {
    Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}
