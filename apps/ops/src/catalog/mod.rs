//! The catalog: every skill available from the working directory (RFC-0010:C-CATALOG).

mod builtin;
mod choice;
pub mod client_list;
mod filter;
mod heads;
mod inputs;
pub mod refused;
pub mod reply;
mod root_scans;
mod search;

pub use choice::{Roots, ScopeWord};
pub use filter::CatalogFilter;
pub use inputs::{CatalogCache, CatalogInputs};
pub use root_scans::RootScans;

use crate::app::App;
use crate::failure::Failure;
use crate::policy::{known, with_policy};
use crate::run::Run;
use search::{Searches, searches};
use skillc_domain::discovery::merge::{Merging, merge};
use skillc_domain::discovery::roots::{RootScene, SkillRoot, Which};
use skillc_domain::discovery::scan::ScannedRoot;
use skillc_domain::discovery::skill::{CatalogSkill, SkillCatalog, SkillScope};
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::listing::Scope;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

/// The catalog, with a warning if it is disabled or a bound ended a scan.
///
/// # Errors
/// E086. Problems of single skills and folders are part of the catalog.
pub fn catalog(run: &mut Run<'_>, filter: &CatalogFilter) -> Result<Arc<SkillCatalog>, Failure> {
    let app = run.app;
    if !app.call.settings.skills.enabled {
        run.warn(Warning::CatalogOff {});
    }
    let catalog = run.timed("catalog", || read(app, filter))?;
    if catalog.truncated {
        run.warn(Warning::CatalogCut {});
    }
    Ok(catalog)
}

/// The repository's root.
pub fn repository(app: &App) -> PathBuf {
    with_scene(app, |scene| scene.repository())
}

/// The catalog without warnings; empty if it is disabled.
///
/// # Errors
/// E086 if hidden skills must be omitted but are unknown.
pub fn read(app: &App, filter: &CatalogFilter) -> Result<Arc<SkillCatalog>, Fault> {
    if !filter.with_hidden {
        known(app)?;
    }
    Ok(read_all(app, filter))
}

/// The catalog including hidden skills, for callers that check each skill themselves.
pub fn read_with_hidden(app: &App, filter: CatalogFilter) -> Arc<SkillCatalog> {
    read_all(app, &CatalogFilter { with_hidden: true, ..filter })
}

fn read_all(app: &App, filter: &CatalogFilter) -> Arc<SkillCatalog> {
    if !app.call.settings.skills.enabled {
        return Arc::default();
    }
    let filter = &with_settings(app, filter);
    let which = if filter.counts_elsewhere { Which::All } else { filter.roots };
    let (repository, roots) = present_roots(app, which);
    let searches = searches(app, &roots, &repository, filter);
    if let Some(known) = app.state.catalogs.get(|inputs| searches.are_of(inputs, app, filter)) {
        return known;
    }
    let inputs = searches.inputs(app, filter);
    let made = Arc::new(make(app, filter, searches));
    app.state.catalogs.insert(inputs, made.clone());
    made
}

/// The filter with the roots from the settings, if it names none.
fn with_settings(app: &App, filter: &CatalogFilter) -> CatalogFilter {
    let roots = match filter.roots {
        Which::Default => app.call.settings.discovery.default_roots,
        named => named,
    };
    CatalogFilter { roots, ..filter.clone() }
}

/// Builds a catalog from the results of scans.
fn make(app: &App, filter: &CatalogFilter, searches: Searches<'_>) -> SkillCatalog {
    let of = |is_taken: &dyn Fn(&SkillRoot) -> bool| {
        merge(&Merging {
            roots: searches
                .roots
                .iter()
                .map(|(root, scanned)| (*root, scanned.as_ref()))
                .filter(|(r, _)| is_taken(r))
                .collect(),
            sources: &searches.sources,
            is_lenient: app.call.settings.discovery.lenient,
            digest: &|bytes| app.ports.files.digest(bytes),
        })
    };
    let mut catalog = of(&|root| root.taken_by <= filter.roots);
    if searches.roots.iter().any(|(root, _)| root.taken_by > filter.roots) {
        catalog.elsewhere = of(&|_| true).skills.len().saturating_sub(catalog.skills.len());
    }
    catalog.errors.extend(searches.errors);
    catalog.errors.sort_unstable();
    if filter.with_builtin {
        // A built-in skill is replaced by one in a skills folder or a deployed one.
        let is_free = |own: &CatalogSkill| catalog.skills.iter().all(|skill| skill.name != own.name);
        let builtin: Vec<CatalogSkill> = builtin::skills(app).filter(is_free).collect();
        catalog.skills.extend(builtin);
    }
    narrow(app, filter, &mut catalog);
    catalog
}

/// Removes skills that the filter excludes, and hidden ones.
fn narrow(app: &App, filter: &CatalogFilter, catalog: &mut SkillCatalog) {
    with_policy(app, |policy| {
        // A skill that is read leniently may have another name than its location.
        let is_seen = |of_place: &str, name: &str| {
            filter.with_hidden || policy.is_visible(name) && policy.is_visible(of_place)
        };
        catalog.skills.retain(|skill| {
            filter.scope.is_none_or(|scope| scope == skill.scope)
                && is_seen(&skill.name_of_place(), &skill.name)
        });
        // An error about a hidden skill would reveal its name.
        catalog.errors.retain(|error| is_seen(&error.name_of_place(), &error.name));
    });
}

/// A store and its scan; `None` if there is no such folder.
pub type StoreScan = (PathBuf, Option<Arc<ScannedRoot>>);

/// The current scans of all stores, each the same `Arc` while nothing changes; `None` if changes could be missed.
pub fn store_scans(app: &App) -> Option<Vec<StoreScan>> {
    let (repository, roots) = present_roots(app, Which::Standard);
    let mut scans = Vec::new();
    for (scope, owner) in [(Scope::Project, SkillScope::Repo), (Scope::Global, SkillScope::User)] {
        for store in app.call.places.stores(scope) {
            let root = roots.iter().find(|root| root.path == store && root.scope == owner)?;
            let found = searches(app, slice::from_ref(root), &repository, &CatalogFilter::default());
            let scanned = match found.roots.into_iter().next() {
                Some((_, scanned)) if scanned.truncated => return None,
                Some((_, scanned)) => Some(scanned),
                None if found.errors.is_empty() => None,
                None => return None,
            };
            scans.push((store, scanned));
        }
    }
    Some(scans)
}

/// The roots that the catalog searches by default.
pub fn default_roots(app: &App) -> Vec<SkillRoot> {
    present_roots(app, Which::Default).1
}

/// The repository's folder, and the roots to search.
fn present_roots(app: &App, which: Which) -> (PathBuf, Vec<SkillRoot>) {
    with_scene(app, |scene| {
        let repository = scene.repository();
        let roots = scene.roots(&repository, which);
        (repository, roots)
    })
}

fn with_scene<T>(app: &App, use_scene: impl FnOnce(&RootScene<'_>) -> T) -> T {
    use_scene(&RootScene {
        places: &app.call.places,
        settings: &app.call.settings.discovery,
        var: &|name| app.call.environment.agent_vars.get(name).cloned(),
        exists: &|path: &Path| app.ports.stores.is_folder(path) || app.ports.stores.is_file(path),
    })
}
