//! The value of a setting in one file.

use skillc_domain::discovery::settings::PermissionRule;
use skillc_domain::history::ModelPrice;
use skillc_domain::json::JsonValue;
use skillc_domain::listing::Scope;

/// The value; its variant follows from the setting.
#[derive(Debug)]
pub enum SettingValue {
    Flag(bool),
    Number(u32),
    Texts(Vec<String>),
    Rules(Vec<PermissionRule>),
    Prices(Vec<ModelPrice>),
    Servers(Vec<(String, JsonValue)>),
}

/// A value with the file or environment variable that sets it.
#[derive(Debug)]
pub struct GivenSetting {
    pub key: &'static str,
    pub value: SettingValue,
    /// The path of the file, or the name of the variable.
    pub origin: String,
    pub scope: Scope,
}
