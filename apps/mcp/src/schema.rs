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
    omit_null(&mut whole);
    word_descriptions(&mut whole);
    object(whole)
}

/// Rewords the descriptions, which are also the command-line help, for agents.
fn word_descriptions(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(text) if key == "description" => *text = worded(text),
                    value => word_descriptions(value),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(word_descriptions),
        _ => {}
    }
}

/// Rewords help: options become arguments, and commands in backticks become tools, such as `skc_targets` for `skc
/// targets`.
fn worded(help: &str) -> String {
    let option = |word: &str| match word.strip_prefix("--") {
        Some(name) => name.replace('-', "_"),
        None => word.to_owned(),
    };
    let words: Vec<String> = help.split(' ').map(option).collect();
    words.join(" ").replace("`skc ", "`skc_")
}

/// Omits that optional arguments may be null, and defaults equal to a missing argument, since [`without_nulls`] drops
/// null arguments.
fn omit_null(schema: &mut Value) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| required.as_array().is_some_and(|names| names.iter().any(|n| n == name));
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten();
    for (_, property) in properties.filter(|(name, _)| !is_required(name)) {
        let Some(property) = property.as_object_mut() else { continue };
        if let Some(Value::Array(types)) = property.get_mut("type") {
            types.retain(|name| name != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                property.insert("type".to_owned(), only);
            }
        }
        if let Some(Value::Array(values)) = property.get_mut("enum") {
            values.retain(|value| !value.is_null());
        }
        let is_empty = |value: &Value| value.is_null() || *value == json!(false) || *value == json!([]);
        if property.get("default").is_some_and(is_empty) {
            property.remove("default");
        }
    }
}

/// The arguments without optional ones that are null; some clients send all of them.
pub fn without_nulls(schema: &JsonObject, mut arguments: JsonObject) -> JsonObject {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &String| required.is_some_and(|names| names.iter().any(|n| n == name));
    arguments.retain(|name, value| !value.is_null() || is_required(name));
    arguments
}

/// The schema of every tool's reply: an object. Describing its fields, which explain themselves, would fill the
/// context of every client.
pub fn output() -> JsonObject {
    object(json!({ "type": "object" }))
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

/// Removes what clients do not need or understand: titles, number formats, the dialect. A choice of described
/// constants becomes an enumeration, even if it is nullable.
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
