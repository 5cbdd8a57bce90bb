//! Schemas of requests and replies as clients get them: short, and in words that every validator knows.

use rmcp::model::JsonObject;
use serde_json::{Value, json};
use skillc_ops::operation::Entry;

/// The schema of a tool's arguments: without those that only the command line has.
pub fn input(entry: &Entry) -> JsonObject {
    let mut schema = object((entry.request_schema)().to_value());
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for name in entry.command_line_only {
            properties.remove(*name);
        }
    }
    let definitions = schema.remove("$defs").unwrap_or_default();
    let mut whole = Value::Object(schema);
    inline(&mut whole, &definitions);
    simplify(&mut whole);
    object(whole)
}

/// The schema of a tool's reply: the fields at the top and their types. What stands deeper explains itself, and would
/// cost every client its room.
pub fn output(entry: &Entry) -> JsonObject {
    let schema = (entry.reply_schema)().to_value();
    let definitions = schema.get("$defs").cloned().unwrap_or_default();
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let kinds = properties.into_iter().map(|(name, value)| {
        let kind = kind(&value, &definitions);
        (name, kind.map_or_else(|| json!({}), |kind| json!({ "type": kind })))
    });
    object(json!({
        "type": "object",
        "properties": kinds.collect::<JsonObject>(),
        "required": schema.get("required").cloned().unwrap_or_else(|| json!([])),
    }))
}

/// The `type` of a value, through one reference; `None` where it may be several things.
fn kind(value: &Value, definitions: &Value) -> Option<Value> {
    if let Some(name) = reference(value) {
        return definitions.get(name).and_then(|inner| inner.get("type")).cloned();
    }
    value.get("type").cloned()
}

fn reference(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// Puts definitions in the place of references: each is used once, and some clients do not follow them.
fn inline(value: &mut Value, definitions: &Value) {
    if let Some(found) = reference(value).and_then(|name| definitions.get(name)) {
        let mut found = found.clone();
        if let (Some(inner), Some(outer)) = (found.as_object_mut(), value.as_object()) {
            let own = outer.iter().filter(|(key, _)| *key != "$ref");
            inner.extend(own.map(|(key, value)| (key.clone(), value.clone())));
        }
        *value = found;
    }
    match value {
        Value::Object(map) => map.values_mut().for_each(|inner| inline(inner, definitions)),
        Value::Array(list) => list.iter_mut().for_each(|inner| inline(inner, definitions)),
        _ => {}
    }
}

/// Drops what clients do not need or do not know: titles, formats of numbers, the dialect; a list of constants with a
/// description each becomes an enumeration, also where it may be null.
fn simplify(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for key in ["$schema", "title", "format"] {
                if map.get(key).is_some_and(Value::is_string) {
                    map.remove(key);
                }
            }
            if let Some(words) = map.get("oneOf").and_then(constants) {
                map.remove("oneOf");
                map.insert("type".to_owned(), "string".into());
                map.insert("enum".to_owned(), words);
            }
            map.values_mut().for_each(simplify);
            if let Some(Value::Array(words)) = map.get("anyOf").and_then(word_or_nothing) {
                map.remove("anyOf");
                map.insert("type".to_owned(), json!(["string", "null"]));
                map.insert("enum".to_owned(), Value::Array(words));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(simplify),
        _ => {}
    }
}

/// The words of a choice that may be left out, and null; `None` for any other alternative.
fn word_or_nothing(choices: &Value) -> Option<Value> {
    let [word, nothing] = choices.as_array()?.as_slice() else { return None };
    let mut words = word.get("enum")?.as_array()?.clone();
    words.push(Value::Null);
    (nothing == &json!({ "type": "null" })).then_some(Value::Array(words))
}

fn constants(choices: &Value) -> Option<Value> {
    choices
        .as_array()?
        .iter()
        .map(|choice| choice.get("const").cloned())
        .collect::<Option<Vec<_>>>()
        .map(Value::Array)
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(map) => map,
        _ => JsonObject::new(),
    }
}
