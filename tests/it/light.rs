//! Programs that were built without some cargo features: a command that needs a missing feature says so, and all
//! others work.

use crate::rfc_0004::{app, in_memory_app};
use crate::site::{Run, Site, finish, put, skill_md};
use serde_json::{Value, json};
use skillc_domain::config::TeamSettings;
use skillc_domain::fault::Fault;
use skillc_memory::MemoryMachine;
use skillc_ops::App;
use skillc_ports::{SameEmbedder, UnsupportedEmbedder, UnsupportedModelStore};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// The feature that the first failure names as missing.
fn missing_feature(app: &App, command: &str, arguments: Value) -> Option<String> {
    match in_memory_app(app, command, arguments).failures.into_iter().next()?.fault {
        Fault::FeatureMissing { feature } => Some(feature),
        other => panic!("{other:?}"),
    }
}

/// RFC-0007:C-FEATURES
#[test]
fn without_the_team_feature_a_configured_team_is_e110() {
    let mut app = app(&MemoryMachine::new());
    app.call.settings.team = Some(TeamSettings { org: "acme".into(), ..TeamSettings::default() });
    assert_eq!(missing_feature(&app, "sync", json!({"team": true})).as_deref(), Some("team"));
    assert_eq!(missing_feature(&app, "team", json!({"action": "status"})).as_deref(), Some("team"));
}

/// RFC-0007:C-FEATURES
#[test]
fn without_the_meaning_feature_commands_of_the_model_are_e110() {
    let app = without_meaning();
    for (command, arguments) in [
        ("model", json!({"action": "install"})),
        ("model", json!({"action": "install", "from": "folder"})),
        ("model", json!({"action": "status"})),
        ("model", json!({"action": "list"})),
        ("model", json!({"action": "use", "name": "skills"})),
        ("find", json!({"query": "marmot", "mode": "semantic"})),
        ("find", json!({"query": "marmot", "mode": "hybrid"})),
    ] {
        let feature = missing_feature(&app, command, arguments.clone());
        assert_eq!(feature.as_deref(), Some("meaning"), "{command} {arguments}");
    }
}

/// RFC-0007:C-FEATURES
#[test]
fn without_the_meaning_feature_skills_are_found_by_words() {
    let found = in_memory_app(&without_meaning(), "find", json!({"query": "review"}));
    assert!(found.failures.is_empty(), "{:?}", found.failures);
    let reply = found.reply.unwrap().json();
    assert_eq!((&reply["results"][0]["name"], &reply["note"]), (&json!("review"), &Value::Null), "{reply}");
}

fn without_meaning() -> App {
    let machine = MemoryMachine::new();
    machine.write("/project/.skillc/skills/review/SKILL.md", skill_md("review", "# Steps\n"));
    let mut app = app(&machine);
    let ports = Arc::make_mut(&mut app.ports);
    ports.embedders = Arc::new(SameEmbedder::new(UnsupportedEmbedder));
    ports.models = Arc::new(UnsupportedModelStore { folder: "/nowhere".into() });
    app
}

/// Prepares the program that `SKC_TEST_LIGHT` names: one that was built without any feature.
fn light(site: &Site, line: &[&str]) -> Command {
    let program = std::env::var_os("SKC_TEST_LIGHT").expect("SKC_TEST_LIGHT names a program");
    let full = site.command(line);
    let mut command = Command::new(program);
    command.args(line).current_dir(site.project()).env_clear().stdin(Stdio::null());
    for (name, value) in full.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    command
}

fn run(site: &Site, line: &[&str]) -> Run {
    finish(light(site, line))
}

/// RFC-0007:C-FEATURES
#[test]
#[ignore = "SKC_TEST_LIGHT must name a program without features; .ci/run builds one"]
fn the_lightest_program_writes_builds_reads_and_finds_skills() {
    let site = Site::new();
    run(&site, &["init", "demo"]).ok();
    site.write_skill("demo", "# Top\n\nmarmot\n");
    run(&site, &["lint", "demo"]).ok();
    run(&site, &["build", "demo"]).ok();
    assert!(run(&site, &["show", "demo", "--section", "Top"]).ok().out.contains("marmot"));
    assert!(run(&site, &["search", "demo", "marmot"]).ok().out.contains("#Top"));
    assert!(run(&site, &["find", "testing demo"]).ok().out.contains("demo"));
    assert!(run(&site, &["stats", "demo"]).ok().out.contains("show"));
    run(&site, &["try"]).ok();
}

/// RFC-0007:C-FEATURES
#[test]
#[ignore = "SKC_TEST_LIGHT must name a program without features; .ci/run builds one"]
fn the_lightest_program_serves_agents() {
    let site = Site::built("demo", "# Top\n\nmarmot\n");
    let mut server = light(&site, &["mcp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let about = json!({"name": "test", "version": "1"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about});
    let arguments = json!({"skill": "demo", "section": "Top"});
    let call = json!({"name": "skc_show", "arguments": arguments});
    let mut input = server.stdin.take().unwrap();
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}))
        .unwrap();
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).unwrap();
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}))
        .unwrap();
    drop(input);
    let output = server.wait_with_output().unwrap();
    let replies = String::from_utf8(output.stdout).unwrap();
    assert!(replies.lines().any(|line| line.contains("\"id\":2") && line.contains("marmot")), "{replies}");
}

/// RFC-0007:C-FEATURES
#[test]
#[ignore = "SKC_TEST_LIGHT must name a program without features; .ci/run builds one"]
fn the_lightest_program_refuses_what_was_left_out() {
    let site = Site::new();
    put(&site.home().join(".skillc/config.toml"), "[team]\nurl = \"postgres://localhost/x\"\n");
    for (line, feature) in [
        (&["pick"][..], "pick"),
        (&["mcp", "--http", "127.0.0.1:0"], "http"),
        (&["publish", "--check", "http://127.0.0.1:9"], "http"),
        (&["model", "install"], "meaning"),
        (&["model", "status"], "meaning"),
        (&["find", "x", "--mode", "semantic"], "meaning"),
        (&["team", "status"], "team"),
        (&["sync", "--team"], "team"),
    ] {
        let refused = run(&site, line).fails("E110");
        assert!(refused.err.contains(&format!("without '{feature}'")), "{line:?}: {}", refused.err);
    }
}
