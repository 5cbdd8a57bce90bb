//! From what a user types to a skill (RFC-0007:C-RESOLUTION).

use crate::app::App;
use skillc_domain::fault::Fault;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_domain::places::Places;
use skillc_domain::stub::argument;
use skillc_ports::Found;
use std::path::{Path, PathBuf};

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

/// Finds a skill: a path with SKILL.md, else a name in the project's store, else in the global one.
///
/// # Errors
/// E010 when only folders without SKILL.md were met, E001 when none was.
pub fn resolve(app: &App, given: &str) -> Result<Skill, Fault> {
    let mut met = None;
    let typed = typed(app, given);
    match look(app, given, &typed) {
        Found::Skill(path) => return Ok(at_path(app, given, &typed, path)),
        Found::Folder => met = Some(given.to_owned()),
        Found::Nothing => {}
    }
    let name = SkillName::parse(given).ok();
    for scope in [Scope::Project, Scope::Global] {
        let (Some(name), Some(store)) = (&name, app.places.store(scope)) else { continue };
        let folder = store.join(name.as_str());
        match app.stores.look(&folder) {
            Found::Skill(path) => return Ok(in_store(app, given, name.as_str(), scope, path)),
            Found::Folder => met = met.or(Some(folder.to_string_lossy().into_owned())),
            Found::Nothing => {}
        }
    }
    Err(match met {
        Some(path) => Fault::NotASkill { path },
        None => Fault::SkillNotFound { skill: given.to_owned() },
    })
}

/// What a user typed as a path, from the working directory.
pub fn typed(app: &App, given: &str) -> PathBuf {
    app.places.cwd.join(expand_home(given, &app.places.home))
}

fn look(app: &App, given: &str, typed: &Path) -> Found {
    if given.is_empty() { Found::Nothing } else { app.stores.look(typed) }
}

/// `~/x` below the home, since quoting keeps shells from doing it.
fn expand_home(given: &str, home: &Path) -> PathBuf {
    given.strip_prefix("~/").map_or_else(|| PathBuf::from(given), |below| home.join(below))
}

fn in_store(app: &App, given: &str, name: &str, scope: Scope, path: PathBuf) -> Skill {
    app.detail(|| format!("skill '{name}' is {} ({})", path.display(), scope.word()));
    Skill { name: name.to_owned(), path, scope: Some(scope), given: given.to_owned(), origin: None }
}

/// A path belongs to a store when it stands directly in one, or is what the store's link of its name leads to.
fn at_path(app: &App, given: &str, typed: &Path, path: PathBuf) -> Skill {
    let typed_name = typed.components().next_back().map(|c| c.as_os_str().to_string_lossy().into_owned());
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    for (scope, name) in [Scope::Project, Scope::Global].into_iter().flat_map(|scope| {
        [Some(name.clone()), typed_name.clone()].into_iter().flatten().map(move |name| (scope, name))
    }) {
        let Some(store) = app.places.store(scope).filter(|_| SkillName::parse(&name).is_ok()) else {
            continue;
        };
        if app.stores.look(&store.join(&name)) == Found::Skill(path.clone()) {
            return in_store(app, given, &name, scope, path);
        }
    }
    app.detail(|| format!("skill '{name}' is {} (in no store)", path.display()));
    Skill { name, path, scope: None, given: given.to_owned(), origin: None }
}
