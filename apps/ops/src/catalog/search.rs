//! The searches behind a catalog: what is remembered, what is there now, and what had to be read.

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

/// What was found in folders of skills.
pub struct Searches<'a> {
    /// Those that exist.
    pub roots: Vec<(&'a SkillRoot, Arc<ScannedRoot>)>,
    /// Sources of stubs that stand in none of them.
    pub sources: HashMap<PathBuf, Arc<ScannedRoot>>,
    /// Folders that cannot be searched.
    pub errors: Vec<LoadError>,
}

impl Searches<'_> {
    /// All that a catalog of these searches is made from.
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

    /// Whether they make the same catalog. Scans are compared by identity: one that found nothing new is the very same.
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

/// Searches folders of skills.
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
            depth_max: SCAN_DEPTH_MAX,
            folders_max: SCAN_FOLDERS_MAX,
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
                searches.errors.push(LoadError { path: root.path.clone(), message: message.to_owned() });
            }
        }
    }
    searches.sources = sources(app, &searches.roots, filter);
    searches
}

/// The folder out of which no link of a repository is followed: none that was cloned sends anybody through a disk.
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

/// The sources that stubs name and that stand in no folder of skills, each looked at by itself.
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
        // Its path has no links; one that came since would lead to another skill.
        let bounds = ScanBounds { file, depth_max: 0, folders_max: 1, border: Some(&source) };
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
