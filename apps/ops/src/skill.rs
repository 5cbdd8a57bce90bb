//! A resolved skill.

use skillc_domain::fault::Fault;
use skillc_domain::listing::Scope;
use skillc_domain::places::Places;
use skillc_domain::text::shell::argument;
use std::path::PathBuf;

/// A skill that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Its folder's name, by which it resolves and its runtime is called.
    pub name: String,
    /// Canonical path of its folder.
    pub path: PathBuf,
    /// The store that holds it; `None` for a folder elsewhere.
    pub scope: Option<Scope>,
    /// What the user typed.
    pub given: String,
    /// Canonical path of the folder that it was imported from just now.
    pub origin: Option<String>,
}

impl Skill {
    /// The canonical path as the index and the manifest record it.
    pub fn path_text(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// The scope that its build belongs to: its store's, or for a folder elsewhere the project's, if there is one.
    pub fn home_scope(&self, places: &Places) -> Scope {
        let elsewhere = if places.project.is_some() { Scope::Project } else { Scope::Global };
        self.scope.unwrap_or(elsewhere)
    }

    /// E002 with the build that mends it.
    pub fn unusable(&self) -> Fault {
        Fault::IndexUnusable { skill: argument(&self.given) }
    }
}
