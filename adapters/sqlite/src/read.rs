//! Runs queries on a snapshot of an index.

use crate::connection::failure;
use crate::corruption;
use crate::fts5::every_word;
use crate::pool::PooledConnection;
use crate::rank::{RankedSection, best};
use crate::snippet::Snippets;
use async_trait::async_trait;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, params};
use skillc_domain::digest::FileDigest;
use skillc_domain::freshness::{IndexHeader, RecordedFile};
use skillc_domain::lookup::FoundHeading;
use skillc_domain::path::RelPath;
use skillc_domain::query::{Hit, Query, join_cjk};
use skillc_domain::section_names::SectionNames;
use skillc_domain::survey::Stamp;
use skillc_ports::{ErrorKind, IndexReader, Patience, PortError, PublishedFile};
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Number of SQLite virtual machine instructions between two checks of the caller's patience: about ten rows.
const STEPS: i32 = 100;

/// An index in a read transaction.
pub struct SqliteIndexReader {
    /// Never contended: a connection may move between threads but not be shared.
    db: Mutex<PooledConnection>,
    header: IndexHeader,
    path: PathBuf,
}

impl SqliteIndexReader {
    /// Reads through a connection whose transaction has begun.
    pub fn new(db: PooledConnection, header: IndexHeader, path: &Path) -> Self {
        Self { db: Mutex::new(db), header, path: path.to_owned() }
    }

    /// Runs a query. Any failure but a timeout marks the index as corrupt, so that the next build replaces it
    /// (RFC-0004:C-INDEX).
    fn query<T>(&self, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, PortError> {
        let mut db = self.db.lock().unwrap_or_else(PoisonError::into_inner);
        query(&db).map_err(|error| {
            if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) {
                return PortError {
                    kind: ErrorKind::OutOfTime,
                    ..failure("search the index", &self.path, error)
                };
            }
            corruption::mark(&self.path);
            db.discard();
            PortError { kind: ErrorKind::Corrupt, ..failure("read the index", &self.path, error) }
        })
    }
}

#[async_trait]
impl IndexReader for SqliteIndexReader {
    fn header(&self) -> &IndexHeader {
        &self.header
    }

    async fn files(&self) -> Result<Vec<RecordedFile>, PortError> {
        self.query(|db| {
            let mut all = db.prepare_cached(
                "SELECT path, size, mtime_ns, ctime_ns, inode, sha256 FROM files ORDER BY path",
            )?;
            all.query_map([], recorded_file)?.collect()
        })
    }

    async fn published_files(&self) -> Result<Vec<PublishedFile>, PortError> {
        self.query(|db| {
            let mut all = db.prepare_cached("SELECT name, bytes FROM published ORDER BY name")?;
            all.query_map([], |row| Ok(PublishedFile { name: row.get(0)?, bytes: row.get(1)? }))?.collect()
        })
    }

    async fn headings(&self, folded: &str, file: Option<&RelPath>) -> Result<Vec<FoundHeading>, PortError> {
        // SQLite folds the case of ASCII headings itself; others have a column with the folded text.
        self.query(|db| {
            let mut found = db.prepare_cached(
                "SELECT file, start_line, end_line, level, text FROM headings
                     WHERE text = ?1 COLLATE NOCASE AND folded IS NULL AND (?2 IS NULL OR file = ?2)
                 UNION ALL
                 SELECT file, start_line, end_line, level, text FROM headings
                     WHERE folded = ?1 AND folded IS NOT NULL AND (?2 IS NULL OR file = ?2)
                 ORDER BY 1, 2",
            )?;
            found.query_map(params![folded, file.map(RelPath::as_str)], found_heading)?.collect()
        })
    }

    async fn all_headings(&self) -> Result<Vec<FoundHeading>, PortError> {
        // A new index has headings in this order, and after edits in a few runs, which a stable sort merges. SQLite
        // would be slower, since it would copy all rows.
        let mut found: Vec<FoundHeading> = self.query(|db| {
            let mut all = db
                .prepare_cached("SELECT file, start_line, end_line, level, text FROM headings ORDER BY id")?;
            all.query_map([], found_heading)?.collect()
        })?;
        found.sort_by(|a, b| a.file.cmp(&b.file).then(a.start_line.cmp(&b.start_line)));
        Ok(found)
    }

    async fn section_names(&self) -> Result<SectionNames, PortError> {
        match self.query(names_in_order)? {
            Some(names) => Ok(names),
            None => {
                let headings = self.all_headings().await?;
                Ok(headings.iter().map(|heading| (heading.file.as_str(), heading.text.as_str())).collect())
            }
        }
    }

    async fn search(&self, query: &Query, limit: u32, patience: &Patience) -> Result<Vec<Hit>, PortError> {
        let fts5 = every_word(query);
        let found = |db: &Connection| {
            let best = best(db, query, &fts5, limit, patience)?;
            let snippets = Snippets::new(db, query, &fts5, self.header.tokenizer, patience);
            best.into_iter().map(|section| hit(db, &snippets, section)).collect()
        };
        self.query(|db| {
            let patience = patience.clone();
            db.progress_handler(STEPS, Some(move || patience.is_over()))?;
            let found = found(db);
            db.progress_handler(0, None::<fn() -> bool>)?;
            found
        })
    }
}

/// Selects the heading of a row. A file has a row per heading, after one for the text before the first heading if
/// there is any.
const HEADING_OF_ROW: &str = "
    SELECT h.start_line FROM files AS f JOIN headings AS h
        ON h.id = f.last_heading - (f.last_row - ?2) AND h.id >= f.first_heading
    WHERE f.path = ?1";

fn hit(db: &Connection, snippets: &Snippets<'_>, section: RankedSection) -> rusqlite::Result<Hit> {
    let line = db
        .prepare_cached(HEADING_OF_ROW)?
        .query_row((&section.file, section.row), |row| row.get(0))
        .optional()?;
    let snippet = snippets.of(section.row, section.bytes)?;
    Ok(Hit {
        file: section.file,
        section: join_cjk(&section.heading),
        snippet: join_cjk(&snippet),
        score: section.score,
        line,
    })
}

/// The names of all sections, unless edits have put rows out of the order of files and lines.
fn names_in_order(db: &Connection) -> rusqlite::Result<Option<SectionNames>> {
    let mut names = SectionNames::default();
    let mut all = db.prepare_cached("SELECT file, start_line, text FROM headings ORDER BY id")?;
    let mut rows = all.query([])?;
    let (mut last_file, mut last_line) = (String::new(), 0);
    while let Some(row) = rows.next()? {
        let (file, line) = (row.get_ref(0)?.as_str()?, row.get(1)?);
        match file.cmp(&last_file) {
            Ordering::Less => return Ok(None),
            Ordering::Equal if line < last_line => return Ok(None),
            Ordering::Equal => {}
            Ordering::Greater => file.clone_into(&mut last_file),
        }
        last_line = line;
        names.push(file, row.get_ref(2)?.as_str()?);
    }
    Ok(Some(names))
}

fn found_heading(row: &Row<'_>) -> rusqlite::Result<FoundHeading> {
    Ok(FoundHeading {
        file: row.get_ref(0)?.as_str()?.to_owned(),
        start_line: row.get(1)?,
        end_line: row.get(2)?,
        level: row.get(3)?,
        text: row.get_ref(4)?.as_str()?.to_owned(),
    })
}

fn recorded_file(row: &Row<'_>) -> rusqlite::Result<RecordedFile> {
    Ok(RecordedFile {
        path: RelPath::from_walk(row.get(0)?),
        stamp: Stamp {
            size: row.get::<_, i64>(1)?.cast_unsigned(),
            mtime_ns: row.get(2)?,
            ctime_ns: row.get(3)?,
            inode: row.get::<_, i64>(4)?.cast_unsigned(),
        },
        digest: FileDigest::from_bytes(row.get(5)?),
    })
}
