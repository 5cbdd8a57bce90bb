//! Skills outside the stores, found without reading a catalog, which would write its cache.

use crate::app::App;
use crate::catalog::default_roots;
use crate::failure::Failure;
use crate::policy::admit_name;
use crate::runtime::manifest;
use skillc_domain::discovery::skill::SkillScope;
use skillc_domain::fault::Fault;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_domain::suggest::list;
use skillc_ports::Found;
use std::path::{Path, PathBuf};

/// Adds to an E001 the paths of skills with this name in other folders, such as an agent's: commands take paths.
pub fn suggest_paths(app: &App, failure: Failure) -> Failure {
    let Fault::SkillNotFound { skill, single_file, .. } = &failure.fault else { return failure };
    if !single_file.is_empty() || SkillName::parse(skill).is_err() || admit_name(app, skill).is_err() {
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
    let folders = default_roots(app).into_iter().map(|root| root.path.join(name));
    let path = |folder: PathBuf| {
        let below = folder.strip_prefix(&app.call.places.cwd).ok().filter(|_| !app.call.is_agent());
        below.unwrap_or(&folder).to_string_lossy().into_owned()
    };
    folders.filter(|folder| is_source(app, folder)).map(path).collect()
}

/// The folder outside the stores with most of the repository's skills, and their number.
pub fn of_repository(app: &App) -> Option<(PathBuf, usize)> {
    let stores = app.call.places.stores(Scope::Project);
    let roots = default_roots(app).into_iter();
    let folders = roots.filter(|root| root.scope == SkillScope::Repo && !stores.contains(&root.path));
    let counted = folders.map(|root| (count(app, &root.path), root.path)).filter(|(count, _)| *count > 0);
    counted.max_by_key(|(count, _)| *count).map(|(count, folder)| (folder, count))
}

/// Number of skills directly in a folder.
fn count(app: &App, folder: &Path) -> usize {
    let names = app.ports.stores.names(folder).unwrap_or_default();
    names.into_iter().filter(|name| is_source(app, &folder.join(name))).count()
}

/// Whether a folder holds a skill that is not the result of a build.
fn is_source(app: &App, folder: &Path) -> bool {
    matches!(app.look(folder), Found::Skill(path) if manifest(app, &path).is_none())
}
