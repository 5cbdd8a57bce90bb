//! Skills outside the stores that an unknown name refers to (RFC-0005:C-HINTS).

use crate::app::App;
use crate::catalog::{CatalogFilter, read};
use crate::failure::Failure;
use skillc_domain::discovery::skill::CatalogSkill;
use skillc_domain::fault::Fault;
use skillc_domain::name::SkillName;
use skillc_domain::suggest::list;

/// Number of paths that are suggested for a name.
const PATHS_MAX: usize = 3;

/// Adds the paths of the skills that have this name to an E001: only the catalog knows them, and commands take paths.
pub fn suggest_paths(app: &App, failure: Failure) -> Failure {
    let Fault::SkillNotFound { skill, single_file, .. } = &failure.fault else { return failure };
    if !single_file.is_empty() || SkillName::parse(skill).is_err() {
        return failure;
    }
    let paths = paths_of_name(app, skill);
    if paths.is_empty() {
        return failure;
    }
    let (skill, single_file) = (skill.clone(), single_file.clone());
    let fault = Fault::SkillNotFound { skill, single_file, suggestions: list(paths) };
    Failure { fault, ..failure }
}

/// The folders of the skills with this name. A person gets them relative to the working directory, as they are typed.
fn paths_of_name(app: &App, name: &str) -> Vec<String> {
    let Ok(catalog) = read(app, &CatalogFilter::default()) else { return Vec::new() };
    let is_meant = |skill: &&CatalogSkill| skill.name == name && !skill.is_single_file();
    let path = |skill: &CatalogSkill| {
        let below = skill.dir.strip_prefix(&app.call.places.cwd).ok().filter(|_| !app.call.is_agent());
        below.unwrap_or(&skill.dir).to_string_lossy().into_owned()
    };
    catalog.skills.iter().filter(is_meant).take(PATHS_MAX).map(path).collect()
}
