//! RFC-0015:C-PLUGIN: our manifests in the clients that read them. The clients run without an account, each in its
//! own home directory. `SKC_TEST_CLIENTS` names a `node_modules` with `@anthropic-ai/claude-code`,
//! `@google/gemini-cli`, `@openai/codex` and `skills`.

use super::plugin::{DESCRIPTION, collection, manifest};
use crate::site::{Site, put};
use std::path::Path;
use std::process::{Command, Output};

const CLIENTS: Option<&str> = option_env!("SKC_CLIENTS_FOUND");

/// Runs a client in the project.
fn client(site: &Site, program: &str, args: &[&str]) -> Output {
    let program = Path::new(CLIENTS.unwrap_or_default()).join(program);
    let mut command = Command::new(program);
    command.args(args).current_dir(site.project()).env("HOME", site.home()).env("CI", "1");
    command.env("DISABLE_AUTOUPDATER", "1").env("DISABLE_TELEMETRY", "1").env("NO_COLOR", "1");
    command.output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// A plugin with two skills, a local MCP server and a remote one.
fn plugin() -> Site {
    let servers = "[plugin.mcp.local]\ntype = \"stdio\"\ncommand = \"./bin/serve\"\nargs = [\"--root\", \"${PLUGIN_ROOT}\"]\n\n\
                   [plugin.mcp.remote]\ntype = \"streamable-http\"\nurl = \"https://mcp.example.com/mcp\"\n";
    let site = collection(&format!("{DESCRIPTION}homepage = \"https://example.com\"\n\n{servers}"));
    put(&site.project().join("bin/serve"), "#!/bin/sh\n");
    site
}

/// RFC-0015:C-PLUGIN
#[test]
#[cfg_attr(not(has_clients), ignore = "SKC_TEST_CLIENTS names no folder of npm packages")]
fn clients_accept_the_manifests_of_a_collection() {
    let claude = "@anthropic-ai/claude-code-linux-x64/claude";
    for manifests in ["agent-plugins,claude,marketplace,codex,gemini", "marketplace"] {
        let site = plugin();
        site.skc(["plugin", "init", "--for", manifests]).ok();
        let done = client(&site, claude, &["plugin", "validate", "."]);
        assert!(done.status.success(), "{manifests}: {}", text(&done));
        if manifests != "marketplace" {
            let done = client(&site, claude, &["plugin", "validate", ".claude-plugin/plugin.json"]);
            assert!(done.status.success(), "{}", text(&done));
            let done = client(&site, ".bin/gemini", &["extensions", "validate", "."]);
            assert!(text(&done).contains("successfully validated"), "{}", text(&done));
        }
        let listed = text(&client(&site, ".bin/skills", &["add", ".", "--list"]));
        assert!(
            listed.contains("notes") && listed.contains("pdf") && listed.contains("Found 2 skills"),
            "{listed}"
        );
    }
}

/// RFC-0015:C-PLUGIN-CHECK
#[test]
#[cfg_attr(not(has_clients), ignore = "SKC_TEST_CLIENTS names no folder of npm packages")]
fn refusals_of_claude_code_are_predicted() {
    let claude = "@anthropic-ai/claude-code-linux-x64/claude";
    let site = plugin();
    site.skc(["plugin", "init", "--for", "claude"]).ok();
    let good = manifest(&site, ".claude-plugin/plugin.json");
    for (key, value) in [
        ("name", "\"a b\""),
        ("name", "1"),
        ("author", "\"Ada\""),
        ("author", "{\"email\": \"a@b.c\"}"),
        ("homepage", "\"here\""),
        ("keywords", "\"x\""),
        ("skills", "\"skills/\""),
        ("skills", "[\"./../x\"]"),
        ("skills", "[\"./gone/\"]"),
        ("commands", "\"./gone\""),
        ("version", "1"),
        ("name", "\"Odd_Name\""),
        ("licence", "\"MIT\""),
        ("version", "\"v1\""),
    ] {
        let mut odd = good.clone();
        odd[key] = serde_json::from_str(value).unwrap();
        put(&site.project().join(".claude-plugin/plugin.json"), odd.to_string());
        let done = client(&site, claude, &["plugin", "validate", "."]);
        let bare = Site::without_project();
        for entry in ["skills/notes/SKILL.md", "bin/serve", ".claude-plugin/plugin.json"] {
            put(&bare.project().join(entry), std::fs::read(site.project().join(entry)).unwrap());
        }
        let ours = bare.skc(["plugin", "check"]);
        assert_eq!(ours.status == 0, done.status.success(), "{key}: {value}\n{}\n{}", ours.out, text(&done));
    }
}

fn schema_of(version: &str) -> String {
    format!(
        "{{\"$schema\": \"https://agent-plugins.org/schemas/{version}/plugin.schema.json\", \"name\": \"acme\"}}"
    )
}

fn with_extension(value: &str) -> String {
    schema_of("1.0.0").replace('}', &format!(", \"extensions\": {{\"com.openai\": {value}}}}}"))
}

/// RFC-0015:C-PLUGIN, RFC-0015:C-PLUGIN-CHECK
#[test]
#[cfg_attr(not(has_clients), ignore = "SKC_TEST_CLIENTS names no folder of npm packages")]
fn codex_installs_what_is_written_and_refuses_what_is_predicted() {
    let schema = "\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\"";
    let (codex, entry) = (".codex-plugin/plugin.json", ".claude-plugin/marketplace.json");
    let bare = "{\"name\": \"acme\", \"owner\": {\"name\": \"A\"}, \"plugins\": [{\"name\": \"acme\", \"source\": \"./\"}]}";
    for (files, is_loaded) in [
        (vec![], true),
        (vec![("plugin.json", format!("{{{schema}, \"name\": \"Acme\"}}"))], false),
        (vec![("plugin.json", format!("{{{schema}, \"name\": \"acme\", \"author\": \"Ada\"}}"))], false),
        (vec![("plugin.json", schema_of("9.0.0"))], false),
        // A file that is not an Agent Plugin is ignored: Codex's own manifest counts, then the entry in the
        // marketplace.
        (vec![("plugin.json", "{\"name\": \"acme\"}".to_owned())], true),
        (vec![("plugin.json", "{".to_owned())], true),
        (vec![("plugin.json", "{".to_owned()), (entry, bare.to_owned())], false),
        (vec![("plugin.json", "{".to_owned()), (codex, "{\"name\": \"acme\"}".to_owned())], true),
        (vec![("plugin.json", "{".to_owned()), (codex, "{\"version\": 1}".to_owned())], false),
        (vec![(codex, "{\"version\": 1}".to_owned())], false),
        (vec![("plugin.json", with_extension("{}")), (codex, "{".to_owned())], true),
        (vec![("plugin.json", with_extension("{\"version\": 1}"))], false),
    ] {
        let site = plugin();
        site.skc(["plugin", "init", "--for", "agent-plugins,marketplace"]).ok();
        for (path, text) in &files {
            put(&site.project().join(path), text);
        }
        let project = site.project().to_string_lossy().into_owned();
        let added = client(&site, ".bin/codex", &["plugin", "marketplace", "add", &project]);
        assert!(added.status.success(), "{}", text(&added));
        let done = client(&site, ".bin/codex", &["plugin", "add", "acme@acme"]);
        assert_eq!(done.status.success(), is_loaded, "{files:?}: {}", text(&done));
        let reply = site.skc(["plugin", "check", "--explain-load", "-o", "json"]).json();
        let verdicts = reply["clients"].as_array().unwrap().iter();
        let codex = verdicts.filter(|verdict| verdict["client"] == "codex").collect::<Vec<_>>()[0];
        assert_eq!(codex["outcome"] == "loads", is_loaded, "{files:?}: {codex}");
    }
}
