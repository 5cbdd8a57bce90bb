//! Writes the rows of a file in `sections`, `headings` and `files`.

use rusqlite::{Connection, OptionalExtension, Result, params};
use skillc_domain::freshness::RecordedFile;
use skillc_domain::path::RelPath;
use skillc_domain::query::{separate_cjk, separate_name};
use skillc_domain::section::Section;
use skillc_domain::text::case_fold::fold;
use skillc_ports::IndexedFile;

/// The ids of a file's rows; for an empty range, the end precedes the start.
struct RowRange {
    sections: (i64, i64),
    headings: (i64, i64),
}

/// Inserts rows in ascending order of ids.
pub struct RowWriter {
    next_section: i64,
    next_heading: i64,
}

impl RowWriter {
    /// Starts with the first id, for an empty index.
    pub fn from_row_one() -> Self {
        Self { next_section: 1, next_heading: 1 }
    }

    /// Continues after the last id.
    pub fn after_last(db: &Connection) -> Result<Self> {
        let after = |table: &str, id: &str| {
            db.query_row(&format!("SELECT ifnull(max({id}), 0) + 1 FROM {table}"), [], |row| row.get(0))
        };
        Ok(Self { next_section: after("sections", "rowid")?, next_heading: after("headings", "id")? })
    }

    /// Inserts a file, or replaces the one at the same path. If the digest is the same, only the stamp changes.
    pub fn replace(&mut self, db: &Connection, file: &IndexedFile) -> Result<()> {
        let path = &file.record.path;
        let old: Option<[u8; 32]> = db
            .prepare_cached("SELECT sha256 FROM files WHERE path = ?1")?
            .query_row([path.as_str()], |row| row.get(0))
            .optional()?;
        if old == Some(file.record.digest.bytes()) {
            return restamp(db, &file.record);
        }
        Self::remove(db, path)?;
        self.insert(db, file)
    }

    /// Inserts a file that is not in the index.
    pub fn insert(&mut self, db: &Connection, file: &IndexedFile) -> Result<()> {
        let path = file.record.path.as_str();
        let (first_section, first_heading) = (self.next_section, self.next_heading);
        if let Some(text) = &file.text {
            self.insert_sections(db, path, text.rows())?;
            self.insert_headings(db, path, text.sections())?;
        }
        let range = RowRange {
            sections: (first_section, self.next_section - 1),
            headings: (first_heading, self.next_heading - 1),
        };
        record(db, &file.record, &range)
    }

    fn insert_sections<'a>(
        &mut self,
        db: &Connection,
        path: &str,
        rows: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<()> {
        let name = separate_name(path);
        let mut insert =
            db.prepare_cached("INSERT INTO sections(rowid, file, section, content) VALUES (?1, ?2, ?3, ?4)")?;
        for (section, content) in rows {
            insert.execute(params![self.next_section, name, separate_cjk(section), content])?;
            self.next_section += 1;
        }
        Ok(())
    }

    fn insert_headings(&mut self, db: &Connection, path: &str, sections: &[Section]) -> Result<()> {
        let mut insert = db.prepare_cached(
            "INSERT INTO headings(id, file, text, level, start_line, end_line, folded)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?;
        for Section { level, text, start_line, end_line, .. } in sections {
            let folded = (!text.is_ascii()).then(|| fold(text));
            insert.execute(params![self.next_heading, path, text, level, start_line, end_line, folded])?;
            self.next_heading += 1;
        }
        Ok(())
    }

    /// Deletes the rows of a file, if it is in the index.
    pub fn remove(db: &Connection, path: &RelPath) -> Result<()> {
        let Some(range) = range(db, path)? else { return Ok(()) };
        let mut section = db.prepare_cached("DELETE FROM sections WHERE rowid = ?1")?;
        for id in range.sections.0..=range.sections.1 {
            section.execute([id])?;
        }
        db.prepare_cached("DELETE FROM headings WHERE id BETWEEN ?1 AND ?2")?
            .execute([range.headings.0, range.headings.1])?;
        db.prepare_cached("DELETE FROM files WHERE path = ?1")?.execute([path.as_str()])?;
        Ok(())
    }
}

fn range(db: &Connection, path: &RelPath) -> Result<Option<RowRange>> {
    db.prepare_cached("SELECT first_row, last_row, first_heading, last_heading FROM files WHERE path = ?1")?
        .query_row([path.as_str()], |row| {
            Ok(RowRange { sections: (row.get(0)?, row.get(1)?), headings: (row.get(2)?, row.get(3)?) })
        })
        .optional()
}

fn record(
    db: &Connection,
    RecordedFile { path, stamp, digest }: &RecordedFile,
    range: &RowRange,
) -> Result<()> {
    db.prepare_cached("INSERT INTO files VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?.execute(
        params![
            path.as_str(),
            stamp.size.cast_signed(),
            stamp.mtime_ns,
            stamp.ctime_ns,
            stamp.inode.cast_signed(),
            digest.bytes(),
            range.sections.0,
            range.sections.1,
            range.headings.0,
            range.headings.1
        ],
    )?;
    Ok(())
}

fn restamp(db: &Connection, RecordedFile { path, stamp, .. }: &RecordedFile) -> Result<()> {
    db.prepare_cached(
        "UPDATE files SET size = ?2, mtime_ns = ?3, ctime_ns = ?4, inode = ?5 WHERE path = ?1",
    )?
    .execute(params![
        path.as_str(),
        stamp.size.cast_signed(),
        stamp.mtime_ns,
        stamp.ctime_ns,
        stamp.inode.cast_signed()
    ])?;
    Ok(())
}
