//! Searches for skills as they are remembered: one value for each folder of skills.

mod codec;

use super::database::Database;
use rusqlite::{Connection, OptionalExtension, Result as SqlResult, params};
use skillc_domain::discovery::scan::ScannedRoot;
use skillc_fs::Identity;
use skillc_ports::ScanCache;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Remembers searches in `discovery.db`.
pub struct SqliteScanCache {
    database: Arc<Database>,
}

impl SqliteScanCache {
    pub(super) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }
}

impl ScanCache for SqliteScanCache {
    fn get(&self, roots: &[PathBuf]) -> Vec<Option<Arc<ScannedRoot>>> {
        // A question makes no file.
        if self.database.path().is_some_and(|path| Identity::at(path).is_none()) {
            return vec![None; roots.len()];
        }
        let read = self.database.with("read", |db| {
            roots.iter().map(|root| recall(db, root.to_str())).collect::<SqlResult<Vec<_>>>()
        });
        read.unwrap_or_else(|_| vec![None; roots.len()])
    }

    fn insert(&self, root: &Path, scanned: &Arc<ScannedRoot>) {
        let Some((root, body)) = root.to_str().zip(codec::encode(scanned)) else { return };
        // What cannot be kept is searched again.
        let put = "INSERT OR REPLACE INTO scans(root, body) VALUES (?1, ?2)";
        let _ = self.database.with("write", |db| db.execute(put, params![root, body]));
    }
}

fn recall(db: &Connection, root: Option<&str>) -> SqlResult<Option<Arc<ScannedRoot>>> {
    let Some(root) = root else { return Ok(None) };
    let mut get = db.prepare_cached("SELECT body FROM scans WHERE root = ?1")?;
    let decoded = |row: &rusqlite::Row<'_>| Ok(codec::decode(row.get_ref(0)?.as_blob()?));
    Ok(get.query_row([root], decoded).optional()?.flatten().map(Arc::new))
}
