//! Catalogs that were put together before, for a process that lives on: the same searches make the same one.

use super::{Ask, search::Searches};
use crate::app::App;
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
struct Parts {
    ask: Ask,
    roots: Vec<(SkillRoot, Arc<ScannedRoot>)>,
    sources: HashMap<PathBuf, Arc<ScannedRoot>>,
    errors: Vec<LoadError>,
    is_lenient: bool,
    skills: SkillsSettings,
    permissions: Permissions,
}

impl CatalogMemo {
    /// The catalog of these searches; it is made where none is kept.
    pub(super) fn of(
        &self,
        app: &App,
        ask: &Ask,
        searches: Searches<'_>,
        make: impl FnOnce(Searches<'_>) -> SkillCatalog,
    ) -> Arc<SkillCatalog> {
        if let Some(kept) = self.recall(app, ask, &searches) {
            return kept;
        }
        let parts = Parts::of(app, ask, &searches);
        let made = Arc::new(make(searches));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(KEPT_MAX - 1);
        kept.push_front((parts, made.clone()));
        made
    }

    fn recall(&self, app: &App, ask: &Ask, searches: &Searches<'_>) -> Option<Arc<SkillCatalog>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(parts, _)| parts.are_of(app, ask, searches))?;
        let found = kept.remove(at)?;
        let catalog = found.1.clone();
        kept.push_front(found);
        Some(catalog)
    }
}

impl Parts {
    fn of(app: &App, ask: &Ask, searches: &Searches<'_>) -> Self {
        let roots = searches.roots.iter().map(|(root, scanned)| ((*root).clone(), scanned.clone()));
        Self {
            ask: ask.clone(),
            roots: roots.collect(),
            sources: searches.sources.clone(),
            errors: searches.errors.clone(),
            is_lenient: app.settings.discovery.lenient,
            skills: app.settings.skills.clone(),
            permissions: app.settings.permissions.clone(),
        }
    }

    /// Searches are compared by where they stand: one that told nothing new is the very same.
    fn are_of(&self, app: &App, ask: &Ask, searches: &Searches<'_>) -> bool {
        let are_roots = self.roots.len() == searches.roots.len()
            && self
                .roots
                .iter()
                .zip(&searches.roots)
                .all(|((a, seen), (b, now))| a == *b && Arc::ptr_eq(seen, now));
        let is_source = |(path, seen): (&PathBuf, &Arc<ScannedRoot>)| {
            searches.sources.get(path).is_some_and(|now| Arc::ptr_eq(seen, now))
        };
        are_roots
            && self.sources.len() == searches.sources.len()
            && self.sources.iter().all(is_source)
            && self.ask == *ask
            && self.errors == searches.errors
            && self.is_lenient == app.settings.discovery.lenient
            && self.skills == app.settings.skills
            && self.permissions == app.settings.permissions
    }
}
