//! Deploys a runtime to agents' folders (RFC-0001:C-DEPLOYMENT).

use super::options::BuildOptions;
use super::pipeline::Built;
use crate::app::App;
use crate::failure::Failure;
use crate::replaced::Replaced;
use crate::run::Run;
use crate::runtime::{content_of, of_scope, read_manifest, source_of, write_manifest};
use crate::skill::Skill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::agents::DEFAULT_TARGET;
use skillc_domain::deploy::{Method, Occupant, Ownership, Target, ownership};
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::limits::STUB_MANIFEST_BYTES_MAX;
use skillc_domain::listing::Scope;
use skillc_domain::manifest::Manifest;
use skillc_domain::places::{SKILLC_DIR, relative};
use skillc_ports::{ErrorKind, PortError, RuntimeFile};
use std::path::{Path, PathBuf};

/// A deployment of a skill for an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Deployed {
    /// The agent's id, the configured name of the target, or the path as given.
    pub target: String,
    /// Other targets that were asked for and read the same folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_with: Vec<String>,
    /// The deployed link or folder.
    pub path: PathBuf,
    /// `symlink`, `junction` or `copy`.
    pub method: String,
}

/// The content of `.skillc-meta/deployed.json`, by which `undeploy` finds deployments outside of agents' folders.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Deployment {
    /// All places to which builds of this runtime were deployed.
    pub places: Vec<Deployed>,
    /// Places whose deployment was removed because the skill is disabled; `enable` restores them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withdrawn: Vec<Deployed>,
}

/// A place to deploy to, inspected before the build.
pub struct Planned {
    target: Target,
    place: PathBuf,
    /// The place with the user's own links resolved.
    real: PathBuf,
    ownership: Ownership,
}

impl Planned {
    /// The record of a deployment to it.
    pub fn deployed(self, method: Method) -> Deployed {
        let Target { name, shared_with, .. } = self.target;
        Deployed { target: name, shared_with, path: self.place, method: method.word().to_owned() }
    }
}

/// Resolves the targets of a build, and refuses the build if one of them is occupied.
pub fn plan(app: &App, skill: &Skill, scope: Scope, options: &BuildOptions) -> Result<Vec<Planned>, Failure> {
    let default = vec![DEFAULT_TARGET.to_owned()];
    let names = if options.targets.is_empty() { &default } else { &options.targets };
    let targets = app.with_targets(|scene| scene.targets(names, scope))?;
    let runtime = of_scope(app, scope, &skill.name)?;
    let mut planned = Vec::with_capacity(targets.len());
    for target in targets {
        let place = target.folder.join(&skill.name);
        let real = app.agents_path(&target.folder)?.join(&skill.name);
        let occupant = app.ports.deployer.look(&real)?;
        let ownership =
            ownership(&occupant, &real, &app.call.places, |manifest| is_copy_of(app, manifest, skill));
        if !may_replace(app, ownership, options) {
            return Err(occupied(&place).into());
        }
        refuse_blocked(app, &real)?;
        refuse_own_places(app, &target, skill, &runtime)?;
        planned.push(Planned { target, place, real, ownership });
    }
    Ok(planned)
}

/// Whether an occupant may be replaced. What people created requires force, and is never replaced for an agent.
fn may_replace(app: &App, ownership: Ownership, options: &BuildOptions) -> bool {
    match ownership {
        Ownership::Own => true,
        Ownership::OtherBuild => options.is_forced,
        Ownership::Foreign => options.is_forced && !app.call.is_agent(),
    }
}

/// Refuses a place whose parent folder cannot be created because a file has its name.
fn refuse_blocked(app: &App, place: &Path) -> Result<(), Failure> {
    for above in place.ancestors().skip(1) {
        if app.ports.stores.is_folder(above) {
            break;
        }
        if app.ports.deployer.look(above)? != Occupant::Nothing {
            return Err(occupied(above).into());
        }
    }
    Ok(())
}

fn occupied(path: &Path) -> Fault {
    Fault::TargetOccupied { path: path.to_path_buf() }
}

/// Refuses places in a `.skillc` or `.git` folder, the source, the runtime, and their parent folders, even with
/// `--force`. Links on the path are resolved first.
fn refuse_own_places(app: &App, target: &Target, skill: &Skill, runtime: &Path) -> Result<(), Fault> {
    let real = app.ports.stores.real_path(&target.folder).join(&skill.name);
    let runtime = app.ports.stores.real_path(runtime);
    let of_project = |name: &str| app.call.places.project.as_ref().map(|project| project.join(name));
    let reserved = [Some(app.call.places.own.clone()), of_project(SKILLC_DIR), of_project(".git")];
    let is_reserved =
        reserved.into_iter().flatten().any(|folder| real.starts_with(app.ports.stores.real_path(&folder)));
    let holds_own = skill.path.starts_with(&real) || runtime.starts_with(&real);
    if is_reserved || holds_own || real.starts_with(&runtime) {
        return Err(occupied(&target.folder.join(&skill.name)));
    }
    Ok(())
}

/// Whether a manifest belongs to a build of this source.
pub fn is_copy_of(app: &App, manifest: &[u8], skill: &Skill) -> bool {
    read_manifest(manifest).and_then(|manifest| source_of(app, &manifest)).as_ref() == Some(&skill.path)
}

/// Deploys to the planned places and records each.
pub fn carry_out(
    run: &mut Run<'_>,
    built: &Built,
    plan: Vec<Planned>,
    is_copy: bool,
) -> Result<Vec<Deployed>, Failure> {
    let mut deployed = Vec::with_capacity(plan.len());
    for planned in plan {
        // Another project's build is moved to the trash too, so that it is not lost.
        let is_others = planned.ownership != Ownership::Own;
        let replaced = Replaced::reserve(run.app, &planned.real, is_others)?;
        let method = deploy(run, built, &planned, replaced.aside(), is_copy)?;
        replaced.take(run)?;
        deployed.push(planned.deployed(method));
        // Recorded immediately, in case the next place fails.
        record(run.app, &built.runtime, &deployed)?;
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
    match app.ports.deployer.link(&link_text(app, &built.runtime, place), place, aside) {
        Ok(method) => Ok(method),
        Err(error) if error.kind == ErrorKind::Linked => Err(error.into()),
        Err(error) => {
            app.call.detail(|| format!("link: {error}"));
            let method = copy(app, built, place, aside)?;
            run.warn(Warning::DeployedAsCopy {
                path: place.to_path_buf(),
                message: format!("cannot create a link: {}", error.reason()),
            });
            Ok(method)
        }
    }
}

/// The target of a link as written in it. Inside a project it is relative, so that a clone's links stay inside the
/// clone.
pub fn link_text(app: &App, runtime: &Path, place: &Path) -> PathBuf {
    let is_inside = |path| app.call.places.is_in_project(path);
    match place.parent() {
        Some(folder) if is_inside(runtime) && is_inside(place) => relative(folder, runtime),
        _ => runtime.to_owned(),
    }
}

fn copy(app: &App, built: &Built, place: &Path, aside: Option<&str>) -> Result<Method, Failure> {
    let bytes = |file| content_of(&built.published, file).unwrap_or_default();
    copy_files(app, bytes(RuntimeFile::Stub), bytes(RuntimeFile::Manifest), place, aside)?;
    Ok(Method::Copy)
}

/// Writes a copy of these files to a place.
pub fn copy_files(
    app: &App,
    stub: &[u8],
    manifest: &[u8],
    place: &Path,
    aside: Option<&str>,
) -> Result<(), Failure> {
    let manifest = with_time_of_equal(app, copied_manifest(app, manifest, place), place)?;
    Ok(app.ports.deployer.copy(stub, &manifest, place, aside)?)
}

/// The manifest of a copy, with the time of the existing copy if they are otherwise equal. So a committed copy does
/// not change with each clone that builds it.
fn with_time_of_equal(app: &App, manifest: Vec<u8>, place: &Path) -> Result<Vec<u8>, Failure> {
    let Occupant::Compiled(there) = app.ports.deployer.look(place)? else { return Ok(manifest) };
    let with_time = read_manifest(&there).zip(read_manifest(&manifest)).and_then(|(there, new)| {
        let dated = Manifest { built_at: there.built_at.clone(), ..new };
        (dated == there).then(|| write_manifest(&dated))
    });
    Ok(with_time.unwrap_or(manifest))
}

/// The manifest of a copy. In a project, it names the source of a project skill relative to the project, and no other
/// folder.
fn copied_manifest(app: &App, manifest: &[u8], place: &Path) -> Vec<u8> {
    let project = app.call.places.project.as_ref().filter(|_| app.call.places.is_in_project(place));
    let in_project = project.zip(read_manifest(manifest)).and_then(|(project, manifest)| {
        let source = Path::new(&manifest.source).strip_prefix(project).ok()?.to_string_lossy().into_owned();
        Some(Manifest { source, origin: None, origin_hash: None, ..manifest })
    });
    in_project.map_or_else(|| manifest.to_vec(), |manifest| write_manifest(&manifest))
}

/// Adds places to the runtime's list, unless it contains all of them.
fn record(app: &App, runtime: &Path, deployed: &[Deployed]) -> Result<(), PortError> {
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

/// The places to which builds of a runtime were deployed; empty if the list cannot be read.
pub fn read_deployments(app: &App, runtime: &Path) -> Deployment {
    let Ok(Some(bytes)) = app.ports.runtimes.read(runtime, RuntimeFile::Deployments) else {
        return Deployment::default();
    };
    let is_bounded = bytes.len() as u64 <= STUB_MANIFEST_BYTES_MAX;
    if is_bounded { serde_json::from_slice(&bytes).unwrap_or_default() } else { Deployment::default() }
}

/// Replaces the list that `read_deployments` reads.
pub fn write_deployments(app: &App, runtime: &Path, deployment: &Deployment) -> Result<(), PortError> {
    // Strings can always be serialized.
    let mut bytes = serde_json::to_vec_pretty(deployment).unwrap_or_default();
    bytes.push(b'\n');
    app.ports.runtimes.write(runtime, RuntimeFile::Deployments, &bytes)
}
