//! From a runtime to agents' folders (RFC-0001:C-DEPLOYMENT).

use super::{Built, Wish};
use crate::app::App;
use crate::failure::Failure;
use crate::replaced::Replaced;
use crate::resolve::Skill;
use crate::run::Run;
use crate::runtime::{of_scope, read_manifest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::agents::DEFAULT_TARGET;
use skillc_domain::deploy::{Method, Occupant, Ownership, Target, ownership};
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::limits::STUB_MANIFEST_BYTES_MAX;
use skillc_domain::listing::Scope;
use skillc_domain::places::SKILLC_DIR;
use skillc_ports::{Artifact, ErrorKind, PortError};
use std::path::{Path, PathBuf};

/// A place where a skill stands for an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Deployed {
    /// The agent's id, the configured name, or the path as given.
    pub target: String,
    /// The place.
    pub path: PathBuf,
    /// `symlink`, `junction` or `copy`.
    pub method: String,
}

/// What `.skillc-meta/deployed.json` holds, so that `undeploy` finds places that no table knows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Deployment {
    /// All places that builds of this runtime deployed to.
    pub places: Vec<Deployed>,
}

/// A place to deploy to, looked at before the build.
pub struct Planned {
    target: Target,
    place: PathBuf,
    /// The same place without the user's own links on the way.
    real: PathBuf,
    occupant: Occupant,
    ownership: Ownership,
}

/// Finds the places of a build and refuses the whole where something foreign stands at one.
pub fn plan(app: &App, skill: &Skill, scope: Scope, wish: &Wish) -> Result<Vec<Planned>, Failure> {
    let default = vec![DEFAULT_TARGET.to_owned()];
    let names = if wish.targets.is_empty() { &default } else { &wish.targets };
    let targets = app.with_targets(|scene| scene.targets(names, scope))?;
    let runtime = of_scope(app, scope, &skill.name);
    let mut planned = Vec::with_capacity(targets.len());
    for target in targets {
        let place = target.folder.join(&skill.name);
        let real = app.agents_path(&target.folder)?.join(&skill.name);
        let occupant = app.deployer.look(&real)?;
        let ownership = ownership(&occupant, &real, &app.places, |manifest| is_copy_of(manifest, skill));
        if !may_replace(app, ownership, wish) {
            return Err(occupied(&place).into());
        }
        refuse_blocked(app, &real)?;
        refuse_own_places(app, &target, skill, &runtime)?;
        planned.push(Planned { target, place, real, occupant, ownership });
    }
    Ok(planned)
}

/// What people made is replaced by force only, and never on behalf of an agent.
fn may_replace(app: &App, ownership: Ownership, wish: &Wish) -> bool {
    match ownership {
        Ownership::Own => true,
        Ownership::OtherBuild => wish.is_forced,
        Ownership::Foreign => wish.is_forced && !app.is_agents(),
    }
}

/// What is no folder, and stands where the folders above a place would have to be made.
fn refuse_blocked(app: &App, place: &Path) -> Result<(), Failure> {
    for above in place.ancestors().skip(1) {
        if app.stores.is_folder(above) {
            break;
        }
        if app.deployer.look(above)? != Occupant::Nothing {
            return Err(occupied(above).into());
        }
    }
    Ok(())
}

fn occupied(path: &Path) -> Fault {
    Fault::TargetOccupied { path: path.to_string_lossy().into_owned() }
}

/// Not even `--force` may deploy into a `.skillc` or `.git` folder, or replace the source, the runtime, or a folder that holds
/// one of them. Links on the way are resolved first.
fn refuse_own_places(app: &App, target: &Target, skill: &Skill, runtime: &Path) -> Result<(), Fault> {
    let real = app.stores.real_path(&target.folder).join(&skill.name);
    let runtime = app.stores.real_path(runtime);
    let of_project = |name: &str| app.places.project.as_ref().map(|project| project.join(name));
    let reserved = [Some(app.places.own.clone()), of_project(SKILLC_DIR), of_project(".git")];
    let is_reserved =
        reserved.into_iter().flatten().any(|folder| real.starts_with(app.stores.real_path(&folder)));
    let holds_own = skill.path.starts_with(&real) || runtime.starts_with(&real);
    if is_reserved || holds_own || real.starts_with(&runtime) {
        return Err(occupied(&target.folder.join(&skill.name)));
    }
    Ok(())
}

/// Whether a manifest was copied from a build of this very source.
pub fn is_copy_of(manifest: &[u8], skill: &Skill) -> bool {
    read_manifest(manifest).is_some_and(|manifest| manifest.source == skill.path_text())
}

/// Deploys to the places of the plan and remembers them.
pub fn carry_out(
    run: &mut Run<'_>,
    built: &Built,
    plan: Vec<Planned>,
    is_copy: bool,
) -> Result<Vec<Deployed>, Failure> {
    let mut deployed = Vec::with_capacity(plan.len());
    for planned in plan {
        let is_foreign = planned.ownership == Ownership::Foreign;
        let replaced = Replaced::reserve(run.app, &planned.real, is_foreign)?;
        let method = deploy(run, built, &planned, replaced.aside(), is_copy)?;
        replaced.take(run)?;
        let Planned { target, place, .. } = planned;
        deployed.push(Deployed { target: target.name, path: place, method: method.word().to_owned() });
        // At once, so that what is done is known even where the next place fails.
        remember(run.app, &built.runtime, &deployed)?;
    }
    Ok(deployed)
}

fn deploy(
    run: &mut Run<'_>,
    built: &Built,
    planned: &Planned,
    aside: Option<&str>,
    is_copy: bool,
) -> Result<Method, Failure> {
    let app = run.app;
    let place = &planned.real;
    if is_copy {
        return copy(app, built, place, aside);
    }
    if matches!(&planned.occupant, Occupant::Link { to, .. } if *to == built.runtime) {
        return Ok(if cfg!(windows) { Method::Junction } else { Method::Symlink });
    }
    match app.deployer.link(&built.runtime, place, aside) {
        Ok(method) => Ok(method),
        Err(error) if error.kind == ErrorKind::Linked => Err(error.into()),
        Err(error) => {
            app.detail(|| format!("link: {error}"));
            let method = copy(app, built, place, aside)?;
            let path = place.to_string_lossy().into_owned();
            run.warn(Warning::DeployedAsCopy {
                path,
                message: format!("no link can be made: {}", error.reason()),
            });
            Ok(method)
        }
    }
}

fn copy(app: &App, built: &Built, place: &Path, aside: Option<&str>) -> Result<Method, Failure> {
    let bytes = |artifact: Artifact| {
        let found = built.projections.iter().find(|p| p.name == artifact.path());
        found.map(|p| p.bytes.as_slice()).unwrap_or_default()
    };
    app.deployer.copy(bytes(Artifact::Stub), bytes(Artifact::Manifest), place, aside)?;
    Ok(Method::Copy)
}

/// Adds places to the runtime's list, unless they are all in it.
fn remember(app: &App, runtime: &Path, deployed: &[Deployed]) -> Result<(), PortError> {
    let mut known = read_deployments(app, runtime);
    let count = known.places.len();
    let had_all = deployed.iter().all(|new| known.places.contains(new));
    known.places.retain(|old| !deployed.iter().any(|new| new.path == old.path));
    known.places.extend_from_slice(deployed);
    if had_all && known.places.len() == count {
        return Ok(());
    }
    write_deployments(app, runtime, &known)
}

/// The places that builds of a runtime deployed to; an unreadable list is an empty one.
pub fn read_deployments(app: &App, runtime: &Path) -> Deployment {
    let bytes = app.runtimes.read(runtime, Artifact::Deployments).ok().flatten().unwrap_or_default();
    let is_bounded = bytes.len() as u64 <= STUB_MANIFEST_BYTES_MAX;
    if is_bounded { serde_json::from_slice(&bytes).unwrap_or_default() } else { Deployment::default() }
}

/// Writes that list.
pub fn write_deployments(app: &App, runtime: &Path, deployment: &Deployment) -> Result<(), PortError> {
    // Strings always have a JSON form.
    let mut bytes = serde_json::to_vec_pretty(deployment).unwrap_or_default();
    bytes.push(b'\n');
    app.runtimes.write(runtime, Artifact::Deployments, &bytes)
}
