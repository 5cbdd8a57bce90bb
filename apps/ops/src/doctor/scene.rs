//! The input of the checks: skills folders, their entries, runtimes, and the agents that read them. Each is read
//! once.

use crate::app::{App, Ports, ServerState};
use crate::catalog::{CatalogFilter, RootScans, read_with_hidden};
use crate::compile::read_deployments;
use crate::doctor::scan_memory::ScanMemory;
use crate::present_agents::is_present;
use crate::runtime::{manifest, source_of};
use skillc_domain::agents::AGENTS;
use skillc_domain::deploy::Occupant;
use skillc_domain::discovery::roots::Which;
use skillc_domain::discovery::skill::SkillCatalog;
use skillc_domain::listing::Scope;
use skillc_domain::manifest::Manifest;
use skillc_lint::verdict::{Profile, find};
use skillc_ports::{Found, InspectedKind, PortError};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The agents whose reading of skills is known: their profiles, and their ids in the table of agents.
const CLIENTS: [(&str, &str); 6] = [
    ("claude-code", "claude-code"),
    ("codex", "codex"),
    ("vscode", "github-copilot"),
    ("opencode", "opencode"),
    ("gemini", "gemini-cli"),
    ("cursor", "cursor"),
];
/// The agent whose folders are always searched, as for the catalog.
const ALWAYS_READ: &str = "claude-code";

/// An entry of a skills folder.
pub struct PlacedEntry {
    /// Its path, with the user's own links resolved.
    pub place: PathBuf,
    /// What kind of entry it is.
    pub occupant: Occupant,
}

/// A runtime.
pub struct BuiltRuntime {
    /// Name of its skill.
    pub name: String,
    /// Its scope.
    pub scope: Scope,
    /// Its folder.
    pub path: PathBuf,
    /// Its manifest; `None` if it has no valid one.
    pub manifest: Option<Manifest>,
    /// The folder that it was built from.
    pub source: Option<PathBuf>,
}

/// An agent whose reading of skills is known.
pub struct ClientScans {
    /// Its rules for reading skills.
    pub profile: &'static Profile,
    /// The scans of the folders that it reads.
    pub scans: RootScans,
}

/// The input of the checks.
pub struct HealthScene {
    /// The call's app, with scans cached in memory only.
    pub app: App,
    /// The requested skills folders.
    pub scans: RootScans,
    /// The entries of these folders, and deployments elsewhere.
    pub entries: Vec<PlacedEntry>,
    /// Folders that cannot be listed.
    pub unreadable: Vec<(PathBuf, PortError)>,
    /// The runtimes of the project and the user.
    pub runtimes: Vec<BuiltRuntime>,
    /// Indexes of the runtimes built from each source.
    by_source: HashMap<PathBuf, Vec<usize>>,
    /// The skills in all of these folders.
    pub catalog: Arc<SkillCatalog>,
    /// The agents on this machine.
    pub clients: Vec<ClientScans>,
}

impl HealthScene {
    /// Reads the machine. Writes nothing, not even to caches.
    pub fn read(app: &App, which: Which) -> Self {
        let ports = Ports { scans: Arc::new(ScanMemory::default()), ..Ports::clone(&app.ports) };
        let app =
            App { ports: Arc::new(ports), call: app.call.clone(), state: Arc::new(ServerState::default()) };
        let scans = RootScans::of_choice(&app, which);
        let catalog = read_with_hidden(&app, CatalogFilter { roots: which, ..CatalogFilter::default() });
        let clients = clients(&app, which);
        let mut unreadable = Vec::new();
        let runtimes = runtimes(&app, &mut unreadable);
        let entries = entries(&app, &scans, &runtimes, &mut unreadable);
        let mut by_source: HashMap<PathBuf, Vec<usize>> = HashMap::new();
        for (at, runtime) in runtimes.iter().enumerate() {
            runtime.source.iter().for_each(|source| by_source.entry(source.clone()).or_default().push(at));
        }
        Self { app, scans, entries, unreadable, runtimes, by_source, catalog, clients }
    }

    /// The runtime that builds of a source are deployed from to a place: the project's for places in the project, if
    /// there is one. A project's runtime may come from a clone, so it does not count for places outside.
    pub fn runtime_of(&self, source: &Path, place: &Path) -> Option<&BuiltRuntime> {
        let is_inside = self.app.call.places.is_in_project(place);
        let of_source = self.by_source.get(source)?.iter().map(|at| &self.runtimes[*at]);
        of_source.filter(|runtime| is_inside || runtime.scope == Scope::Global).min_by_key(|r| r.scope)
    }

    /// The skill of a source, if it still exists.
    pub fn is_there(&self, source: &Path) -> bool {
        matches!(self.app.look(source), Found::Skill(path) if path == source)
    }
}

fn clients(app: &App, which: Which) -> Vec<ClientScans> {
    let is_here = |id: &str| {
        let agent = AGENTS.iter().find(|agent| agent.id == id);
        which == Which::All || id == ALWAYS_READ || agent.is_some_and(|agent| is_present(app, agent))
    };
    let here = CLIENTS.into_iter().filter(|(_, agent)| is_here(agent));
    here.filter_map(|(profile, agent)| {
        Some(ClientScans { profile: find(profile)?, scans: RootScans::of_agent(app, agent) })
    })
    .collect()
}

fn runtimes(app: &App, unreadable: &mut Vec<(PathBuf, PortError)>) -> Vec<BuiltRuntime> {
    let mut found = Vec::new();
    for scope in [Scope::Project, Scope::Global] {
        let Some(folder) = app.call.places.runtimes(scope) else { continue };
        let names = app.ports.stores.names(&folder).unwrap_or_else(|error| {
            unreadable.push((folder.clone(), error));
            Vec::new()
        });
        for name in names {
            let path = folder.join(&name);
            let manifest = manifest(app, &path);
            let source = manifest.as_ref().and_then(|manifest| source_of(app, manifest));
            found.push(BuiltRuntime { name, scope, path, manifest, source });
        }
    }
    found
}

/// Links and folders directly in skills folders, without duplicates.
fn entries(
    app: &App,
    scans: &RootScans,
    runtimes: &[BuiltRuntime],
    unreadable: &mut Vec<(PathBuf, PortError)>,
) -> Vec<PlacedEntry> {
    let targets = app.call.settings.targets.iter().map(|target| target.folder.clone());
    let folders: BTreeSet<PathBuf> =
        scans.roots.iter().map(|(root, _)| root.path.clone()).chain(targets).collect();
    let mut places: BTreeSet<PathBuf> = BTreeSet::new();
    for folder in folders {
        // skc never deploys through another user's link.
        let Ok(folder) = app.agents_path(&folder) else { continue };
        match app.ports.inspector.entries(&folder) {
            Ok(entries) => {
                let shown = entries.into_iter().filter(|entry| is_shown(&entry.path, entry.kind));
                places.extend(shown.map(|entry| entry.path));
            }
            Err(error) if error.kind == skillc_ports::ErrorKind::Linked => {}
            Err(error) => unreadable.push((folder, error)),
        }
    }
    for runtime in runtimes {
        let recorded = read_deployments(app, &runtime.path).places.into_iter().filter_map(|deployed| {
            let (folder, name) = deployed.path.parent().zip(deployed.path.file_name())?;
            Some(app.agents_path(folder).ok()?.join(name))
        });
        places.extend(recorded);
    }
    let occupied: BTreeMap<PathBuf, Occupant> = places
        .into_iter()
        .filter_map(|place| Some((place.clone(), app.ports.deployer.look(&place).ok()?)))
        .collect();
    let is_there = |(_, occupant): &(PathBuf, Occupant)| *occupant != Occupant::Nothing;
    occupied.into_iter().filter(is_there).map(|(place, occupant)| PlacedEntry { place, occupant }).collect()
}

fn is_shown(path: &Path, kind: InspectedKind) -> bool {
    let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    !is_hidden && matches!(kind, InspectedKind::Link | InspectedKind::Folder)
}
