//! Formats new documents.

use jsonc_parser::cst::CstInputValue;
use serde_json::{Map, Value};
use skillc_domain::json::{JsonNode, JsonValue};

/// Formats a document with two spaces per level.
pub fn written(value: &JsonValue) -> String {
    // Values made of strings, lists and objects can always be serialized.
    let text = serde_json::to_string_pretty(&Ordered(value)).unwrap_or_default();
    text + "\n"
}

/// Serializes a value in its own order, which a map of `serde_json` does not preserve.
struct Ordered<'a>(&'a JsonValue);

impl serde::Serialize for Ordered<'_> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            JsonValue::Null => to.serialize_unit(),
            JsonValue::Flag(flag) => to.serialize_bool(*flag),
            JsonValue::Number(_) => plain(self.0).serialize(to),
            JsonValue::Text(text) => to.serialize_str(text),
            JsonValue::List(items) => to.collect_seq(items.iter().map(|item| Ordered(&item.value))),
            JsonValue::Object(members) => {
                to.collect_map(members.iter().map(|member| (&member.key, Ordered(&member.node.value))))
            }
        }
    }
}

fn plain(value: &JsonValue) -> Value {
    match value {
        JsonValue::Number(number) => number.parse().map_or(Value::Null, Value::Number),
        _ => Value::Object(Map::new()),
    }
}

/// Converts a value for the editor.
pub fn input(value: &JsonValue) -> CstInputValue {
    let item = |node: &JsonNode| input(&node.value);
    match value {
        JsonValue::Null => CstInputValue::Null,
        JsonValue::Flag(flag) => CstInputValue::Bool(*flag),
        JsonValue::Number(number) => CstInputValue::Number(number.clone()),
        JsonValue::Text(text) => CstInputValue::String(text.clone()),
        JsonValue::List(items) => CstInputValue::Array(items.iter().map(item).collect()),
        JsonValue::Object(members) => {
            let member = |member: &skillc_domain::json::JsonMember| (member.key.clone(), item(&member.node));
            CstInputValue::Object(members.iter().map(member).collect())
        }
    }
}
