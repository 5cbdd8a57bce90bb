//! `skc undeploy` (RFC-0001:C-UNDEPLOY).

use crate::app::App;
use crate::compile::{built_from, clear, named_targets, owner, read_deployments, write_deployments};
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
use skillc_domain::text::shell::argument;
use skillc_ports::ErrorKind;
use std::path::{Path, PathBuf};

/// Remove only what builds deployed to agents; sources and runtimes stay.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndeployRequest {
    /// Name or path of the skill.
    #[arg(conflicts_with = "all")]
    pub skill: Option<String>,
    /// Every skill of the project, or of the home outside a project.
    #[arg(long)]
    #[serde(default)]
    pub all: bool,
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
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct UndeployReply {
    /// Name of the skill; none with `--all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// With `--all`, whose deployments were removed: `project` or `global`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// In the order of the table of agents; with `--all`, for each skill.
    pub removed: Vec<Removed>,
    /// Deployments that stay because they belong to another skill with the same name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OthersPlace>,
}

/// A place where another skill with the name is deployed.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OthersPlace {
    /// The place.
    pub path: PathBuf,
    /// The source of the skill that is deployed there.
    pub source: PathBuf,
}

/// Implements `skc undeploy`.
pub struct Undeploy;

impl Operation for Undeploy {
    const NAME: &'static str = "undeploy";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str =
        "skc undeploy my-skill\nskc undeploy my-skill --target cursor\nskc undeploy --all";
    type Request = UndeployRequest;
    type Reply = UndeployReply;

    async fn run(run: &mut Run<'_>, request: UndeployRequest) -> Result<UndeployReply, Failure> {
        let Some(given) = &request.skill else {
            return match request.all {
                true => undeploy_all(run, &request.target),
                false => {
                    let advice = "name a skill, or give '--all' for every skill";
                    Err(Fault::refused_option("no skill is named", advice).into())
                }
            };
        };
        let skill = match resolve(run.app, given) {
            Err(fault) if !is_refusal(&fault) => gone(run.app, given).ok_or(fault)?,
            found => found?,
        };
        admit(run.app, &skill, Purpose::Use)?;
        run.uses(&skill);
        let mut reply = UndeployReply { skill: Some(skill.name.clone()), ..UndeployReply::default() };
        for (scope, runtime) in of_name(run.app, &skill.name) {
            undeploy(run.app, &skill, scope, &runtime, &request.target, &mut reply)?;
        }
        reply.others.dedup();
        Ok(reply)
    }
}

/// Removes the deployments of each runtime of the project, or of the user outside a project. A failure does not stop
/// the rest.
fn undeploy_all(run: &mut Run<'_>, names: &[String]) -> Result<UndeployReply, Failure> {
    let places = &run.app.call.places;
    let scope = if places.project.is_some() { Scope::Project } else { Scope::Global };
    names.iter().try_for_each(|name| named(run.app, scope, name).map(drop))?;
    let mut reply = UndeployReply { scope: Some(scope.word().to_owned()), ..UndeployReply::default() };
    let Some(runtimes) = places.runtimes(scope) else { return Ok(reply) };
    for name in run.app.ports.stores.names(&runtimes)? {
        let runtime = runtimes.join(&name);
        let Some(skill) = owner(run.app, &name, scope, &runtime) else { continue };
        if admit(run.app, &skill, Purpose::Use).is_err() {
            continue;
        }
        if let Err(failure) = undeploy(run.app, &skill, scope, &runtime, names, &mut reply) {
            run.part_failed(failure);
        }
    }
    Ok(reply)
}

/// Removes the deployments of one of a skill's runtimes.
fn undeploy(
    app: &App,
    skill: &Skill,
    scope: Scope,
    runtime: &Path,
    names: &[String],
    reply: &mut UndeployReply,
) -> Result<(), Failure> {
    let targets = targets(app, runtime, scope, names)?;
    let examined: Vec<PathBuf> = targets.iter().map(|target| target.folder.join(&skill.name)).collect();
    for target in targets {
        let path = target.folder.join(&skill.name);
        match clear(app, skill, scope, runtime, &path) {
            // skc never deploys through a link.
            Err(failure) if names.is_empty() && failure.is(ErrorKind::Linked) => {}
            Ok(true) => reply.removed.push(Removed { target: target.name, path }),
            Ok(false) => reply.others.extend(of_another(app, skill, runtime, path)?),
            Err(failure) => return Err(failure),
        }
    }
    forget(app, runtime, &reply.removed, &examined)
}

/// The places to check: recorded deployments and those of every agent, or only those with the given names.
fn targets(app: &App, runtime: &Path, scope: Scope, names: &[String]) -> Result<Vec<Target>, Fault> {
    if !names.is_empty() {
        let found: Result<Vec<_>, _> = names.iter().map(|name| named(app, scope, name)).collect();
        return Ok(found?.into_iter().flatten().collect());
    }
    let known = read_deployments(app, runtime);
    let remembered = known.places.into_iter().chain(known.withdrawn).filter_map(|place| {
        Some(Target { name: place.target, folder: place.path.parent()?.to_owned(), shared_with: Vec::new() })
    });
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

/// A skill whose source no longer exists, from its runtime's manifest, so that it can still be undeployed.
fn gone(app: &App, given: &str) -> Option<Skill> {
    let name = SkillName::parse(given).ok()?;
    of_name(app, name.as_str()).find_map(|(scope, runtime)| built_from(app, name.as_str(), scope, &runtime))
}

/// The place, if the runtime deployed there belongs to another skill with this name.
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

/// Removes from the list of deployments what was removed, and what `enable` would restore at the examined places.
fn forget(app: &App, runtime: &Path, removed: &[Removed], examined: &[PathBuf]) -> Result<(), Failure> {
    let mut known = read_deployments(app, runtime);
    let count = known.places.len() + known.withdrawn.len();
    known.places.retain(|place| !removed.iter().any(|gone| gone.path == place.path));
    known.withdrawn.retain(|place| !examined.contains(&place.path));
    if known.places.len() + known.withdrawn.len() != count {
        write_deployments(app, runtime, &known)?;
    }
    Ok(())
}

impl Render for UndeployReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if self.removed.is_empty() && self.others.is_empty() {
            let what = self.skill.as_deref().map_or("Nothing is deployed".to_owned(), |skill| {
                format!("{} is deployed nowhere", plain(skill))
            });
            line(out, what);
        }
        for OthersPlace { path, source } in &self.others {
            let (path, source) = (view.path(path), view.path(source));
            line(out, format!("{path} belongs to another skill and stays: skc undeploy {source}"));
        }
        for gone in &self.removed {
            let target = view.faint(format!("({})", plain(&gone.target)));
            line(out, format!("{} {} {target}", view.good("Removed"), view.path(&gone.path)));
        }
        if let Some(scope) = self.scope.as_deref().filter(|_| !self.removed.is_empty()) {
            let (whose, global) = match scope {
                "global" => ("for you, in every project", " --global"),
                _ => ("for this project", ""),
            };
            let mut targets: Vec<String> = self.removed.iter().map(|gone| argument(&gone.target)).collect();
            targets.sort_unstable();
            targets.dedup();
            let command = format!("skc build --all{global} --target {}", targets.join(","));
            line(out, format!("These were deployed {whose}; '{command}' deploys them again"));
        }
    }
}
