//! Parses the text passed to `skc config set` as the value of a setting. The reader of configuration files decides
//! what is valid, so that nothing is written that it would reject.

use super::file::problems_of;
use super::problems::similar_keys;
use super::project_rule::ProjectRule;
use super::schema::{CHOICES, TEXTS, project_rules};
use super::set::line;
use super::setting;
use super::setting_parser::snake_case;
use super::source::ConfigFile;
use crate::clients::table::quoted;
use skillc_domain::fault::Warning;
use skillc_ports::{SettingRefusal, SettingsChange};
use toml_edit::Value;

/// The change that sets a setting to a value, in the first type that the setting accepts.
///
/// # Errors
/// If the file may not set this key, or the value is not valid for it.
pub fn assignment(file: &ConfigFile<'_>, key: &str, text: &str) -> Result<SettingsChange, SettingRefusal> {
    let unknown = || SettingRefusal::Unknown(similar_keys(key));
    let (path, rule) = setting(key).ok_or_else(unknown)?;
    if rule == ProjectRule::No && !file.is_users {
        return Err(SettingRefusal::NotInProject);
    }
    let mut refusal = SettingRefusal::Invalid(values(key));
    for value in as_each_type(text) {
        match refused(file, key, &line(&path, &value)) {
            None => return Ok(SettingsChange::Set { path, value }),
            // Only one value has the right type, and its refusal is the most informative.
            Some(other) if matches!(refusal, SettingRefusal::Invalid(_)) => refusal = other,
            Some(_) => {}
        }
    }
    Err(refusal)
}

/// The path of a setting, from its table to its own name, with the rule for projects.
fn setting(key: &str) -> Option<(Vec<String>, ProjectRule)> {
    let snake = snake_case(key);
    project_rules().into_iter().find_map(|(known, rule)| match known.split_once('<') {
        // The name of a rule or target may contain a dot.
        Some((section, _)) => {
            let name = key.strip_prefix(section).filter(|name| !name.is_empty())?;
            let sections = section.split('.').filter(|section| !section.is_empty());
            Some((sections.chain([name]).map(str::to_owned).collect(), rule))
        }
        None => (known == snake).then(|| (known.split('.').map(str::to_owned).collect(), rule)),
    })
}

/// The text as written in TOML, as a string, and as a list separated by commas.
fn as_each_type(text: &str) -> impl Iterator<Item = String> {
    let toml = text.trim().parse::<Value>().ok().filter(|_| !text.contains(['\n', '\r']));
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    let list = format!("[{}]", items.map(quoted).collect::<Vec<_>>().join(", "));
    [Some(quoted(text)), toml.map(|_| text.trim().to_owned()), Some(list)].into_iter().flatten()
}

/// Why a file with only this line would not be read completely.
fn refused(file: &ConfigFile<'_>, key: &str, line: &str) -> Option<SettingRefusal> {
    let Ok(problems) = problems_of(file, line) else { return Some(SettingRefusal::Invalid(values(key))) };
    Some(match problems.warnings.into_iter().next()? {
        Warning::UnknownSetting { suggestions, .. } => SettingRefusal::Unknown(suggestions),
        Warning::NotInProject { .. } => SettingRefusal::Outside,
        _ => SettingRefusal::Invalid(values(key)),
    })
}

/// The values that a setting accepts, for a message.
fn values(key: &str) -> String {
    let key = &snake_case(key);
    let is = |section: &str, name: &str| key.split_once('.') == Some((section, name));
    if let Some(choice) = CHOICES.iter().find(|choice| is(choice.section, choice.key)) {
        return format!("one of {}", choice.words.join(", "));
    }
    if TEXTS.iter().any(|text| is(text.section, text.key)) {
        return "a text".to_owned();
    }
    let other = || match key.split_once('.') {
        None => "a version of the configuration that this skc supports",
        Some(("targets", _)) => "a folder",
        _ => "off, warning, error or a table",
    };
    setting::values(key).unwrap_or_else(|| other().to_owned())
}
