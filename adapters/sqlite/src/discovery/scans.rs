//! Caches scans of skill folders: one row per folder in `discovery.db`, and in memory during the process.

use super::database::Database;
use super::stored_scan::{decode, encode};
use rusqlite::{Connection, OptionalExtension, Result as SqlResult, params};
use skillc_domain::discovery::scan::ScannedRoot;
use skillc_domain::limits::CACHED_SCANS_MAX;
use skillc_fs::Identity;
use skillc_ports::ScanCache;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Caches scans in `discovery.db`. A scan that was once read or inserted is then always returned as the same `Arc`.
pub struct SqliteScanCache {
    database: Arc<Database>,
    held: Mutex<HashMap<PathBuf, Arc<ScannedRoot>>>,
}

impl SqliteScanCache {
    pub(super) fn new(database: Arc<Database>) -> Self {
        Self { database, held: Mutex::default() }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<ScannedRoot>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hold(&self, root: &Path, scanned: &Arc<ScannedRoot>) {
        let mut held = self.held();
        // Simpler than tracking use; a server rarely gets here.
        if held.len() >= CACHED_SCANS_MAX {
            held.clear();
        }
        held.insert(root.to_owned(), scanned.clone());
    }

    /// Reads scans from the file, without creating it.
    fn read(&self, roots: &[&PathBuf]) -> Vec<Option<Arc<ScannedRoot>>> {
        if self.database.path().is_some_and(|path| Identity::at(path).is_none()) {
            return vec![None; roots.len()];
        }
        let read = self.database.with("read", |db| {
            roots.iter().map(|root| read_one(db, root.to_str())).collect::<SqlResult<Vec<_>>>()
        });
        read.unwrap_or_else(|_| vec![None; roots.len()])
    }
}

impl ScanCache for SqliteScanCache {
    fn get(&self, roots: &[PathBuf]) -> Vec<Option<Arc<ScannedRoot>>> {
        let mut found: Vec<_> = {
            let held = self.held();
            roots.iter().map(|root| held.get(root).cloned()).collect()
        };
        let missing: Vec<usize> = (0..roots.len()).filter(|at| found[*at].is_none()).collect();
        if missing.is_empty() {
            return found;
        }
        let read = self.read(&missing.iter().map(|at| &roots[*at]).collect::<Vec<_>>());
        for (at, scanned) in missing.into_iter().zip(read) {
            scanned.iter().for_each(|scanned| self.hold(&roots[at], scanned));
            found[at] = scanned;
        }
        found
    }

    fn insert(&self, root: &Path, scanned: &Arc<ScannedRoot>) {
        self.hold(root, scanned);
        let Some((root, body)) = root.to_str().zip(encode(scanned)) else { return };
        // A folder whose scan cannot be stored is scanned again.
        let put = "INSERT OR REPLACE INTO scans(root, body) VALUES (?1, ?2)";
        let _ = self.database.with("write", |db| db.execute(put, params![root, body]));
    }
}

fn read_one(db: &Connection, root: Option<&str>) -> SqlResult<Option<Arc<ScannedRoot>>> {
    let Some(root) = root else { return Ok(None) };
    let mut get = db.prepare_cached("SELECT body FROM scans WHERE root = ?1")?;
    let decoded = |row: &rusqlite::Row<'_>| Ok(decode(row.get_ref(0)?.as_blob()?));
    Ok(get.query_row([root], decoded).optional()?.flatten().map(Arc::new))
}
