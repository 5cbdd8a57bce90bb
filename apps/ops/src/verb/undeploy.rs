//! `skc undeploy` (RFC-0001:C-UNDEPLOY).

use crate::app::App;
use crate::compile::{clear, named_targets, read_deployments, write_deployments};
use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::policy::{Purpose, admit, is_refusal};
use crate::render::{Render, View, line, plain};
use crate::resolve::resolve;
use crate::run::Run;
use crate::runtime::{manifest, of_name};
use crate::skill::Skill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::deploy::{Occupant, Target};
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
    /// Deployments that stay because they are of another skill of this name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OthersPlace>,
}

/// A place where another skill of the name is deployed.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OthersPlace {
    /// The place.
    pub path: PathBuf,
    /// The source of the skill that is deployed there.
    pub source: PathBuf,
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
        let (mut removed, mut others) = (Vec::new(), Vec::new());
        for (scope, runtime) in of_name(run.app, &skill.name) {
            let targets = targets(run.app, &runtime, scope, &request.target)?;
            for target in targets {
                let path = target.folder.join(&skill.name);
                match clear(run.app, &skill, scope, &runtime, &path) {
                    // No build of ours goes where a link leads.
                    Err(failure) if request.target.is_empty() && failure.is(ErrorKind::Linked) => {}
                    Ok(true) => removed.push(Removed { target: target.name, path }),
                    Ok(false) => others.extend(of_another(run.app, &skill, &runtime, path)?),
                    Err(failure) => return Err(failure),
                }
            }
            forget(run.app, &runtime, &removed)?;
        }
        others.dedup();
        Ok(UndeployReply { skill: skill.name, removed, others })
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
    Ok(remembered.chain(named_targets(app, scope)).collect())
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
    of_name(app, name.as_str()).find_map(|(scope, runtime)| {
        let manifest = manifest(app, &runtime)?;
        let (name, path, given) = (name.as_str().to_owned(), manifest.source.into(), given.to_owned());
        Some(Skill { name, path, scope: Some(scope), given, origin: None })
    })
}

/// The place, if the runtime that is deployed there is of another skill of this name.
fn of_another(
    app: &App,
    skill: &Skill,
    runtime: &Path,
    path: PathBuf,
) -> Result<Option<OthersPlace>, Failure> {
    let Some(source) = manifest(app, runtime).map(|manifest| PathBuf::from(manifest.source)) else {
        return Ok(None);
    };
    let Ok(real) = app.agents_path(path.parent().unwrap_or(&path)) else { return Ok(None) };
    let occupant = app.ports.deployer.look(&real.join(&skill.name))?;
    let is_deployed = matches!(occupant, Occupant::Link { to, .. } if to == runtime);
    Ok(Some(OthersPlace { path, source }).filter(|other| is_deployed && other.source != skill.path))
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
        if self.removed.is_empty() && self.others.is_empty() {
            line(out, format!("{} is deployed nowhere", plain(&self.skill)));
        }
        for OthersPlace { path, source } in &self.others {
            let (path, source) = (view.path(path), view.path(source));
            line(out, format!("{path} is of another skill, and stays: skc undeploy {source}"));
        }
        for gone in &self.removed {
            let target = view.faint(format!("({})", plain(&gone.target)));
            line(out, format!("{} {} {target}", view.good("Removed"), view.path(&gone.path)));
        }
    }
}
