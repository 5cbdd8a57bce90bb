//! The schemas of tools: short, and limited to keywords that every validator knows.

use rmcp::model::JsonObject;
use serde_json::{Value, json};
use skillc_ops::operation::OperationEntry;

/// The schema of a tool's arguments, without those reserved for the command line.
pub fn input(entry: &OperationEntry) -> JsonObject {
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

/// The schema of a tool's reply: its top-level fields and their types. Deeper levels explain themselves, and would fill the
/// context of every client.
pub fn output(entry: &OperationEntry) -> JsonObject {
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

/// The `type` of a value, through one reference; `None` if several types are possible.
fn kind(value: &Value, definitions: &Value) -> Option<Value> {
    if let Some(name) = reference(value) {
        return definitions.get(name).and_then(|inner| inner.get("type")).cloned();
    }
    value.get("type").cloned()
}

fn reference(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// Replaces references with their definitions: each is used once, and some clients do not follow references.
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

/// Drops what clients do not need or understand: titles, number formats, the dialect. A choice of described constants becomes
/// an enumeration, also if it is nullable.
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

/// The values of a nullable enumeration, null included; `None` for any other alternative.
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
