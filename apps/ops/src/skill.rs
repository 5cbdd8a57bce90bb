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
    /// The name of its folder, by which it resolves and its runtime is named.
    pub name: String,
    /// Canonical path of its folder.
    pub path: PathBuf,
    /// The store that contains it; `None` for a folder elsewhere.
    pub scope: Option<Scope>,
    /// What the user typed.
    pub given: String,
    /// What it was imported from just now.
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

    /// The scope of its build: that of its store; for a folder elsewhere the project's, if there is one.
    pub fn home_scope(&self, places: &Places) -> Scope {
        let elsewhere = if places.project.is_some() { Scope::Project } else { Scope::Global };
        self.scope.unwrap_or(elsewhere)
    }

    /// E002 with the build that mends it, and the reason.
    pub fn unusable(&self, reason: impl Into<String>) -> Fault {
        Fault::IndexUnusable { skill: argument(&self.given), reason: reason.into() }
    }
}
