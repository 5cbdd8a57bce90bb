//! Searches for skills, kept in memory beside where they last.

use skillc_domain::discovery::scan::ScannedRoot;
use skillc_ports::ScanCache;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Folders whose searches are kept: with more, keeping begins anew.
const FOLDERS_MAX: usize = 256;

/// The memory of a process that lives on: what it was told or has read once is not read again.
pub struct ProcessScanCache {
    lasting: Arc<dyn ScanCache>,
    kept: Mutex<HashMap<PathBuf, Arc<ScannedRoot>>>,
}

impl ProcessScanCache {
    /// Before a memory that lasts.
    pub fn before(lasting: Arc<dyn ScanCache>) -> Self {
        Self { lasting, kept: Mutex::default() }
    }

    fn put(&self, root: &Path, scanned: &Arc<ScannedRoot>) {
        let mut kept = self.kept();
        if kept.len() >= FOLDERS_MAX {
            kept.clear();
        }
        kept.insert(root.to_owned(), scanned.clone());
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<ScannedRoot>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ScanCache for ProcessScanCache {
    fn get(&self, roots: &[PathBuf]) -> Vec<Option<Arc<ScannedRoot>>> {
        let mut found: Vec<_> = {
            let kept = self.kept();
            roots.iter().map(|root| kept.get(root).cloned()).collect()
        };
        let missing: Vec<usize> = (0..roots.len()).filter(|at| found[*at].is_none()).collect();
        let asked: Vec<PathBuf> = missing.iter().map(|at| roots[*at].clone()).collect();
        if asked.is_empty() {
            return found;
        }
        for (at, scanned) in missing.into_iter().zip(self.lasting.get(&asked)) {
            if let Some(scanned) = scanned {
                self.put(&roots[at], &scanned);
                found[at] = Some(scanned);
            }
        }
        found
    }

    fn insert(&self, root: &Path, scanned: &Arc<ScannedRoot>) {
        self.put(root, scanned);
        self.lasting.insert(root, scanned);
    }
}
