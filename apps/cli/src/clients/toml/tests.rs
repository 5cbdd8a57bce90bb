//! Tests of the splices in TOML.

use super::*;
use crate::clients::table::{Shape, entry};

fn put(text: &str) -> Result<Option<String>, String> {
    TomlConfig::parse(text)?.put("mcp_servers", "skillc", &entry(Shape::Command, "skc", &["mcp"]))
}

fn take(text: &str) -> Result<Removal, String> {
    TomlConfig::parse(text)?.remove("mcp_servers", "skillc")
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn a_table_goes_in_and_out_of_odd_files() {
    for text in [
        "",
        "\n",
        "\n\n",
        "# only a comment",
        "a = 1",
        "a = 1\n",
        "a = 1\r\n\r\n[b]\r\nc = \"\"\"\r\n[mcp_servers.skillc]\r\n\"\"\"\r\n",
        "a = 1\n\n\n# end",
        "[mcp_servers]\n",
        "[mcp_servers.b]\ncommand = \"b\" # why\n\n[z]",
        "mcp_servers.b.command = \"b\"\n",
        "[mcp_servers]\nb = { command = \"b\" }\n",
    ] {
        let new = put(text).unwrap().unwrap();
        assert_eq!(put(&new).unwrap(), None, "it stands there: {new:?}");
        assert_eq!(take(&new).unwrap(), Removal::Text(text.to_owned()), "after {new:?}");
        assert_eq!(take(text).unwrap(), Removal::Absent);
    }
}

#[test]
fn a_fresh_file_goes_as_a_whole() {
    let file = fresh("mcp_servers", "skillc", &entry(Shape::Command, "skc", &["mcp"]));
    assert_eq!(file, "[mcp_servers.skillc]\ncommand = \"skc\"\nargs = [\"mcp\"]\n");
    assert_eq!(take(&file).unwrap(), Removal::All);
    assert_eq!(take(&format!("{file}\n[b]\n")).unwrap(), Removal::Text("\n[b]\n".to_owned()));
}

#[test]
fn our_keys_are_put_right_and_the_users_stay() {
    let old = "[mcp_servers.skillc] # mine\r\ncommand = '/old' # why\r\nenabled = false\r\n[mcp_servers.skillc.env]\r\nA = \"1\"\r\n\r\n[z]\r\n";
    let new = put(old).unwrap().unwrap();
    assert_eq!(
        new,
        "[mcp_servers.skillc] # mine\r\nargs = [\"mcp\"]\r\ncommand = \"skc\" # why\r\nenabled = false\r\n[mcp_servers.skillc.env]\r\nA = \"1\"\r\n\r\n[z]\r\n"
    );
    assert_eq!(take(&new).unwrap(), Removal::Text("\r\n[z]\r\n".to_owned()));
    let inline = "[mcp_servers]\nskillc = { command = \"x\" } # c\nb = {}\n";
    assert_eq!(
        put(inline).unwrap().unwrap(),
        "[mcp_servers]\nskillc = { command = \"skc\", args = [\"mcp\"] } # c\nb = {}\n"
    );
    assert_eq!(take(inline).unwrap(), Removal::Text("[mcp_servers]\nb = {}\n".to_owned()));
}

#[test]
fn an_entry_in_the_way_is_reported() {
    for text in [
        "mcp_servers = 1",
        "mcp_servers = { b = {} }",
        "mcp_servers.skillc.command = \"x\"",
        "[[mcp_servers]]",
    ] {
        assert!(put(text).is_err(), "{text}");
    }
    assert_eq!(put("a = 1\nb = \n").unwrap_err().lines().count(), 1);
    for text in ["a", "a = 1\na = 2", "[a", "\u{0}"] {
        assert!(put(text).is_err() && take(text).is_err(), "{text}");
    }
    assert!(take("mcp_servers.skillc.command = \"x\"").is_err());
}
