//! Tests of positions and edits.

use super::*;
use skillc_domain::json::{JsonStep, line_and_column};

fn key(key: &str) -> JsonStep {
    JsonStep::key(key)
}

fn set(path: &[JsonStep], value: JsonValue) -> JsonEdit {
    JsonEdit { path: path.to_vec(), value: Some(value) }
}

fn edited(text: &str, edits: &[JsonEdit]) -> String {
    let new = StrictJson.edited(text, edits).unwrap();
    assert!(StrictJson.parse(&new).is_ok(), "{new}");
    new
}

/// RFC-0015:C-PLUGIN-SYNC
#[test]
fn a_value_is_changed_and_each_other_byte_stays() {
    for (before, after) in [
        ("{\"version\":\"1\"}", "{\"version\":\"2\"}"),
        ("{ \"a\" : 1 ,\n\n  \"version\"  :\t\"1\" }\n", "{ \"a\" : 1 ,\n\n  \"version\"  :\t\"2\" }\n"),
        ("{\r\n\t\"version\": \"1\",\r\n\t\"z\": [1,2,  3]\r\n}\r\n", {
            "{\r\n\t\"version\": \"2\",\r\n\t\"z\": [1,2,  3]\r\n}\r\n"
        }),
        (
            "{\n  \"version\": 1e3, \"x\": \"\\u00e9\\/\"\n}",
            "{\n  \"version\": \"2\", \"x\": \"\\u00e9\\/\"\n}",
        ),
        ("{\"version\": {\"a\": 1}, \"x\": 1}", "{\"version\": \"2\", \"x\": 1}"),
        ("{\"version\": \"0\", \"version\": \"1\"}", "{\"version\": \"0\", \"version\": \"2\"}"),
    ] {
        assert_eq!(edited(before, &[set(&[key("version")], JsonValue::text("2"))]), after);
    }
}

/// RFC-0015:C-PLUGIN-SYNC
#[test]
fn a_new_member_takes_over_indent_and_line_breaks() {
    for (before, after) in [
        ("{\n    \"a\": 1\n}\n", "{\n    \"a\": 1,\n    \"v\": \"2\"\n}\n"),
        ("{\r\n\t\"a\": 1\r\n}\r\n", "{\r\n\t\"a\": 1,\r\n\t\"v\": \"2\"\r\n}\r\n"),
    ] {
        assert_eq!(edited(before, &[set(&[key("v")], JsonValue::text("2"))]), after);
    }
    let list = "{\n  \"skills\": [\n    \"./skills/a\"\n  ]\n}\n";
    let more = edited(list, &[set(&[key("skills"), JsonStep::Item(1)], JsonValue::text("./skills/b"))]);
    assert_eq!(more, "{\n  \"skills\": [\n    \"./skills/a\",\n    \"./skills/b\"\n  ]\n}\n");
    let none = edited(&more, &[JsonEdit { path: vec![key("skills"), JsonStep::Item(0)], value: None }]);
    assert_eq!(none, "{\n  \"skills\": [\n    \"./skills/b\"\n  ]\n}\n");
    let deep = edited("{}", &[set(&[key("a"), key("b")], JsonValue::text("c"))]);
    assert_eq!(StrictJson.parse(&deep).unwrap().at(&[key("a"), key("b")]).unwrap().text(), Some("c"));
}

#[test]
fn a_key_that_repeats_is_removed_wherever_it_stands() {
    let text = "{\"a\": 1, \"b\": 2, \"a\": 3}";
    let removed = edited(text, &[JsonEdit { path: vec![key("a")], value: None }]);
    assert_eq!(StrictJson.parse(&removed).unwrap().members().len(), 1, "{removed}");
}

#[test]
fn a_text_with_quotes_and_controls_is_escaped() {
    let odd = "a \"b\" \\ \n \u{1} é 中 \u{2028}";
    let new = edited("{}", &[set(&[key("x\"y")], JsonValue::text(odd))]);
    assert_eq!(StrictJson.parse(&new).unwrap().get("x\"y").unwrap().text(), Some(odd));
    let written =
        StrictJson.written(&JsonValue::object([("b", JsonValue::text(odd)), ("a", JsonValue::Null)]));
    assert!(written.starts_with("{\n  \"b\": ") && written.ends_with("\"a\": null\n}\n"), "{written}");
    assert_eq!(StrictJson.parse(&written).unwrap().get("b").unwrap().text(), Some(odd));
}

/// RFC-0015:C-PLUGIN-INPUT
#[test]
fn invalid_json_is_refused_with_its_position() {
    for (text, message, place) in [
        ("", "it is empty", (1, 1)),
        ("{", "it ends too early", (1, 1)),
        ("{\n  \"a\": 1,\n}", "trailing comma", (3, 1)),
        ("{\n  // x\n}", "key must be a string", (2, 3)),
        ("{\"a\": 01}", "invalid number", (1, 8)),
        ("\u{feff}{}", "it begins with a byte order mark", (1, 1)),
        ("{\"a\": \"\u{1}\"}", "control character", (1, 8)),
        ("{} x", "trailing characters", (1, 4)),
    ] {
        let flaw = StrictJson.parse(text).unwrap_err();
        assert!(flaw.message.contains(message), "{text:?}: {flaw:?}");
        assert_eq!(line_and_column(text, flaw.at), place, "{text:?}: {flaw:?}");
    }
    assert!(StrictJson.parse(&"[".repeat(1_000_000)).is_err());
    assert!(StrictJson.parse(&format!("{}{}", "{\"a\":".repeat(20_000), "}".repeat(20_000))).is_err());
}
