//! Fallback logs that were not synced.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding, SafeFix};
use crate::doctor::scene::HealthScene;
use crate::local_logs::is_in_place;
use skillc_domain::name::SkillName;
use std::path::PathBuf;

pub static CHECK: HealthCheck = HealthCheck {
    id: "fallback-log",
    title: "fallback logs that were not synced",
    why: "'skc stats' does not count their events",
    find,
};

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let app = &scene.app;
    let names = app.ports.stores.names(&app.call.places.fallback_logs()).unwrap_or_default();
    let logs = names.into_iter().filter_map(|name| {
        let path = app.call.places.fallback_log(SkillName::parse(&name).ok()?.as_str());
        // A damaged one is repaired first.
        let is_log = app.ports.stores.is_file(&path) && is_in_place(app, &name);
        (is_log && !app.ports.logs.is_damaged(&path).unwrap_or(true)).then_some((name, path))
    });
    logs.map(finding).collect()
}

fn finding((skill, path): (String, PathBuf)) -> HealthFinding {
    let what = "has events that are not in the log of a build";
    let fix = SafeFix::MergeLog(skill.clone());
    HealthFinding::fixable(FindingSeverity::Warning, &path, what, fix).of_skill(&skill)
}
