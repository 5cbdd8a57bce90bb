//! Configuration files that cannot be read, and settings that are ignored.

use crate::app::App;
use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::places::SKILLC_DIR;
use std::path::{Path, PathBuf};

pub static CHECK: HealthCheck = HealthCheck {
    id: "configuration",
    title: "settings without effect",
    why: "skc does not do what the file says; a file that cannot be read stops agents altogether",
    find,
};

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let app = &scene.app;
    let problems = &app.call.environment.config_problems;
    let faults = problems.faults.iter().map(|fault| of_fault(app, fault));
    let warnings = problems.warnings.iter().map(|warning| of_warning(app, warning));
    faults.chain(warnings).collect()
}

fn of_fault(app: &App, fault: &Fault) -> HealthFinding {
    let (path, what) = match fault {
        Fault::InvalidConfig { path, message } => (path.clone(), message.clone()),
        other => (users_file(app), other.to_string()),
    };
    HealthFinding::new(FindingSeverity::Error, &path, what, edit(app, &path))
}

fn of_warning(app: &App, warning: &Warning) -> HealthFinding {
    let path = match warning {
        Warning::UnknownSetting { path, .. }
        | Warning::NotInProject { path, .. }
        | Warning::NewerConfig { path, .. }
        | Warning::TooManyFolders { path, .. } => path.clone(),
        // Its file is not recorded; the project's is the one that other people write to.
        _ => app.call.environment.project_config.clone().unwrap_or_else(|| users_file(app)),
    };
    HealthFinding::new(FindingSeverity::Warning, &path, warning.to_string(), edit(app, &path))
}

fn users_file(app: &App) -> PathBuf {
    app.call.places.own.join("config.toml")
}

/// The command that opens a configuration file.
fn edit(app: &App, path: &Path) -> String {
    let is_users =
        path == users_file(app) || path == app.call.places.home.join(SKILLC_DIR).join("config.toml");
    if is_users { "skc config edit --global".to_owned() } else { "skc config edit".to_owned() }
}
