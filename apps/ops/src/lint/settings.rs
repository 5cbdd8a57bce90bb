//! A skill's own `.skilllint.toml`.

use crate::run::Run;
use skillc_domain::config::shown_part;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::limits::{SETTINGS_BYTES_MAX, SETTINGS_WARNINGS_MAX};
use skillc_domain::path::RelPath;
use skillc_domain::raw_value::RawValue;
use skillc_domain::rule_settings::LintSettings;
use skillc_domain::suggest::{list, nearest};
use skillc_lint::settings::{SettingError, read_rules, similar_rules};
use skillc_ports::{ErrorKind, SkillTree};

/// Name of the file, at the skill's root.
pub const FILE: &str = ".skilllint.toml";

/// Reads the settings in a skill; invalid ones are reported and skipped.
pub fn own_settings(run: &mut Run<'_>, tree: &dyn SkillTree) -> LintSettings {
    let mut settings = LintSettings::default();
    let text = match tree.read(&RelPath::from_walk(FILE.to_owned()), SETTINGS_BYTES_MAX) {
        Ok(content) => String::from_utf8_lossy(&content.bytes).into_owned(),
        Err(error) if error.kind == ErrorKind::NotFound => return settings,
        Err(error) => return ignored(run, error.reason()),
    };
    let table = match run.app.ports.settings_reader.table(&text) {
        Ok(table) => table,
        Err(message) => return ignored(run, &message),
    };
    let others = |(key, _): &(String, RawValue)| key != "rules";
    let (others, rules): (Vec<_>, Vec<_>) = table.into_iter().partition(others);
    for (key, value) in rules.into_iter().chain(others.into_iter().take(SETTINGS_WARNINGS_MAX)) {
        match (key.as_str(), value) {
            ("rules", RawValue::Table(rules)) => {
                for error in read_rules(&mut settings, "rules", rules).into_iter().take(SETTINGS_WARNINGS_MAX)
                {
                    run.warn(warning(error, FILE));
                }
            }
            ("rules", value) => {
                let value = shown_part(&value.shown());
                run.warn(Warning::InvalidSetting { value, key, used: "no rules".to_owned() });
            }
            _ => {
                let suggestions = list(nearest(&key, ["rules"]));
                run.warn(Warning::UnknownSetting { key: shown_part(&key), path: FILE.into(), suggestions });
            }
        }
    }
    settings
}

fn ignored(run: &mut Run<'_>, message: &str) -> LintSettings {
    let fault = Fault::InvalidConfig { path: FILE.into(), message: message.to_owned() };
    run.part_failed(fault.into());
    LintSettings::default()
}

/// The warning for an invalid setting.
pub fn warning(error: SettingError, path: &str) -> Warning {
    match error {
        SettingError::Unknown(key) => {
            let suggestions = similar_rules(&key);
            Warning::UnknownSetting { key: shown_part(&key), path: path.into(), suggestions }
        }
        SettingError::Invalid { key, value, used } => {
            Warning::InvalidSetting { value: shown_part(&value), key: shown_part(&key), used }
        }
    }
}
