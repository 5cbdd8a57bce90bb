//! RFC-0015:C-PLUGIN-CHECK, C-PLUGIN-SYNC and C-PLUGIN-INPUT: manifests that differ from the plugin, and other
//! people's manifests.

use super::plugin::{DESCRIPTION, collection, manifest, read, rules};
use crate::site::{Site, put, skill_md, snapshot};
use serde_json::{Value, json};
use std::fs;

const MARKETPLACE: &str = "{\n\t\"name\": \"acme-market\",\n\t\"owner\": { \"name\": \"Ada\" },\n\t\"x-mine\": [1,  2],\n\t\"plugins\": [\n\t\t{ \"name\": \"other\", \
    \"source\": { \"source\": \"github\", \"repo\": \"a/b\" } },\n\t\t{ \"name\": \"acme\", \"source\": \"./\", \"version\": \"1.1.0\", \"strict\": false,\n\t\t\t\"skills\": \
    [\"./skills/notes\", \"./skills/gone\"], \"category\": \"dev\" }\n\t]\n}";

/// A plugin with outdated manifests.
fn drifted() -> Site {
    let site =
        collection(&format!("{DESCRIPTION}manifests = [\"agent-plugins\", \"marketplace\", \"gemini\"]\n"));
    put(&site.project().join(".claude-plugin/marketplace.json"), MARKETPLACE);
    let plugin = "{\r\n    \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\r\n    \"name\": \"acme-old\",\r\n    \
        \"homepage\": \"mine\", \"extensions\": {\"com.example\": {\"a\":1}}\r\n}\r\n";
    put(&site.project().join("plugin.json"), plugin);
    site
}

/// RFC-0015:C-PLUGIN-CHECK
#[test]
fn check_reports_each_difference_with_its_fix() {
    let site = drifted();
    let run = site.skc(["plugin", "check"]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    for line in [
        "plugin.json:3:13: drift PLG602: 'name' is 'acme-old', and the plugin has 'acme'",
        "plugin.json: drift PLG601: 'version' is missing, and the plugin has '1.2.0'",
        "plugin.json: drift PLG603: 'license' is missing, and the plugin has 'MIT'",
        ".claude-plugin/marketplace.json:7:48: drift PLG601: 'plugins[1].version' is '1.1.0', and the plugin has '1.2.0'",
        ".claude-plugin/marketplace.json:8:33: drift PLG605: 'plugins[1].skills' lists './skills/gone', which is gone",
        "drift PLG604: 'plugins[1].skills' does not list the skill './skills/pdf'",
        "gemini-extension.json: drift PLG606: gemini-extension.json is missing",
    ] {
        assert!(run.out.contains(line), "{line}\n{}", run.out);
    }
    let fixes = run.out.lines().filter(|line| line.starts_with("  = fix: ")).count();
    assert_eq!(fixes, run.out.lines().filter(|line| line.contains(": drift PLG")).count(), "{}", run.out);
}

/// RFC-0015:C-PLUGIN-SYNC
#[test]
fn sync_changes_only_what_skc_owns() {
    let site = drifted();
    let run = site.skc(["plugin", "sync"]).ok();
    assert!(run.out.contains("Updated plugin.json\n  'name' is 'acme-old'"), "{}", run.out);
    assert!(!site.project().join("gemini-extension.json").exists(), "init writes what is missing");
    let expected = MARKETPLACE
        .replace("\"1.1.0\"", "\"1.2.0\"")
        .replace("\"./skills/gone\"", "\"./skills/pdf\"")
        .replace(
            "\"category\": \"dev\"",
            "\"category\": \"dev\",\n\t\t\t\"description\": \"Skills for tests\"",
        );
    assert_eq!(read(&site, ".claude-plugin/marketplace.json"), expected);
    let plugin = read(&site, "plugin.json");
    assert!(
        plugin.contains("    \"homepage\": \"mine\", \"extensions\": {\"com.example\": {\"a\":1}}"),
        "{plugin}"
    );
    assert!(plugin.starts_with("{\r\n    \"$schema\"") && plugin.ends_with("\r\n}\r\n"), "{plugin:?}");
    assert!(
        plugin.lines().count() == plugin.matches("\r\n").count(),
        "every line ends as before: {plugin:?}"
    );
    assert_eq!(manifest(&site, "plugin.json")["keywords"], json!(["a", "b"]));
    site.skc(["plugin", "init"]).ok();
    assert_eq!(rules(&site, &[]), [""; 0]);
    let before = snapshot(&site.project());
    site.skc(["plugin", "sync"]).ok();
    assert_eq!(snapshot(&site.project()), before);
}

/// RFC-0015:C-PLUGIN-SYNC
#[test]
fn a_broken_manifest_keeps_sync_from_all_of_them() {
    let site = drifted();
    put(&site.project().join("gemini-extension.json"), "{\"name\": \"acme\",}");
    let before = snapshot(&site.project());
    let run = site.skc(["plugin", "sync"]).fails("E059");
    assert!(run.err.contains("trailing comma at line 1, column 17"), "{}", run.err);
    assert_eq!(snapshot(&site.project()), before);
}

/// RFC-0015:C-PLUGIN-SYNC
#[test]
fn a_new_version_and_a_new_skill_reach_every_manifest() {
    let site = collection(DESCRIPTION);
    site.skc(["plugin", "init", "--for", "agent-plugins,marketplace,codex,gemini"]).ok();
    site.skc(["config", "set", "plugin.version", "1.3.0"]).ok();
    put(&site.project().join("skills/new/SKILL.md"), skill_md("new", "# New\n"));
    fs::remove_dir_all(site.project().join("skills/pdf")).unwrap();
    let mut found = rules(&site, &[]);
    found.sort();
    assert_eq!(found, ["PLG601", "PLG601", "PLG601", "PLG601", "PLG604", "PLG605"]);
    site.skc(["plugin", "sync"]).ok();
    assert_eq!(rules(&site, &[]), [""; 0]);
    let entry = &manifest(&site, ".claude-plugin/marketplace.json")["plugins"][0];
    assert_eq!(entry["skills"], json!(["./skills/notes", "./skills/new"]));
}

/// Checks another person's plugin in its folder.
fn checked(files: &[(&str, &str)]) -> (Site, Value) {
    let site = Site::without_project();
    for (path, text) in files {
        put(&site.project().join("demo").join(path), text);
    }
    let run = site.skc(["plugin", "check", "demo", "--explain-load", "-o", "json"]);
    let reply = run.json();
    (site, reply)
}

fn messages(reply: &Value) -> Vec<String> {
    let message = |finding: &Value| {
        format!("{} {}", finding["rule"].as_str().unwrap(), finding["message"].as_str().unwrap())
    };
    reply["findings"].as_array().unwrap().iter().map(message).collect()
}

/// RFC-0015:C-PLUGIN-INPUT
#[test]
fn manifests_that_cannot_be_read_are_reported() {
    let big = format!("{{\"name\": \"{}\"}}", "x".repeat(10 * 1024 * 1024));
    let deep = "[".repeat(100_000);
    for (text, expected) in [
        (big.as_str(), "PLG001 the manifest cannot be read: it is larger than 1048576 bytes"),
        (deep.as_str(), "PLG001 the manifest is not JSON: recursion limit exceeded"),
        ("", "PLG001 the manifest is not JSON: it is empty"),
        ("[]", "PLG001 the manifest is a list, not an object"),
        ("{\"name\": \"demo\" // x\n}", "PLG001 the manifest is not JSON: expected `,` or `}`"),
        ("\u{feff}{}", "PLG001 the manifest is not JSON: it begins with a byte order mark"),
    ] {
        for path in ["plugin.json", "gemini-extension.json", ".claude-plugin/marketplace.json"] {
            let (_, reply) = checked(&[(path, text)]);
            assert_eq!(messages(&reply), [expected], "{path}");
        }
    }
    let site = Site::without_project();
    fs::create_dir_all(site.project().join("demo/plugin.json")).unwrap();
    put(&site.project().join("demo/gemini-extension.json"), b"{\"name\": \"\xff\"}");
    let reply = site.skc(["plugin", "check", "demo", "-o", "json"]).json();
    assert_eq!(
        messages(&reply),
        ["PLG002 the manifest is not a file", "PLG001 the manifest cannot be read: it is not UTF-8"]
    );
}

/// RFC-0015:C-PLUGIN-INPUT
#[test]
fn a_newer_version_is_named() {
    let newer =
        "{\"$schema\": \"https://agent-plugins.org/schemas/2.0.0/plugin.schema.json\", \"name\": \"demo\"}";
    let (_, reply) = checked(&[("plugin.json", newer)]);
    assert_eq!(messages(&reply), ["PLG101 version 2.0.0 of Agent Plugins is not known; skc knows 1.0.0"]);
}

/// RFC-0015:C-PLUGIN-CHECK
#[test]
fn a_path_that_leads_out_of_the_plugin_is_refused() {
    let site = Site::without_project();
    let root = site.project().join("demo");
    put(&site.project().join("outside/SKILL.md"), skill_md("outside", ""));
    put(&site.project().join("outside.json"), "{}");
    fs::create_dir_all(root.join("skills")).unwrap();
    for (target, link) in
        [("../outside.json", "plugin.json"), ("../../outside", "skills/outside"), ("..", "up")]
    {
        std::os::unix::fs::symlink(target, root.join(link)).unwrap();
    }
    put(
        &root.join(".codex-plugin/plugin.json"),
        "{\"name\": \"demo\", \"skills\": [\"./up/outside\", \"./skills/\"]}",
    );
    let reply = site.skc(["plugin", "check", "demo", "-o", "json"]).json();
    assert_eq!(
        messages(&reply),
        [
            "PLG002 the manifest leads out of the plugin",
            "PLG402 './up/outside' in 'skills' leads out of the plugin"
        ]
    );
    assert_eq!(reply["skills"], json!([]), "and a skill that leads out is none of the plugin");
}

fn outcome<'a>(reply: &'a Value, client: &str) -> (&'a str, String) {
    let clients = reply["clients"].as_array().unwrap();
    let verdict = clients.iter().find(|verdict| verdict["client"] == client).unwrap();
    let reasons = verdict["reasons"].as_array().unwrap().iter();
    let text = |reason: &Value| {
        format!("{} {}", reason["rule"].as_str().unwrap_or("-"), reason["message"].as_str().unwrap())
    };
    (verdict["outcome"].as_str().unwrap(), reasons.map(text).collect::<Vec<_>>().join("; "))
}

/// RFC-0015:C-PLUGIN-CHECK
#[test]
fn each_client_has_a_verdict_of_its_own() {
    let schema = "\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\"";
    let upper = format!("{{{schema}, \"name\": \"Demo\"}}");
    let (site, reply) = checked(&[("plugin.json", &upper)]);
    assert_eq!(outcome(&reply, "vscode"), ("loads", String::new()));
    assert_eq!(outcome(&reply, "codex"), ("refused", "PLG102 name 'Demo' contains 'D'".to_owned()));
    assert_eq!(outcome(&reply, "gemini").0, "unseen");
    let text = site.skc(["plugin", "check", "demo", "--explain-load"]).out;
    assert!(text.contains("VS Code loads it (plugin.json)\n"), "{text}");
    assert!(
        text.contains("Codex refuses it (plugin.json)\n  because name 'Demo' contains 'D' (PLG102)\n"),
        "{text}"
    );
    let explained = site.skc(["explain", "PLG102"]).ok().out;
    assert!(explained.contains("agent-plugins-spec spec/1.0.0.md 5.3 and 5.5"), "{explained}");

    let commented = format!("{{{schema}, \"name\": \"demo\" /* mine */}}");
    let (_, reply) = checked(&[("plugin.json", &commented)]);
    assert_eq!((outcome(&reply, "vscode").0, outcome(&reply, "agent-plugins").0), ("loads", "refused"));

    let server = "{\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/mcp.schema.json\", \"mcpServers\": {\"a\": {\"command\": \"x\"}}}";
    let good = format!("{{{schema}, \"name\": \"demo\"}}");
    let (_, reply) = checked(&[("plugin.json", &good), ("mcp.json", server)]);
    assert_eq!(outcome(&reply, "agent-plugins"), ("degraded", "PLG203 server 'a' has no 'type'".to_owned()));

    let claude =
        [(".claude-plugin/plugin.json", "{\"name\": \"demo\"}"), ("skills/x/SKILL.md", "---\nname: x\n")];
    let (_, reply) = checked(&claude);
    assert_eq!((outcome(&reply, "claude-code").0, outcome(&reply, "codex").0), ("loads", "loads"));
    assert_eq!(outcome(&reply, "agent-plugins"), ("unseen", "- there is no plugin.json".to_owned()));
}

/// RFC-0015:C-PLUGIN-CHECK
#[test]
fn codex_passes_over_what_is_no_agent_plugin() {
    let schema = "\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\"";
    let agent_plugin = format!("{{{schema}, \"name\": \"demo\"}}");
    let plain = "{\"name\": \"demo\"}";
    let newer = agent_plugin.replace("1.0.0", "9.0.0");
    let market = |entry: &str| {
        format!(
            "{{\"name\": \"demo\", \"owner\": {{\"name\": \"A\"}}, \"plugins\": [{{\"name\": \"demo\", \"source\": \"./\"{entry}}}]}}"
        )
    };
    let (codex, claude, entry) =
        (".codex-plugin/plugin.json", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json");
    let described = market(", \"description\": \"d\"");
    for (files, outcome_of, reads) in [
        (vec![("plugin.json", plain), (codex, plain)], "loads", Some(codex)),
        (vec![("plugin.json", "{"), (claude, plain)], "loads", Some(claude)),
        (vec![("plugin.json", plain), (entry, &described)], "loads", Some(entry)),
        (vec![(entry, &market(", \"version\": 1"))], "refused", Some(entry)),
        (vec![(entry, &market(""))], "unseen", None),
        (vec![("plugin.json", plain)], "unseen", None),
        (vec![("plugin.json", &newer), (codex, plain)], "refused", Some("plugin.json")),
        (
            vec![("plugin.json", plain), (claude, "{\"name\": \"demo\", \"version\": 1}")],
            "refused",
            Some(claude),
        ),
        // Even with an Agent Plugin present, Codex's own manifest is read, unless the Agent Plugin has a part for
        // Codex.
        (vec![("plugin.json", &agent_plugin), (codex, "{")], "refused", Some("plugin.json")),
        (
            vec![
                ("plugin.json", &agent_plugin.replace("}", ", \"extensions\": {\"com.openai\": {}}}")),
                (codex, "{"),
            ],
            "loads",
            Some("plugin.json"),
        ),
        (
            vec![(
                "plugin.json",
                &agent_plugin.replace("}", ", \"extensions\": {\"com.openai\": {\"apps\": 1}}}"),
            )],
            "refused",
            Some("plugin.json"),
        ),
        (vec![(".cursor-plugin/plugin.json", plain)], "loads", None),
    ] {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, *text)).collect();
        let (_, reply) = checked(&files);
        let verdict = reply["clients"].as_array().unwrap().iter().find(|of| of["client"] == "codex").unwrap();
        assert_eq!(
            (verdict["outcome"].as_str(), verdict["reads"].as_str()),
            (Some(outcome_of), reads),
            "{files:?}: {verdict}"
        );
    }
}

/// RFC-0015:C-PLUGIN-CHECK
#[test]
fn rules_about_plugins_are_set_and_selected_as_those_of_lint() {
    let site = drifted();
    let all = rules(&site, &[]);
    assert!(all.contains(&"PLG601".to_owned()) && all.contains(&"PLG606".to_owned()), "{all:?}");
    assert!(rules(&site, &["--select", "PLG601"]).iter().all(|rule| rule == "PLG601"));
    assert!(rules(&site, &["--select", "drift"]).len() >= 6);
    let others = rules(&site, &["--ignore", "plg60,manifest-missing"]);
    assert!(others.len() < all.len() && others.iter().all(|rule| !rule.starts_with("PLG60")), "{others:?}");
    let run = site.skc(["plugin", "check", "--select", "PLG999"]).fails("E100");
    assert!(run.err.contains("one of refused, part-dropped, ignored, advice, drift"), "{}", run.err);
    site.skc(["plugin", "sync", "--ignore", "PLG601"]).fails("E100");

    let config = site.project().join(".skillc/config.toml");
    let text = fs::read_to_string(&config).unwrap();
    let off = "\n[lint.rules]\nPLG601 = \"off\"\nname-drift = \"off\"\nPLG603 = \"warning\"\nPLG605 = \"off\"\nPLG604 = \"off\"\nPLG606 = \"off\"\n";
    put(&config, format!("{text}{off}"));
    let run = site.skc(["plugin", "check"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "warnings do not fail: {}", run.out);
    assert!(run.out.contains("drift PLG603") && !run.out.contains("PLG601"), "{}", run.out);
    put(&config, format!("{text}\n[lint.rules]\nPLG60 = \"off\"\nPLG601 = {{ max = 1 }}\n"));
    let run = site.skc(["plugin", "check"]);
    assert_eq!(run.err.matches("warning[W030]").count(), 2, "{}", run.err);
}
