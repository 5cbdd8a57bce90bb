//! A value of a setting, as one file gives it.

use skillc_domain::discovery::settings::PermissionRule;
use skillc_domain::history::ModelPrice;
use skillc_domain::json::JsonValue;

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
