//! Writing an index: a whole new one beside the old and renamed over it, or an edit in one transaction.

use crate::connection::{failure, make_parent, open_existing, open_or_create, with_suffix};
use crate::index::corruption_mark;
use crate::{guard, schema};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Result as SqlResult, params};
use skillc_domain::config::Tokenizer;
use skillc_domain::freshness::RecordedFile;
use skillc_domain::path::RelPath;
use skillc_domain::query::{separate_cjk, separate_name};
use skillc_domain::section::Section;
use skillc_domain::text::case_fold::fold;
use skillc_fs::Folder;
use skillc_ports::{IndexFeed, IndexedFile, PortError, Publication};
use std::ffi::OsStr;
use std::path::Path;

/// KiB of pages kept in memory while a whole index is made. More was no faster when measured.
const BULK_CACHE_KIB: i32 = 512;

/// Bytes of files after which FTS5 is set up for many rows: below, the settings cost more than they save.
const BULK_FROM_BYTES: u64 = 1024 * 1024;

/// Makes a new index in place of whatever is there.
///
/// The new file needs no journal, since nobody sees it before it is renamed. It reaches the disk before its name does.
pub fn replace(index: &Path, tokenizer: Tokenizer, feed: &mut dyn IndexFeed) -> Result<(), PortError> {
    let folder = make_parent(index)?;
    let name = index.file_name().unwrap_or_default();
    let fresh = with_suffix(name, ".tmp");
    folder.remove_file(&fresh)?;
    let written = fill(&index.with_file_name(&fresh), tokenizer, feed).and_then(|()| sync(&folder, &fresh));
    // Nobody can be opening what is not there.
    let _guard = folder.kind(name).and_then(|_| guard::while_renaming(index));
    if let Err(error) = written
        .and_then(|()| retire(index, &folder))
        .and_then(|()| folder.remove_file(corruption_mark(name)).map(drop))
    {
        // The failure that is being told matters more than a left-over, which the next build removes.
        let _ = folder.remove_file(&fresh);
        return Err(error);
    }
    folder.rename(&fresh, &folder, name)?;
    // The rename itself is done; a folder that cannot be synced costs a rebuild after a power cut, no more.
    folder.sync();
    Ok(())
}

fn fill(path: &Path, tokenizer: Tokenizer, feed: &mut dyn IndexFeed) -> Result<(), PortError> {
    let said = |error| failure("write the index", path, error);
    let db = open_or_create(path).map_err(said)?;
    db.execute_batch(&format!(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
         PRAGMA cache_size = -{BULK_CACHE_KIB}; PRAGMA temp_store = MEMORY;"
    ))
    .map_err(said)?;
    schema::create(&db, tokenizer).map_err(said)?;
    db.execute_batch("BEGIN").map_err(said)?;
    let is_bulk = insert_all(&db, feed, &said)?;
    if is_bulk {
        schema::end_bulk(&db).map_err(said)?;
    }
    schema::create_indexes(&db).map_err(said)?;
    publish(&db, &feed.publication()?).map_err(said)?;
    db.execute_batch("COMMIT").map_err(said)?;
    db.close().map_err(said)
}

/// Inserts all files; whether they were so many that FTS5 was set up for them on the way.
fn insert_all(
    db: &Connection,
    feed: &mut dyn IndexFeed,
    said: &dyn Fn(rusqlite::Error) -> PortError,
) -> Result<bool, PortError> {
    let mut writer = RowWriter::from_row_one(db).map_err(said)?;
    let (mut bytes, mut is_bulk) = (0, false);
    while let Some(file) = feed.next() {
        let file = file?;
        writer.insert(&file).map_err(said)?;
        bytes += file.record.stamp.size;
        if !is_bulk && bytes >= BULK_FROM_BYTES {
            schema::begin_bulk(db).map_err(said)?;
            is_bulk = true;
        }
    }
    Ok(is_bulk)
}

/// Edits the index that is there, in one transaction with a rollback journal: whoever reads meanwhile sees the old
/// state, and a killed process leaves a journal that the next reader rolls back.
pub fn edit(index: &Path, removed: &[RelPath], feed: &mut dyn IndexFeed) -> Result<(), PortError> {
    let said = |error| failure("edit the index", index, error);
    let mut db = open_existing(index).map_err(said)?;
    // Pages stay in memory until the commit, so that readers are locked out for that moment only.
    db.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA cache_spill = OFF;").map_err(said)?;
    let transaction = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(said)?;
    {
        let mut writer = RowWriter::new(&transaction).map_err(said)?;
        for path in removed {
            writer.forget(path).map_err(said)?;
        }
        while let Some(file) = feed.next() {
            writer.put(&file?).map_err(said)?;
        }
    }
    publish(&transaction, &feed.publication()?).map_err(said)?;
    transaction.commit().map_err(said)
}

fn publish(db: &Connection, publication: &Publication) -> SqlResult<()> {
    schema::write_header(db, &publication.header)?;
    let mut put = db.prepare_cached("INSERT OR REPLACE INTO published(name, bytes) VALUES (?1, ?2)")?;
    for projection in &publication.projections {
        put.execute(params![projection.name, projection.bytes])?;
    }
    Ok(())
}

/// Rows of `sections` and `headings` that belong to a file; an empty range ends before it begins.
struct RowRange {
    rows: (i64, i64),
    headings: (i64, i64),
}

struct RowWriter<'db> {
    db: &'db Connection,
    section: CachedStatement<'db>,
    heading: CachedStatement<'db>,
    file: CachedStatement<'db>,
    next_row: i64,
    next_heading: i64,
}

impl<'db> RowWriter<'db> {
    /// For an index that holds rows already.
    fn new(db: &'db Connection) -> SqlResult<Self> {
        let after = |table: &str, id: &str| {
            db.query_row(&format!("SELECT ifnull(max({id}), 0) + 1 FROM {table}"), [], |row| row.get(0))
        };
        let (next_row, next_heading) = (after("sections", "rowid")?, after("headings", "id")?);
        Ok(Self { next_row, next_heading, ..Self::from_row_one(db)? })
    }

    /// For an empty index.
    fn from_row_one(db: &'db Connection) -> SqlResult<Self> {
        Ok(Self {
            db,
            section: db.prepare_cached(
                "INSERT INTO sections(rowid, file, section, content) VALUES (?1, ?2, ?3, ?4)",
            )?,
            heading: db.prepare_cached(
                "INSERT INTO headings(id, file, text, level, start_line, end_line, folded)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?,
            file: db.prepare_cached("INSERT INTO files VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?,
            next_row: 1,
            next_heading: 1,
        })
    }

    fn insert(&mut self, file: &IndexedFile) -> SqlResult<()> {
        let path = file.record.path.as_str();
        let (first_row, first_heading) = (self.next_row, self.next_heading);
        if let Some(text) = &file.text {
            let name = separate_name(path);
            for (section, content) in text.rows() {
                self.section.execute(params![self.next_row, name, separate_cjk(section), content])?;
                self.next_row += 1;
            }
            for section in text.sections() {
                self.insert_heading(path, section)?;
            }
        }
        self.record(
            &file.record,
            &RowRange {
                rows: (first_row, self.next_row - 1),
                headings: (first_heading, self.next_heading - 1),
            },
        )
    }

    fn insert_heading(&mut self, path: &str, section: &Section) -> SqlResult<()> {
        let folded = (!section.text.is_ascii()).then(|| fold(&section.text));
        self.heading.execute(params![
            self.next_heading,
            path,
            section.text,
            section.level,
            section.start_line,
            section.end_line,
            folded
        ])?;
        self.next_heading += 1;
        Ok(())
    }

    fn record(&mut self, record: &RecordedFile, range: &RowRange) -> SqlResult<()> {
        let RecordedFile { path, stamp, digest } = record;
        self.file.execute(params![
            path.as_str(),
            stamp.size.cast_signed(),
            stamp.mtime_ns,
            stamp.ctime_ns,
            stamp.inode.cast_signed(),
            digest.0,
            range.rows.0,
            range.rows.1,
            range.headings.0,
            range.headings.1
        ])?;
        Ok(())
    }

    /// Inserts a file, or replaces the one of the same path; an equal digest keeps the rows.
    fn put(&mut self, file: &IndexedFile) -> SqlResult<()> {
        let path = &file.record.path;
        let old: Option<[u8; 32]> = self
            .db
            .prepare_cached("SELECT sha256 FROM files WHERE path = ?1")?
            .query_row([path.as_str()], |row| row.get(0))
            .optional()?;
        if old == Some(file.record.digest.0) {
            return self.restamp(&file.record);
        }
        self.forget(path)?;
        self.insert(file)
    }

    fn restamp(&self, record: &RecordedFile) -> SqlResult<()> {
        let stamp = &record.stamp;
        self.db
            .prepare_cached(
                "UPDATE files SET size = ?2, mtime_ns = ?3, ctime_ns = ?4, inode = ?5 WHERE path = ?1",
            )?
            .execute(params![
                record.path.as_str(),
                stamp.size.cast_signed(),
                stamp.mtime_ns,
                stamp.ctime_ns,
                stamp.inode.cast_signed()
            ])?;
        Ok(())
    }

    fn forget(&self, path: &RelPath) -> SqlResult<()> {
        let Some(range) = self.range(path)? else { return Ok(()) };
        let mut row = self.db.prepare_cached("DELETE FROM sections WHERE rowid = ?1")?;
        for id in range.rows.0..=range.rows.1 {
            row.execute([id])?;
        }
        self.db
            .prepare_cached("DELETE FROM headings WHERE id BETWEEN ?1 AND ?2")?
            .execute([range.headings.0, range.headings.1])?;
        self.db.prepare_cached("DELETE FROM files WHERE path = ?1")?.execute([path.as_str()])?;
        Ok(())
    }

    fn range(&self, path: &RelPath) -> SqlResult<Option<RowRange>> {
        self.db
            .prepare_cached(
                "SELECT first_row, last_row, first_heading, last_heading FROM files WHERE path = ?1",
            )?
            .query_row([path.as_str()], |row| {
                Ok(RowRange { rows: (row.get(0)?, row.get(1)?), headings: (row.get(2)?, row.get(3)?) })
            })
            .optional()
    }
}

/// Makes an old index safe to be renamed over: a journal that a killed process left would be taken for the new file's.
///
/// Opening a sound index rolls its journal back. Where one stays, the index cannot be read anyhow: it goes first, so
/// that at each moment there is either no index, which is the truth, or a whole one.
fn retire(index: &Path, folder: &Folder) -> Result<(), PortError> {
    let name = index.file_name().unwrap_or_default();
    let journal = with_suffix(name, "-journal");
    if folder.kind(&journal).is_none() {
        return Ok(());
    }
    if let Ok(old) = open_existing(index) {
        // Any read rolls back; whether it can be done shows by the journal.
        let _ = old.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0));
    }
    if folder.kind(&journal).is_some() {
        folder.remove_file(name)?;
        folder.remove_file(&journal)?;
    }
    Ok(())
}

fn sync(folder: &Folder, name: &OsStr) -> Result<(), PortError> {
    let failed = |e| PortError::io(format!("write '{}'", folder.path().join(name).display()), e);
    folder.open_file(name)?.sync_data().map_err(failed)
}
