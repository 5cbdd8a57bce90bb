//! A new index, written to a temporary file that is renamed over the old index.
//!
//! The temporary file needs no journal, since no reader sees it before it is renamed. Its content is flushed to disk
//! before the rename.

use super::rows::RowWriter;
use crate::connection::{Db, failure, make_parent, open_existing, open_or_create, with_suffix};
use crate::{corruption, guard, schema};
use async_trait::async_trait;
use rusqlite::{Connection, Result as SqlResult};
use skillc_domain::config::Tokenizer;
use skillc_fs::Folder;
use skillc_ports::{IndexWriter, IndexedFile, PortError, Publication};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Size in KiB of the page cache while the index is written. A larger one was not faster when measured.
const BULK_CACHE_KIB: i32 = 512;

/// Size of files in bytes from which FTS5 is configured for bulk writes; for less, the settings cost more than they
/// save.
const BULK_FROM_BYTES: u64 = 1024 * 1024;

/// Writes a new index. Fields are dropped in order: the database is closed before its file is deleted.
pub struct NewIndex {
    db: Db,
    rows: RowWriter,
    /// Total size in bytes of the files put so far.
    bytes: u64,
    /// Whether FTS5 is configured for bulk writes.
    is_bulk: bool,
    file: TemporaryFile,
}

impl NewIndex {
    /// Creates the temporary file with empty tables.
    pub fn begin(index: &Path, tokenizer: Tokenizer) -> Result<Self, PortError> {
        let file = TemporaryFile::new(index)?;
        let path = file.path();
        let db = open_or_create(&path).and_then(|db| {
            set_up(&db, tokenizer)?;
            Ok(db)
        });
        let db = db.map_err(|error| failure("write the index", &path, error))?;
        Ok(Self { db, rows: RowWriter::from_row_one(), bytes: 0, is_bulk: false, file })
    }

    fn insert(&mut self, file: &IndexedFile) -> SqlResult<()> {
        self.rows.insert(&self.db, file)?;
        self.bytes += file.record.stamp.size;
        if !self.is_bulk && self.bytes >= BULK_FROM_BYTES {
            schema::begin_bulk(&self.db)?;
            self.is_bulk = true;
        }
        Ok(())
    }
}

fn set_up(db: &Connection, tokenizer: Tokenizer) -> SqlResult<()> {
    db.execute_batch(&format!(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
         PRAGMA cache_size = -{BULK_CACHE_KIB}; PRAGMA temp_store = MEMORY;"
    ))?;
    schema::create(db, tokenizer)?;
    db.execute_batch("BEGIN")
}

fn finish(db: Db, is_bulk: bool, publication: &Publication) -> SqlResult<()> {
    if is_bulk {
        schema::end_bulk(&db)?;
    }
    schema::create_indexes(&db)?;
    schema::publish(&db, publication)?;
    db.execute_batch("COMMIT")?;
    db.close()
}

#[async_trait]
impl IndexWriter for NewIndex {
    async fn put(&mut self, file: IndexedFile) -> Result<(), PortError> {
        self.insert(&file).map_err(|error| failure("write the index", &self.file.path(), error))
    }

    async fn commit(self: Box<Self>, publication: &Publication) -> Result<(), PortError> {
        let Self { db, is_bulk, file, .. } = *self;
        finish(db, is_bulk, publication).map_err(|error| failure("write the index", &file.path(), error))?;
        file.rename()
    }
}

/// The file of an unfinished index, deleted on drop unless it was renamed.
struct TemporaryFile {
    index: PathBuf,
    folder: Folder,
    name: OsString,
    is_renamed: bool,
}

impl TemporaryFile {
    /// Creates the folders, and deletes the file that a killed build left.
    fn new(index: &Path) -> Result<Self, PortError> {
        let folder = make_parent(index)?;
        let name = with_suffix(index.file_name().unwrap_or_default(), ".tmp");
        folder.remove_file(&name)?;
        Ok(Self { index: index.to_owned(), folder, name, is_renamed: false })
    }

    fn path(&self) -> PathBuf {
        self.index.with_file_name(&self.name)
    }

    /// Flushes the file and renames it over the old index.
    fn rename(mut self) -> Result<(), PortError> {
        let name = self.index.file_name().unwrap_or_default();
        self.sync()?;
        // Without an old index, no reader can be opening it.
        let _guard = self.folder.kind(name).and_then(|_| guard::while_renaming(&self.folder, name));
        retire(&self.index, &self.folder)?;
        corruption::unmark(&self.folder, name)?;
        self.folder.rename(&self.name, &self.folder, name)?;
        self.is_renamed = true;
        // The rename is done. If the folder cannot be flushed, a power failure costs no more than a rebuild.
        self.folder.sync();
        Ok(())
    }

    fn sync(&self) -> Result<(), PortError> {
        let failed =
            |e| PortError::io(format!("write '{}'", self.folder.path().join(&self.name).display()), e);
        self.folder.open_file(&self.name)?.sync_data().map_err(failed)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if !self.is_renamed {
            // The error that ended the write is more important than a leftover file, which the next build deletes.
            let _ = self.folder.remove_file(&self.name);
        }
    }
}

/// Makes it safe to rename over an old index, since SQLite would take a journal left by a killed process for the new
/// file's.
///
/// Opening a sound index rolls its journal back. If the journal remains, the index is unreadable anyway and is
/// deleted first, so that at each moment there is either no index or a complete one.
fn retire(index: &Path, folder: &Folder) -> Result<(), PortError> {
    let name = index.file_name().unwrap_or_default();
    let journal = with_suffix(name, "-journal");
    if folder.kind(&journal).is_none() {
        return Ok(());
    }
    if let Ok(old) = open_existing(index) {
        // Any read rolls back; the journal's absence shows that it worked.
        let _ = old.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0));
    }
    if folder.kind(&journal).is_some() {
        folder.remove_file(name)?;
        folder.remove_file(&journal)?;
    }
    Ok(())
}
