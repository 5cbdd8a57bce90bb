//! Catalogs that were put together before, for a process that lives on: the same searches make the same one.

use super::ask::Ask;
use skillc_domain::discovery::roots::SkillRoot;
use skillc_domain::discovery::scan::ScannedRoot;
use skillc_domain::discovery::settings::{Permissions, SkillsSettings};
use skillc_domain::discovery::skill::{LoadError, SkillCatalog};
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Catalogs that are kept: a server's tools ask for a few kinds.
const KEPT_MAX: usize = 4;

/// The last catalogs, each with what it was made from.
#[derive(Default)]
pub struct CatalogMemo {
    kept: Mutex<VecDeque<(Parts, Arc<SkillCatalog>)>>,
}

/// All that a catalog is made from.
pub(super) struct Parts {
    pub ask: Ask,
    pub roots: Vec<(SkillRoot, Arc<ScannedRoot>)>,
    pub sources: HashMap<PathBuf, Arc<ScannedRoot>>,
    pub errors: Vec<LoadError>,
    pub is_lenient: bool,
    pub skills: SkillsSettings,
    pub permissions: Permissions,
}

impl CatalogMemo {
    /// The catalog whose parts are accepted.
    pub(super) fn get(&self, is_same: impl Fn(&Parts) -> bool) -> Option<Arc<SkillCatalog>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(parts, _)| is_same(parts))?;
        let found = kept.remove(at)?;
        let catalog = found.1.clone();
        kept.push_front(found);
        Some(catalog)
    }

    pub(super) fn keep(&self, parts: Parts, catalog: Arc<SkillCatalog>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(KEPT_MAX - 1);
        kept.push_front((parts, catalog));
    }
}
