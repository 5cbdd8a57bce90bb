//! Tests of the splices in JSON.

use super::*;
use crate::clients::table::{Shape, entry};

const ALL: Dialect = Dialect { comments: true, trailing_commas: true };
const STRICT: Dialect = Dialect { comments: false, trailing_commas: false };
const KEYS: [&str; 2] = ["mcpServers", "skillc"];

fn put(text: &str) -> Option<String> {
    JsonConfig::parse(text, ALL).unwrap().put(&KEYS, &entry(Shape::Command, "skc", &["mcp"])).unwrap()
}

fn take(text: &str) -> Removal {
    JsonConfig::parse(text, ALL).unwrap().remove(&KEYS).unwrap()
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn an_entry_goes_in_and_out_of_odd_files() {
    for text in [
        "{}",
        "{ }\n",
        "{\n}\n",
        "{\n  \n\n}",
        "{\"a\":1}",
        "{\"a\":1,}",
        "{\"a\": 1, \"mcpServers\": {}}",
        "{\"mcpServers\":{\"b\":{}}}",
        "{\"mcpServers\":{\"b\":{},},}",
        "{\n  \"mcpServers\": {}\n}\n",
        "{\n  \"mcpServers\": {\n  }\n}\n",
        "{\n  \"mcpServers\": {\n    \"b\": {\"command\": \"b\"}\n  }\n}",
        "{\r\n\t\"a\": 1,\r\n\t\"mcpServers\": {\r\n\t\t\"b\": {\r\n\t\t}\r\n\t}\r\n}\r\n",
        "{\n  // only a comment\n}\n",
        "{ /* one */ }",
        "{\n  \"a\": 1 // last  \n}\n",
        "{\n  \"a\": 1, // last\n}\n",
        "{ \"a\": 1 // on the brace's line\n}",
        "{ \"a\": [1, // in\n 2] /* x */ }",
        "// before\n{\n  \"a\": 1,\n\n  // mcpServers { \"x\": 1 }\n  \"mcpServers\": { // them\n    /* b */ \"b\": {} /* after */\n    // end\n  } // close\n}\n// after",
        "{\n  \"mcpServers\": {\n    \"b\": {}\n    ,\"c\": {}\n  }\n  , \"z\": 1\n}\n",
        "{\"z\": \"}\", \"mcpServers\": {\"é中\": {\"x\": \"// {\"}}}",
        "\n\n  {\n      \"projects\": {\"/p\": {\"mcpServers\": {\"skillc\": {}}}}\n  }  \n\n",
    ] {
        let new = put(text).unwrap();
        assert_eq!(put(&new), None, "it stands there: {new}");
        assert_eq!(take(&new), Removal::Text(text.to_owned()), "after {new}");
        assert_eq!(take(text), Removal::Absent);
    }
}

#[test]
fn an_entry_is_laid_out_like_its_neighbours() {
    let new = put("{\n\t\"mcpServers\": {\n\t\t\"b\": {}\n\t}\n}\n").unwrap();
    let expected = "{\n\t\"mcpServers\": {\n\t\t\"b\": {},\n\t\t\"skillc\": {\n\t\t\t\"command\": \"skc\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}\n";
    assert_eq!(new, expected);
    assert_eq!(
        put("{\"mcpServers\": {}}").unwrap(),
        "{\"mcpServers\": {\"skillc\": {\"command\": \"skc\", \"args\": [\"mcp\"]}}}"
    );
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn an_entry_of_ours_that_differs_is_replaced() {
    let old = "{\n  \"mcpServers\": {\n    \"skillc\": {\n      \"command\": \"/old/skc\"\n    }, // kept\n    \"b\": {}\n  }\n}";
    let new = put(old).unwrap();
    assert!(new.contains("\"command\": \"skc\",\n      \"args\": [\"mcp\"]\n    }, // kept"), "{new}");
    let with_more = "{\"mcpServers\": {\"skillc\": {\"args\": [\"mcp\"], \"command\": \"skc\", \"env\": {\"A\": \"1\"}}}}";
    assert_eq!(put(with_more), None, "other keys of the entry are the user's");
}

#[test]
fn a_fresh_file_goes_as_a_whole_and_an_entry_among_others_alone() {
    let file = fresh(&KEYS, &entry(Shape::Command, "skc", &["mcp"]));
    assert_eq!(take(&file), Removal::All);
    assert_eq!(take(&format!("// mine\n{file}")), Removal::Text("// mine\n{\n}\n".to_owned()));
    let first = "{\n  \"mcpServers\": {\n    \"skillc\": {}, // ours\n    // theirs\n    \"b\": {}\n  }\n}";
    assert_eq!(
        take(first),
        Removal::Text("{\n  \"mcpServers\": { // ours\n    // theirs\n    \"b\": {}\n  }\n}".to_owned())
    );
}

#[test]
fn a_file_that_the_client_could_not_read_is_refused() {
    for text in [
        "",
        " \n",
        "[]",
        "{",
        "{\"a\": 1 \"b\": 2}",
        "{'a': 1}",
        "{a: 1}",
        "{\"a\": 1,}",
        "{} // c",
        "{}{}",
        "{\"a\": NaN}",
    ] {
        assert!(JsonConfig::parse(text, STRICT).is_err(), "{text}");
    }
    assert!(JsonConfig::parse(&format!("{{\"a\": {}", "[".repeat(1_000_000)), ALL).is_err());
    for text in ["{\"mcpServers\": []}", "{\"mcpServers\": null}", "{\"mcpServers\": {}, \"mcpServers\": {}}"]
    {
        assert!(
            JsonConfig::parse(text, ALL)
                .unwrap()
                .put(&KEYS, &entry(Shape::Command, "skc", &["mcp"]))
                .is_err(),
            "{text}"
        );
    }
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn an_entry_goes_in_and_out_of_any_file() {
    let gaps = ["", " ", "\n", "\r\n  ", " // c\n", "/* c */", "\n\t// {\n\t"];
    let mut seed: u64 = 7;
    let mut pick = |count: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % count
    };
    for _ in 0..3_000 {
        let mut text = gaps[pick(gaps.len())].to_owned() + "{" + gaps[pick(gaps.len())];
        let members = [
            "\"a\": 1",
            "\"mcpServers\": {}",
            "\"mcpServers\": {\"b\": {} // x\n}",
            "\"mcpServers\": {\n  \"b\": {},\n}",
        ];
        let chosen: Vec<&str> = match pick(4) {
            0 => vec![],
            1 => vec![members[0]],
            2 => vec![members[1 + pick(3)]],
            _ => vec![members[0], members[1 + pick(3)]],
        };
        for (at, member) in chosen.iter().enumerate() {
            let is_last = at + 1 == chosen.len();
            let comma = if !is_last || pick(3) == 0 { "," } else { "" };
            text += &format!("{member}{}{comma}{}", gaps[pick(gaps.len())], gaps[pick(gaps.len())]);
        }
        text += &format!("}}{}", gaps[pick(gaps.len())]);
        let new = put(&text).unwrap();
        assert_eq!(put(&new), None, "{text:?} became {new:?}");
        assert_eq!(take(&new), Removal::Text(text.clone()), "{text:?} became {new:?}");
    }
}
