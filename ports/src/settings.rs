//! Settings as text: those in a skill, and changes to configuration files.

use skillc_domain::discovery::settings::PermissionRule;
use skillc_domain::raw_value::RawValue;
use std::path::Path;

/// Reads TOML.
pub trait SettingsReader: Send + Sync {
    /// The keys and values of a text.
    ///
    /// # Errors
    /// The parse error, on one line.
    fn table(&self, toml: &str) -> Result<Vec<(String, RawValue)>, String>;
}

/// One change of a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsChange {
    /// Lists a skill's name under `[skills] disabled`.
    Disable(String),
    /// Removes every occurrence from that list.
    Enable(String),
    /// Lists a folder under `[sources] roots`.
    AddSourceRoot(String),
    /// Adds a rule under `[permissions] allow`.
    Allow(PermissionRule),
    /// Gives a setting a value.
    Set {
        /// The names of its sections, and its own.
        path: Vec<String>,
        /// The value in TOML.
        value: String,
    },
}

/// The file in which a setting is to be set.
#[derive(Clone, Copy, Debug)]
pub struct SettingsTarget<'a> {
    /// Its path.
    pub path: &'a Path,
    /// The home, for `~`.
    pub home: &'a Path,
    /// Whether it is the user's own, which may set everything.
    pub is_users: bool,
}

/// Why a file does not take a value for a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingRefusal {
    /// No setting has this key; the lines of suggestions.
    Unknown(String),
    /// The setting takes other values: these.
    Invalid(String),
    /// Only the user's own file may set it.
    NotInProject,
    /// The value leads out of the project.
    Outside,
}

/// Changes TOML.
pub trait SettingsEditor: Send + Sync {
    /// The text after a change; all other bytes stay. `None` if nothing needs to change.
    ///
    /// # Errors
    /// The parse error, or the conflicting value, on one line.
    fn changed(&self, toml: &str, change: &SettingsChange) -> Result<Option<String>, String>;

    /// The change that gives a setting the value of a text, read as the type of the setting.
    ///
    /// # Errors
    /// If the file may not set this key, or not to this value.
    fn assignment(
        &self,
        file: &SettingsTarget<'_>,
        key: &str,
        text: &str,
    ) -> Result<SettingsChange, SettingRefusal>;

    /// The names under `[skills] disabled`; none if the text cannot be parsed.
    fn disabled(&self, toml: &str) -> Vec<String>;
}
