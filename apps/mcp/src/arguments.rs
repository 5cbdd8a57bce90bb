//! Explains why arguments that cannot be parsed do not fit their tool's schema, and what would.

use crate::framing::kind;
use rmcp::model::JsonObject;
use serde_json::Value;

/// The first argument that does not fit a one-level schema, as a message; `None` if all fit.
pub fn misfit(schema: &JsonObject, arguments: &JsonObject) -> Option<String> {
    let known = schema.get("properties").and_then(Value::as_object)?;
    if let Some(name) = arguments.keys().find(|name| !known.contains_key(*name)) {
        let names: Vec<_> = known.keys().map(String::as_str).collect();
        let expected = match names.is_empty() {
            true => "this tool takes no arguments".to_owned(),
            false => format!("expected one of: {}", names.join(", ")),
        };
        return Some(format!("unknown argument '{name}'; {expected}"));
    }
    let needed = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    if let Some(name) = needed.filter_map(Value::as_str).find(|name| !arguments.contains_key(*name)) {
        return Some(format!("missing argument '{name}'"));
    }
    arguments.iter().find_map(|(name, value)| wrong(name, known.get(name)?, value))
}

/// The reason a value does not fit its schema.
fn wrong(name: &str, schema: &Value, value: &Value) -> Option<String> {
    // A single value in place of a list: some operations accept it, the others refuse it themselves.
    if schema.get("items").is_some_and(|items| wrong(name, items, value).is_none()) {
        return None;
    }
    let fits = match schema.get("anyOf").or(schema.get("oneOf")).and_then(Value::as_array) {
        Some(choices) => choices.iter().any(|choice| wrong(name, choice, value).is_none()),
        None => types(schema).is_none_or(|types| types.iter().any(|word| is(value, word))),
    };
    if !fits {
        let expected = types(schema).unwrap_or_default().into_iter().map(described).collect::<Vec<_>>();
        let expected = if expected.is_empty() { "another type".to_owned() } else { expected.join(" or ") };
        return Some(format!("argument '{name}' must be {expected}, got {}", kind(value)));
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array).filter(|words| !words.contains(value)) {
        let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
        return Some(format!("argument '{name}' must be one of: {}; got {value}", words.join(", ")));
    }
    let is_below = |limit: &Value| value.as_f64() < limit.as_f64();
    let is_above = |limit: &Value| value.as_f64() > limit.as_f64();
    if let Some(least) = schema.get("minimum").filter(|limit| value.is_number() && is_below(limit)) {
        return Some(format!("argument '{name}' must be at least {least}, got {value}"));
    }
    if let Some(most) = schema.get("maximum").filter(|limit| value.is_number() && is_above(limit)) {
        return Some(format!("argument '{name}' must be at most {most}, got {value}"));
    }
    let items = value.as_array().zip(schema.get("items"));
    items.and_then(|(values, schema)| values.iter().find_map(|value| wrong(name, schema, value)))
}

/// The types that a schema allows; `None` if it does not restrict them.
fn types(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(word) => Some(vec![word]),
        Value::Array(words) => Some(words.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// A type of JSON Schema with its article.
fn described(word: &str) -> &str {
    match word {
        "integer" => "an integer",
        "number" => "a number",
        "string" => "a string",
        "boolean" => "a boolean",
        "array" => "a list",
        "object" => "an object",
        other => other,
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
        assert_eq!(misfit(json!({})), "missing argument 'skill'");
        assert_eq!(
            misfit(json!({ "skill": "x", "limit": 3 })),
            "unknown argument 'limit'; expected one of: all, level, scope, skill, target"
        );
        assert_eq!(misfit(json!({ "skill": 5 })), "argument 'skill' must be a string, got a number");
        assert_eq!(misfit(json!({ "skill": null })), "argument 'skill' must be a string, got null");
        assert_eq!(
            misfit(json!({ "skill": "x", "level": "2" })),
            "argument 'level' must be an integer or null, got a string"
        );
        assert_eq!(
            misfit(json!({ "skill": "x", "level": 2.5 })),
            "argument 'level' must be an integer or null, got a number"
        );
        assert_eq!(
            misfit(json!({ "skill": "x", "level": -1 })),
            "argument 'level' must be at least 0, got -1"
        );
        assert_eq!(
            misfit(json!({ "skill": "x", "level": 300 })),
            "argument 'level' must be at most 255, got 300"
        );
        assert_eq!(
            misfit(json!({ "skill": "x", "scope": "every" })),
            "argument 'scope' must be one of: project, all; got \"every\""
        );
        assert_eq!(
            misfit(json!({ "skill": "x", "target": ["a", 1] })),
            "argument 'target' must be a string, got a number"
        );
    }
}
