//! Settings as text: those inside skills, and edits of configuration files.

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

/// A change to a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsChange {
    /// Adds a skill's name to `[skills] disabled`.
    Disable(String),
    /// Removes every occurrence of a name from that list.
    Enable(String),
    /// Adds a folder to `[sources] roots`.
    AddSourceRoot(String),
    /// Adds a rule to `[permissions] allow`.
    Allow(PermissionRule),
    /// Sets a setting to a value.
    Set {
        /// The names of its tables, then its own name.
        path: Vec<String>,
        /// The value in TOML.
        value: String,
    },
}

/// The file in which to set a setting.
#[derive(Clone, Copy, Debug)]
pub struct SettingsTarget<'a> {
    /// Its path.
    pub path: &'a Path,
    /// The home folder, to expand `~`.
    pub home: &'a Path,
    /// Whether it is the user's own file, which may set everything.
    pub is_users: bool,
}

/// Why a file cannot contain a value for a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingRefusal {
    /// There is no setting with this key; holds the suggestion lines.
    Unknown(String),
    /// The setting has other valid values; holds them.
    Invalid(String),
    /// Only the user's own file may set it.
    NotInProject,
    /// The value is a path that leads out of the project.
    Outside,
}

/// Edits TOML.
pub trait SettingsEditor: Send + Sync {
    /// The text after a change; all other bytes stay. `None` if nothing needs to change.
    ///
    /// # Errors
    /// The parse error, or the conflicting value, on one line.
    fn changed(&self, toml: &str, change: &SettingsChange) -> Result<Option<String>, String>;

    /// Makes the change that sets a setting to a value, parsed as the setting's type.
    ///
    /// # Errors
    /// If the file may not set this key, or the value is not valid for it.
    fn assignment(
        &self,
        file: &SettingsTarget<'_>,
        key: &str,
        text: &str,
    ) -> Result<SettingsChange, SettingRefusal>;

    /// The names under `[skills] disabled`; none if the text cannot be parsed.
    fn disabled(&self, toml: &str) -> Vec<String>;
}
