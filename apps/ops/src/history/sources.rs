//! Selects the histories on this machine.

use crate::app::App;
use skillc_domain::agents::agent;
use skillc_domain::fault::Fault;
use skillc_domain::history::{HISTORIES, HistoryLocation};
use skillc_ports::{HistorySource, PortError};
use std::path::PathBuf;

/// The histories of these agents, given by id or alias; of all agents if none is given.
///
/// # Errors
/// E100 for an agent whose history cannot be read.
pub fn selected(names: &[String]) -> Result<Vec<&'static HistoryLocation>, Fault> {
    if names.is_empty() {
        return Ok(HISTORIES.iter().collect());
    }
    let find = |name: &String| {
        let id = agent(name).map_or(name.as_str(), |agent| agent.id);
        HISTORIES.iter().find(|history| history.agent == id).ok_or_else(|| {
            let known: Vec<&str> = HISTORIES.iter().map(|history| history.agent).collect();
            Fault::invalid_option(format!("unknown agent '{name}'; supported agents: {}", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

/// The folder of a history, the user's own links resolved; `None` if it depends on a variable that is not set.
///
/// # Errors
/// `Linked` for another user's link.
pub fn folder(app: &App, history: &HistoryLocation) -> Result<Option<PathBuf>, PortError> {
    let home = app.call.places.home.to_string_lossy();
    let folder = history.folder(&home, &|name| app.call.environment.agent_vars.get(name).cloned());
    folder.map(|folder| app.ports.stores.users_path(&app.call.places.home.join(folder))).transpose()
}

/// The readers of an agent's history.
pub fn readers<'a>(app: &'a App, history: &HistoryLocation) -> impl Iterator<Item = &'a dyn HistorySource> {
    let id = history.agent;
    app.ports.histories.iter().map(AsRef::as_ref).filter(move |source| source.agent() == id)
}
