//! `skc targets` (RFC-0001:C-TARGETS).

use crate::app::App;
use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::present_agents::is_present;
use crate::render::{Render, View, line, plain, table};
use crate::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::agents::{self, AGENTS, Agent};
use skillc_domain::deploy::{Occupant, TargetScene};
use skillc_domain::listing::Scope;
use skillc_domain::places::is_runtime;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// List the agents that skills can be deployed to, with their folders and what is in them now.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetsRequest {
    /// Only agents that are on this machine or in this project.
    #[arg(long)]
    #[serde(default)]
    pub present: bool,
}

/// A folder of skills, and what is in it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TargetFolder {
    /// Its path, whether it exists or not.
    pub path: PathBuf,
    /// Skills in it.
    pub skills: usize,
    /// Those of them that skc deployed.
    pub deployed: usize,
}

/// An agent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TargetRow {
    /// The name that `--target` takes.
    pub target: String,
    /// Other names that it takes.
    pub aliases: Vec<String>,
    /// The name that people know; empty for a configured target that is no agent.
    pub name: String,
    /// Whether the agent was detected.
    pub present: bool,
    /// Its folder in this project.
    pub project: Option<TargetFolder>,
    /// Its folder of the user.
    pub user: Option<TargetFolder>,
}

/// The agents.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TargetsReply {
    /// Configured ones first, then by id.
    pub targets: Vec<TargetRow>,
}

/// Implements `skc targets`.
pub struct Targets;

impl Operation for Targets {
    const NAME: &'static str = "targets";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = true;
    const IS_ABOUT_NO_SKILL: bool = true;
    const EXAMPLES: &'static str = "skc targets\nskc targets --present\nskc targets --format json";
    type Request = TargetsRequest;
    type Reply = TargetsReply;

    async fn run(run: &mut Run<'_>, request: TargetsRequest) -> Result<TargetsReply, Failure> {
        let app = run.app;
        let mut folders = Folders { app, seen: HashMap::new() };
        let mut targets: Vec<TargetRow> =
            app.call.settings.targets.iter().map(|c| configured(&mut folders, c)).collect();
        let is_as_built_in = |agent: &&Agent| {
            !app.call.settings.targets.iter().any(|c| agents::agent(&c.name) == Some(*agent))
        };
        app.with_targets(|scene| {
            targets.extend(AGENTS.iter().filter(is_as_built_in).map(|agent| row(&mut folders, scene, agent)));
        });
        targets.retain(|target| target.present || !request.present);
        Ok(TargetsReply { targets })
    }
}

fn configured(folders: &mut Folders<'_>, target: &skillc_domain::config::ConfiguredTarget) -> TargetRow {
    let agent = agents::agent(&target.name);
    let names = agent.into_iter().flat_map(|agent| [agent.id].into_iter().chain(agents::aliases(agent)));
    TargetRow {
        target: target.name.clone(),
        aliases: names.filter(|name| *name != target.name).map(str::to_owned).collect(),
        name: agent.map(|agent| agent.name.to_owned()).unwrap_or_default(),
        present: folders.app.ports.stores.is_folder(&target.folder),
        project: None,
        user: Some(folders.look(&target.folder)),
    }
}

fn row(folders: &mut Folders<'_>, scene: &TargetScene<'_>, agent: &Agent) -> TargetRow {
    TargetRow {
        target: agent.id.to_owned(),
        aliases: agents::aliases(agent).map(str::to_owned).collect(),
        name: agent.name.to_owned(),
        present: is_present(folders.app, agent),
        project: scene.folder(agent, Scope::Project).map(|folder| folders.look(&folder)),
        user: scene.folder(agent, Scope::Global).map(|folder| folders.look(&folder)),
    }
}

/// The folders, each read only once, since many agents share one.
struct Folders<'a> {
    app: &'a App,
    seen: HashMap<PathBuf, TargetFolder>,
}

impl Folders<'_> {
    fn look(&mut self, folder: &Path) -> TargetFolder {
        let app = self.app;
        self.seen.entry(folder.to_owned()).or_insert_with(|| count(app, folder)).clone()
    }
}

fn count(app: &App, folder: &Path) -> TargetFolder {
    // Skills in an unreadable folder are invisible to agents too.
    let names = app.ports.stores.names(folder).unwrap_or_default();
    let is_deployed = |name: &&String| match app.ports.deployer.look(&folder.join(name)) {
        Ok(Occupant::Link { to, .. }) => is_runtime(&to),
        Ok(Occupant::Compiled(_) | Occupant::CompiledAndMore(_)) => true,
        _ => false,
    };
    TargetFolder {
        path: folder.to_owned(),
        skills: names.len(),
        deployed: names.iter().filter(is_deployed).count(),
    }
}

impl Render for TargetsReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let cell = |folder: &Option<TargetFolder>| match folder {
            None => view.faint("-"),
            Some(folder) if folder.skills == 0 => view.path(&folder.path),
            Some(folder) => {
                let count = format!("{} of {} by skc", folder.deployed, folder.skills);
                format!("{} ({})", view.path(&folder.path), view.good(count))
            }
        };
        let row = |target: &TargetRow| {
            let names: Vec<_> =
                [&target.target].into_iter().chain(&target.aliases).map(|n| plain(n)).collect();
            let present = if target.present { view.good("yes") } else { view.faint("no") };
            vec![names.join(", "), target.name.clone(), present, cell(&target.project), cell(&target.user)]
        };
        let rows: Vec<_> = self.targets.iter().map(row).collect();
        line(out, table(view, &["TARGET", "AGENT", "HERE", "PROJECT FOLDER", "USER FOLDER"], &rows));
    }
}
