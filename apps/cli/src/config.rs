//! Loads the configuration: defaults, files and environment variables as layers of figment, each value with its origin
//! (RFC-0009).

mod edit;
mod file;
mod layer;
mod merged;
mod place;
mod problems;
mod project_rule;
pub mod read;
mod schema;
mod skills;
mod source;
pub mod syntax;
mod value;

use crate::environment::Surroundings;
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
use skills::CollectedSettings;
use source::ConfigFile;

/// The settings, and the problems of their sources.
#[derive(Debug, Default)]
pub struct LoadedConfig {
    /// The merged settings.
    pub settings: Settings,
    /// E101 for each ignored file.
    pub problems: Vec<Fault>,
    /// W030 to W033.
    pub warnings: Vec<Warning>,
}

/// Loads the settings for these surroundings. It never fails: unusable values are reported and left out.
pub fn load(surroundings: &Surroundings) -> LoadedConfig {
    let (mut problems, mut skills) = (Problems::default(), CollectedSettings::default());
    let mut figment = Figment::from(Layer::defaults());
    let users = (Some(surroundings.global_config()), true);
    for (path, is_users) in [users, (surroundings.environment.project_config.clone(), false)] {
        let Some(path) = path else { continue };
        let file = ConfigFile { path: &path, home: &surroundings.places.home, is_users };
        if let Some(layer) = file::layer(&file, &mut skills, &mut problems) {
            figment = figment.merge(layer);
        }
    }
    for layer in variables(surroundings, &mut problems) {
        figment = figment.merge(layer);
    }
    if let Some((variable, folder)) = &surroundings.agents_root {
        skills.agents_root(variable, folder);
    }
    let mut settings = merged::settings(&figment);
    skills.finish(&mut settings);
    settings.team = merged::team(&figment, surroundings, &mut problems);
    settings.unreadable_policy = problems.unreadable_policy.take();
    problems.add_used_values(&settings);
    LoadedConfig { settings, problems: problems.faults, warnings: problems.warnings }
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

<<<<<<< HEAD
/// The TOML of a skill's own settings, read by figment.
=======
fn defaults() -> Layer {
    let mut values = Dict::from([("version".to_owned(), Value::from(CONFIG_VERSION))]);
    for choice in CHOICES {
        put(&mut values, choice.section, choice.key, choice.default);
    }
    for text in TEXTS {
        put(&mut values, text.section, text.key, text.default);
    }
    Layer { name: "default".to_owned(), values }
}

fn put(values: &mut Dict, section: &str, key: &str, value: &str) {
    let entry = values.entry(section.to_owned()).or_insert_with(|| Value::from(Dict::new()));
    if let Value::Dict(_, inner) = entry {
        inner.insert(key.to_owned(), Value::from(value));
    }
}

impl Loaded {
    /// The usable part of a file. Of one that cannot be read nobody knows what it denies.
    fn file(&mut self, path: &Path, home: &Path, is_users: bool) -> Option<Layer> {
        let source = Source { path, home, is_users };
        let read = if is_users { read::users(path) } else { read::projects(path) };
        let layer = read.and_then(|text| match text {
            Some(text) => self.table(&source, syntax::table(&text)?).map(Some),
            None => Ok(None),
        });
        layer.unwrap_or_else(|message| {
            self.broken(path, &message, true);
            None
        })
    }

    fn table(&mut self, source: &Source<'_>, raw: Dict) -> Result<Layer, String> {
        let told_before = self.warnings.len();
        raw.get("version").map_or(Ok(()), |version| self.version(source.path, version))?;
        let mut values = Dict::new();
        for (section, value) in raw {
            match (skills::SECTIONS.contains(&section.as_str()), &value) {
                (true, Value::Dict(_, inner)) => self.skills(source, &section, inner),
                (true, other) => self.not_a_table(source, &section, other),
                _ if source.is_users || !OF_THE_USER.contains(&section.as_str()) => {
                    self.section(source, &section, value, &mut values);
                }
                _ => self.not_in_project(source.path, section),
            }
        }
        self.cut_warnings(source.path, told_before);
        Ok(Layer { name: source.path.to_string_lossy().into_owned(), values })
    }

    /// A file of a thousand faults is not told in a thousand lines.
    fn cut_warnings(&mut self, path: &Path, told_before: usize) {
        let most = told_before + SETTINGS_WARNINGS_MAX;
        let more = self.warnings.len().saturating_sub(most);
        if more > 0 {
            self.warnings.truncate(most);
            self.unknown(path, &format!("… and {more} more"));
        }
    }

    fn skills(&mut self, source: &Source<'_>, section: &str, inner: &Dict) {
        for flaw in self.skills.take(source, section, inner) {
            match flaw {
                Flaw::Unknown(key) => self.unknown(source.path, &key),
                Flaw::Invalid { key, value } => {
                    self.doubt_policy(source, &key);
                    self.invalid(&key, &value);
                }
                Flaw::TooMany { key, count } => {
                    let path = source.path.to_string_lossy().into_owned();
                    let (count, limit) = (count.to_string(), CONFIGURED_FOLDERS_MAX.to_string());
                    self.warnings.push(Warning::TooManyFolders { key, count, path, limit });
                }
                Flaw::NotInProject(key) => self.not_in_project(source.path, key),
                Flaw::Outside { key, value } => self.outside(source.path, &key, &value),
            }
        }
    }

    fn not_a_table(&mut self, source: &Source<'_>, section: &str, value: &Value) {
        self.doubt_policy(source, section);
        self.invalid(section, &shown(value));
    }

    /// The first file that may deny what nobody can tell counts.
    fn doubt_policy(&mut self, source: &Source<'_>, key: &str) {
        if is_policy(key) {
            self.unreadable_policy.get_or_insert_with(|| source.path.to_owned());
        }
    }

    fn not_in_project(&mut self, path: &Path, key: String) {
        let path = path.to_string_lossy().into_owned();
        self.warnings.push(Warning::NotInProject { key: shown_part(&key), path });
    }

    fn outside(&mut self, path: &Path, key: &str, value: &str) {
        self.not_in_project(path, format!("{} = {:?}", shown_part(key), shown_part(value)));
    }

    fn broken(&mut self, path: &Path, message: &str, is_policy: bool) {
        let path_text = path.to_string_lossy().into_owned();
        self.problems.push(Fault::InvalidConfig { path: path_text, message: message.to_owned() });
        if is_policy {
            self.unreadable_policy.get_or_insert_with(|| path.to_owned());
        }
    }

    fn version(&mut self, path: &Path, version: &Value) -> Result<(), String> {
        match version.to_i128() {
            Some(number) if number > i128::from(CONFIG_VERSION) => {
                let path = path.to_string_lossy().into_owned();
                self.warnings.push(Warning::NewerConfig { path, version: number.to_string() });
                Ok(())
            }
            Some(number) if number > 0 => Ok(()),
            _ => Err("'version' must be a positive integer".to_owned()),
        }
    }

    fn section(&mut self, source: &Source<'_>, section: &str, value: Value, values: &mut Dict) {
        let path = source.path;
        match (section, value) {
            ("version", value) => {
                values.insert(section.to_owned(), value);
            }
            ("targets", Value::Dict(_, targets)) => self.targets(source, targets, values),
            ("lint", Value::Dict(_, mut inner)) => {
                match inner.remove("rules") {
                    Some(Value::Dict(_, rules)) => self.rules(path, rules, values),
                    Some(other) => self.invalid("lint.rules", &shown(&other)),
                    None => {}
                }
                self.choices(path, section, inner, values);
            }
            (section, Value::Dict(_, inner)) if CHOICES.iter().any(|c| c.section == section) => {
                self.choices(path, section, inner, values);
            }
            (section, Value::Dict(_, inner)) if TEXTS.iter().any(|t| t.section == section) => {
                self.texts(path, section, inner, values);
            }
            (section, _) => self.unknown(path, section),
        }
    }

    fn choices(&mut self, path: &Path, section: &str, inner: Dict, values: &mut Dict) {
        for (key, value) in inner {
            match CHOICES.iter().find(|c| c.section == section && c.key == key) {
                Some(choice) => self.choice(choice, &value, values),
                None => self.unknown(path, &format!("{section}.{key}")),
            }
        }
    }

    fn texts(&mut self, path: &Path, section: &str, inner: Dict, values: &mut Dict) {
        for (key, value) in inner {
            match (TEXTS.iter().find(|t| t.section == section && t.key == key), value.as_str()) {
                (Some(text), Some(given)) => put(values, text.section, text.key, given),
                (Some(text), None) => self.invalid(&format!("{}.{}", text.section, text.key), &shown(&value)),
                (None, _) => self.unknown(path, &format!("{section}.{key}")),
            }
        }
    }

    /// The team's store, if one is named.
    fn team(&mut self, figment: &Figment, surroundings: &Surroundings) -> Option<TeamSettings> {
        let word = |key: &str| figment.find_value(key).map(|value| shown(&value)).unwrap_or_default();
        let url = word("team.url");
        if url.is_empty() {
            return None;
        }
        let machine = Some(word("team.machine")).filter(|name| !name.is_empty());
        let password = surroundings
            .team_password
            .clone()
            .or_else(|| self.password(&word("team.password_file"), surroundings));
        let machine = machine.unwrap_or_else(|| gethostname::gethostname().to_string_lossy().into_owned());
        Some(TeamSettings { url, password, org: word("team.org"), machine })
    }

    /// The first line of the file that holds the password; `~` is the home, a relative path begins at the home's `.skillc`.
    fn password(&mut self, file: &str, surroundings: &Surroundings) -> Option<String> {
        if file.is_empty() {
            return None;
        }
        let home = &surroundings.places.home;
        let path = match file.strip_prefix("~/") {
            Some(below) => home.join(below),
            None => home.join(SKILLC_DIR).join(file),
        };
        match read::named(&path) {
            Ok(text) => Some(text.lines().next().unwrap_or_default().to_owned()),
            Err(message) => {
                self.broken(&path, &message, false);
                None
            }
        }
    }

    /// Lint rules, each as a table of its severity and parameters, so that files complete each other.
    fn rules(&mut self, path: &Path, rules: Dict, values: &mut Dict) {
        let mut taken = LintSettings::default();
        let raw = rules.into_iter().map(|(rule, value)| (rule, raw(value))).collect();
        for flaw in read_rules(&mut taken, "lint.rules", raw) {
            match flaw {
                SettingError::Unknown(key) => self.unknown(path, &key),
                SettingError::Invalid { key, value, used } => {
                    self.warnings.push(Warning::InvalidSetting {
                        value: shown_part(&value),
                        key: shown_part(&key),
                        used,
                    });
                }
            }
        }
        let table = |setting: RuleSetting| {
            let params = setting.params.into_iter().map(|(name, number)| (name, Value::from(number)));
            let severity = setting.severity.map(|s| ("severity".to_owned(), Value::from(s.setting())));
            Value::from(params.chain(severity).collect::<Dict>())
        };
        let rules: Dict = taken.rules.into_iter().map(|(id, setting)| (id, table(setting))).collect();
        let entry = values.entry("lint".to_owned()).or_insert_with(|| Value::from(Dict::new()));
        if let Value::Dict(_, inner) = entry {
            inner.insert("rules".to_owned(), Value::from(rules));
        }
    }

    fn choice(&mut self, choice: &Choice, value: &Value, values: &mut Dict) {
        match value.as_str().filter(|word| choice.words.contains(word)) {
            Some(word) => put(values, choice.section, choice.key, word),
            None => self.invalid(&format!("{}.{}", choice.section, choice.key), &shown(value)),
        }
    }

    /// Folders of targets, as every place of a file is named.
    fn targets(&mut self, source: &Source<'_>, targets: Dict, values: &mut Dict) {
        for (name, value) in targets {
            let key = format!("targets.{name}");
            let Some(text) = value.as_str().filter(|folder| !folder.is_empty()) else {
                self.invalid(&key, &shown(&value));
                continue;
            };
            match place::folder(source, text) {
                Some(folder) => put(values, "targets", &name, &folder.to_string_lossy()),
                None => self.outside(source.path, &key, text),
            }
        }
    }

    fn environment(&mut self, tokenizer: Option<&str>) -> Option<Layer> {
        let (word, choice) = (tokenizer?, &CHOICES[0]);
        if !choice.words.contains(&word) {
            self.invalid(TOKENIZER_VARIABLE, word);
            return None;
        }
        let mut values = Dict::new();
        put(&mut values, choice.section, choice.key, word);
        Some(Layer { name: TOKENIZER_VARIABLE.to_owned(), values })
    }

    fn unknown(&mut self, path: &Path, key: &str) {
        self.warnings.push(Warning::UnknownSetting {
            key: shown_part(key),
            path: path.to_string_lossy().into_owned(),
        });
    }

    /// What is used instead shows only when all sources are merged.
    fn invalid(&mut self, key: &str, value: &str) {
        self.warnings.push(Warning::InvalidSetting {
            value: shown_part(value),
            key: shown_part(key),
            used: String::new(),
        });
    }

    fn tell_what_is_used(&mut self) {
        for warning in &mut self.warnings {
            let Warning::InvalidSetting { key, used, .. } = warning else { continue };
            if !used.is_empty() {
                continue;
            }
            let key = if key == TOKENIZER_VARIABLE { "search.tokenizer" } else { key };
            let origin = self.settings.origins.iter().find(|origin| origin.key == key);
            let nothing = if key.starts_with("targets.") { "no such target" } else { "nothing" };
            *used = origin.map_or_else(|| nothing.to_owned(), |origin| origin.value.clone());
        }
    }
}

/// TOML of a skill, read as figment reads it.
>>>>>>> 34b8cbb (lint: identifiers use the words of the field)
#[derive(Clone, Copy, Debug, Default)]
pub struct TomlSettings;

impl SettingsReader for TomlSettings {
    fn table(&self, toml: &str) -> Result<Vec<(String, RawValue)>, String> {
        Ok(syntax::table(toml)?.into_iter().map(|(key, value)| (key, value::raw(value))).collect())
    }
}
