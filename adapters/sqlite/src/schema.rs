//! The tables of an index (RFC-0004:C-INDEX), and the encoding of its header in `index_meta`.

use rusqlite::{Connection, Result, params};
use skillc_domain::config::Tokenizer;
use skillc_domain::digest::Digest;
use skillc_domain::freshness::IndexHeader;
use skillc_domain::limits::INDEX_SCHEMA_VERSION;
use skillc_ports::{Publication, PublishedFile};
use std::collections::HashMap;

/// SQLite's default page size. It is set explicitly because the size of small indexes depends on it.
const PAGE_BYTES: u32 = 4096;

/// Size in bytes of the terms that FTS5 collects before it writes a segment of a new index. 4 MiB is within a few
/// percent of the fastest; memory use grows with it.
const BULK_HASH_BYTES: u32 = 4 * 1024 * 1024;
/// FTS5's default, restored for later edits.
const EDIT_HASH_BYTES: u32 = 1024 * 1024;
/// Number of segments at which FTS5 merges all of a level at once. The default of 16 would merge the whole index in
/// one of the first edits after a bulk build, which takes 500 ms for 10,000 files. Instead, each edit merges some
/// pages; there were fewer than 100 segments at any time.
const EDIT_CRISISMERGE: u32 = 1_000;
/// Maximum number of pages that an edit merges, which bounds its time (adr/0005).
const EDIT_MERGE_PAGES: u32 = 128;

/// FTS5's `tokenize` option for a setting.
pub fn fts5_tokenizer(tokenizer: Tokenizer) -> &'static str {
    match tokenizer {
        Tokenizer::Ascii => "porter unicode61",
        Tokenizer::Cjk => "unicode61",
    }
}

/// Creates the tables in an empty database. `create_indexes` follows after the rows are inserted.
pub fn create(db: &Connection, tokenizer: Tokenizer) -> Result<()> {
    db.execute_batch(&format!(
        "PRAGMA page_size = {PAGE_BYTES};
         CREATE VIRTUAL TABLE sections USING fts5(file, section, content, tokenize='{}');
         CREATE TABLE headings (
             id INTEGER PRIMARY KEY,
             file TEXT NOT NULL,
             text TEXT NOT NULL,
             level INTEGER NOT NULL,
             start_line INTEGER NOT NULL,
             end_line INTEGER NOT NULL,
             folded TEXT
         );
         CREATE TABLE files (
             path TEXT PRIMARY KEY,
             size INTEGER NOT NULL,
             mtime_ns INTEGER NOT NULL,
             ctime_ns INTEGER NOT NULL,
             inode INTEGER NOT NULL,
             sha256 BLOB NOT NULL,
             first_row INTEGER NOT NULL,
             last_row INTEGER NOT NULL,
             first_heading INTEGER NOT NULL,
             last_heading INTEGER NOT NULL
         ) WITHOUT ROWID;
         CREATE TABLE published (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
         CREATE TABLE index_meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;",
        fts5_tokenizer(tokenizer)
    ))
}

/// Configures FTS5 for bulk writes, without merging of segments. The settings persist until `end_bulk` reverts them.
pub fn begin_bulk(db: &Connection) -> Result<()> {
    configure_fts5(db, 0, 64, BULK_HASH_BYTES)
}

/// Configures FTS5 for later edits.
pub fn end_bulk(db: &Connection) -> Result<()> {
    configure_fts5(db, 4, EDIT_CRISISMERGE, EDIT_HASH_BYTES)
}

/// Merges segments of a level that has enough of them, up to a limited number of pages.
pub fn merge_some(db: &Connection) -> Result<()> {
    let mut merge = db.prepare_cached("INSERT INTO sections(sections, rank) VALUES ('merge', ?1)")?;
    merge.execute([EDIT_MERGE_PAGES]).map(|_| ())
}

/// Creates the secondary indexes, which is cheaper after the rows are inserted.
pub fn create_indexes(db: &Connection) -> Result<()> {
    db.execute_batch(
        "CREATE INDEX idx_headings_text ON headings(text COLLATE NOCASE);
         CREATE INDEX idx_headings_folded ON headings(folded) WHERE folded IS NOT NULL;",
    )
}

fn configure_fts5(db: &Connection, automerge: u32, crisismerge: u32, hash_bytes: u32) -> Result<()> {
    let mut set = db.prepare_cached("INSERT INTO sections(sections, rank) VALUES (?1, ?2)")?;
    set.execute(params!["automerge", automerge])?;
    set.execute(params!["crisismerge", crisismerge])?;
    set.execute(params!["hashsize", hash_bytes])?;
    Ok(())
}

/// Writes the header and the published files.
pub fn publish(db: &Connection, publication: &Publication) -> Result<()> {
    write_header(db, &publication.header)?;
    let mut insert = db.prepare_cached("INSERT OR REPLACE INTO published(name, bytes) VALUES (?1, ?2)")?;
    for PublishedFile { name, bytes } in &publication.files {
        insert.execute(params![name, bytes])?;
    }
    Ok(())
}

fn write_header(db: &Connection, header: &IndexHeader) -> Result<()> {
    let mut set = db.prepare_cached("INSERT OR REPLACE INTO index_meta(key, value) VALUES (?1, ?2)")?;
    for (key, value) in [
        ("skill_path", header.skill_path.clone()),
        ("source_hash", header.source_hash.to_string()),
        ("schema_version", header.schema_version.to_string()),
        ("tokenizer", header.tokenizer.recorded().to_owned()),
        ("fingerprint", header.fingerprint.to_string()),
        ("trusted_ns", header.trusted_ns.to_string()),
        ("indexed_at", header.indexed_at.clone()),
    ] {
        set.execute(params![key, value])?;
    }
    Ok(())
}

/// Reads the header; `None` if a key is missing or a value is invalid, which means that the index is corrupt. For
/// another schema version only the keys that identify it are required.
pub fn read_header(db: &Connection) -> Result<Option<IndexHeader>> {
    let mut all = db.prepare_cached("SELECT key, value FROM index_meta")?;
    let rows = all.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?)))?;
    let mut found = HashMap::new();
    for row in rows {
        let (key, value) = row?;
        found.insert(key, value.unwrap_or_default());
    }
    Ok(header_of(&found))
}

/// Whether all tables of the current schema exist; always true for another schema version.
pub fn has_tables(db: &Connection, header: &IndexHeader) -> bool {
    let count = "SELECT count(*) FROM sqlite_master
                 WHERE type = 'table' AND name IN ('sections', 'headings', 'files', 'published')";
    let is_current = header.schema_version == INDEX_SCHEMA_VERSION;
    !is_current || db.prepare_cached(count).and_then(|mut all| all.query_row([], |row| row.get(0))) == Ok(4)
}

fn header_of(found: &HashMap<String, String>) -> Option<IndexHeader> {
    let number = |key: &str| found.get(key).and_then(|value| value.parse::<i64>().ok());
    let schema_version = u32::try_from(number("schema_version")?).ok()?;
    let is_other = schema_version != INDEX_SCHEMA_VERSION;
    Some(IndexHeader {
        skill_path: found.get("skill_path")?.clone(),
        source_hash: Digest::from_hex(found.get("source_hash")?)?,
        schema_version,
        tokenizer: Tokenizer::from_recorded(found.get("tokenizer")?)?,
        fingerprint: found
            .get("fingerprint")
            .and_then(|value| value.parse().ok())
            .or(is_other.then_some(0))?,
        trusted_ns: number("trusted_ns").or(is_other.then_some(i64::MIN))?,
        indexed_at: found.get("indexed_at").cloned().or(is_other.then(String::new))?,
    })
}
