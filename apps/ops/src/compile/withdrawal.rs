//! Removes the deployments of a disabled skill, and restores them (RFC-0010:C-ENABLE).

use super::deploy::{
    Deployed, Planned, copy_files, is_copy_of, link_text, read_deployments, write_deployments,
};
use super::owner::owner;
use super::pipeline::Built;
use crate::app::App;
use crate::failure::Failure;
use crate::runtime::{is_of, of_name};
use crate::skill::Skill;
use skillc_domain::agents::AGENTS;
use skillc_domain::deploy::{Method, Occupant, Target, is_ours};
use skillc_domain::listing::Scope;
use skillc_domain::places::{SKILLC_DIR, is_runtime};
use skillc_ports::{ErrorKind, PortError, RuntimeFile};
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// Removes what a build of this skill deployed to a place; returns whether it did. Anything else stays.
///
/// # Errors
/// If the place cannot be read or cleared.
pub fn clear(app: &App, skill: &Skill, scope: Scope, runtime: &Path, place: &Path) -> Result<bool, Failure> {
    let Some(real) = deployed_at(app, skill, scope, runtime, place)? else { return Ok(false) };
    app.ports.deployer.remove(&real)?;
    Ok(true)
}

/// A place with the links of its folder resolved, if a build of this skill was deployed to it.
///
/// # Errors
/// If the place cannot be read.
pub fn deployed_at(
    app: &App,
    skill: &Skill,
    scope: Scope,
    runtime: &Path,
    place: &Path,
) -> Result<Option<PathBuf>, Failure> {
    let Some(real) = real_place(app, place)? else { return Ok(None) };
    let occupant = app.ports.deployer.look(&real)?;
    if is_left_by_move(app, skill, scope, place, &occupant) {
        return Ok(Some(real));
    }
    if occupant == Occupant::Nothing || !is_ours(&occupant, runtime, |bytes| is_copy_of(app, bytes, skill)) {
        return Ok(None);
    }
    // The global runtime with this name may be another skill's; then so is a link to it.
    let is_link = matches!(occupant, Occupant::Link { .. });
    Ok(Some(real).filter(|_| !is_link || is_of(app, skill, scope, runtime)))
}

/// Whether a link was deployed in this project before the project was moved, judged as `build` does.
fn is_left_by_move(app: &App, skill: &Skill, scope: Scope, place: &Path, occupant: &Occupant) -> bool {
    let Occupant::Link { to, is_dangling: true } = occupant else { return false };
    let is_of_name = to.file_name().is_some_and(|name| name == skill.name.as_str());
    scope == Scope::Project && is_of_name && is_runtime(to) && app.call.places.is_in_project(place)
}

/// Converts the error for a link on the path to `None`, since skc never deploys there.
fn unless_linked<T>(found: Result<Option<T>, Failure>) -> Result<Option<T>, Failure> {
    match found {
        Err(failure) if failure.is(ErrorKind::Linked) => Ok(None),
        found => found,
    }
}

/// The folders to which skills of a scope can be deployed by target name: configured targets and those of every
/// agent, each under the first name that has it.
pub fn named_targets(app: &App, scope: Scope) -> Vec<Target> {
    let configured = app.call.settings.targets.iter().map(|c| Target {
        name: c.name.clone(),
        folder: c.folder.clone(),
        shared_with: Vec::new(),
    });
    let mut all: Vec<Target> = configured.collect();
    // As they are written, since to hash a path by its components takes ten times as long.
    let written = |folder: &Path| folder.as_os_str().to_owned();
    let mut known: HashSet<OsString> = all.iter().map(|target| written(&target.folder)).collect();
    app.with_targets(|scene| {
        for agent in AGENTS {
            let Some(folder) = scene.folder(agent, scope) else { continue };
            if known.insert(written(&folder)) {
                all.push(Target { name: agent.id.to_owned(), folder, shared_with: Vec::new() });
            }
        }
    });
    all
}

/// Entries with the name of a skill in the folders of [`named_targets`]. They are needed because a clone has no list
/// of deployments, and a list can be lost.
fn in_agents_folders(app: &App, scope: Scope, name: &str) -> Result<Vec<Deployed>, Failure> {
    let mut found = Vec::new();
    for target in named_targets(app, scope) {
        let path = target.folder.join(name);
        let Some(real) = unless_linked(real_place(app, &path))? else { continue };
        let method = match app.ports.deployer.look(&real)? {
            Occupant::Nothing => continue,
            Occupant::Link { .. } => Method::Symlink,
            _ => Method::Copy,
        };
        found.push(Deployed {
            target: target.name,
            shared_with: target.shared_with,
            path,
            method: method.word().to_owned(),
        });
    }
    Ok(found)
}

/// These places, and entries with the name of a skill in agents' folders.
fn with_unrecorded(
    app: &App,
    scope: Scope,
    name: &str,
    recorded: &[Deployed],
) -> Result<Vec<Deployed>, Failure> {
    let is_recorded = |path: &Path| recorded.iter().any(|place| place.path == path);
    let unrecorded = in_agents_folders(app, scope, name)?.into_iter();
    let unrecorded = unrecorded.filter(|place| !is_recorded(&place.path));
    Ok(recorded.iter().cloned().chain(unrecorded).collect())
}

/// A deployment of a build of a skill.
pub struct DeployedPlace {
    /// The runtime that was deployed.
    pub runtime: PathBuf,
    /// The deployment.
    pub deployed: Deployed,
    /// Its path with the links of its folder resolved.
    pub real: PathBuf,
}

/// The deployments of a skill's builds in all agents' folders.
///
/// # Errors
/// If a place cannot be read.
pub fn deployed_places(app: &App, skill: &Skill) -> Result<Vec<DeployedPlace>, Failure> {
    let mut found = Vec::new();
    for (scope, runtime) in of_name(app, &skill.name) {
        let recorded = read_deployments(app, &runtime).places;
        for deployed in with_unrecorded(app, scope, &skill.name, &recorded)? {
            if let Some(real) = unless_linked(deployed_at(app, skill, scope, &runtime, &deployed.path))? {
                found.push(DeployedPlace { runtime: runtime.clone(), deployed, real });
            }
        }
    }
    Ok(found)
}

/// Adds places to those from which a runtime's skill was withdrawn, since an interrupted command may have ended
/// before it recorded them.
///
/// # Errors
/// If the runtime cannot be written.
pub fn add_withdrawn(app: &App, runtime: &Path, places: &[Deployed]) -> Result<(), PortError> {
    if places.is_empty() {
        return Ok(());
    }
    let mut known = read_deployments(app, runtime);
    let is_added = |place: &Deployed| places.iter().any(|added| added.path == place.path);
    known.places.retain(|place| !is_added(place));
    known.withdrawn.retain(|place| !is_added(place));
    known.withdrawn.extend_from_slice(places);
    write_deployments(app, runtime, &known)
}

/// Renames the places from which a runtime's skill was withdrawn, so that [`bring_back`] deploys it there under its
/// new name.
///
/// # Errors
/// If the runtime cannot be written.
pub fn rename_places(app: &App, runtime: &Path, name: &str) -> Result<(), PortError> {
    let mut known = read_deployments(app, runtime);
    if known.places.is_empty() && known.withdrawn.is_empty() {
        return Ok(());
    }
    // Places that were not withdrawn are not those of this skill.
    known.places.clear();
    known.withdrawn.iter_mut().for_each(|place| place.path.set_file_name(name));
    write_deployments(app, runtime, &known)
}

/// Removes the deployments of a skill, at recorded places and in agents' folders, and records them.
///
/// # Errors
/// As [`clear`], and if the runtime cannot be written.
pub fn withdraw(app: &App, skill: &Skill) -> Result<Vec<PathBuf>, Failure> {
    let mut withdrawn = Vec::new();
    for (scope, runtime) in of_name(app, &skill.name) {
        let mut known = read_deployments(app, &runtime);
        for place in with_unrecorded(app, scope, &skill.name, &known.places)? {
            match clear(app, skill, scope, &runtime, &place.path) {
                Ok(true) => {
                    withdrawn.push(place.path.clone());
                    known.places.retain(|old| old.path != place.path);
                    known.withdrawn.retain(|old| old.path != place.path);
                    known.withdrawn.push(place);
                }
                // skc never deploys through a link.
                Err(failure) if !failure.is(ErrorKind::Linked) => return Err(failure),
                Ok(false) | Err(_) => {}
            }
        }
        if !known.withdrawn.is_empty() {
            write_deployments(app, &runtime, &known)?;
        }
    }
    Ok(withdrawn)
}

/// Like [`withdraw`], for skills of a name whose sources no longer exist. Their stubs would still be read by agents.
///
/// # Errors
/// As [`withdraw`].
pub fn withdraw_deserted(app: &App, name: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut withdrawn = Vec::new();
    for (scope, runtime) in of_name(app, name) {
        let Some(skill) = owner(app, name, scope, &runtime) else { continue };
        withdrawn.extend(withdraw(app, &skill)?);
    }
    Ok(withdrawn)
}

/// Restores the deployments that [`withdraw`] removed. A place that is now occupied by something else stays as it is.
///
/// # Errors
/// If a place or the runtime cannot be written; the next attempt tries again.
pub fn bring_back(app: &App, skill: &Skill) -> Result<Vec<PathBuf>, Failure> {
    bring_back_to(app, skill, &[])
}

/// Like [`bring_back`], for places that are known to belong to this skill, wherever they are.
///
/// # Errors
/// As [`bring_back`].
pub fn bring_back_to(app: &App, skill: &Skill, known_places: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut back = Vec::new();
    let mut failed = None;
    for (scope, runtime) in of_name(app, &skill.name) {
        let mut known = read_deployments(app, &runtime);
        if known.withdrawn.is_empty() {
            continue;
        }
        for place in std::mem::take(&mut known.withdrawn) {
            let has_name = place.path.file_name().is_some_and(|name| name == skill.name.as_str());
            if !has_name || !(known_places.contains(&place.path) || is_trusted(app, scope, &place.path)) {
                continue;
            }
            match put_back(app, skill, scope, &runtime, &place) {
                Ok(PutBack::Deployed) => back.push(place.path.clone()),
                Ok(PutBack::AlreadyThere) => {}
                Ok(PutBack::LeftAlone) => continue,
                Err(failure) => {
                    failed.get_or_insert(failure);
                    known.withdrawn.push(place);
                    continue;
                }
            }
            known.places.retain(|old| old.path != place.path);
            known.places.push(place);
        }
        write_deployments(app, &runtime, &known)?;
    }
    failed.map_or(Ok(back), Err)
}

/// The result of restoring a deployment.
enum PutBack {
    Deployed,
    /// It is already there, restored by an interrupted command.
    AlreadyThere,
    /// Something else is there.
    LeftAlone,
}

fn put_back(
    app: &App,
    skill: &Skill,
    scope: Scope,
    runtime: &Path,
    place: &Deployed,
) -> Result<PutBack, Failure> {
    let Some(real) = real_place(app, &place.path)? else { return Ok(PutBack::LeftAlone) };
    if app.ports.deployer.look(&real)? == Occupant::Nothing {
        deploy_again(app, runtime, &real, place)?;
        return Ok(PutBack::Deployed);
    }
    let is_ours = deployed_at(app, skill, scope, runtime, &place.path)?.is_some();
    Ok(if is_ours { PutBack::AlreadyThere } else { PutBack::LeftAlone })
}

/// Whether a recorded place may be deployed to. A cloned repository can contain a forged list, so places in a
/// project's list must be inside the project, and not where skc or git store their own files.
fn is_trusted(app: &App, scope: Scope, place: &Path) -> bool {
    let Some(project) = app.call.places.project.as_ref().filter(|_| scope == Scope::Project) else {
        return scope == Scope::Global;
    };
    let is_own = |name: &str| place.starts_with(project.join(name));
    let has_parent_parts = place.components().any(|part| part == Component::ParentDir);
    place.starts_with(project) && !has_parent_parts && !is_own(SKILLC_DIR) && !is_own(".git")
}

fn deploy_again(app: &App, runtime: &Path, real: &Path, place: &Deployed) -> Result<(), Failure> {
    if place.method != Method::Copy.word() {
        app.ports.deployer.link(&link_text(app, runtime, real), real, None)?;
        return Ok(());
    }
    copy_again(app, runtime, real)
}

/// Replaces the copy at a place by one of the current runtime.
///
/// # Errors
/// If the runtime cannot be read or the place cannot be written; the copy is then unchanged.
pub fn copy_again(app: &App, runtime: &Path, real: &Path) -> Result<(), Failure> {
    let read = |file| -> Result<Vec<u8>, PortError> {
        Ok(app.ports.runtimes.read(runtime, file)?.unwrap_or_default())
    };
    copy_files(app, &read(RuntimeFile::Stub)?, &read(RuntimeFile::Manifest)?, real, None)
}

/// Records where a build of a disabled skill would have been deployed.
///
/// # Errors
/// If the runtime cannot be written.
pub fn remember(app: &App, built: &Built, plan: Vec<Planned>, is_copy: bool) -> Result<(), Failure> {
    let mut known = read_deployments(app, &built.runtime);
    let method = if is_copy { Method::Copy } else { Method::Symlink };
    for place in plan.into_iter().map(|planned| planned.deployed(method)) {
        known.withdrawn.retain(|old| old.path != place.path);
        known.withdrawn.push(place);
    }
    Ok(write_deployments(app, &built.runtime, &known)?)
}

/// A deployed place with the links of its folder resolved; `None` for a path without a folder.
fn real_place(app: &App, place: &Path) -> Result<Option<PathBuf>, Failure> {
    let Some((folder, name)) = place.parent().zip(place.file_name()) else { return Ok(None) };
    Ok(Some(app.agents_path(folder)?.join(name)))
}
