//! Searches for skills as they are remembered: two values for each folder of skills, so that descriptions are read only
//! where they are wanted.

mod codec;

use super::database::Database;
use rusqlite::{Connection, OptionalExtension, Result as SqlResult, params};
use skillc_domain::discovery::scan::ScannedRoot;
use skillc_ports::{Detail, ScanMemory};
use std::path::PathBuf;
use std::sync::Arc;

/// Remembers searches in `discovery.db`.
pub struct SqliteScanMemory {
    database: Arc<Database>,
}

impl SqliteScanMemory {
    pub(super) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }
}

impl ScanMemory for SqliteScanMemory {
    fn recall(&self, roots: &[PathBuf], detail: Detail) -> Vec<Option<ScannedRoot>> {
        // A question makes no file.
        if self.database.path().is_some_and(|path| !path.exists()) {
            return vec![None; roots.len()];
        }
        let read = self.database.with("read", |db| {
            roots.iter().map(|root| recall(db, root.to_str(), detail)).collect::<SqlResult<Vec<_>>>()
        });
        read.unwrap_or_else(|_| vec![None; roots.len()])
    }

    fn keep(&self, searches: &[(PathBuf, &ScannedRoot)]) {
        let encoded = |(root, scanned): &(PathBuf, &ScannedRoot)| {
            Some((root.to_str()?.to_owned(), codec::encode(scanned)?))
        };
        let rows: Vec<_> = searches.iter().filter_map(encoded).collect();
        // What cannot be kept is searched again.
        let _ = self.database.with("write", |db| {
            let transaction = db.transaction()?;
            for (root, (body, texts)) in &rows {
                let put = "INSERT OR REPLACE INTO scans(root, body, texts) VALUES (?1, ?2, ?3)";
                transaction.prepare_cached(put)?.execute(params![root, body, texts])?;
            }
            transaction.commit()
        });
    }
}

fn recall(db: &Connection, root: Option<&str>, detail: Detail) -> SqlResult<Option<ScannedRoot>> {
    let Some(root) = root else { return Ok(None) };
    let column = if detail == Detail::Whole { "texts" } else { "NULL" };
    let mut get = db.prepare_cached(&format!("SELECT body, {column} FROM scans WHERE root = ?1"))?;
    let decoded = |row: &rusqlite::Row<'_>| {
        let texts = row.get_ref(1)?.as_blob_or_null()?;
        Ok(codec::decode(row.get_ref(0)?.as_blob()?, texts))
    };
    Ok(get.query_row([root], decoded).optional()?.flatten())
}
