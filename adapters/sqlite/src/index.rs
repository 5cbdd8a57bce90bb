//! The index as a port: what stands there, one moment of it, and writing it.

use crate::connection::{Db, is_corruption, open_existing, refuse_odd_files, with_suffix};
use crate::idle::{Idle, Lease};
use crate::read::SqliteIndexReader;
use crate::{guard, schema, write};
use async_trait::async_trait;
use rusqlite::Connection;
use skillc_domain::freshness::IndexHeader;
use skillc_domain::plan::IndexState;
use skillc_fs::{EntryKind, Folder, Identity};
use skillc_ports::{IndexChange, IndexFeed, IndexReader, PortError, SectionIndex};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

/// Indexes in SQLite FTS5.
#[derive(Clone, Copy, Debug, Default)]
pub struct SqliteSectionIndex;

#[async_trait]
impl SectionIndex for SqliteSectionIndex {
    async fn state(&self, index: &Path) -> IndexState {
        match open_moment(index, None) {
            Moment::Missing => IndexState::Missing,
            Moment::Corrupt => IndexState::Corrupt,
            Moment::Open(_, header) => IndexState::Present(header),
        }
    }

    async fn open(&self, index: &Path) -> Option<Box<dyn IndexReader>> {
        open_reader(index, None)
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

/// The same for a process that lives on: connections stay open from one reader to the next, and then are in no transaction,
/// so that no writer waits for them.
#[derive(Clone, Default)]
pub struct KeptSectionIndex(Arc<Idle>);

#[async_trait]
impl SectionIndex for KeptSectionIndex {
    async fn state(&self, index: &Path) -> IndexState {
        SqliteSectionIndex.state(index).await
    }

    async fn open(&self, index: &Path) -> Option<Box<dyn IndexReader>> {
        open_reader(index, Some(&self.0))
    }

    async fn write(
        &self,
        index: &Path,
        change: IndexChange,
        feed: &mut dyn IndexFeed,
    ) -> Result<(), PortError> {
        SqliteSectionIndex.write(index, change, feed).await
    }
}

fn open_reader(index: &Path, idle: Option<&Arc<Idle>>) -> Option<Box<dyn IndexReader>> {
    match open_moment(index, idle) {
        Moment::Missing | Moment::Corrupt => None,
        Moment::Open(db, header) => Some(Box::new(SqliteIndexReader::new(*db, header, index))),
    }
}

enum Moment {
    Missing,
    Corrupt,
    Open(Box<Lease>, IndexHeader),
}

/// Opens an index and begins the one transaction in which everything is read.
fn open_moment(index: &Path, idle: Option<&Arc<Idle>>) -> Moment {
    let Ok((folder, name)) = Folder::of_file(index) else { return Moment::Missing };
    if folder.kind(&name) != Some(EntryKind::File) {
        return Moment::Missing;
    }
    if folder.kind(corruption_mark(&name)).is_some() {
        return Moment::Corrupt;
    }
    let _guard = guard::while_opening(index);
    let file = Identity::at(index);
    let kept = idle.zip(file).and_then(|(idle, file)| resume(index, &folder, idle, file));
    if let Some((db, header)) = kept {
        return Moment::Open(Box::new(db), header);
    }
    match begin(index, &folder) {
        Ok(Some((db, header))) => {
            let home = idle.zip(file).map(|(idle, file)| (idle.clone(), index.to_owned(), file));
            Moment::Open(Box::new(Lease::new(db, home)), header)
        }
        Ok(None) => Moment::Corrupt,
        Err(error) => {
            if is_corruption(&error) {
                mark_corrupt(index);
            }
            Moment::Corrupt
        }
    }
}

fn begin(index: &Path, folder: &Folder) -> rusqlite::Result<Option<(Db, IndexHeader)>> {
    let db = open_existing(index)?;
    Ok(begin_on(&db, index, folder, schema::read_header)?.map(|header| (db, header)))
}

fn begin_on(
    db: &Connection,
    index: &Path,
    folder: &Folder,
    read_header: fn(&Connection) -> rusqlite::Result<Option<IndexHeader>>,
) -> rusqlite::Result<Option<IndexHeader>> {
    db.prepare_cached("BEGIN")?.execute([])?;
    let Some(header) = read_header(db)? else { return Ok(None) };
    Ok(is_whole(db, index, folder)?.then_some(header))
}

/// A connection that was kept on the very file that stands there, which nobody can replace meanwhile; `None` also where it
/// is of no use any more, which opening anew then explains.
fn resume(index: &Path, folder: &Folder, idle: &Arc<Idle>, file: Identity) -> Option<(Lease, IndexHeader)> {
    let db = idle.take(index, file)?;
    refuse_odd_files(folder, index.file_name()?).ok()?;
    let header = begin_on(&db, index, folder, schema::read_header_again).ok()??;
    Some((Lease::again(db, (idle.clone(), index.to_owned(), file)), header))
}

/// Whether the file is as long as the database says; a truncated one is told before a missing page is met.
fn is_whole(db: &Connection, index: &Path, folder: &Folder) -> rusqlite::Result<bool> {
    let value = |pragma| db.prepare_cached(pragma)?.query_row([], |row| row.get::<_, i64>(0));
    let (pages, page_bytes) = (value("PRAGMA page_count")?, value("PRAGMA page_size")?);
    let bytes = index.file_name().and_then(|name| folder.len(name));
    Ok(bytes.is_some_and(|bytes| bytes >= (pages * page_bytes).cast_unsigned()))
}

/// Stands beside an index in which a reader met a broken page, so that the next build makes a new one although header
/// and stamps look sound.
pub fn corruption_mark(index_name: &OsStr) -> OsString {
    with_suffix(index_name, ".corrupt")
}

/// Sets that mark, where it can be written.
pub fn mark_corrupt(index: &Path) {
    // Without the mark the next build still finds most kinds of corruption by itself.
    if let Ok((folder, name)) = Folder::of_file(index) {
        let _ = folder.touch(corruption_mark(&name));
    }
}
