//! Access logs that are damaged.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding, SafeFix};
use crate::doctor::scene::HealthScene;
use crate::local_logs::{HISTORY, is_in_place};
use skillc_domain::places::log_file;
use std::path::PathBuf;

pub static CHECK: HealthCheck = HealthCheck {
    id: "broken-log",
    title: "logs that are damaged",
    why: "'skc stats' fails, and events go to a fallback log",
    find,
};

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let is_damaged = |(_, path): &(String, PathBuf)| scene.app.ports.logs.is_damaged(path).unwrap_or(false);
    logs(scene).into_iter().filter(is_damaged).map(finding).collect()
}

/// The logs of runtimes, the fallback logs of the working directory, and the history log.
fn logs(scene: &HealthScene) -> Vec<(String, PathBuf)> {
    let app = &scene.app;
    let of_runtimes = scene.runtimes.iter().map(|runtime| (runtime.name.clone(), log_file(&runtime.path)));
    let names = app.ports.stores.names(&app.call.places.fallback_logs()).unwrap_or_default();
    let names = names.into_iter().filter(|name| is_in_place(app, name));
    let fallback = names.map(|name| (name.clone(), app.call.places.fallback_log(&name)));
    let history = [(HISTORY.to_owned(), app.call.places.history_log())];
    of_runtimes.chain(fallback).chain(history).collect()
}

fn finding((skill, path): (String, PathBuf)) -> HealthFinding {
    let fix = SafeFix::RepairLog(path.clone());
    HealthFinding::fixable(FindingSeverity::Error, &path, "cannot be read as a database", fix)
        .of_skill(&skill)
}
