//! A skill's own `.skilllint.toml`.

use crate::run::Run;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::lint::settings::{LintSettings, RawValue, SettingFlaw};
use skillc_domain::path::RelPath;
use skillc_ports::{ErrorKind, SkillTree};

/// Name of the file, at the skill's root.
pub const FILE: &str = ".skilllint.toml";
/// Bytes of it that are read: a thousand times what setting every rule takes.
const BYTES_MAX: u64 = 1024 * 1024;

/// The settings in a skill; what cannot be used is told and left out.
pub fn own_settings(run: &mut Run<'_>, tree: &dyn SkillTree) -> LintSettings {
    let mut settings = LintSettings::default();
    let text = match tree.read(&RelPath::from_walk(FILE.to_owned()), BYTES_MAX) {
        Ok(content) => String::from_utf8_lossy(&content.bytes).into_owned(),
        Err(error) if error.kind == ErrorKind::NotFound => return settings,
        Err(error) => return ignored(run, error.reason()),
    };
    let table = match run.app.settings_reader.table(&text) {
        Ok(table) => table,
        Err(message) => return ignored(run, &message),
    };
    for (key, value) in table {
        match (key.as_str(), value) {
            ("rules", RawValue::Table(rules)) => {
                for flaw in settings.take("rules", rules) {
                    run.warn(warning(flaw, FILE));
                }
            }
            ("rules", value) => {
                run.warn(Warning::InvalidSetting { value: value.shown(), key, used: "no rules".to_owned() })
            }
            _ => run.warn(Warning::UnknownSetting { key, path: FILE.to_owned() }),
        }
    }
    settings
}

fn ignored(run: &mut Run<'_>, message: &str) -> LintSettings {
    let fault = Fault::InvalidConfig { path: FILE.to_owned(), message: message.to_owned() };
    run.part_failed(fault.into());
    LintSettings::default()
}

/// What a flaw is told as.
pub fn warning(flaw: SettingFlaw, path: &str) -> Warning {
    match flaw {
        SettingFlaw::Unknown(key) => Warning::UnknownSetting { key, path: path.to_owned() },
        SettingFlaw::Invalid { key, value, used } => Warning::InvalidSetting { value, key, used },
    }
}
