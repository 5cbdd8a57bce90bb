//! Front matter as JSON, word for word, and what strict clients demand of it.

use crate::failure::Failure;
use serde_json::{Map, Number, Value as Json};
use skillc_domain::fault::Fault;
use skillc_domain::frontmatter::{FrontMatterFlaw, Node, Value};
use skillc_domain::limits::{SERVED_COMPATIBILITY_CHARS_MAX, SERVED_DESCRIPTION_CHARS_MAX};
use skillc_domain::lint::yaml_type::{YamlType, yaml_1_2};
use skillc_domain::name::SkillName;
use skillc_ports::DocumentReader;

/// What a SKILL.md says of its skill.
#[derive(Debug)]
pub struct Head {
    /// `name`, by which the skill is served.
    pub name: String,
    /// `description`.
    pub description: String,
    /// Every field, scalars typed as the core schema of YAML 1.2 has it.
    pub fields: Map<String, Json>,
}

/// Takes the front matter of a SKILL.md.
///
/// # Errors
/// E011 and E013; the latter also for one that a strict client would refuse, and its whole list with it.
pub fn head(reader: &dyn DocumentReader, bytes: &[u8]) -> Result<Head, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|_| flaw("the file is not UTF-8 text"))?;
    let front = reader.front_matter(text).map_err(Fault::from)?.unwrap_or_default();
    let (name, description) = (front.required("name")?.to_owned(), front.required("description")?.to_owned());
    let fields = object(&front.fields).map_err(flaw)?;
    match refusal(&fields) {
        Some(message) => Err(flaw(message).into()),
        None => Ok(Head { name, description, fields }),
    }
}

fn flaw(message: impl Into<String>) -> Fault {
    FrontMatterFlaw { message: message.into(), at: None }.into()
}

/// A mapping. Recursion is bounded by the reader of front matter.
///
/// # Errors
/// For a key that is no text, and one that stands twice: readers differ in which one counts, and some refuse both.
fn object(fields: &[(Node, Node)]) -> Result<Map<String, Json>, String> {
    let mut map = Map::new();
    for (key, value) in fields {
        let key = key.text().ok_or_else(|| format!("a key is {}, not text", key.kind()))?;
        if map.insert(key.to_owned(), json(value)?).is_some() {
            return Err(format!("the key '{key}' stands twice"));
        }
    }
    Ok(map)
}

fn json(node: &Node) -> Result<Json, String> {
    Ok(match &node.value {
        Value::Null => Json::Null,
        Value::Scalar { text, is_plain: false } => Json::from(text.as_str()),
        Value::Scalar { text, is_plain: true } => plain(text)?,
        Value::List(items) => Json::Array(items.iter().map(json).collect::<Result<_, _>>()?),
        Value::Map(fields) => Json::Object(object(fields)?),
    })
}

/// A scalar without quotes.
fn plain(text: &str) -> Result<Json, String> {
    let unfit = || format!("'{text}' is a number that JSON does not have; quote it");
    match yaml_1_2(text) {
        YamlType::Null => Ok(Json::Null),
        YamlType::Bool => Ok(Json::Bool(text.eq_ignore_ascii_case("true"))),
        YamlType::Int => whole(text).map(Json::Number).ok_or_else(unfit),
        YamlType::Float => {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            number.and_then(Number::from_f64).map(Json::Number).ok_or_else(unfit)
        }
        YamlType::Date | YamlType::Special | YamlType::Text => Ok(Json::from(text)),
    }
}

/// A whole number of 64 bits: what every reader of JSON takes.
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
            return Some(format!("{key} is {}, not text", kind(value)));
        }
    }
    let chars = |key: &str| fields.get(key).and_then(Json::as_str).map(|text| text.chars().count());
    let too_long = |key: &str, most: usize| {
        let count = chars(key).filter(|count| *count > most)?;
        Some(format!("{key} has {count} characters, and {most} are allowed"))
    };
    name_refusal(fields.get("name")?.as_str()?)
        .or_else(|| too_long("description", SERVED_DESCRIPTION_CHARS_MAX))
        .or_else(|| too_long("compatibility", SERVED_COMPATIBILITY_CHARS_MAX))
        .or_else(|| (chars("compatibility") == Some(0)).then(|| "compatibility is empty".to_owned()))
        .or_else(|| metadata_refusal(fields.get("metadata")?))
}

/// SKL102 and SKL103, and no two hyphens in a row, as the Agent Skills specification has it.
fn name_refusal(name: &str) -> Option<String> {
    match SkillName::for_new(name) {
        Err(fault) => Some(fault.to_string()),
        Ok(allowed) if allowed.as_str() != name => Some(format!("name '{name}' has capital letters")),
        Ok(_) => name.contains("--").then(|| format!("name '{name}' has two hyphens in a row")),
    }
}

fn metadata_refusal(metadata: &Json) -> Option<String> {
    let Some(map) = metadata.as_object() else {
        return Some(format!("metadata is {}, not a mapping", kind(metadata)));
    };
    let (key, value) = map.iter().find(|(_, value)| !value.is_string())?;
    Some(format!("metadata '{key}' is {}, not text; quote it", kind(value)))
}

fn kind(value: &Json) -> &'static str {
    match value {
        Json::Null => "empty",
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::String(_) => "text",
        Json::Array(_) => "a list",
        Json::Object(_) => "a mapping",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use skillc_domain::frontmatter::{FrontMatter, Position};

    fn node(value: Value) -> Node {
        Node { value, at: Position { line: 2, column: 1 }, span: 0..0 }
    }

    fn text(text: &str, is_plain: bool) -> Node {
        node(Value::Scalar { text: text.into(), is_plain })
    }

    fn front(fields: Vec<(&str, Node)>) -> FrontMatter {
        FrontMatter { fields: fields.into_iter().map(|(key, value)| (text(key, true), value)).collect() }
    }

    /// RFC-0007:C-MCP-SKILLS
    #[test]
    fn a_plain_scalar_has_its_type_of_yaml_1_2() {
        for (yaml, expected) in [
            ("true", json!(true)),
            ("FALSE", json!(false)),
            ("yes", json!("yes")),
            ("-17", json!(-17)),
            ("+17", json!(17)),
            ("0o17", json!(15)),
            ("0x1F", json!(31)),
            ("18446744073709551615", json!(u64::MAX)),
            ("1.10", json!(1.1)),
            (".5", json!(0.5)),
            ("1.", json!(1.0)),
            ("1e3", json!(1000.0)),
            ("2026-01-31", json!("2026-01-31")),
            ("1_000", json!("1_000")),
            ("NULL", json!(null)),
            ("v1", json!("v1")),
        ] {
            assert_eq!(plain(yaml), Ok(expected), "{yaml}");
            assert_eq!(json(&text(yaml, false)), Ok(json!(yaml)), "{yaml}");
        }
        for yaml in [".nan", "-.INF", "18446744073709551616", "1e999"] {
            assert!(plain(yaml).is_err(), "{yaml}");
        }
    }

    #[test]
    fn every_field_comes_through_and_none_that_readers_differ_in() {
        let list = node(Value::List(vec![text("1", true), node(Value::Null)]));
        let fields = |last: &str| front(vec![("a", list.clone()), (last, text("x", true))]).fields;
        assert_eq!(Json::Object(object(&fields("b")).unwrap()), json!({ "a": [1, null], "b": "x" }));
        assert_eq!(object(&fields("a")), Err("the key 'a' stands twice".to_owned()));
        let odd = FrontMatter { fields: vec![(node(Value::Null), text("x", true))] };
        assert_eq!(object(&odd.fields), Err("a key is empty, not text".to_owned()));
    }

    /// RFC-0007:C-MCP-SKILLS
    #[test]
    fn what_a_strict_client_refuses_is_told() {
        let base = json!({ "name": "demo", "description": "Does it." });
        let refused = |key: &str, value: Json| {
            let mut fields = base.as_object().unwrap().clone();
            fields.insert(key.to_owned(), value);
            refusal(&fields)
        };
        for (key, value) in [
            ("name", json!("Demo")),
            ("name", json!("a--b")),
            ("name", json!("a_b")),
            ("name", json!("-a")),
            ("name", json!("a".repeat(65))),
            ("name", json!(12)),
            ("description", json!(true)),
            ("description", json!("x".repeat(1025))),
            ("license", json!(null)),
            ("compatibility", json!("")),
            ("compatibility", json!("x".repeat(501))),
            ("allowed-tools", json!(["Read"])),
            ("metadata", json!("x")),
            ("metadata", json!({ "version": 1.0 })),
        ] {
            assert!(refused(key, value.clone()).is_some(), "{key}: {value}");
        }
        for (key, value) in [
            ("name", json!("demo-2")),
            ("description", json!("é".repeat(1024))),
            ("metadata", json!({ "version": "1.0" })),
            ("anything", json!([1, { "x": null }])),
        ] {
            assert_eq!(refused(key, value.clone()), None, "{key}: {value}");
        }
    }
}
