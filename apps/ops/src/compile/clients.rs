//! The clients to which a skill is deployed, according to the current content of their folders.

use super::deploy::{Deployed, read_deployments};
use super::withdrawal::{deployed_at, named_targets};
use crate::app::App;
use crate::present_agents::is_present;
use crate::runtime::of_name;
use crate::skill::Skill;
use skillc_domain::agents::{self, AGENTS, Agent};
use skillc_domain::deploy::Target;
use skillc_domain::listing::Scope;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The target whose folder any agent may read.
const SHARED_TARGET: &str = "universal";

/// The folders of all targets, each read only once.
pub struct TargetFolders<'a> {
    app: &'a App,
    folders: Vec<NamedFolder>,
}

/// A folder with at least one skill.
struct NamedFolder {
    scope: Scope,
    path: PathBuf,
    /// The agents on this machine that read it, otherwise the target that it belongs to.
    clients: Vec<String>,
    /// Names of its entries.
    skills: BTreeSet<String>,
}

impl<'a> TargetFolders<'a> {
    /// Reads the folders. An unreadable one counts as empty, as it does for agents.
    pub fn read(app: &'a App) -> Self {
        let scopes = [Scope::Project, Scope::Global].into_iter();
        let targets = scopes.flat_map(|scope| named_targets(app, scope).into_iter().map(move |t| (scope, t)));
        let folder = |(scope, target): (Scope, Target)| {
            let names = app.ports.stores.names(&target.folder).unwrap_or_default();
            let skills: BTreeSet<String> = names.into_iter().collect();
            (!skills.is_empty()).then(|| NamedFolder {
                scope,
                clients: readers(app, scope, &target),
                path: target.folder,
                skills,
            })
        };
        Self { app, folders: targets.filter_map(folder).collect() }
    }

    /// The targets to which a skill is deployed, sorted: those named by the build, otherwise the agents on this
    /// machine that read the folder.
    pub fn clients_of(&self, skill: &Skill) -> Vec<String> {
        let mut clients = Vec::new();
        for (scope, runtime) in of_name(self.app, &skill.name) {
            let recorded = read_deployments(self.app, &runtime).places;
            let is_deployed =
                |place: &Path| matches!(deployed_at(self.app, skill, scope, &runtime, place), Ok(Some(_)));
            let elsewhere = recorded.iter().filter(|place| !self.is_known(scope, &place.path));
            clients
                .extend(elsewhere.filter(|place| is_deployed(&place.path)).map(|place| place.target.clone()));
            let holding = self.folders.iter().filter(|f| f.scope == scope && f.skills.contains(&skill.name));
            for folder in holding {
                let place = folder.path.join(&skill.name);
                if is_deployed(&place) {
                    clients.extend(self.named(folder, &place, &recorded));
                }
            }
        }
        clients.sort_unstable();
        clients.dedup();
        clients
    }

    fn is_known(&self, scope: Scope, place: &Path) -> bool {
        self.folders.iter().any(|folder| folder.scope == scope && place.parent() == Some(&folder.path))
    }

    /// The clients for a place.
    fn named(&self, folder: &NamedFolder, place: &Path, recorded: &[Deployed]) -> Vec<String> {
        let of_place = recorded.iter().filter(|known| known.path == place);
        let at_build: Vec<String> = of_place.map(|known| id(&known.target)).collect();
        if at_build.is_empty() { folder.clients.clone() } else { at_build }
    }
}

/// The agents on this machine that read a target's folder, which several may share. If there are none, the shared
/// target or this one.
fn readers(app: &App, scope: Scope, target: &Target) -> Vec<String> {
    let readers: Vec<&Agent> = app.with_targets(|scene| {
        let reads = |agent: &&Agent| scene.folder(agent, scope).as_ref() == Some(&target.folder);
        AGENTS.iter().filter(reads).collect()
    });
    let here = readers.iter().filter(|agent| is_present(app, agent));
    let here: Vec<String> = here.map(|agent| agent.id.to_owned()).collect();
    match (here.is_empty(), readers.iter().any(|agent| agent.id == SHARED_TARGET)) {
        (false, _) => here,
        (true, true) => vec![SHARED_TARGET.to_owned()],
        (true, false) => vec![target.name.clone()],
    }
}

/// The id of an agent given by an alias.
fn id(target: &str) -> String {
    agents::agent(target).map_or(target, |agent| agent.id).to_owned()
}
