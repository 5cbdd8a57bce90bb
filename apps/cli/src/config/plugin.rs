//! `[plugin]`: values for the manifests of a plugin, and its MCP servers.

use super::setting_value::SettingValue;
use figment::value::{Dict, Value};
use skillc_domain::json::JsonValue;
use skillc_domain::plugin::PluginSettings;

/// The servers of a table of tables; `None` for anything else.
pub fn servers(value: &Value) -> Option<Vec<(String, JsonValue)>> {
    let server = |(name, server): (&String, &Value)| Some((name.clone(), object(server.as_dict()?)));
    value.as_dict()?.iter().map(server).collect()
}

fn object(table: &Dict) -> JsonValue {
    JsonValue::object(table.iter().map(|(key, value)| (key.clone(), json(value))))
}

fn json(value: &Value) -> JsonValue {
    match value {
        Value::String(_, text) => JsonValue::Text(text.clone()),
        Value::Char(_, c) => JsonValue::Text(c.to_string()),
        Value::Bool(_, flag) => JsonValue::Flag(*flag),
        Value::Num(_, number) => {
            let whole = number.to_i128().map(|whole| whole.to_string());
            let written = whole.or_else(|| number.to_f64().map(|number| number.to_string()));
            JsonValue::Number(written.unwrap_or_default())
        }
        Value::Empty(..) => JsonValue::Null,
        Value::Dict(_, table) => object(table),
        Value::Array(_, items) => JsonValue::List(items.iter().map(|item| json(item).into()).collect()),
    }
}

/// Applies one of these settings.
pub fn apply(plugin: &mut PluginSettings, key: &str, value: &SettingValue) {
    match (key, value) {
        ("plugin.keywords", SettingValue::Texts(words)) => plugin.keywords.extend_from_slice(words),
        ("plugin.manifests", SettingValue::Texts(words)) => plugin.manifests.clone_from(words),
        ("plugin.mcp", SettingValue::Servers(servers)) => plugin.servers.extend_from_slice(servers),
        (_, SettingValue::Texts(texts)) => {
            if let Some(text) = text(plugin, key) {
                *text = texts.first().cloned();
            }
        }
        _ => {}
    }
}

fn text<'a>(plugin: &'a mut PluginSettings, key: &str) -> Option<&'a mut Option<String>> {
    Some(match key {
        "plugin.name" => &mut plugin.name,
        "plugin.version" => &mut plugin.version,
        "plugin.description" => &mut plugin.description,
        "plugin.author" => &mut plugin.author,
        "plugin.homepage" => &mut plugin.homepage,
        "plugin.repository" => &mut plugin.repository,
        "plugin.license" => &mut plugin.license,
        _ => return None,
    })
}

/// The value of one of these settings, for display.
pub fn value(plugin: &PluginSettings, key: &str) -> String {
    match key {
        "plugin.manifests" => format!("[{}]", plugin.manifests.join(", ")),
        "plugin.mcp" => {
            let names: Vec<&str> = plugin.servers.iter().map(|(name, _)| name.as_str()).collect();
            format!("[{}]", names.join(", "))
        }
        _ => text(&mut plugin.clone(), key).and_then(|text| text.take()).unwrap_or_default(),
    }
}
