//! The settings of the merged layers.

use super::layer::DEFAULT;
use super::problems::Problems;
use super::read;
use super::schema::{CHOICES, TEXTS};
use super::value::{raw, shown};
use crate::environment::Surroundings;
use figment::Figment;
use figment::value::{Dict, Value};
use skillc_domain::config::{
    ConfiguredTarget, IndexSettings, LogStore, OnStale, SettingOrigin, Settings, TeamSettings, Tokenizer,
};
use skillc_domain::limits::CONFIG_VERSION;
use skillc_domain::model::EmbeddingModel;
use skillc_domain::places::SKILLC_DIR;
use skillc_domain::team::without_password;
use skillc_lint::settings::read_rules;
use std::path::PathBuf;

/// The merged settings, each with the name of its source.
pub fn settings(figment: &Figment) -> Settings {
    let mut settings = Settings::default();
    let merged = whole(figment);
    let word = |key: &str| merged.find_ref(key).map(shown).unwrap_or_default();
    let mut origin = |key: String, value: &Value| {
        let origin = figment.get_metadata(value.tag()).map(|m| m.name.to_string()).unwrap_or_default();
        let value = if key == "team.url" { without_password(&shown(value)) } else { shown(value) };
        settings.origins.push(SettingOrigin { key, value, origin });
    };
    let choices = CHOICES.iter().map(|choice| format!("{}.{}", choice.section, choice.key));
    let texts = TEXTS.iter().map(|text| format!("{}.{}", text.section, text.key));
    for key in std::iter::once("version".to_owned()).chain(choices).chain(texts) {
        // Every one of these has a default.
        if let Some(value) = merged.find_ref(&key) {
            origin(key, value);
        }
    }
    let targets = merged.find_ref("targets").cloned().and_then(Value::into_dict).unwrap_or_default();
    for (name, folder) in targets {
        origin(format!("targets.{name}"), &folder);
        settings.targets.push(ConfiguredTarget { name, folder: PathBuf::from(shown(&folder)) });
    }
    let rules = merged.find_ref("lint.rules").cloned().and_then(Value::into_dict).unwrap_or_default();
    for (id, table) in rules {
        let table = table.into_dict().unwrap_or_default();
        for (name, value) in &table {
            origin(format!("lint.rules.{id}.{name}"), value);
        }
        // Flaws were reported when the file was read.
        read_rules(&mut settings.lint, "lint.rules", vec![(id, raw(Value::from(table)))]);
    }
    take_words(&mut settings, word);
    settings
}

/// What [`settings`] makes of the defaults alone. Most commands run with these, and merging takes longer than they do.
pub fn defaults() -> Settings {
    let choices = CHOICES.iter().map(|choice| (choice.section, choice.key, choice.default));
    let texts = TEXTS.iter().map(|text| (text.section, text.key, text.default));
    let values =
        choices.chain(texts).map(|(section, key, value)| (format!("{section}.{key}"), value.to_owned()));
    let version = ("version".to_owned(), CONFIG_VERSION.to_string());
    let origin = |(key, value)| SettingOrigin { key, value, origin: DEFAULT.to_owned() };
    let origins: Vec<SettingOrigin> = std::iter::once(version).chain(values).map(origin).collect();
    let value =
        |key: &str| origins.iter().find(|origin| origin.key == key).map(|origin| origin.value.clone());
    let mut settings = Settings::default();
    take_words(&mut settings, |key| value(key).unwrap_or_default());
    Settings { origins, ..settings }
}

/// Sets what is one word, by its key.
fn take_words(settings: &mut Settings, word: impl Fn(&str) -> String) {
    settings.lint_profile = Some(word("lint.profile"));
    settings.model = EmbeddingModel::named(&word("model.name"));
    settings.model_url = Some(word("model.url")).filter(|url| !url.is_empty());
    settings.log_store = LogStore::from_setting(&word("log.store")).unwrap_or_default();
    settings.index = index_of(word);
    settings.home_index = settings.index;
}

/// The settings of the team's store; `None` without a URL. A password file that cannot be read is a problem.
pub fn team(figment: &Figment, surroundings: &Surroundings, problems: &mut Problems) -> Option<TeamSettings> {
    let merged = whole(figment);
    let word = |key: &str| merged.find_ref(key).map(shown).unwrap_or_default();
    let url = word("team.url");
    if url.is_empty() {
        return None;
    }
    let machine = Some(word("team.machine")).filter(|name| !name.is_empty());
    let machine = machine.unwrap_or_else(|| gethostname::gethostname().to_string_lossy().into_owned());
    let given = surroundings.team_password.clone();
    let password = given.or_else(|| password(&word("team.password_file"), surroundings, problems));
    Some(TeamSettings { url, password, org: word("team.org"), machine })
}

/// How indexes are built and read.
pub fn index(figment: &Figment) -> IndexSettings {
    let merged = whole(figment);
    index_of(|key| merged.find_ref(key).map(shown).unwrap_or_default())
}

fn index_of(word: impl Fn(&str) -> String) -> IndexSettings {
    IndexSettings {
        tokenizer: Tokenizer::from_setting(&word("search.tokenizer")).unwrap_or_default(),
        on_stale: OnStale::from_setting(&word("index.on_stale")).unwrap_or_default(),
    }
}

/// All values: figment merges its layers for each call, and one is enough.
fn whole(figment: &Figment) -> Value {
    figment.find_value("").unwrap_or_else(|_| Value::from(Dict::new()))
}

/// The first line of the password file. `~` is the home; a relative path is resolved in `~/.skillc`.
fn password(file: &str, surroundings: &Surroundings, problems: &mut Problems) -> Option<String> {
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
            problems.broken(&path, &message);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::layer::Layer;

    #[test]
    fn the_defaults_are_those_of_their_layer() {
        assert_eq!(defaults(), settings(&Figment::from(Layer::defaults())));
    }
}
