//! A cache of scans in memory only.

use skillc_domain::discovery::scan::ScannedRoot;
use skillc_ports::ScanCache;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Caches scans until it is dropped; the cache on disk is neither read nor written.
#[derive(Debug, Default)]
pub struct ScanMemory {
    scans: Mutex<HashMap<PathBuf, Arc<ScannedRoot>>>,
}

impl ScanCache for ScanMemory {
    fn get(&self, roots: &[PathBuf]) -> Vec<Option<Arc<ScannedRoot>>> {
        let scans = self.scans.lock().unwrap_or_else(PoisonError::into_inner);
        roots.iter().map(|root| scans.get(root).cloned()).collect()
    }

    fn insert(&self, root: &Path, scanned: &Arc<ScannedRoot>) {
        self.scans.lock().unwrap_or_else(PoisonError::into_inner).insert(root.to_owned(), scanned.clone());
    }
}
