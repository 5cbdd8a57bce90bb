//! Loads the configuration: defaults, files and environment variables as layers of figment, each value with its origin
//! (RFC-0009).

mod assignment;
mod collected_settings;
mod edit;
mod file;
mod layer;
mod merged;
mod place;
mod plugin;
mod problems;
mod project_rule;
pub mod read;
mod schema;
mod set;
mod setting;
mod setting_effect;
mod setting_parser;
mod setting_value;
mod source;
mod splice;
pub mod syntax;
mod value;

use crate::environment::Surroundings;
use collected_settings::CollectedSettings;
pub use edit::TomlEditor;
use figment::Figment;
use layer::Layer;
use problems::Problems;
pub use project_rule::ProjectRule;
pub use schema::project_rules;
use schema::{CHOICES, MODEL_URL_VARIABLE, TEAM_URL_VARIABLE, TOKENIZER_VARIABLE};
use skillc_domain::config::Settings;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::raw_value::RawValue;
use skillc_ports::SettingsReader;
use source::ConfigFile;
use std::path::Path;

/// The settings, and the problems of their sources.
#[derive(Debug)]
pub struct LoadedConfig {
    pub settings: Settings,
    /// E101 for each ignored file.
    pub problems: Vec<Fault>,
    /// W030 to W033.
    pub warnings: Vec<Warning>,
}

/// Loads the settings for these surroundings. Never fails: unusable values are reported and skipped.
pub fn load(surroundings: &Surroundings) -> LoadedConfig {
    let (mut problems, mut skills) = (Problems::default(), CollectedSettings::default());
    let home = &surroundings.places.home;
    let mut layer_of = |path: &Path, is_users: bool| {
        file::layer(&ConfigFile { path, home, is_users }, &mut skills, &mut problems)
    };
    let users = layer_of(&surroundings.global_config(), true);
    let projects = surroundings.environment.project_config.as_ref().and_then(|path| layer_of(path, false));
    let variables = variables(surroundings, &mut problems);
    if let Some((variable, folder)) = &surroundings.agents_root {
        skills.agents_root(variable, folder);
    }
    let is_unset = users.iter().chain(&projects).chain(&variables).all(Layer::is_empty);
    let mut settings = match is_unset {
        true => merged::defaults(),
        false => merge(users, projects, &variables, surroundings, &mut problems),
    };
    skills.finish(&mut settings);
    settings.unreadable_policy = problems.unreadable_policy.take();
    problems.add_used_values(&settings);
    LoadedConfig { settings, problems: problems.faults, warnings: problems.warnings }
}

/// The settings of all layers together. Runtimes of the home are built and read as without the project's file.
fn merge(
    users: Option<Layer>,
    projects: Option<Layer>,
    variables: &[Layer],
    surroundings: &Surroundings,
    problems: &mut Problems,
) -> Settings {
    let merged = |files: Vec<Option<Layer>>| {
        let layers = files.into_iter().flatten().chain(variables.iter().cloned());
        layers.fold(Figment::from(Layer::defaults()), Figment::merge)
    };
    let home_index = projects.is_some().then(|| merged::index(&merged(vec![users.clone()])));
    let figment = merged(vec![users, projects]);
    let team = merged::team(&figment, surroundings, problems);
    let settings = merged::settings(&figment);
    Settings { team, home_index: home_index.unwrap_or(settings.home_index), ..settings }
}

/// The settings of environment variables.
fn variables(surroundings: &Surroundings, problems: &mut Problems) -> Vec<Layer> {
    let mut layers = Vec::new();
    let choice = &CHOICES[0];
    match surroundings.tokenizer.as_deref() {
        Some(word) if choice.words.contains(&word) => {
            layers.push(Layer::of_one(TOKENIZER_VARIABLE, choice.section, choice.key, word));
        }
        Some(word) => problems.invalid(TOKENIZER_VARIABLE, word),
        None => {}
    }
    for (section, url, variable) in [
        ("team", &surroundings.team_url, TEAM_URL_VARIABLE),
        ("model", &surroundings.model_url, MODEL_URL_VARIABLE),
    ] {
        layers.extend(url.as_ref().map(|url| Layer::of_one(variable, section, "url", url)));
    }
    layers
}

/// The TOML of a skill's own settings, read by figment.
#[derive(Clone, Copy, Debug, Default)]
pub struct TomlSettings;

impl SettingsReader for TomlSettings {
    fn table(&self, toml: &str) -> Result<Vec<(String, RawValue)>, String> {
        Ok(syntax::table(toml)?.into_iter().map(|(key, value)| (key, value::raw(value))).collect())
    }
}
