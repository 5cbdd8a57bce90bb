//! RFC-0015:C-PLUGIN-SPEC and C-PLUGIN-RULES: the requirements of Agent Plugins 1.0.0, and the examples of the rules.
//!
//! Requirements on clients are missing here, since a package cannot violate them: not to retrieve a schema (5.2,
//! 7.2.1), to ignore what they do not support (7, 8.1), to resolve commands and expand placeholders (7.2.1, 9.2), and
//! the environment of a process (9.1).

use crate::site::{Site, put};
use serde_json::Value;
use skillc_lint::plugin::{PLUGIN_RULES, PluginRule};
use std::collections::BTreeSet;

const SCHEMA: &str = "\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\"";
const MCP: &str = "\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/mcp.schema.json\"";
const SKILL: &str = "---\nname: x\ndescription: Shows a plugin. Use when testing.\n---\n\n# X\n";

/// The files of a plugin in a case. `$S` and `$M` stand for the two schemas, `$K` for a skill.
type Files = &'static [(&'static str, &'static str)];

struct Requirement {
    /// The section and the requirement, abbreviated.
    what: &'static str,
    good: Files,
    bad: Files,
    rule: &'static str,
}

const fn case(what: &'static str, rule: &'static str, good: Files, bad: Files) -> Requirement {
    Requirement { what, good, bad, rule }
}

const PLAIN: (&str, &str) = ("plugin.json", "{$S, \"name\": \"demo\"}");

/// An MCP server `a` with these fields.
macro_rules! server {
    ($fields:literal) => {
        &[PLAIN, ("mcp.json", concat!("{$M, \"mcpServers\": {\"a\": {", $fields, "}}}"))]
    };
}
/// The manifest with these additional fields.
macro_rules! plugin {
    ($fields:literal) => {
        &[("plugin.json", concat!("{$S, ", $fields, "}"))]
    };
}

#[rustfmt::skip]
const REQUIREMENTS: &[Requirement] = &[
    case("4.1 the manifest is plugin.json, a file", "PLG002", &[PLAIN], &[("plugin.json/x", "")]),
    case("4.1 a path begins with './'", "PLG204", server!("\"type\": \"stdio\", \"command\": \"x\""), server!("\"type\": \"stdio\", \"command\": \"bin/x\"")),
    case("4.1 a path stays in the plugin", "PLG204", server!("\"type\": \"stdio\", \"command\": \"x\""), server!("\"type\": \"stdio\", \"command\": \"./../x\"")),
    case("4.1 arguments are no paths", "PLG203", server!("\"type\": \"stdio\", \"command\": \"x\", \"args\": [\"../y\"]"), server!("\"type\": \"stdio\", \"command\": \"x\", \"args\": [1]")),
    case("5.2 the manifest is JSON", "PLG001", &[PLAIN], &[("plugin.json", "{$S, \"name\": \"demo\",}")]),
    case("5.2 with an object at the top", "PLG001", &[PLAIN], &[("plugin.json", "[]")]),
    case("5.2 an unknown field is reported", "PLG104", &[PLAIN], plugin!("\"name\": \"demo\", \"mcpServers\": {}")),
    case("5.2 a field has its type", "PLG103", plugin!("\"name\": \"demo\", \"license\": \"MIT\""), plugin!("\"name\": \"demo\", \"license\": null")),
    case("5.2 $schema is the canonical identifier", "PLG101", &[PLAIN], &[("plugin.json", "{\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json#\", \"name\": \"demo\"}")]),
    case("5.2 an unknown version is refused", "PLG101", &[PLAIN], &[("plugin.json", "{\"$schema\": \"https://agent-plugins.org/schemas/1.1.0/plugin.schema.json\", \"name\": \"demo\"}")]),
    case("5.3 $schema is there", "PLG101", &[PLAIN], &[("plugin.json", "{\"name\": \"demo\"}")]),
    case("5.3 $schema is text", "PLG101", &[PLAIN], &[("plugin.json", "{\"$schema\": 1, \"name\": \"demo\"}")]),
    case("5.3 the name is there", "PLG102", &[PLAIN], &[("plugin.json", "{$S}")]),
    case("5.3 the name is not empty", "PLG102", &[PLAIN], plugin!("\"name\": \"\"")),
    case("5.3 the name is text", "PLG102", &[PLAIN], plugin!("\"name\": [\"demo\"]")),
    case("5.4 the author is an object", "PLG103", plugin!("\"name\": \"demo\", \"author\": {}"), plugin!("\"name\": \"demo\", \"author\": []")),
    case("5.4 with name, email and url alone", "PLG103", plugin!("\"name\": \"demo\", \"author\": {\"url\": \"x\"}"), plugin!("\"name\": \"demo\", \"author\": {\"web\": \"x\"}")),
    case("5.4 each of them text", "PLG103", plugin!("\"name\": \"demo\", \"author\": {\"email\": \"odd\"}"), plugin!("\"name\": \"demo\", \"author\": {\"email\": null}")),
    case("5.4 keywords are texts", "PLG103", plugin!("\"name\": \"demo\", \"keywords\": [\"a\"]"), plugin!("\"name\": \"demo\", \"keywords\": [\"a\", 1]")),
    case("5.4 no version is refused for its form", "PLG107", plugin!("\"name\": \"demo\", \"version\": \"1.0.0\""), plugin!("\"name\": \"demo\", \"version\": \"next\"")),
    case("5.5 the name has at most 64 characters", "PLG102", plugin!("\"name\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\""), plugin!("\"name\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"")),
    case("5.5 of a-z, 0-9, '-' and '.'", "PLG102", plugin!("\"name\": \"acme.tools-2\""), plugin!("\"name\": \"acme_tools\"")),
    case("5.5 alphanumeric at both ends", "PLG102", plugin!("\"name\": \"0a\""), plugin!("\"name\": \"a-\"")),
    case("5.5 without '--'", "PLG102", plugin!("\"name\": \"a-b\""), plugin!("\"name\": \"a--b\"")),
    case("5.5 without '..'", "PLG102", plugin!("\"name\": \"a.b\""), plugin!("\"name\": \"a..b\"")),
    case("6.1 components are found in fixed places", "PLG608", &[PLAIN, ("skills/x/SKILL.md", "$K")], &[PLAIN, ("skills/y/x/SKILL.md", "$K")]),
    case("6.1 the manifest names no components", "PLG104", &[PLAIN], plugin!("\"name\": \"demo\", \"skills\": \"./other/\"")),
    case("6.2 skills is a folder", "PLG108", &[PLAIN], &[PLAIN, ("skills", "")]),
    case("6.2 mcp.json is a file", "PLG002", &[PLAIN, ("mcp.json", "{$M, \"mcpServers\": {}}")], &[PLAIN, ("mcp.json/x", "")]),
    case("7.1 a skill conforms to its specification", "PLG109", &[PLAIN, ("skills/x/SKILL.md", "$K")], &[PLAIN, ("skills/y/SKILL.md", "$K")]),
    case("7.2.1 mcp.json is an object", "PLG001", &[PLAIN, ("mcp.json", "{$M, \"mcpServers\": {}}")], &[PLAIN, ("mcp.json", "[]")]),
    case("7.2.1 with $schema", "PLG201", &[PLAIN, ("mcp.json", "{$M, \"mcpServers\": {}}")], &[PLAIN, ("mcp.json", "{\"mcpServers\": {}}")]),
    case("7.2.1 with mcpServers", "PLG202", &[PLAIN, ("mcp.json", "{$M, \"mcpServers\": {}}")], &[PLAIN, ("mcp.json", "{$M}")]),
    case("7.2.1 an object of servers", "PLG202", &[PLAIN, ("mcp.json", "{$M, \"mcpServers\": {}}")], &[PLAIN, ("mcp.json", "{$M, \"mcpServers\": []}")]),
    case("7.2.1 and no other field", "PLG202", &[PLAIN, ("mcp.json", "{$M, \"mcpServers\": {}}")], &[PLAIN, ("mcp.json", "{$M, \"mcpServers\": {}, \"inputs\": []}")]),
    case("7.2.1 a server has a type", "PLG203", server!("\"type\": \"stdio\", \"command\": \"x\""), server!("\"command\": \"x\"")),
    case("7.2.1 one of three types", "PLG203", server!("\"type\": \"sse\", \"url\": \"https://a.b\""), server!("\"type\": \"http\", \"url\": \"https://a.b\"")),
    case("7.2.1 and the fields of it", "PLG203", server!("\"type\": \"stdio\", \"command\": \"x\""), server!("\"type\": \"stdio\", \"command\": \"x\", \"url\": \"https://a.b\"")),
    case("7.2.1 no unknown field", "PLG203", server!("\"type\": \"stdio\", \"command\": \"x\""), server!("\"type\": \"stdio\", \"command\": \"x\", \"timeout\": 1")),
    case("7.2.1 stdio has a command", "PLG203", server!("\"type\": \"stdio\", \"command\": \"x\""), server!("\"type\": \"stdio\"")),
    case("7.2.1 one program, no command line", "PLG204", server!("\"type\": \"stdio\", \"command\": \"npx\", \"args\": [\"-y\", \"x\"]"), server!("\"type\": \"stdio\", \"command\": \"npx -y x\"")),
    case("7.2.1 no placeholder in it", "PLG204", server!("\"type\": \"stdio\", \"command\": \"x\""), server!("\"type\": \"stdio\", \"command\": \"${PLUGIN_ROOT}/x\"")),
    case("7.2.1 cwd has one of three forms", "PLG205", server!("\"type\": \"stdio\", \"command\": \"x\", \"cwd\": \"${PLUGIN_ROOT}\""), server!("\"type\": \"stdio\", \"command\": \"x\", \"cwd\": \"${PLUGIN_ROOT}x\"")),
    case("7.2.1 cwd stays in the plugin", "PLG205", server!("\"type\": \"stdio\", \"command\": \"x\", \"cwd\": \"./a/..\""), server!("\"type\": \"stdio\", \"command\": \"x\", \"cwd\": \"${PLUGIN_ROOT}/../y\"")),
    case("7.2.1 or in its data", "PLG205", server!("\"type\": \"stdio\", \"command\": \"x\", \"cwd\": \"${PLUGIN_DATA}/a\""), server!("\"type\": \"stdio\", \"command\": \"x\", \"cwd\": \"${PLUGIN_DATA}/..\"")),
    case("7.2.1 a remote server has an address", "PLG203", server!("\"type\": \"sse\", \"url\": \"https://a.b\""), server!("\"type\": \"sse\"")),
    case("7.2.1 which is absolute", "PLG208", server!("\"type\": \"sse\", \"url\": \"https://a.b/x\""), server!("\"type\": \"sse\", \"url\": \"/x\"")),
    case("7.2.1 of HTTP or HTTPS", "PLG208", server!("\"type\": \"sse\", \"url\": \"https://a.b/x\""), server!("\"type\": \"sse\", \"url\": \"ws://a.b/x\"")),
    case("7.2.1 without user information", "PLG208", server!("\"type\": \"sse\", \"url\": \"https://a.b/x\""), server!("\"type\": \"sse\", \"url\": \"https://u@a.b/x\"")),
    case("7.2.1 without a fragment", "PLG208", server!("\"type\": \"sse\", \"url\": \"https://a.b/x?y\""), server!("\"type\": \"sse\", \"url\": \"https://a.b/x#y\"")),
    case("7.2.1 HTTP on this machine alone", "PLG208", server!("\"type\": \"sse\", \"url\": \"http://127.0.0.1:8080/x\""), server!("\"type\": \"sse\", \"url\": \"http://10.0.0.1/x\"")),
    case("7.2.1 headers are valid in HTTP", "PLG209", server!("\"type\": \"sse\", \"url\": \"https://a.b\", \"headers\": {\"X-A\": \"b c\"}"), server!("\"type\": \"sse\", \"url\": \"https://a.b\", \"headers\": {\"X A\": \"b\"}")),
    case("7.2.1 and their values", "PLG209", server!("\"type\": \"sse\", \"url\": \"https://a.b\", \"headers\": {\"X-A\": \"b\"}"), server!("\"type\": \"sse\", \"url\": \"https://a.b\", \"headers\": {\"X-A\": \"b\\nc\"}")),
    case("7.2.1 each is there once", "PLG209", server!("\"type\": \"sse\", \"url\": \"https://a.b\", \"headers\": {\"X-A\": \"b\"}"), server!("\"type\": \"sse\", \"url\": \"https://a.b\", \"headers\": {\"X-A\": \"b\", \"x-a\": \"b\"}")),
    case("7.2.1 without secrets", "PLG210", server!("\"type\": \"sse\", \"url\": \"https://a.b\""), server!("\"type\": \"sse\", \"url\": \"https://a.b\", \"headers\": {\"Authorization\": \"Bearer q7Zk91LmQ0vTx7Yb2Wc8Rf3D\"}")),
    case("7.2.2 a program in the plugin is there", "PLG207", &[PLAIN, ("mcp.json", "{$M, \"mcpServers\": {\"a\": {\"type\": \"stdio\", \"command\": \"./bin/x\"}}}"), ("bin/x", "")], server!("\"type\": \"stdio\", \"command\": \"./bin/x\"")),
    case("8 data of a client is under its namespace", "PLG105", plugin!("\"name\": \"demo\", \"extensions\": {\"com.example\": {}}"), plugin!("\"name\": \"demo\", \"extensions\": {\"example\": {}}")),
    case("8.1 extensions is an object", "PLG105", plugin!("\"name\": \"demo\", \"extensions\": {}"), plugin!("\"name\": \"demo\", \"extensions\": 1")),
    case("8.1 of objects", "PLG106", plugin!("\"name\": \"demo\", \"extensions\": {\"com.example\": {\"x\": 1}}"), plugin!("\"name\": \"demo\", \"extensions\": {\"com.example\": 1}")),
    case("9.2 env sets neither PLUGIN_ROOT", "PLG206", server!("\"type\": \"stdio\", \"command\": \"x\", \"env\": {\"A\": \"${PLUGIN_ROOT}\"}"), server!("\"type\": \"stdio\", \"command\": \"x\", \"env\": {\"PLUGIN_ROOT\": \"a\"}")),
    case("9.2 nor PLUGIN_DATA", "PLG206", server!("\"type\": \"stdio\", \"command\": \"x\", \"env\": {\"plugin_data\": \"a\"}"), server!("\"type\": \"stdio\", \"command\": \"x\", \"env\": {\"PLUGIN_DATA\": \"a\"}")),
    case("9.2 env without secrets", "PLG210", server!("\"type\": \"stdio\", \"command\": \"x\", \"env\": {\"MODE\": \"fast\"}"), server!("\"type\": \"stdio\", \"command\": \"x\", \"env\": {\"API_KEY\": \"q7Zk91LmQ0vTx7Yb2Wc8Rf3D\"}")),
];

/// Writes the files of a case into a folder, and checks the plugin there.
fn found(site: &Site, folder: &str, files: Files) -> BTreeSet<String> {
    let root = site.project().join(folder).join("demo");
    for (path, text) in files {
        put(&root.join(path), text.replace("$S", SCHEMA).replace("$M", MCP).replace("$K", SKILL));
    }
    // A plugin with its own configuration is a project.
    let is_project = root.join(".skillc").exists();
    let cwd = if is_project { root } else { site.project().join(folder) };
    let folder = if is_project { "." } else { "demo" };
    let reply = site.skc_in(&cwd, ["plugin", "check", folder, "-o", "json"]).json();
    let rule = |finding: &Value| finding["rule"].as_str().unwrap().to_owned();
    reply["findings"].as_array().unwrap().iter().map(rule).collect()
}

/// RFC-0015:C-PLUGIN-SPEC
#[test]
fn each_requirement_has_a_good_and_a_bad_case() {
    let site = Site::without_project();
    for (at, requirement) in REQUIREMENTS.iter().enumerate() {
        let Requirement { what, good, bad, rule } = requirement;
        assert_eq!(found(&site, &format!("good{at}"), good), BTreeSet::new(), "{what}");
        assert_eq!(found(&site, &format!("bad{at}"), bad), BTreeSet::from([(*rule).to_owned()]), "{what}");
    }
}

/// RFC-0015:C-PLUGIN-CHECK
#[test]
fn each_rule_about_plugins_finds_its_example() {
    let site = Site::without_project();
    for PluginRule { id, good, bad, .. } in PLUGIN_RULES {
        assert_eq!(found(&site, &format!("bad-{id}"), bad), BTreeSet::from([(*id).to_owned()]), "{id}");
        assert_eq!(found(&site, &format!("good-{id}"), good), BTreeSet::new(), "{id}");
    }
    let ids: Vec<&str> = PLUGIN_RULES.iter().map(|rule| rule.id).collect();
    assert!(ids.is_sorted(), "{ids:?}");
}
