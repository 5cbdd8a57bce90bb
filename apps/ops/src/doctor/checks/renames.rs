//! Renames that were interrupted.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use crate::renaming::{UnfinishedRename, unfinished};
use skillc_domain::text::shell::quote;

pub static CHECK: HealthCheck = HealthCheck {
    id: "unfinished-rename",
    title: "renames that were interrupted",
    why: "the skill has its old name in some places and its new one in others",
    find,
};

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    unfinished(&scene.app).iter().map(finding).collect()
}

fn finding(rename: &UnfinishedRename) -> HealthFinding {
    let name = rename.place.file_name().unwrap_or_default().to_string_lossy();
    let what = format!("the rename to '{}' was interrupted", rename.new);
    // Every other command that knows the store completes or undoes it.
    let store = rename.place.parent().unwrap_or(&rename.place);
    let fix = format!("cd {} && skc list", quote(&store.to_string_lossy()));
    HealthFinding::new(FindingSeverity::Warning, &rename.place, what, fix).of_skill(&name)
}
