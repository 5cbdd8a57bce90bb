//! The skills of a store.

use crate::app::App;
use crate::compile::description;
use crate::failure::Failure;
use crate::resolve::{resolve_to_name, skill_in};
use crate::run::Run;
use crate::skill::Skill;
use skillc_domain::fault::Warning;
use skillc_domain::listing::Scope;
use skillc_ports::{Found, PortError};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The folders in the stores of a scope, by name. If several skills share a name, only the one in the first store.
///
/// # Errors
/// If a store cannot be read.
pub fn folders_of(app: &App, scope: Scope) -> Result<Vec<PathBuf>, PortError> {
    let by_name = folders_by_name(app, scope)?;
    Ok(by_name.into_values().filter_map(|folders| folders.into_iter().next()).collect())
}

/// The skills whose name is taken by a skill in an earlier store, each with that skill.
///
/// # Errors
/// If a store cannot be read.
pub fn same_names(app: &App, scope: Scope) -> Result<Vec<(PathBuf, PathBuf)>, PortError> {
    let mut found = Vec::new();
    for folders in folders_by_name(app, scope)?.into_values().filter(|folders| folders.len() > 1) {
        let is_skill = |folder: &&PathBuf| matches!(app.look(folder), Found::Skill(_));
        let others = folders[1..].iter().filter(is_skill);
        found.extend(others.map(|folder| (folder.clone(), folders[0].clone())));
    }
    Ok(found)
}

/// The folders with each name, those of skills first.
fn folders_by_name(app: &App, scope: Scope) -> Result<BTreeMap<String, Vec<PathBuf>>, PortError> {
    let mut folders: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for store in app.call.places.stores(scope) {
        for name in app.ports.stores.names(&store)? {
            let folder = store.join(&name);
            folders.entry(name).or_default().push(folder);
        }
    }
    for same in folders.values_mut().filter(|same| same.len() > 1) {
        same.sort_by_key(|folder| !matches!(app.look(folder), Found::Skill(_)));
    }
    Ok(folders)
}

/// The valid skills of a store that are visible to the caller. An invalid skill becomes a warning.
///
/// # Errors
/// If the store cannot be read.
pub fn skills_of(run: &mut Run<'_>, scope: Scope) -> Result<Vec<Skill>, Failure> {
    let app = run.app.for_listing();
    Ok(described_skills_of(run, &app, scope)?.into_iter().map(|(skill, _)| skill).collect())
}

/// The same skills with their descriptions, read by an app [for listing](App::for_listing).
///
/// # Errors
/// If the store cannot be read.
pub fn described_skills_of(
    run: &mut Run<'_>,
    app: &App,
    scope: Scope,
) -> Result<Vec<(Skill, String)>, Failure> {
    let mut skills = Vec::new();
    for folder in folders_of(app, scope)? {
        let plain = plain_description(app, &folder);
        let resolved = match plain {
            Some(_) => skill_in(app, &folder),
            None => resolve_to_name(app, &folder.to_string_lossy()),
        };
        let Ok(skill) = resolved else { continue };
        match plain.map_or_else(|| description(app, &skill.path), Ok) {
            Ok(description) => skills.push((skill, description)),
            Err(failure) => {
                run.warn(skipped(&folder, failure.fault.to_string()));
            }
        }
    }
    Ok(skills)
}

/// The description of a valid skill in a folder that is reached without links, which is opened only once; `None` for
/// any other folder.
fn plain_description(app: &App, folder: &Path) -> Option<String> {
    let is_plain = |part| matches!(part, Component::Prefix(_) | Component::RootDir | Component::Normal(_));
    let is_canonical = folder.is_absolute() && folder.components().all(is_plain);
    is_canonical.then(|| description(app, folder).ok()).flatten()
}

/// A W024 with this reason.
pub fn skipped(skill: &Path, message: impl Into<String>) -> Warning {
    Warning::SkillSkipped { path: skill.to_owned(), message: message.into() }
}
