//! `skc undeploy` (RFC-0001:C-UNDEPLOY).

use crate::app::App;
use crate::compile::{is_copy_of, read_deployments, write_deployments};
use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::policy::{Purpose, admit, is_refusal};
use crate::render::{Render, View, line, plain};
use crate::resolve::resolve;
use crate::run::Run;
use crate::runtime::manifest;
use crate::skill::Skill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::agents::AGENTS;
use skillc_domain::deploy::{Occupant, Target, is_ours};
use skillc_domain::fault::Fault;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_ports::ErrorKind;
use std::path::{Path, PathBuf};

/// Remove only what builds of a skill deployed to agents; source and runtime stay.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndeployRequest {
    /// Name or path of the skill.
    pub skill: String,
    /// Only from these agents or folders, separated by commas [default: all].
    #[arg(short, long, value_name = "TARGETS", value_delimiter = ',')]
    #[serde(default)]
    pub target: Vec<String>,
}

/// A place that was cleared.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Removed {
    /// The agent's id, the configured name, or the path as given at the build.
    pub target: String,
    /// The place.
    pub path: PathBuf,
}

/// The cleared places.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UndeployReply {
    /// Name of the skill.
    pub skill: String,
    /// In the order of the table of agents.
    pub removed: Vec<Removed>,
}

/// The operation.
pub struct Undeploy;

impl Operation for Undeploy {
    const NAME: &'static str = "undeploy";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc undeploy my-skill\nskc undeploy my-skill --target cursor";
    type Request = UndeployRequest;
    type Reply = UndeployReply;

    async fn run(run: &mut Run<'_>, request: UndeployRequest) -> Result<UndeployReply, Failure> {
        let skill = match resolve(run.app, &request.skill) {
            Err(fault) if !is_refusal(&fault) => gone(run.app, &request.skill).ok_or(fault)?,
            found => found?,
        };
        admit(run.app, &skill, Purpose::Use)?;
        run.uses(&skill);
        let mut removed = Vec::new();
        for scope in [Scope::Project, Scope::Global] {
            let Some(runtime) = run.app.call.places.runtime(scope, &skill.name) else { continue };
            let targets = targets(run.app, &runtime, scope, &request.target)?;
            for target in targets {
                match clear(run.app, &skill, scope, &runtime, target) {
                    // Builds never deploy through a link.
                    Err(failure) if request.target.is_empty() && failure.is(ErrorKind::Linked) => {}
                    cleared => removed.extend(cleared?),
                }
            }
            forget(run.app, &runtime, &removed)?;
        }
        Ok(UndeployReply { skill: skill.name, removed })
    }
}

/// The places to check: recorded deployments and those of every agent; or only those of the given names.
fn targets(app: &App, runtime: &Path, scope: Scope, names: &[String]) -> Result<Vec<Target>, Fault> {
    if !names.is_empty() {
        let found: Result<Vec<_>, _> = names.iter().map(|name| named(app, scope, name)).collect();
        return Ok(found?.into_iter().flatten().collect());
    }
    let remembered = read_deployments(app, runtime)
        .places
        .into_iter()
        .filter_map(|place| Some(Target { name: place.target, folder: place.path.parent()?.to_owned() }));
    let configured =
        app.call.settings.targets.iter().map(|c| Target { name: c.name.clone(), folder: c.folder.clone() });
    let mut all: Vec<Target> = remembered.chain(configured).collect();
    app.with_targets(|scene| {
        all.extend(AGENTS.iter().filter_map(|agent| {
            Some(Target { name: agent.id.to_owned(), folder: scene.folder(agent, scope)? })
        }));
    });
    Ok(all)
}

/// The target of a name in a scope. It may have a folder in only one of the scopes; a name unknown to both is an error.
fn named(app: &App, scope: Scope, name: &String) -> Result<Vec<Target>, Fault> {
    let name = std::slice::from_ref(name);
    let other = if scope == Scope::Project { Scope::Global } else { Scope::Project };
    app.with_targets(|scene| {
        scene
            .targets(name, scope)
            .or_else(|fault| scene.targets(name, other).map(|_| Vec::new()).map_err(|_| fault))
    })
}

/// A skill whose source is gone, from the manifest of its runtime, so that it can still be undeployed.
fn gone(app: &App, given: &str) -> Option<Skill> {
    let name = SkillName::parse(given).ok()?;
    [Scope::Project, Scope::Global].into_iter().find_map(|scope| {
        let manifest = manifest(app, &app.call.places.runtime(scope, name.as_str())?)?;
        let (name, path, given) = (name.as_str().to_owned(), manifest.source.into(), given.to_owned());
        Some(Skill { name, path, scope: Some(scope), given, origin: None })
    })
}

fn clear(
    app: &App,
    skill: &Skill,
    scope: Scope,
    runtime: &Path,
    target: Target,
) -> Result<Option<Removed>, Failure> {
    let path = target.folder.join(&skill.name);
    let real = app.agents_path(&target.folder)?.join(&skill.name);
    let occupant = app.ports.deployer.look(&real)?;
    if occupant == Occupant::Nothing || !is_ours(&occupant, runtime, |manifest| is_copy_of(manifest, skill)) {
        return Ok(None);
    }
    // The global runtime of this name, and a link to it, may belong to another skill.
    let is_of_skill = match manifest(app, runtime) {
        Some(manifest) => manifest.source == skill.path_text(),
        None => skill.scope == Some(scope),
    };
    if matches!(occupant, Occupant::Link { .. }) && !is_of_skill {
        return Ok(None);
    }
    app.ports.deployer.remove(&real)?;
    Ok(Some(Removed { target: target.name, path }))
}

fn forget(app: &App, runtime: &Path, removed: &[Removed]) -> Result<(), Failure> {
    let mut known = read_deployments(app, runtime);
    let count = known.places.len();
    known.places.retain(|place| !removed.iter().any(|gone| gone.path == place.path));
    if known.places.len() != count {
        write_deployments(app, runtime, &known)?;
    }
    Ok(())
}

impl Render for UndeployReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if self.removed.is_empty() {
            line(out, format!("{} is deployed nowhere", plain(&self.skill)));
        }
        for gone in &self.removed {
            let target = view.faint(format!("({})", plain(&gone.target)));
            line(out, format!("{} {} {target}", view.good("Removed"), view.path(&gone.path)));
        }
    }
}
