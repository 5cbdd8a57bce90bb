//! The skills to lint: those named, or those of named files; by default the project's.

use crate::app::App;
use crate::failure::Failure;
use crate::policy::is_refusal;
use crate::resolve::{resolve, typed};
use crate::run::Run;
use crate::skill::Skill;
use crate::stores::folders_of;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::listing::Scope;
use skillc_ports::{ErrorKind, Found};
use std::path::Path;

/// The skills to lint in order, without duplicates; those of the project by name.
///
/// # Errors
/// As for [`resolve`], for the first argument that is neither a skill nor a file; E001 for a project without skills.
pub fn chosen(run: &mut Run<'_>, given: &[String]) -> Result<Vec<Skill>, Failure> {
    if given.is_empty() {
        return of_project(run.app);
    }
    let mut skills: Vec<Skill> = Vec::new();
    for word in given {
        match named(run.app, word)? {
            Some(skill) if skills.iter().any(|known| known.path == skill.path) => {}
            Some(skill) => skills.push(skill),
            None => run.warn(Warning::FileInNoSkill { path: word.clone() }),
        }
    }
    Ok(skills)
}

/// Whether a skill is in the project's store itself, not linked from elsewhere.
pub fn is_at_home(app: &App, skill: &Skill) -> bool {
    let store = app.call.places.store(Scope::Project);
    store.is_some_and(|store| skill.path.parent() == Some(&app.ports.stores.real_path(&store)))
}

fn of_project(app: &App) -> Result<Vec<Skill>, Failure> {
    let folders = folders_of(app, Scope::Project)?.into_iter();
    let skills: Vec<Skill> =
        folders.filter_map(|folder| resolve(app, &folder.to_string_lossy()).ok()).collect();
    if skills.is_empty() { Err(none().into()) } else { Ok(skills) }
}

fn none() -> Fault {
    Fault::SkillNotFound { skill: "*".to_owned(), suggestions: String::new() }
}

/// A skill by name or path, or the skill of a file; `None` for a file outside of skills.
fn named(app: &App, given: &str) -> Result<Option<Skill>, Fault> {
    match resolve(app, given) {
        Err(fault) if is_refusal(&fault) => Err(fault),
        Err(_) if is_file(app, &typed(app, given)) => {
            around(app, &typed(app, given)).map(|folder| resolve(app, &folder)).transpose()
        }
        found => found.map(Some),
    }
}

fn is_file(app: &App, path: &Path) -> bool {
    match app.ports.named.read(path, 0) {
        Ok(_) => true,
        Err(error) => error.kind == ErrorKind::TooLarge,
    }
}

/// The nearest folder with SKILL.md above a file, by the file's own path, not a link's target.
fn around(app: &App, file: &Path) -> Option<String> {
    let folder = app.ports.stores.real_path(file.parent()?);
    let skill = folder.ancestors().find(|folder| matches!(app.look(folder), Found::Skill(_)))?;
    Some(skill.to_string_lossy().into_owned())
}
