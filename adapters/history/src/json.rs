//! Helpers for JSON values of unknown shape.

use serde_json::Value;
use skillc_domain::time::{UnixNs, parse_rfc3339};

/// The first of these members that is a string; `None` if it is empty.
pub fn text<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v str> {
    keys.iter().find_map(|key| value.get(key)?.as_str()).filter(|text| !text.is_empty())
}

/// A member as a string; empty if it is not one.
pub fn text_or_empty(value: &Value, key: &str) -> String {
    text(value, &[key]).unwrap_or_default().to_owned()
}

/// The elements of a list; empty for anything else.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A time given as text or in milliseconds.
pub fn time(value: &Value) -> Option<UnixNs> {
    match value {
        Value::String(text) => parse_rfc3339(text),
        Value::Number(number) => number.as_i64()?.checked_mul(1_000_000),
        _ => None,
    }
}

/// All texts in a message's content, which is a string or a list of blocks.
pub fn texts(content: &Value) -> Vec<&str> {
    match content {
        Value::String(text) => vec![text],
        Value::Array(blocks) => {
            blocks.iter().filter_map(|block| block.as_str().or_else(|| block.get("text")?.as_str())).collect()
        }
        _ => Vec::new(),
    }
}

/// The text between two markers.
pub fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(start)?;
    rest.split_once(end).map(|(inside, _)| inside)
}
