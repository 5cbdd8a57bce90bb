//! Settings as text: those in a skill, and changes to configuration files.

use skillc_domain::discovery::settings::PermissionRule;
use skillc_domain::raw_value::RawValue;

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
}

/// Changes TOML.
pub trait SettingsEditor: Send + Sync {
    /// The text after a change; all other bytes stay. `None` if nothing needs to change.
    ///
    /// # Errors
    /// The parse error, or the conflicting value, on one line.
    fn changed(&self, toml: &str, change: &SettingsChange) -> Result<Option<String>, String>;

    /// The names under `[skills] disabled`; none if the text cannot be parsed.
    fn disabled(&self, toml: &str) -> Vec<String>;
}
