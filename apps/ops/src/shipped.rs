//! The skills that ship with the program. They are written below the user's own `.skillc` when they are used.

use crate::app::App;
use crate::context::BuiltinSkill;
use crate::skill::Skill;
use skillc_domain::listing::Scope;
use skillc_ports::PortError;
use std::path::{Path, PathBuf};

/// The folder of a shipped skill, which may not have been written yet.
pub fn folder_of(app: &App, skill: &BuiltinSkill) -> PathBuf {
    app.call.places.shipped().join(skill.name)
}

/// Writes the folder of a shipped skill, unless its content is already right.
///
/// # Errors
/// `Linked`, `Denied`, `Failed`.
pub fn write(app: &App, skill: &BuiltinSkill) -> Result<PathBuf, PortError> {
    let folder = folder_of(app, skill);
    app.ports.stores.write_skill(&folder, skill.files)?;
    Ok(folder)
}

/// The shipped skill with a name; `None` if there is none, or its folder cannot be written. It has the user's scope.
pub fn named(app: &App, given: &str) -> Option<Skill> {
    let skill = app.call.environment.builtin_skills.iter().find(|skill| skill.name == given)?;
    match write(app, skill) {
        Ok(path) => {
            let (name, scope) = (skill.name.to_owned(), Some(Scope::Global));
            Some(Skill { name, path, scope, given: given.to_owned(), origin: None })
        }
        Err(error) => {
            app.call.detail(|| format!("shipped skill '{given}': {error}"));
            None
        }
    }
}

/// Whether a folder is that of a shipped skill.
pub fn is_shipped(app: &App, folder: &Path) -> bool {
    app.call.environment.builtin_skills.iter().any(|skill| folder_of(app, skill) == folder)
}
