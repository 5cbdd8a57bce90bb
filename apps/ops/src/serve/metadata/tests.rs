//! Tests the types of front matter, and what strict clients refuse.

use super::*;
use serde_json::json;
use skillc_domain::frontmatter::{FrontMatter, Position};

fn node(value: Value) -> Node {
    Node { value, at: Position { line: 2, column: 1 }, span: 0..0, tag: None }
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

/// RFC-0007:C-MCP-SKILLS
#[test]
fn a_scalar_has_the_type_that_is_written_before_it() {
    let tagged = |tag: &Tag, value: Value| json(&Node { tag: Some(tag.clone()), ..node(value) });
    let scalar = |text: &str| Value::Scalar { text: text.into(), is_plain: false };
    for (tag, yaml, expected) in [
        (Tag::Int, "3", json!(3)),
        (Tag::Int, "0x1F", json!(31)),
        (Tag::Float, "3", json!(3.0)),
        (Tag::Float, "-1e3", json!(-1000.0)),
        (Tag::Float, "18446744073709551616", json!(18446744073709551616.0)),
        (Tag::Bool, "TRUE", json!(true)),
        (Tag::Bool, "false", json!(false)),
        (Tag::Null, "", json!(null)),
        (Tag::Null, "~", json!(null)),
        (Tag::Str, "3", json!("3")),
        (Tag::Str, "", json!("")),
    ] {
        assert_eq!(tagged(&tag, scalar(yaml)), Ok(expected), "{tag:?} {yaml}");
    }
    for (tag, yaml) in [
        (Tag::Int, "x"),
        (Tag::Int, "3.0"),
        (Tag::Int, ""),
        (Tag::Int, "18446744073709551616"),
        (Tag::Float, "one"),
        (Tag::Float, ".inf"),
        (Tag::Bool, "yes"),
        (Tag::Bool, "1"),
        (Tag::Null, "x"),
        (Tag::List, "x"),
        (Tag::Map, ""),
        (Tag::Other("!mine".to_owned()), "x"),
    ] {
        assert!(tagged(&tag, scalar(yaml)).is_err(), "{tag:?} {yaml}");
    }
    let (list, map) = (|| Value::List(Vec::new()), || Value::Map(Vec::new()));
    assert_eq!((tagged(&Tag::List, list()), tagged(&Tag::Map, map())), (Ok(json!([])), Ok(json!({}))));
    for (tag, value) in [(Tag::Str, list()), (Tag::Map, list()), (Tag::List, map()), (Tag::Int, map())] {
        assert!(tagged(&tag, value).is_err(), "{tag:?}");
    }
    let key = Node { tag: Some(Tag::Int), ..text("3", false) };
    assert_eq!(
        object(&[(key, text("x", true))]),
        Err("the tag '!!int' is on a key, which must be text".to_owned())
    );
}

#[test]
fn every_field_comes_through_and_none_that_readers_differ_in() {
    let list = node(Value::List(vec![text("1", true), node(Value::Null)]));
    let fields = |last: &str| front(vec![("a", list.clone()), (last, text("x", true))]).fields;
    assert_eq!(Json::Object(object(&fields("b")).unwrap()), json!({ "a": [1, null], "b": "x" }));
    assert_eq!(object(&fields("a")), Err("duplicate key 'a'".to_owned()));
    let odd = FrontMatter { fields: vec![(node(Value::Null), text("x", true))] };
    assert_eq!(object(&odd.fields), Err("a key must be text, got empty".to_owned()));
}

/// RFC-0007:C-MCP-SKILLS
#[test]
fn metadata_that_a_strict_client_refuses_is_reported() {
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
