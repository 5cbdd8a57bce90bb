//! Arguments of a call against the schema of its tool: each problem in words by which a caller can mend it.

use crate::framing::kind;
use rmcp::model::JsonObject;
use serde_json::Value;

/// Why arguments do not fit a schema of one level, as those of tools are; `None` where they do.
pub fn misfit(schema: &JsonObject, arguments: &JsonObject) -> Option<String> {
    let known = schema.get("properties").and_then(Value::as_object)?;
    if let Some(name) = arguments.keys().find(|name| !known.contains_key(*name)) {
        let names: Vec<_> = known.keys().map(String::as_str).collect();
        let there = if names.is_empty() { "there are none".to_owned() } else { names.join(", ") };
        return Some(format!("unknown argument '{name}'; known: {there}"));
    }
    let needed = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    if let Some(name) = needed.filter_map(Value::as_str).find(|name| !arguments.contains_key(*name)) {
        return Some(format!("the argument '{name}' is missing"));
    }
    arguments.iter().find_map(|(name, value)| wrong(name, known.get(name)?, value))
}

/// Why a value does not fit its schema.
fn wrong(name: &str, schema: &Value, value: &Value) -> Option<String> {
    // One in the place of a list: some operations take it, and the others say so themselves.
    if schema.get("items").is_some_and(|items| wrong(name, items, value).is_none()) {
        return None;
    }
    let fits = match schema.get("anyOf").or(schema.get("oneOf")).and_then(Value::as_array) {
        Some(choices) => choices.iter().any(|choice| wrong(name, choice, value).is_none()),
        None => types(schema).is_none_or(|types| types.iter().any(|word| is(value, word))),
    };
    if !fits {
        let wanted = types(schema).map_or_else(|| "of another kind".to_owned(), |types| types.join(" or "));
        return Some(format!("the argument '{name}' is {}, not {wanted}", kind(value)));
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array).filter(|words| !words.contains(value)) {
        let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
        return Some(format!("the argument '{name}' is {value}, and may be: {}", words.join(", ")));
    }
    let is_below = |limit: &Value| value.as_f64() < limit.as_f64();
    let is_above = |limit: &Value| value.as_f64() > limit.as_f64();
    if let Some(least) = schema.get("minimum").filter(|limit| value.is_number() && is_below(limit)) {
        return Some(format!("the argument '{name}' is {value}, and is at least {least}"));
    }
    if let Some(most) = schema.get("maximum").filter(|limit| value.is_number() && is_above(limit)) {
        return Some(format!("the argument '{name}' is {value}, and is at most {most}"));
    }
    let items = value.as_array().zip(schema.get("items"));
    items.and_then(|(values, schema)| values.iter().find_map(|value| wrong(name, schema, value)))
}

/// The types that a schema allows; `None` where it says nothing.
fn types(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(word) => Some(vec![word]),
        Value::Array(words) => Some(words.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

fn is(value: &Value, word: &str) -> bool {
    match word {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> JsonObject {
        value.as_object().cloned().unwrap()
    }

    /// RFC-0007:C-MCP-SERVER
    #[test]
    fn an_argument_that_does_not_fit_is_named_with_what_would() {
        let schema = object(json!({
            "properties": {
                "skill": { "type": "string" },
                "level": { "type": ["integer", "null"], "minimum": 0, "maximum": 255 },
                "all": { "type": "boolean" },
                "scope": { "type": "string", "enum": ["project", "all"] },
                "target": { "type": "array", "items": { "type": "string" } },
            },
            "required": ["skill"],
        }));
        let misfit = |arguments: Value| misfit(&schema, &object(arguments)).unwrap_or_default();
        assert_eq!(misfit(json!({ "skill": "x", "level": 2, "scope": "all", "target": ["a"] })), "");
        assert_eq!(misfit(json!({ "skill": "x", "level": null, "target": "a" })), "");
        assert_eq!(misfit(json!({})), "the argument 'skill' is missing");
        assert_eq!(
            misfit(json!({ "skill": "x", "limit": 3 })),
            "unknown argument 'limit'; known: all, level, scope, skill, target"
        );
        assert_eq!(misfit(json!({ "skill": 5 })), "the argument 'skill' is a number, not string");
        assert_eq!(misfit(json!({ "skill": null })), "the argument 'skill' is null, not string");
        assert_eq!(
            misfit(json!({ "skill": "x", "level": "2" })),
            "the argument 'level' is a string, not integer or null"
        );
        assert_eq!(
            misfit(json!({ "skill": "x", "level": 2.5 })),
            "the argument 'level' is a number, not integer or null"
        );
        assert_eq!(
            misfit(json!({ "skill": "x", "level": -1 })),
            "the argument 'level' is -1, and is at least 0"
        );
        assert_eq!(
            misfit(json!({ "skill": "x", "level": 300 })),
            "the argument 'level' is 300, and is at most 255"
        );
        assert_eq!(
            misfit(json!({ "skill": "x", "scope": "every" })),
            "the argument 'scope' is \"every\", and may be: project, all"
        );
        assert_eq!(
            misfit(json!({ "skill": "x", "target": ["a", 1] })),
            "the argument 'target' is a number, not string"
        );
    }
}
