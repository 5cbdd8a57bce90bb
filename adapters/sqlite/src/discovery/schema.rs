//! The tables of `discovery.db` (RFC-0011:C-INDEX).

use rusqlite::{Connection, Error, ErrorCode, Result, TransactionBehavior};
use skillc_domain::limits::{DISCOVERY_SCHEMA_VERSION, EMBEDDING_DIMENSIONS};

/// FTS5's tokenizer: tokens are compared by their Porter stems. Measured against others in adr/0027.
const TOKENIZER: &str = "porter unicode61 remove_diacritics 2";

/// Marks these files among SQLite databases (sqlite.org/fileformat2.html, bytes 68 to 71): "skcd".
const APPLICATION_ID: i32 = 0x736b_6364;

/// Number of bytes up to the end of the application id in a database file.
pub const HEAD_BYTES: usize = 72;

/// Whether a file with these first bytes is empty or a skill index.
pub fn is_ours(head: &[u8]) -> bool {
    head.is_empty() || head.starts_with(b"SQLite format 3\0") && head.ends_with(&APPLICATION_ID.to_be_bytes())
}

/// Sets the journal mode of an open file, and creates its tables if they are missing or of another version.
///
/// Write-ahead logging lets readers continue while another process indexes.
pub fn prepare(db: &mut Connection) -> Result<()> {
    let version: i32 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version != DISCOVERY_SCHEMA_VERSION {
        // If the file system cannot share memory, a rollback journal remains, which is slower but no less safe.
        db.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        create(db)?;
    }
    // Rows that are lost in a power failure are computed again.
    db.pragma_update(None, "synchronous", "NORMAL")
}

/// Creates the tables unless another process has just done so, and drops those of another version.
pub fn create(db: &mut Connection) -> Result<()> {
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == DISCOVERY_SCHEMA_VERSION {
        return Ok(());
    }
    transaction.execute_batch(
        "DROP TABLE IF EXISTS skill_embeddings; DROP TABLE IF EXISTS skill_metadata;
         DROP TABLE IF EXISTS skill_words; DROP TABLE IF EXISTS skill_texts; DROP TABLE IF EXISTS skill_records;
         DROP TABLE IF EXISTS skill_vectors; DROP TABLE IF EXISTS matrix;
         DROP TABLE IF EXISTS scans;",
    )?;
    transaction.execute_batch(&format!(
        "CREATE VIRTUAL TABLE skill_embeddings USING vec0(
             skill_id TEXT PRIMARY KEY,
             embedding FLOAT[{EMBEDDING_DIMENSIONS}],
             chunk_size=128
         );
         CREATE TABLE skill_metadata (
             skill_id TEXT PRIMARY KEY,
             name TEXT NOT NULL,
             description TEXT NOT NULL DEFAULT '',
             source TEXT NOT NULL DEFAULT 'python',
             indexed_at INTEGER NOT NULL DEFAULT 0
         );
         CREATE VIRTUAL TABLE skill_words USING fts5(
             name, description, content='', contentless_delete=1, tokenize='{TOKENIZER}'
         );
         CREATE VIRTUAL TABLE skill_texts USING fts5(
             name, description, headings, body, content='', contentless_delete=1, tokenize='{TOKENIZER}'
         );
         CREATE TABLE skill_records (
             row INTEGER PRIMARY KEY,
             skill_id TEXT NOT NULL UNIQUE,
             path TEXT NOT NULL,
             digest BLOB NOT NULL,
             meaning BLOB NOT NULL
         );
         CREATE TABLE skill_vectors (
             row INTEGER PRIMARY KEY,
             skill_id TEXT NOT NULL UNIQUE,
             model TEXT NOT NULL,
             meaning BLOB NOT NULL,
             codes BLOB
         );
         CREATE TABLE scans (root TEXT PRIMARY KEY, body BLOB NOT NULL);
         PRAGMA application_id = {APPLICATION_ID};
         PRAGMA user_version = {DISCOVERY_SCHEMA_VERSION};"
    ))?;
    transaction.commit()
}

/// Whether an error means that tables are missing or differ from those above.
pub fn is_foreign(error: &Error) -> bool {
    match error {
        Error::SqliteFailure(failure, Some(message)) => {
            failure.code == ErrorCode::Unknown
                && (message.starts_with("no such table")
                    || message.starts_with("no such column")
                    || message.contains("has no column named"))
        }
        Error::SqlInputError { msg, .. } => {
            msg.starts_with("no such table")
                || msg.starts_with("no such column")
                || msg.contains("has no column named")
        }
        Error::QueryReturnedNoRows
        | Error::InvalidColumnType(..)
        | Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..) => true,
        _ => false,
    }
}
