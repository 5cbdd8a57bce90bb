//! Detects which agents are on this machine or in this project.

use crate::app::App;
use skillc_domain::agents::{self, AGENTS, Agent, Detect};

/// Whether an agent was detected.
pub fn is_present(app: &App, agent: &Agent) -> bool {
    app.with_targets(|scene| {
        let place = |template: &str| match template.strip_prefix("./") {
            Some(below) => app.call.places.project.as_ref().map(|project| project.join(below)),
            None => agents::expand(template, &app.call.places.home.to_string_lossy(), scene.var),
        };
        let is_folder =
            |template: &str| place(template).is_some_and(|path| app.ports.stores.is_folder(&path));
        match agent.detect {
            Detect::AnyOf(templates) => templates.iter().any(|template| is_folder(template)),
            Detect::Dependency { folder, manifest, word } => {
                is_folder(folder)
                    && place(manifest).is_some_and(|file| app.ports.stores.mentions(&file, word))
            }
            Detect::Never => false,
        }
    })
}

/// The detected agents, by id.
pub fn present_agents(app: &App) -> impl Iterator<Item = &'static Agent> {
    AGENTS.iter().filter(|agent| is_present(app, agent))
}
