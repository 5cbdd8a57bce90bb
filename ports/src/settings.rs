//! Settings as text: those that stand in a skill, and changes of configuration files.

use skillc_domain::discovery::settings::PermissionRule;
use skillc_domain::raw_value::RawValue;

/// Reads TOML.
pub trait SettingsReader: Send + Sync {
    /// The keys and values of a text.
    ///
    /// # Errors
    /// What is wrong with it, on one line.
    fn table(&self, toml: &str) -> Result<Vec<(String, RawValue)>, String>;
}

/// One change of a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsChange {
    /// Lists a skill's name under `[skills] disabled`.
    Disable(String),
    /// Takes it from there, however often it stands.
    Enable(String),
    /// Puts a rule under `[permissions] allow`.
    Allow(PermissionRule),
}

/// Changes TOML.
pub trait SettingsEditor: Send + Sync {
    /// The text with a change; every byte that is not part of it stays. `None` where it holds already.
    ///
    /// # Errors
    /// What is wrong with the text, or stands in the setting's place, on one line.
    fn changed(&self, toml: &str, change: &SettingsChange) -> Result<Option<String>, String>;

    /// The names under `[skills] disabled`; none in a text that cannot be read.
    fn disabled(&self, toml: &str) -> Vec<String>;
}
