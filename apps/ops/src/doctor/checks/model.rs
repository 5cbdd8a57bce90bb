//! The embedding model in use is damaged, or missing although the settings name it or a hub for it.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use crate::model::model_in_use;
use skillc_ports::ModelState;

pub static CHECK: HealthCheck =
    HealthCheck { id: "model", title: "the embedding model", why: "'skc find' uses words only", find };

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let app = &scene.app;
    let model = model_in_use(app);
    let folder = app.ports.models.folder(model);
    let install = format!("skc {}", model.install_command());
    let finding = |severity, what: String| HealthFinding::new(severity, &folder, what, install.clone());
    match app.ports.models.state(model, app.call.progress.as_ref()) {
        Ok(ModelState::Flawed(flaw)) => vec![finding(FindingSeverity::Error, format!("is damaged: {flaw}"))],
        Ok(ModelState::Missing) if app.call.settings.model_url.is_some() => {
            let what = "is not installed, although [model] url names a hub for it";
            vec![finding(FindingSeverity::Warning, what.to_owned())]
        }
        Ok(ModelState::Missing) if app.call.settings.model.is_some() => {
            let what = "is not installed, although [model] name sets it";
            vec![finding(FindingSeverity::Warning, what.to_owned())]
        }
        // A program without embedding has no model to check.
        Ok(ModelState::Missing | ModelState::Sound) | Err(_) => Vec::new(),
    }
}
