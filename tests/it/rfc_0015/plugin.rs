//! RFC-0015:C-PLUGIN and C-PLUGIN-SOURCE: a project's plugin manifests.

use crate::site::{Site, put, skill_md, snapshot};
use serde_json::{Value, json};
use std::fs;

/// A repository whose folder `skills` is the store, with two skills.
pub fn collection(config: &str) -> Site {
    let site = Site::without_project();
    for name in ["notes", "pdf"] {
        put(&site.project().join(format!("skills/{name}/SKILL.md")), skill_md(name, "# Title\n\nText.\n"));
    }
    let config = format!("[sources]\nroots = [\"skills\"]\n\n{config}");
    put(&site.project().join(".skillc/config.toml"), config);
    site
}

pub const DESCRIPTION: &str = "[plugin]\nname = \"acme\"\nversion = \"1.2.0\"\ndescription = \"Skills for tests\"\n\
    author = \"Ada <ada@example.com>\"\nlicense = \"MIT\"\nkeywords = [\"a\", \"b\"]\n";

pub fn manifest(site: &Site, path: &str) -> Value {
    let text = fs::read_to_string(site.project().join(path)).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}: {text}"))
}

pub fn read(site: &Site, path: &str) -> String {
    fs::read_to_string(site.project().join(path)).unwrap()
}

/// The rules that a check reports, once per finding.
pub fn rules(site: &Site, line: &[&str]) -> Vec<String> {
    let run = site.skc([&["plugin", "check"], line, &["--format", "json"]].concat());
    let rule = |finding: &Value| finding["rule"].as_str().unwrap().to_owned();
    run.json()["findings"].as_array().unwrap().iter().map(rule).collect()
}

/// RFC-0015:C-PLUGIN
#[test]
fn init_writes_the_manifests_of_a_project() {
    let site = collection(DESCRIPTION);
    let reply =
        site.skc(["plugin", "init", "--for", "agent-plugins,claude,marketplace,codex,gemini", "-o", "json"]);
    let reply = reply.ok().json();
    assert_eq!(reply["manifests"].as_array().unwrap().len(), 5, "no server, so no mcp.json: {reply}");
    let author = json!({ "name": "Ada", "email": "ada@example.com" });
    assert_eq!(
        manifest(&site, "plugin.json"),
        json!({
            "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "acme", "version": "1.2.0",
            "description": "Skills for tests", "author": author, "license": "MIT", "keywords": ["a", "b"],
        })
    );
    let claude = manifest(&site, ".claude-plugin/plugin.json");
    assert_eq!(
        (&claude["author"], &claude["skills"]),
        (&author, &Value::Null),
        "skills/ is looked at anyway"
    );
    let marketplace = manifest(&site, ".claude-plugin/marketplace.json");
    assert_eq!(marketplace["plugins"][0]["source"], "./");
    assert_eq!(marketplace["owner"], json!({ "name": "Ada", "email": "ada@example.com" }));
    assert_eq!(manifest(&site, ".codex-plugin/plugin.json")["skills"], "./skills/");
    assert_eq!(
        manifest(&site, "gemini-extension.json"),
        json!({ "name": "acme", "version": "1.2.0", "description": "Skills for tests" })
    );
    assert!(read(&site, ".skillc/config.toml").contains("manifests = [\"agent-plugins\", \"claude\""));
    assert_eq!(rules(&site, &[]), [""; 0]);
    let before = snapshot(&site.project());
    assert!(site.skc(["plugin", "init"]).ok().out.contains("Unchanged plugin.json"));
    assert!(site.skc(["plugin", "sync"]).ok().out.contains("Unchanged plugin.json"));
    assert_eq!(snapshot(&site.project()), before);
}

/// RFC-0015:C-PLUGIN
#[test]
fn a_plugin_is_described_by_what_is_there() {
    let site = collection("");
    put(
        &site.project().join(".codex-plugin/plugin.json"),
        "{\"name\": \"theirs\", \"version\": \"2.0.0\", \"skills\": \"./skills/\"}\n",
    );
    site.skc(["plugin", "init"]).ok();
    let written = manifest(&site, "plugin.json");
    assert_eq!((&written["name"], &written["version"]), (&json!("theirs"), &json!("2.0.0")));
    let fresh = collection("");
    fresh.skc(["plugin", "init", "--for", "gemini"]).ok();
    assert_eq!(manifest(&fresh, "gemini-extension.json"), json!({ "name": "project", "version": "0.1.0" }));
    assert!(!fresh.project().join("plugin.json").exists());
}

/// RFC-0015:C-PLUGIN-SOURCE
#[test]
fn a_marketplace_alone_lists_the_skills() {
    let site = collection(DESCRIPTION);
    site.skc(["plugin", "init", "--for", "marketplace"]).ok();
    let entry = &manifest(&site, ".claude-plugin/marketplace.json")["plugins"][0];
    assert_eq!(
        (&entry["strict"], &entry["skills"]),
        (&json!(false), &json!(["./skills/notes", "./skills/pdf"]))
    );
}

/// RFC-0015:C-PLUGIN-SOURCE
#[test]
fn skills_elsewhere_are_named_and_not_found_by_all() {
    let site = Site::new();
    site.write_skill("notes", "# Notes\n");
    put(&site.project().join(".skillc/config.toml"), DESCRIPTION);
    site.skc(["plugin", "init"]).ok();
    assert_eq!(manifest(&site, ".claude-plugin/plugin.json")["skills"], json!(["./.skillc/skills/"]));
    assert_eq!(rules(&site, &[]), ["PLG608"], "clients of Agent Plugins look in skills/ alone");
    std::os::unix::fs::symlink(".skillc/skills", site.project().join("skills")).unwrap();
    assert_eq!(rules(&site, &[]), [""; 0], "a link inside the plugin is followed");
}

const SERVERS: &str = "manifests = [\"agent-plugins\", \"claude\", \"gemini\"]\n\n[plugin.mcp.local]\ntype = \"stdio\"\n\
    command = \"./bin/serve\"\nargs = [\"--root\", \"${PLUGIN_ROOT}\"]\n\n[plugin.mcp.remote]\ntype = \"streamable-http\"\n\
    url = \"https://mcp.example.com/mcp\"\n";

/// RFC-0015:C-PLUGIN-SOURCE
#[test]
fn servers_are_in_each_manifest_that_has_them() {
    let site = collection(&format!("{DESCRIPTION}{SERVERS}"));
    put(&site.project().join("bin/serve"), "#!/bin/sh\n");
    site.skc(["plugin", "init", "--for", "agent-plugins,claude,marketplace,codex,gemini"]).ok();
    let mcp = manifest(&site, "mcp.json");
    assert_eq!(mcp["$schema"], "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json");
    assert_eq!(mcp["mcpServers"]["local"]["command"], "./bin/serve");
    let claude = manifest(&site, ".claude-plugin/plugin.json");
    assert_eq!(claude["mcpServers"]["local"]["command"], "${CLAUDE_PLUGIN_ROOT}/bin/serve");
    assert_eq!(
        claude["mcpServers"]["remote"],
        json!({ "type": "http", "url": "https://mcp.example.com/mcp" })
    );
    let gemini = manifest(&site, "gemini-extension.json");
    assert_eq!(gemini["mcpServers"]["local"]["args"], json!(["--root", "${extensionPath}"]));
    assert_eq!(gemini["mcpServers"]["remote"], json!({ "httpUrl": "https://mcp.example.com/mcp" }));
    let codex = &manifest(&site, ".codex-plugin/plugin.json")["mcpServers"];
    let local = json!({ "command": "./bin/serve", "args": ["--root", "."], "cwd": "." });
    assert_eq!(
        (&codex["local"], &codex["remote"]),
        (&local, &json!({ "url": "https://mcp.example.com/mcp" }))
    );
    assert_eq!(rules(&site, &[]), [""; 0]);
}

/// RFC-0015:C-PLUGIN
#[test]
fn a_manifest_that_says_something_else_stays_unless_forced() {
    let site = collection(DESCRIPTION);
    let theirs = "{\"name\": \"theirs\", \"mine\": 1}\n";
    put(&site.project().join("plugin.json"), theirs);
    let run = site.skc(["plugin", "init"]).fails("E059");
    assert!(run.err.contains("skc plugin sync") && run.err.contains("--force"), "{}", run.err);
    assert_eq!(read(&site, "plugin.json"), theirs);
    assert!(site.project().join("gemini-extension.json").exists(), "the others are written");
    let run = site.skc(["plugin", "init", "--force"]).ok();
    assert!(run.err.contains("warning[W041]"), "{}", run.err);
    assert_eq!(manifest(&site, "plugin.json")["name"], "acme");
    site.skc(["undo"]).ok();
    assert_eq!(read(&site, "plugin.json"), theirs);
    put(&site.project().join("plugin.json"), "no json");
    site.skc(["plugin", "init"]).fails("E059");
    assert_eq!(read(&site, "plugin.json"), "no json");
}

/// RFC-0015:C-PLUGIN
#[test]
fn nothing_is_written_that_a_client_would_refuse() {
    let site = collection(&DESCRIPTION.replace("acme", "acme.tools"));
    let before = snapshot(&site.project());
    let run = site.skc(["plugin", "init"]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.out.contains("PLG502") && run.out.contains("gemini-extension.json:2:11"), "{}", run.out);
    assert_eq!(snapshot(&site.project()), before);
    site.skc(["plugin", "init", "--for", "agent-plugins"]).ok();
}

/// RFC-0015:C-PLUGIN
#[test]
fn wrong_arguments_of_plugin_are_refused() {
    let site = collection(DESCRIPTION);
    for line in [
        &["plugin", "init", "--for", "cursor"][..],
        &["plugin", "init", "--name", "Not A Name"],
        &["plugin", "sync", "--force"],
        &["plugin", "sync", "elsewhere"],
        &["plugin", "check", "--name", "x"],
        &["plugin", "check", "missing"],
        &["plugin", "frobnicate"],
    ] {
        site.skc(line).fails("E100");
    }
    let bare = Site::without_project();
    assert!(bare.skc(["plugin", "init"]).fails("E100").err.contains("skc init --in-place"));
    bare.skc(["plugin", "sync"]).fails("E100");
    assert!(bare.skc(["plugin", "check"]).ok().out.contains("skc plugin init"));
}

/// RFC-0015:C-PLUGIN, hostile repositories
#[test]
fn no_link_leads_init_or_sync_out_of_the_project() {
    let outside = |site: &Site| site.root().join("outside");
    for folder in [".claude-plugin", "plugin.json"] {
        let site = collection(DESCRIPTION);
        put(&outside(&site).join("plugin.json"), "{\"name\": \"theirs\"}\n");
        put(&outside(&site).join("marketplace.json"), "{}\n");
        let target =
            if folder == "plugin.json" { outside(&site).join("plugin.json") } else { outside(&site) };
        std::os::unix::fs::symlink(&target, site.project().join(folder)).unwrap();
        let before = snapshot(&outside(&site));
        for line in [&["plugin", "init"][..], &["plugin", "init", "--force"], &["plugin", "sync"]] {
            site.skc(line);
            assert_eq!(snapshot(&outside(&site)), before, "{folder}: {line:?}");
        }
    }
}
