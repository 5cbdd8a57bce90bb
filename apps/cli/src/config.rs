//! Configuration by figment: files, environment and defaults in layers, each value with its origin (RFC-0009).

mod edit;
mod skills;

use crate::environment::Surroundings;
pub use edit::TomlEditor;
use figment::providers::{Format, Toml};
use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};
use skillc_domain::config::{
    ConfiguredTarget, LogStore, OnStale, SettingOrigin, Settings, TeamSettings, Tokenizer,
};
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::limits::{CONFIG_VERSION, CONFIGURED_FOLDERS_MAX};
use skillc_domain::lint::settings::{LintSettings, RawValue, RuleSetting, SettingFlaw};
use skillc_domain::places::SKILLC_DIR;
use skillc_domain::team::without_password;
use skillc_ports::SettingsReader;
pub use skills::AGENTS_ROOT_VARIABLES;
use skills::{Flaw, Gathered, Source};
use std::path::{Path, PathBuf};

/// Settings, and what was wrong with their sources.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The settings that hold.
    pub settings: Settings,
    /// Files that were ignored: E101.
    pub problems: Vec<Fault>,
    /// W030 to W033.
    pub warnings: Vec<Warning>,
    skills: Gathered,
}

/// A setting that is a word out of a few.
struct Choice {
    section: &'static str,
    key: &'static str,
    default: &'static str,
    words: &'static [&'static str],
}

/// A setting that is any text.
struct Text {
    section: &'static str,
    key: &'static str,
    default: &'static str,
}

/// Sections that count in the user's own file only: they say where data goes to or comes from, which no cloned repository may decide.
const OF_THE_USER: &[&str] = &["log", "model", "team"];

/// The settings of any text; a further one is one line.
const TEXTS: &[Text] = &[
    Text { section: "team", key: "url", default: "" },
    Text { section: "team", key: "org", default: "default" },
    Text { section: "team", key: "machine", default: "" },
    Text { section: "team", key: "password_file", default: "" },
    Text { section: "model", key: "url", default: "" },
];

/// The settings besides `version` and `[targets]`; a further one is one line.
const CHOICES: &[Choice] = &[
    Choice { section: "search", key: "tokenizer", default: "ascii", words: &["ascii", "cjk"] },
    Choice { section: "index", key: "on_stale", default: "error", words: &["error", "rebuild"] },
    Choice {
        section: "lint",
        key: "profile",
        default: "spec",
        words: &["spec", "claude-code", "codex", "vscode", "opencode", "gemini", "cursor", "all"],
    },
    Choice { section: "log", key: "store", default: "local", words: &["local", "postgres"] },
];

/// The variable of the first of them.
const TOKENIZER_VARIABLE: &str = "SKILLC_TOKENIZER";
/// That of `[team] url`.
const TEAM_URL_VARIABLE: &str = "SKILLC_TEAM_URL";

/// That of `[model] url`.
const MODEL_URL_VARIABLE: &str = "SKILLC_MODEL_URL";

/// Values of one source, known keys only.
struct Layer {
    name: String,
    values: Dict,
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.name.clone())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Map::from([(Profile::Default, self.values.clone())]))
    }
}

/// Loads the settings that hold in these surroundings. Never fails: what cannot be used is told and left out.
pub fn load(surroundings: &Surroundings) -> Loaded {
    let mut loaded = Loaded::default();
    let mut figment = Figment::from(defaults());
    let global = (Some(surroundings.global_config()), true);
    for (file, is_users) in [global, (surroundings.environment.project_config.clone(), false)] {
        if let Some(layer) = file.and_then(|file| loaded.file(&file, &surroundings.places.home, is_users)) {
            figment = figment.merge(layer);
        }
    }
    if let Some(layer) = loaded.environment(surroundings.tokenizer.as_deref()) {
        figment = figment.merge(layer);
    }
    for (section, url, variable) in [
        ("team", &surroundings.team_url, TEAM_URL_VARIABLE),
        ("model", &surroundings.model_url, MODEL_URL_VARIABLE),
    ] {
        let Some(url) = url else { continue };
        let mut values = Dict::new();
        put(&mut values, section, "url", url);
        figment = figment.merge(Layer { name: variable.to_owned(), values });
    }
    if let Some((variable, folder)) = &surroundings.agents_root {
        loaded.skills.agents_root(variable, folder);
    }
    loaded.settings = settings(&figment);
    std::mem::take(&mut loaded.skills).finish(&mut loaded.settings);
    loaded.settings.team = loaded.team(&figment, surroundings);
    loaded.tell_what_is_used();
    loaded
}

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
    /// The usable part of a file.
    fn file(&mut self, path: &Path, home: &Path, is_users: bool) -> Option<Layer> {
        // Anything but a file is none: to open a FIFO would block.
        if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return self.broken(path, "it is not a file");
        }
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => return self.broken(path, &error.to_string()),
        };
        let raw = match Figment::from(Toml::string(&text)).extract::<Dict>() {
            Ok(raw) => raw,
            Err(error) => return self.broken(path, &error.to_string()),
        };
        if let Some(version) = raw.get("version")
            && !self.accepts_version(path, version)
        {
            return None;
        }
        let mut values = Dict::new();
        for (section, value) in raw {
            if let (true, Value::Dict(_, inner)) = (skills::SECTIONS.contains(&section.as_str()), &value) {
                self.skills(&Source { path, home, is_users }, &section, inner);
            } else if is_users || !OF_THE_USER.contains(&section.as_str()) {
                self.section(path, home, &section, value, &mut values);
            } else {
                let path = path.to_string_lossy().into_owned();
                self.warnings.push(Warning::NotInProject { key: section, path });
            }
        }
        Some(Layer { name: path.to_string_lossy().into_owned(), values })
    }

    fn skills(&mut self, source: &Source<'_>, section: &str, inner: &Dict) {
        for flaw in self.skills.take(source, section, inner) {
            match flaw {
                Flaw::Unknown(key) => self.unknown(source.path, &key),
                Flaw::Invalid { key, value } => self.invalid(&key, &value),
                Flaw::TooMany { key, count } => {
                    let path = source.path.to_string_lossy().into_owned();
                    let (count, limit) = (count.to_string(), CONFIGURED_FOLDERS_MAX.to_string());
                    self.warnings.push(Warning::TooManyFolders { key, count, path, limit });
                }
                Flaw::NotInProject(key) => {
                    let path = source.path.to_string_lossy().into_owned();
                    self.warnings.push(Warning::NotInProject { key, path });
                }
            }
        }
    }

    fn broken(&mut self, path: &Path, message: &str) -> Option<Layer> {
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        self.problems.push(Fault::InvalidConfig { path: path.to_string_lossy().into_owned(), message });
        None
    }

    fn accepts_version(&mut self, path: &Path, version: &Value) -> bool {
        let path = path.to_string_lossy().into_owned();
        match version.to_i128() {
            Some(number) if number > i128::from(CONFIG_VERSION) => {
                self.warnings.push(Warning::NewerConfig { path, version: number.to_string() });
                true
            }
            Some(number) if number > 0 => true,
            _ => {
                let message = format!("version is {}, not a positive integer", shown(version));
                self.problems.push(Fault::InvalidConfig { path, message });
                false
            }
        }
    }

    fn section(&mut self, path: &Path, home: &Path, section: &str, value: Value, values: &mut Dict) {
        match (section, value) {
            ("version", value) => {
                values.insert(section.to_owned(), value);
            }
            ("targets", Value::Dict(_, targets)) => self.targets(path, home, targets, values),
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
        if std::fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            return self.broken(&path, "it is not a file").map(|_| String::new());
        }
        match std::fs::read_to_string(&path) {
            Ok(text) => Some(text.lines().next().unwrap_or_default().to_owned()),
            Err(error) => self.broken(&path, &error.to_string()).map(|_| String::new()),
        }
    }

    /// Lint rules, each as a table of its severity and parameters, so that files complete each other.
    fn rules(&mut self, path: &Path, rules: Dict, values: &mut Dict) {
        let mut taken = LintSettings::default();
        let raw = rules.into_iter().map(|(rule, value)| (rule, raw(value))).collect();
        for flaw in taken.take("lint.rules", raw) {
            match flaw {
                SettingFlaw::Unknown(key) => self.unknown(path, &key),
                SettingFlaw::Invalid { key, value, used } => {
                    self.warnings.push(Warning::InvalidSetting { value, key, used });
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

    /// Folders of targets: `~` is the home, a relative one begins where the `.skillc` of the file stands.
    fn targets(&mut self, path: &Path, home: &Path, targets: Dict, values: &mut Dict) {
        let base = path.ancestors().nth(2).unwrap_or(home);
        for (name, value) in targets {
            let Some(folder) = value.as_str().filter(|folder| !folder.is_empty()) else {
                self.invalid(&format!("targets.{name}"), &shown(&value));
                continue;
            };
            let folder = match folder.strip_prefix("~/") {
                Some(below) => home.join(below),
                None => base.join(folder),
            };
            put(values, "targets", &name, &folder.to_string_lossy());
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
        self.warnings
            .push(Warning::UnknownSetting { key: key.to_owned(), path: path.to_string_lossy().into_owned() });
    }

    /// What is used instead shows only when all sources are merged.
    fn invalid(&mut self, key: &str, value: &str) {
        let (key, value) = (key.to_owned(), value.to_owned());
        self.warnings.push(Warning::InvalidSetting { value, key, used: String::new() });
    }

    fn tell_what_is_used(&mut self) {
        for warning in &mut self.warnings {
            let Warning::InvalidSetting { key, used, .. } = warning else { continue };
            if !used.is_empty() {
                continue;
            }
            let key = if key == TOKENIZER_VARIABLE { "search.tokenizer" } else { key };
            let origin = self.settings.origins.iter().find(|origin| origin.key == key);
            *used = origin.map_or_else(|| "no such target".to_owned(), |origin| origin.value.clone());
        }
    }
}

/// TOML of a skill, read as figment reads it.
#[derive(Clone, Copy, Debug, Default)]
pub struct TomlSettings;

impl SettingsReader for TomlSettings {
    fn table(&self, toml: &str) -> Result<Vec<(String, RawValue)>, String> {
        let values = Figment::from(Toml::string(toml)).extract::<Dict>();
        let values = values.map_err(|e| e.to_string().split_whitespace().collect::<Vec<_>>().join(" "))?;
        Ok(values.into_iter().map(|(key, value)| (key, raw(value))).collect())
    }
}

fn raw(value: Value) -> RawValue {
    match value {
        Value::String(_, word) => RawValue::Word(word),
        Value::Num(_, number) => match number.to_i128() {
            Some(whole) => RawValue::Number(whole),
            None => RawValue::Other(number.to_f64().map(|n| n.to_string()).unwrap_or_default()),
        },
        Value::Dict(_, table) => RawValue::Table(table.into_iter().map(|(k, v)| (k, raw(v))).collect()),
        other => RawValue::Other(shown(&other)),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(_, text) => text.clone(),
        Value::Bool(_, flag) => flag.to_string(),
        Value::Num(_, number) => number
            .to_i128()
            .map(|n| n.to_string())
            .or(number.to_f64().map(|n| n.to_string()))
            .unwrap_or_default(),
        Value::Dict(..) => "a table".to_owned(),
        Value::Array(..) => "a list".to_owned(),
        Value::Char(_, c) => c.to_string(),
        Value::Empty(..) => "empty".to_owned(),
    }
}

/// The merged values, each with the name of the source that it came from.
fn settings(figment: &Figment) -> Settings {
    let mut settings = Settings::default();
    let word = |key: &str| figment.find_value(key).map(|value| shown(&value)).unwrap_or_default();
    let mut origin = |key: String, value: &Value| {
        let origin = figment.get_metadata(value.tag()).map(|m| m.name.to_string()).unwrap_or_default();
        let value = if key == "team.url" { without_password(&shown(value)) } else { shown(value) };
        settings.origins.push(SettingOrigin { key, value, origin });
    };
    let choices = CHOICES.iter().map(|choice| format!("{}.{}", choice.section, choice.key));
    let texts = TEXTS.iter().map(|text| format!("{}.{}", text.section, text.key));
    for key in std::iter::once("version".to_owned()).chain(choices).chain(texts) {
        // Every one of these has a default.
        if let Ok(value) = figment.find_value(&key) {
            origin(key, &value);
        }
    }
    let targets = figment.find_value("targets").ok().and_then(Value::into_dict).unwrap_or_default();
    for (name, folder) in targets {
        origin(format!("targets.{name}"), &folder);
        settings.targets.push(ConfiguredTarget { name, folder: PathBuf::from(shown(&folder)) });
    }
    let rules = figment.find_value("lint.rules").ok().and_then(Value::into_dict).unwrap_or_default();
    for (id, table) in rules {
        let table = table.into_dict().unwrap_or_default();
        for (name, value) in &table {
            origin(format!("lint.rules.{id}.{name}"), value);
        }
        // What cannot be taken was told when its file was read.
        settings.lint.take("lint.rules", vec![(id, raw(Value::from(table)))]);
    }
    settings.lint_profile = Some(word("lint.profile"));
    settings.model_url = Some(word("model.url")).filter(|url| !url.is_empty());
    settings.tokenizer = Tokenizer::from_setting(&word("search.tokenizer")).unwrap_or_default();
    settings.log_store = LogStore::from_setting(&word("log.store")).unwrap_or_default();
    settings.on_stale = OnStale::from_setting(&word("index.on_stale")).unwrap_or_default();
    settings
}
