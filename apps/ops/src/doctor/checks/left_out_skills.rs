//! Skills that skc itself omits from the catalog although a client loads them.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use skillc_domain::discovery::skill::LoadError;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::text::shell::quote;
use std::path::Path;

pub static CHECK: HealthCheck = HealthCheck {
    id: "left-out-skill",
    title: "skills that the catalog leaves out",
    why: "'skc find' and 'skc load' do not find them",
    find,
};

/// Finds skills that the catalog leaves out. One that a client drops too is only reported by the check for that.
fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    scene.catalog.errors.iter().filter(|error| is_file(&error.path)).map(finding).collect()
}

/// Whether an error is about a file; errors about folders belong to another check.
fn is_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md" || extension == "toml")
}

fn finding(error: &LoadError) -> HealthFinding {
    let is_skill_file = error.path.file_name().is_some_and(|name| name == SKILL_FILE);
    let place = if is_skill_file { error.path.parent().unwrap_or(&error.path) } else { &error.path };
    let fix = format!("skc lint {}", quote(&place.to_string_lossy()));
    HealthFinding::new(FindingSeverity::Warning, place, error.message.clone(), fix)
        .of_skill(&error.name_of_place())
}
