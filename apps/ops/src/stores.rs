//! The skills of a store.

use crate::compile::check;
use crate::failure::Failure;
use crate::resolve::resolve_to_name;
use crate::run::Run;
use crate::skill::Skill;
use skillc_domain::fault::Warning;
use skillc_domain::listing::Scope;
use std::path::Path;

/// The valid skills of a store that the caller may know of. An invalid skill becomes a warning.
///
/// # Errors
/// If the store cannot be read.
pub fn skills_of(run: &mut Run<'_>, scope: Scope) -> Result<Vec<Skill>, Failure> {
    let Some(store) = run.app.call.places.store(scope) else { return Ok(Vec::new()) };
    let mut skills = Vec::new();
    for name in run.app.ports.stores.names(&store)? {
        let folder = store.join(&name);
        let Ok(skill) = resolve_to_name(run.app, &folder.to_string_lossy()) else { continue };
        match check(run.app, &skill) {
            Ok(()) => skills.push(skill),
            Err(failure) => {
                run.warn(skipped(&folder, &failure));
            }
        }
    }
    Ok(skills)
}

/// The warning about an invalid skill.
pub fn skipped(skill: &Path, failure: &Failure) -> Warning {
    Warning::SkillSkipped { path: skill.to_string_lossy().into_owned(), message: failure.fault.to_string() }
}
