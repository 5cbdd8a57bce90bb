//! Runs the scans for a catalog: from the cache or the file system, with heads read from files.

use crate::app::App;
use crate::catalog::filter::CatalogFilter;
use crate::catalog::heads;
use crate::catalog::inputs::CatalogInputs;
use skillc_domain::discovery::head::SkillHead;
use skillc_domain::discovery::merge::file_of;
use skillc_domain::discovery::roots::SkillRoot;
use skillc_domain::discovery::scan::{ScanBounds, ScannedRoot};
use skillc_domain::discovery::skill::{LoadError, SkillKind, SkillScope};
use skillc_domain::limits::{SCAN_DEPTH_MAX, SCAN_FOLDERS_MAX};
use skillc_ports::{ErrorKind, PortError};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

/// The scans of all roots.
pub struct Searches<'a> {
    /// Roots that exist, with their scans.
    pub roots: Vec<(&'a SkillRoot, Arc<ScannedRoot>)>,
    /// Sources of stubs that are outside of all roots.
    pub sources: HashMap<PathBuf, Arc<ScannedRoot>>,
    /// Roots that could not be scanned.
    pub errors: Vec<LoadError>,
}

impl Searches<'_> {
    /// The inputs of the catalog for these scans.
    pub fn inputs(&self, app: &App, filter: &CatalogFilter) -> CatalogInputs {
        let roots = self.roots.iter().map(|(root, scanned)| ((*root).clone(), scanned.clone()));
        CatalogInputs {
            filter: filter.clone(),
            roots: roots.collect(),
            sources: self.sources.clone(),
            errors: self.errors.clone(),
            is_lenient: app.call.settings.discovery.lenient,
            skills: app.call.settings.skills.clone(),
            permissions: app.call.settings.permissions.clone(),
        }
    }

    /// Whether these inputs yield the same catalog. Scans are compared by address, since an unchanged scan is the
    /// same `Arc`.
    pub fn are_of(&self, inputs: &CatalogInputs, app: &App, filter: &CatalogFilter) -> bool {
        let is_same =
            |((a, seen), (b, now)): (&(SkillRoot, _), &(&SkillRoot, _))| a == *b && Arc::ptr_eq(seen, now);
        let is_source = |(path, seen): (&PathBuf, &Arc<ScannedRoot>)| {
            self.sources.get(path).is_some_and(|now| Arc::ptr_eq(seen, now))
        };
        inputs.roots.len() == self.roots.len()
            && inputs.roots.iter().zip(&self.roots).all(is_same)
            && inputs.sources.len() == self.sources.len()
            && inputs.sources.iter().all(is_source)
            && inputs.filter == *filter
            && inputs.errors == self.errors
            && inputs.is_lenient == app.call.settings.discovery.lenient
            && inputs.skills == app.call.settings.skills
            && inputs.permissions == app.call.settings.permissions
    }
}

/// Scans the roots.
pub fn searches<'a>(
    app: &App,
    roots: &'a [SkillRoot],
    repository: &Path,
    filter: &CatalogFilter,
) -> Searches<'a> {
    let mut searches = Searches { roots: Vec::new(), sources: HashMap::new(), errors: Vec::new() };
    let paths: Vec<PathBuf> = roots.iter().map(|root| root.path.clone()).collect();
    let mut known = if filter.bypass_cache { vec![None; paths.len()] } else { app.ports.scans.get(&paths) };
    known.resize(paths.len(), None);
    for (root, known) in roots.iter().zip(known) {
        let border = border(app, root, repository);
        let bounds = ScanBounds {
            file: file_of(root.kind),
            depth_max: if root.takes_folders { SCAN_DEPTH_MAX } else { 0 },
            folders_max: SCAN_FOLDERS_MAX,
            takes_files: root.takes_files,
            border: border.as_deref(),
        };
        match search(app, &root.path, root.kind, &bounds, known) {
            Ok(scanned) => searches.roots.push((root, scanned)),
            Err(error) if error.kind == ErrorKind::NotFound => {}
            Err(error) => {
                let message = match error.kind {
                    ErrorKind::Escapes => "it leads out of the repository",
                    _ => error.reason(),
                };
                searches.errors.push(LoadError::new(root.path.clone(), message));
            }
        }
    }
    searches.sources = sources(app, &searches.roots, filter);
    searches
}

/// The folder that links in a repository may not leave, so that a cloned repository cannot direct scans to other
/// parts of the disk.
fn border(app: &App, root: &SkillRoot, repository: &Path) -> Option<PathBuf> {
    let holders = [Some(repository), app.call.places.project.as_deref()];
    let holder = holders.into_iter().flatten().find(|holder| root.path.starts_with(holder))?;
    (root.scope == SkillScope::Repo).then(|| app.ports.stores.real_path(holder))
}

fn search(
    app: &App,
    root: &Path,
    kind: SkillKind,
    bounds: &ScanBounds<'_>,
    known: Option<Arc<ScannedRoot>>,
) -> Result<Arc<ScannedRoot>, PortError> {
    let scan = app.ports.scanner.scan(root, bounds, known)?;
    if !scan.is_news {
        return Ok(scan.scanned);
    }
    let mut scanned = Arc::unwrap_or_clone(scan.scanned);
    heads::fill(app, kind, &mut scanned);
    let scanned = Arc::new(scanned);
    app.ports.scans.insert(root, &scanned);
    Ok(scanned)
}

/// Scans the sources that stubs name and that are outside of all roots, each separately.
fn sources(
    app: &App,
    roots: &[(&SkillRoot, Arc<ScannedRoot>)],
    filter: &CatalogFilter,
) -> HashMap<PathBuf, Arc<ScannedRoot>> {
    let mut targets: HashSet<PathBuf> = HashSet::new();
    for (_, scanned) in roots {
        for folder in &scanned.folders {
            if let Some(SkillHead::Stub(source)) = folder.skill.as_ref().and_then(|skill| skill.head.as_ref())
            {
                targets.insert(source.clone());
            }
        }
    }
    if !targets.is_empty() {
        for (_, scanned) in roots {
            let skills = (0..scanned.folders.len()).filter(|at| scanned.folders[*at].skill.is_some());
            for at in skills {
                targets.remove(&scanned.canonical(at));
            }
        }
    }
    let look = |source: PathBuf| {
        let file = file_of(SkillKind::Markdown);
        // The canonical path has no links; one created since then would lead to another skill.
        let border = Some(source.as_path());
        let bounds = ScanBounds { file, depth_max: 0, folders_max: 1, takes_files: false, border };
        let known = if filter.bypass_cache {
            None
        } else {
            app.ports.scans.get(slice::from_ref(&source)).pop().flatten()
        };
        let scanned = search(app, &source, SkillKind::Markdown, &bounds, known).ok()?;
        Some((source, scanned))
    };
    targets.into_iter().filter_map(look).collect()
}
