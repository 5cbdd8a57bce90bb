//! Opens a snapshot of an index.

use crate::connection::{Db, is_corruption, open_existing, refuse_odd_files};
use crate::pool::{ConnectionPool, PoolEntry, PooledConnection, limit_cache};
use crate::read::SqliteIndexReader;
use crate::{corruption, guard, schema};
use rusqlite::{Connection, Result as SqlResult};
use skillc_domain::freshness::IndexHeader;
use skillc_domain::plan::IndexState;
use skillc_fs::{EntryKind, Folder, Identity};
use std::path::Path;
use std::sync::Arc;

/// Opens an index in a read transaction, on a pooled connection if possible.
pub fn open(index: &Path, pool: Option<&Arc<ConnectionPool>>) -> IndexState<SqliteIndexReader> {
    let Ok((folder, name)) = Folder::of_file(index) else { return IndexState::Missing };
    if folder.kind(&name) != Some(EntryKind::File) {
        return IndexState::Missing;
    }
    if corruption::is_marked(&folder, &name) {
        return IndexState::Corrupt;
    }
    let _guard = guard::while_opening(&folder, &name);
    let entry = pool.and_then(|pool| Some(PoolEntry::new(pool, index, Identity::at(index)?)));
    let reused = entry.as_ref().and_then(|entry| reuse(entry, index, &folder));
    match reused.map_or_else(|| connect(index, &folder, entry.is_some()), |it| Ok(Some(it))) {
        Ok(Some((db, header))) => {
            IndexState::Present(SqliteIndexReader::new(PooledConnection::new(db, entry), header, index))
        }
        Ok(None) => IndexState::Corrupt,
        Err(error) => {
            if is_corruption(&error) {
                corruption::mark(index);
            }
            IndexState::Corrupt
        }
    }
}

/// Begins on an idle connection, whose file cannot have been replaced. Also `None` if the connection no longer works;
/// a new one then finds the reason.
fn reuse(entry: &PoolEntry, index: &Path, folder: &Folder) -> Option<(Db, IndexHeader)> {
    let db = entry.take()?;
    refuse_odd_files(folder, index.file_name()?).ok()?;
    let header = begin(&db, index, folder).ok()??;
    Some((db, header))
}

/// Begins on a new connection; `None` if the file is not a complete index.
fn connect(index: &Path, folder: &Folder, is_pooled: bool) -> SqlResult<Option<(Db, IndexHeader)>> {
    let db = open_existing(index)?;
    let Some(header) = begin(&db, index, folder)?.filter(|header| schema::has_tables(&db, header)) else {
        return Ok(None);
    };
    if is_pooled {
        limit_cache(&db);
    }
    Ok(Some((db, header)))
}

/// Begins the read transaction; `None` without a valid header or if the file is truncated.
fn begin(db: &Connection, index: &Path, folder: &Folder) -> SqlResult<Option<IndexHeader>> {
    db.prepare_cached("BEGIN")?.execute([])?;
    // The only statement that acquires the lock before the schema is read; a statement of its own would read the
    // schema first.
    db.prepare_cached("PRAGMA schema_version")?.query_row([], |row| row.get::<_, i64>(0))?;
    let Some(header) = schema::read_header(db)? else { return Ok(None) };
    Ok(is_whole(db, index, folder)?.then_some(header))
}

/// Whether the file is as long as the database header says. This detects a truncated file before a missing page is
/// read.
fn is_whole(db: &Connection, index: &Path, folder: &Folder) -> SqlResult<bool> {
    let value = |pragma| db.prepare_cached(pragma)?.query_row([], |row| row.get::<_, i64>(0));
    let (pages, page_bytes) = (value("PRAGMA page_count")?, value("PRAGMA page_size")?);
    let bytes = index.file_name().and_then(|name| folder.len(name));
    Ok(bytes.is_some_and(|bytes| bytes >= (pages * page_bytes).cast_unsigned()))
}
