//! The index as a port: what stands there, one moment of it, and writing it.

use crate::connection::{beside, is_corruption, open_existing};
use crate::read::SqliteIndexReader;
use crate::{guard, schema, write};
use async_trait::async_trait;
use rusqlite::Connection;
use skillc_domain::freshness::IndexHeader;
use skillc_domain::plan::IndexState;
use skillc_ports::{IndexChange, IndexFeed, IndexReader, PortError, SectionIndex};
use std::path::{Path, PathBuf};

/// Indexes in SQLite FTS5.
#[derive(Clone, Copy, Debug, Default)]
pub struct SqliteSectionIndex;

#[async_trait]
impl SectionIndex for SqliteSectionIndex {
    async fn state(&self, index: &Path) -> IndexState {
        match open_moment(index) {
            Moment::Missing => IndexState::Missing,
            Moment::Corrupt => IndexState::Corrupt,
            Moment::Open(_, header) => IndexState::Present(header),
        }
    }

    async fn open(&self, index: &Path) -> Option<Box<dyn IndexReader>> {
        match open_moment(index) {
            Moment::Missing | Moment::Corrupt => None,
            Moment::Open(db, header) => Some(Box::new(SqliteIndexReader::new(*db, header, index))),
        }
    }

    async fn write(
        &self,
        index: &Path,
        change: IndexChange,
        feed: &mut dyn IndexFeed,
    ) -> Result<(), PortError> {
        match change {
            IndexChange::Replace(tokenizer) => write::replace(index, tokenizer, feed),
            IndexChange::Edit { removed } => write::edit(index, &removed, feed),
        }
    }
}

enum Moment {
    Missing,
    Corrupt,
    Open(Box<Connection>, IndexHeader),
}

/// Opens an index and begins the one transaction in which everything is read.
fn open_moment(index: &Path) -> Moment {
    if !index.is_file() {
        return Moment::Missing;
    }
    if corruption_mark(index).exists() {
        return Moment::Corrupt;
    }
    let _guard = guard::while_opening(index);
    match begin(index) {
        Ok(Some((db, header))) => Moment::Open(Box::new(db), header),
        Ok(None) => Moment::Corrupt,
        Err(error) => {
            if is_corruption(&error) {
                mark_corrupt(index);
            }
            Moment::Corrupt
        }
    }
}

fn begin(index: &Path) -> rusqlite::Result<Option<(Connection, IndexHeader)>> {
    let db = open_existing(index)?;
    db.execute_batch("BEGIN")?;
    let Some(header) = schema::read_header(&db)? else { return Ok(None) };
    Ok(is_whole(&db, index)?.then_some((db, header)))
}

/// Whether the file is as long as the database says; a truncated one is told before a missing page is met.
fn is_whole(db: &Connection, index: &Path) -> rusqlite::Result<bool> {
    let pages: i64 = db.pragma_query_value(None, "page_count", |row| row.get(0))?;
    let page_bytes: i64 = db.pragma_query_value(None, "page_size", |row| row.get(0))?;
    Ok(std::fs::metadata(index).is_ok_and(|file| file.len() >= (pages * page_bytes).cast_unsigned()))
}

/// Stands beside an index in which a reader met a broken page, so that the next build makes a new one although header
/// and stamps look sound.
pub fn corruption_mark(index: &Path) -> PathBuf {
    beside(index, ".corrupt")
}

/// Sets that mark, where it can be written.
pub fn mark_corrupt(index: &Path) {
    // Without the mark the next build still finds most kinds of corruption by itself.
    // Made anew or not at all: a link in its place is not followed.
    let _ = std::fs::File::create_new(corruption_mark(index));
}
