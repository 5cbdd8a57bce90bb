//! Finds the logs on this machine, and the log to which the rows of a fallback log belong.

use crate::app::App;
use crate::failure::Failure;
use crate::render::plain;
use crate::runtime;
use crate::skill::Skill;
use skillc_domain::event::AccessEvent;
use skillc_domain::fault::Fault;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_domain::places::{Places, log_file, project_of};
use skillc_domain::text::shell::argument;
use skillc_ports::{ErrorKind, LocalLog, PortError};
use std::path::{Path, PathBuf};

/// The name of the history log in replies.
pub const HISTORY: &str = "history";

/// Number of events read at a time.
const PAGE_EVENTS: u32 = 2_000;

/// Visits every event of a log, in order. Memory use does not grow with the log.
///
/// # Errors
/// Errors of the log.
pub async fn each_event(log: &dyn LocalLog, mut visit: impl FnMut(&AccessEvent)) -> Result<(), PortError> {
    let mut after = 0;
    loop {
        let page = log.events(after, PAGE_EVENTS).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.position;
        page.iter().for_each(|logged| visit(&logged.event));
    }
}

/// The log of a skill in a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeLog {
    /// Name of the skill.
    pub skill: String,
    /// The log's file.
    pub path: PathBuf,
}

/// The logs of the project's and the user's runtimes, by scope and name; of a single skill if it is named.
///
/// # Errors
/// If the folder of runtimes cannot be read.
pub fn runtime_logs(app: &App, named: Option<&str>) -> Result<Vec<RuntimeLog>, PortError> {
    let mut logs = Vec::new();
    for scope in [Scope::Project, Scope::Global] {
        let Some(runtimes) = app.call.places.runtimes(scope) else { continue };
        for skill in app.ports.stores.names(&runtimes)? {
            let path = log_file(&runtimes.join(&skill));
            if named.is_none_or(|named| named == skill) {
                logs.push(RuntimeLog { skill, path });
            }
        }
    }
    Ok(logs)
}

/// The failure to read or change a log: E032 for a damaged one, with the command that repairs it.
pub fn unreadable(skill: &str, log: &Path, error: PortError) -> Failure {
    if error.kind != ErrorKind::Corrupt {
        return error.into();
    }
    Failure::because(Fault::LogDamaged { path: log.to_owned(), skill: plain(&argument(skill)) }, error)
}

/// Names in the folder of fallback logs that are valid skill names and have a log.
///
/// # Errors
/// If the folder cannot be read.
pub async fn fallback_names(app: &App) -> Result<Vec<String>, PortError> {
    let mut names = Vec::new();
    for name in app.ports.stores.names(&app.call.places.fallback_logs())? {
        let is_name = SkillName::parse(&name).is_ok();
        // A link in its place is reported rather than ignored.
        let has_log = !is_in_place(app, &name)
            || app.ports.logs.at(&app.call.places.fallback_log(&name)).written_at().await.is_some();
        if is_name && has_log {
            names.push(name);
        }
    }
    Ok(names)
}

/// Whether a fallback log is at its own path. A link on the path would redirect reads and deletions.
pub fn is_in_place(app: &App, skill: &str) -> bool {
    let log = app.call.places.fallback_log(skill);
    log.parent().is_some_and(|folder| app.ports.stores.real_path(folder) == folder)
}

/// The log to which a row of a fallback log belongs, by the path of its source: that of the runtime in the source's
/// store; for a source elsewhere, the project's, otherwise the user's.
pub fn destination(app: &App, skill: &str, skill_path: &str) -> PathBuf {
    let path = PathBuf::from(skill_path);
    let scope = app.call.places.scope_of(&path);
    let skill = Skill { name: skill.to_owned(), path, scope, given: skill.to_owned(), origin: None };
    log_file(&runtime::reading(app, &skill))
}

/// The places as seen from another working directory.
pub fn places_from(app: &App, cwd: &Path) -> Places {
    let home = app.call.places.home.clone();
    let project = project_of(
        cwd,
        &home,
        |path| app.ports.stores.is_folder(path),
        |path| app.ports.stores.is_file(path),
    );
    Places { own: app.call.places.own.clone(), ..Places::new(home, cwd.to_owned(), project) }
}
