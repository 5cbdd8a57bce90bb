//! Converts TOML values for messages and for the rules of a skill.

use figment::value::Value;
use skillc_domain::raw_value::RawValue;

/// Converts a value to the domain's type.
pub fn raw(value: Value) -> RawValue {
    match value {
        Value::String(_, word) => RawValue::Word(word),
        Value::Num(_, number) => match number.to_i128() {
            Some(whole) => RawValue::Number(whole),
            None => RawValue::Other(number.to_f64().map(|n| n.to_string()).unwrap_or_default()),
        },
        Value::Dict(_, table) => RawValue::Table(table.into_iter().map(|(k, v)| (k, raw(v))).collect()),
        other => RawValue::Other(shown(&other)),
    }
}

/// A value as text; only the kind for tables and lists.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(_, text) => text.clone(),
        Value::Bool(_, flag) => flag.to_string(),
        Value::Num(_, number) => number
            .to_i128()
            .map(|n| n.to_string())
            .or(number.to_f64().map(|n| n.to_string()))
            .unwrap_or_default(),
        Value::Dict(..) => "a table".to_owned(),
        Value::Array(..) => "a list".to_owned(),
        Value::Char(_, c) => c.to_string(),
        Value::Empty(..) => "empty".to_owned(),
    }
}
