//! Parses a text to a value with positions.

use jsonc_parser::ast::{ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};
use serde_json::error::Category;
use skillc_domain::json::{JsonFlaw, JsonMember, JsonNode, JsonValue};

pub(crate) const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_trailing_commas: false,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Parses a text.
///
/// # Errors
/// The first error in the text.
pub fn parse(text: &str) -> Result<JsonNode, JsonFlaw> {
    check(text)?;
    let collected = CollectOptions { comments: CommentCollectionStrategy::Off, tokens: false };
    let parsed = parse_to_ast(text, &collected, &STRICT).map_err(|error| {
        let at = error.range().start;
        JsonFlaw { message: error.kind().to_string(), at }
    })?;
    match parsed.value {
        Some(value) => Ok(node(value)),
        None => Err(JsonFlaw { message: "it is empty".to_owned(), at: 0 }),
    }
}

/// Checks a text with `serde_json`, which accepts what `JSON.parse` accepts. Strictness, maximum depth and messages
/// are its own.
fn check(text: &str) -> Result<(), JsonFlaw> {
    if text.starts_with('\u{feff}') {
        return Err(JsonFlaw { message: "it begins with a byte order mark".to_owned(), at: 0 });
    }
    let Err(error) = serde_json::from_str::<serde_json::Value>(text) else { return Ok(()) };
    let message = match error.classify() {
        Category::Eof if text.trim().is_empty() => "it is empty".to_owned(),
        Category::Eof => "it ends too early".to_owned(),
        _ => {
            let message = error.to_string();
            message.split(" at line ").next().unwrap_or_default().to_owned()
        }
    };
    Err(JsonFlaw { message, at: offset(text, error.line(), error.column()) })
}

/// The byte offset of a 1-based line and column; `serde_json` counts columns in bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    text.floor_char_boundary(before + column.saturating_sub(1))
}

fn node(value: Value<'_>) -> JsonNode {
    let span = value.range().start..value.range().end;
    let value = match value {
        Value::StringLit(text) => JsonValue::Text(text.value.into_owned()),
        Value::NumberLit(number) => JsonValue::Number(number.value.to_owned()),
        Value::BooleanLit(flag) => JsonValue::Flag(flag.value),
        Value::NullKeyword(_) => JsonValue::Null,
        Value::Array(list) => JsonValue::List(list.elements.into_iter().map(node).collect()),
        Value::Object(object) => JsonValue::Object(object.properties.into_iter().map(member).collect()),
    };
    JsonNode { value, span }
}

fn member(property: ObjectProp<'_>) -> JsonMember {
    let range = property.name.range();
    JsonMember {
        key_span: range.start..range.end,
        key: property.name.into_string(),
        node: node(property.value),
    }
}
