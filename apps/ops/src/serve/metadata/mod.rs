//! Front matter as JSON, with scalars exactly as written, and the checks of strict clients.

use crate::failure::Failure;
use serde_json::{Map, Number, Value as Json};
use skillc_domain::fault::Fault;
use skillc_domain::frontmatter::{FrontMatterFlaw, Node, Tag, Value};
use skillc_domain::limits::{SERVED_COMPATIBILITY_CHARS_MAX, SERVED_DESCRIPTION_CHARS_MAX};
use skillc_domain::name::SkillName;
use skillc_lint::yaml_type::{YamlType, yaml_1_2};
use skillc_ports::DocumentReader;

/// The front matter of a served SKILL.md.
#[derive(Debug)]
pub struct ServedMetadata {
    /// `name`; the name of its folder if there is none.
    pub name: String,
    /// `description`; empty if there is none.
    pub description: String,
    /// Every field; scalars have the types of the core schema of YAML 1.2.
    pub fields: Map<String, Json>,
    /// Why a strict client would refuse a list with this skill.
    pub refusal: Option<String>,
}

/// Reads the front matter of a SKILL.md, including one that strict clients refuse.
pub fn metadata(reader: &dyn DocumentReader, bytes: &[u8], folder: &str) -> ServedMetadata {
    strict(reader, bytes).unwrap_or_else(|failure| {
        let front = std::str::from_utf8(bytes).ok().and_then(|text| reader.front_matter(text).ok()?);
        let text = |key: &str| front.as_ref()?.required(key).ok().map(str::to_owned);
        ServedMetadata {
            name: text("name").unwrap_or_else(|| folder.to_owned()),
            description: text("description").unwrap_or_default(),
            fields: Map::new(),
            refusal: Some(failure.fault.to_string()),
        }
    })
}

/// Reads front matter that every client accepts.
///
/// # Errors
/// E011 and E013; the latter also for fields because of which a strict client would refuse a whole list.
fn strict(reader: &dyn DocumentReader, bytes: &[u8]) -> Result<ServedMetadata, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|_| flaw("the file is not UTF-8 text"))?;
    let front = reader.front_matter(text).map_err(Fault::from)?.unwrap_or_default();
    let (name, description) = (front.required("name")?.to_owned(), front.required("description")?.to_owned());
    let fields = object(&front.fields).map_err(flaw)?;
    match refusal(&fields) {
        Some(message) => Err(flaw(message).into()),
        None => Ok(ServedMetadata { name, description, fields, refusal: None }),
    }
}

fn flaw(message: impl Into<String>) -> Fault {
    FrontMatterFlaw { message: message.into(), at: None }.into()
}

/// Converts a mapping. The front matter parser bounds the recursion.
///
/// # Errors
/// A key that is not text, and a duplicate key: parsers differ in which one counts, and some reject both.
fn object(fields: &[(Node, Node)]) -> Result<Map<String, Json>, String> {
    let mut map = Map::new();
    for (key, value) in fields {
        if let Some(tag) = key.tag.as_ref().filter(|tag| **tag != Tag::Str) {
            return Err(format!("the tag '{}' is on a key, which must be text", tag.written()));
        }
        let key = key.text().ok_or_else(|| format!("a key must be text, got {}", key.kind()))?;
        if map.insert(key.to_owned(), json(value)?).is_some() {
            return Err(format!("duplicate key '{key}'"));
        }
    }
    Ok(map)
}

fn json(node: &Node) -> Result<Json, String> {
    Ok(match (&node.value, &node.tag) {
        (Value::Null, None) => Json::Null,
        (Value::Scalar { text, is_plain: true }, None) => plain(text)?,
        (Value::Scalar { text, .. }, None) => Json::from(text.as_str()),
        (Value::Scalar { text, .. }, Some(tag)) => tagged(text, tag)?,
        (Value::List(items), None | Some(Tag::List)) => {
            Json::Array(items.iter().map(json).collect::<Result<_, _>>()?)
        }
        (Value::Map(fields), None | Some(Tag::Map)) => Json::Object(object(fields)?),
        (_, Some(tag)) => return Err(format!("the tag '{}' does not fit {}", tag.written(), node.kind())),
    })
}

/// Converts a scalar with an explicit tag, quoted or not.
///
/// # Errors
/// A tag that does not fit the scalar, and a tag outside the core schema: strict parsers reject both.
fn tagged(text: &str, tag: &Tag) -> Result<Json, String> {
    let typed = match (tag, yaml_1_2(text)) {
        (Tag::Str, _) => return Ok(Json::from(text)),
        (Tag::Null, YamlType::Null) | (Tag::Bool, YamlType::Bool) | (Tag::Int, YamlType::Int) => plain(text)?,
        (Tag::Float, YamlType::Int | YamlType::Float) => real(text)?,
        _ => return Err(format!("the tag '{}' does not fit '{text}'", tag.written())),
    };
    Ok(typed)
}

/// Converts an unquoted scalar without a tag.
fn plain(text: &str) -> Result<Json, String> {
    match yaml_1_2(text) {
        YamlType::Null => Ok(Json::Null),
        YamlType::Bool => Ok(Json::Bool(text.eq_ignore_ascii_case("true"))),
        YamlType::Int => whole(text).map(Json::Number).ok_or_else(|| no_number(text)),
        YamlType::Float => real(text),
        YamlType::Date | YamlType::Special | YamlType::Text => Ok(Json::from(text)),
    }
}

fn no_number(text: &str) -> String {
    format!("JSON cannot represent the number '{text}'; quote it")
}

/// Parses a floating-point number, which may be written as an integer.
fn real(text: &str) -> Result<Json, String> {
    let number = match whole(text) {
        Some(whole) => whole.as_f64(),
        None => text.parse().ok().filter(|number: &f64| number.is_finite()),
    };
    number.and_then(Number::from_f64).map(Json::Number).ok_or_else(|| no_number(text))
}

/// Parses a 64-bit integer, the range that every JSON parser accepts.
fn whole(text: &str) -> Option<Number> {
    if let Some(octal) = text.strip_prefix("0o") {
        return u64::from_str_radix(octal, 8).ok().map(Number::from);
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok().map(Number::from);
    }
    text.parse::<u64>().map(Number::from).or_else(|_| text.parse::<i64>().map(Number::from)).ok()
}

/// Why a strict client would refuse these fields.
fn refusal(fields: &Map<String, Json>) -> Option<String> {
    let no_text = |key: &str| fields.get(key).filter(|value| !value.is_string());
    for key in ["name", "description", "license", "compatibility", "allowed-tools"] {
        if let Some(value) = no_text(key) {
            return Some(format!("{key} must be text, got {}", kind(value)));
        }
    }
    let chars = |key: &str| fields.get(key).and_then(Json::as_str).map(|text| text.chars().count());
    let too_long = |key: &str, most: usize| {
        let count = chars(key).filter(|count| *count > most)?;
        Some(format!("{key}: {count} characters exceed the limit of {most}"))
    };
    name_refusal(fields.get("name")?.as_str()?)
        .or_else(|| too_long("description", SERVED_DESCRIPTION_CHARS_MAX))
        .or_else(|| too_long("compatibility", SERVED_COMPATIBILITY_CHARS_MAX))
        .or_else(|| (chars("compatibility") == Some(0)).then(|| "compatibility is empty".to_owned()))
        .or_else(|| metadata_refusal(fields.get("metadata")?))
}

/// Checks SKL102, SKL103 and, as in the Agent Skills specification, for consecutive hyphens.
fn name_refusal(name: &str) -> Option<String> {
    match SkillName::for_new(name) {
        Err(fault) => Some(fault.to_string()),
        Ok(allowed) if allowed.as_str() != name => Some(format!("name '{name}' has capital letters")),
        Ok(_) => name.contains("--").then(|| format!("name '{name}' has two hyphens in a row")),
    }
}

fn metadata_refusal(metadata: &Json) -> Option<String> {
    let Some(map) = metadata.as_object() else {
        return Some(format!("metadata must be a mapping, got {}", kind(metadata)));
    };
    let (key, value) = map.iter().find(|(_, value)| !value.is_string())?;
    Some(format!("metadata '{key}' must be text, got {}; quote it", kind(value)))
}

fn kind(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::String(_) => "text",
        Json::Array(_) => "a list",
        Json::Object(_) => "a mapping",
    }
}

#[cfg(test)]
mod tests;
