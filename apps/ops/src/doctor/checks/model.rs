//! The embedding model: damaged, or missing although the settings name a hub for it.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use skillc_ports::ModelState;

pub static CHECK: HealthCheck =
    HealthCheck { id: "model", title: "the embedding model", why: "'skc find' goes by words alone", find };

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let app = &scene.app;
    let folder = app.ports.models.folder();
    let finding = |severity, what: String| HealthFinding::new(severity, &folder, what, "skc model install");
    match app.ports.models.state(app.call.progress.as_ref()) {
        Ok(ModelState::Flawed(flaw)) => vec![finding(FindingSeverity::Error, format!("is damaged: {flaw}"))],
        Ok(ModelState::Missing) if app.call.settings.model_url.is_some() => {
            let what = "is not installed, although [model] url names a hub for it";
            vec![finding(FindingSeverity::Warning, what.to_owned())]
        }
        // A program without embedding has no model to look after.
        Ok(ModelState::Missing | ModelState::Sound) | Err(_) => Vec::new(),
    }
}
