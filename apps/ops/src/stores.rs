//! The skills of a store.

use crate::app::App;
use crate::compile::check;
use crate::failure::Failure;
use crate::resolve::resolve_to_name;
use crate::run::Run;
use crate::skill::Skill;
use skillc_domain::fault::Warning;
use skillc_domain::listing::Scope;
use skillc_ports::PortError;
use std::path::{Path, PathBuf};

/// The folders in a store, by name; none without a store.
///
/// # Errors
/// If the store cannot be read.
pub fn folders_of(app: &App, scope: Scope) -> Result<Vec<PathBuf>, PortError> {
    let Some(store) = app.call.places.store(scope) else { return Ok(Vec::new()) };
    Ok(app.ports.stores.names(&store)?.into_iter().map(|name| store.join(name)).collect())
}

/// The valid skills of a store that are visible to the caller. An invalid skill becomes a warning.
///
/// # Errors
/// If the store cannot be read.
pub fn skills_of(run: &mut Run<'_>, scope: Scope) -> Result<Vec<Skill>, Failure> {
    let mut skills = Vec::new();
    for folder in folders_of(run.app, scope)? {
        let Ok(skill) = resolve_to_name(run.app, &folder.to_string_lossy()) else { continue };
        match check(run.app, &skill) {
            Ok(()) => skills.push(skill),
            Err(failure) => {
                run.warn(skipped(&folder, failure.fault.to_string()));
            }
        }
    }
    Ok(skills)
}

/// W024 with a reason.
pub fn skipped(skill: &Path, message: impl Into<String>) -> Warning {
    Warning::SkillSkipped { path: skill.to_string_lossy().into_owned(), message: message.into() }
}
