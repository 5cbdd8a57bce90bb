//! Which logs there are on this machine, and where a fallback log's rows belong.

use crate::app::App;
use crate::resolve::Skill;
use crate::runtime;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_domain::places::{META_DIR, Places, SKILLC_DIR, log_file};
use skillc_ports::PortError;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The log of a skill in a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeLog {
    /// Name of the skill.
    pub skill: String,
    /// The log's file.
    pub path: PathBuf,
}

/// The logs of the runtimes of project and home, by scope and name; of one skill, if it is named.
///
/// # Errors
/// Where the folder of runtimes cannot be read.
pub fn runtime_logs(app: &App, named: Option<&str>) -> Result<Vec<RuntimeLog>, PortError> {
    let mut logs = Vec::new();
    for scope in [Scope::Project, Scope::Global] {
        let Some(base) = app.places.base(scope) else { continue };
        for skill in app.stores.names(&base.join(SKILLC_DIR).join("runtime"))? {
            let path = log_file(&runtime::of_scope(app, scope, &skill));
            if named.is_none_or(|named| named == skill) {
                logs.push(RuntimeLog { skill, path });
            }
        }
    }
    Ok(logs)
}

/// The folder of fallback logs of a working directory.
pub fn fallback_folder(cwd: &Path) -> PathBuf {
    cwd.join(SKILLC_DIR).join("logs")
}

/// Names below a folder of fallback logs that can be names of skills and hold a log.
///
/// # Errors
/// Where the folder cannot be read.
pub async fn fallback_names(app: &App, cwd: &Path) -> Result<Vec<String>, PortError> {
    let mut names = Vec::new();
    for name in app.stores.names(&fallback_folder(cwd))? {
        let is_name = SkillName::parse(&name).is_ok();
        if is_name && app.logs.at(&fallback_log(cwd, &name)).written_at().await.is_some() {
            names.push(name);
        }
    }
    Ok(names)
}

/// The fallback log of a skill.
pub fn fallback_log(cwd: &Path, skill: &str) -> PathBuf {
    fallback_folder(cwd).join(skill).join(META_DIR).join("logs.db")
}

/// Whether a log stands where its path says: a link on the way would lead reading and deleting elsewhere.
pub fn is_in_place(app: &App, cwd: &Path, skill: &str) -> bool {
    let folder = fallback_folder(cwd).join(skill).join(META_DIR);
    app.stores.real_path(&folder) == folder
}

/// The logs to which rows belong, by the path of the skill that each is about: the runtime of its store; for a skill
/// elsewhere that of the project, else of the home.
pub struct Destinations<'a> {
    app: &'a App,
    skill: String,
}

impl<'a> Destinations<'a> {
    /// For the rows of one fallback log, seen from a working directory with its project.
    pub fn new(app: &'a App, skill: &str) -> Self {
        Self { app, skill: skill.to_owned() }
    }

    /// The log for a row.
    pub fn of(&self, skill_path: &str) -> PathBuf {
        let path = PathBuf::from(skill_path);
        let scope = self.app.places.scope_of(&path);
        let skill = Skill { name: self.skill.clone(), path, scope, given: self.skill.clone(), origin: None };
        log_file(&runtime::reading(self.app, &skill))
    }

    /// The logs for several rows, each once.
    pub fn all<'b>(&self, skill_paths: impl Iterator<Item = &'b String>) -> BTreeSet<PathBuf> {
        skill_paths.map(|path| self.of(path)).collect()
    }
}

/// The places as they are seen from another working directory.
pub fn places_from(app: &App, cwd: &Path) -> Places {
    let is_project = |base: &Path| {
        let own = base.join(SKILLC_DIR);
        app.stores.is_folder(&own.join("skills")) || app.stores.is_file(&own.join("config.toml"))
    };
    let home = &app.places.home;
    let project = cwd.ancestors().find(|base| base != home && is_project(base)).map(Path::to_owned);
    Places { home: home.clone(), cwd: cwd.to_owned(), project }
}
