//! A resolved skill.

use skillc_domain::digest::Digest;
use skillc_domain::fault::Fault;
use skillc_domain::listing::Scope;
use skillc_domain::places::Places;
use skillc_domain::text::shell::argument;
use std::path::PathBuf;

/// A skill that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The name of its folder, by which it is resolved and its runtime is named.
    pub name: String,
    /// Canonical path of its folder.
    pub path: PathBuf,
    /// The store that contains it; `None` for a folder elsewhere.
    pub scope: Option<Scope>,
    /// What the user typed.
    pub given: String,
    /// Where it has just been imported from, if it has.
    pub origin: Option<ImportOrigin>,
}

/// The folder that a skill was imported from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportOrigin {
    /// Its canonical path.
    pub path: String,
    /// The hash over its files.
    pub hash: Digest,
}

impl Skill {
    /// The canonical path, as recorded by index and manifest.
    pub fn path_text(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// The scope of its build: that of its store; for a folder elsewhere the project's, if there is a project.
    pub fn home_scope(&self, places: &Places) -> Scope {
        let elsewhere = if places.project.is_some() { Scope::Project } else { Scope::Global };
        self.scope.unwrap_or(elsewhere)
    }

    /// E002, with a reason and the build command that helps.
    pub fn unusable(&self, reason: impl Into<String>) -> Fault {
        let is_stored = self.scope.is_some();
        Fault::IndexUnusable { skill: argument(&self.given), reason: reason.into(), is_stored }
    }
}
