//! Settings that stand in a skill.

use skillc_domain::lint::settings::RawValue;

/// Reads TOML.
pub trait SettingsReader: Send + Sync {
    /// The keys and values of a text.
    ///
    /// # Errors
    /// What is wrong with it, on one line.
    fn table(&self, toml: &str) -> Result<Vec<(String, RawValue)>, String>;
}
