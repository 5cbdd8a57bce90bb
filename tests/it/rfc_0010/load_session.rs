//! RFC-0010:C-SESSION: a text is not sent twice in a session (skills specification 6.3 and 13.6).

use super::scene::{configure, repo, text, write};
use crate::mcp::{Client, LIFECYCLES, Lifecycle};
use crate::site::{Site, put, skill_md};
use serde_json::{Value, json};
use std::fs;

fn load(site: &Site, session: &str, more: &[&str]) -> Value {
    let line = [&["load", "review", "--format", "json"], more].concat();
    site.skc_with(&[("SKC_RUN_ID", session)], line).ok().json()
}

/// Skills specification 13.6. RFC-0010:C-SESSION
#[test]
fn a_session_gets_a_text_once_and_then_a_reminder() {
    let site = Site::new();
    let file = write(&repo(&site, "review"), "# Review\n\nThe text.\n");
    let first = load(&site, "one", &[]);
    assert_eq!(first["suppressed"], false);
    let second = load(&site, "one", &[]);
    let short = second["text"].as_str().unwrap();
    assert_eq!(second["suppressed"], true);
    assert!(!short.contains("The text.") && short.contains(first["ref"].as_str().unwrap()), "{short}");
    assert!(short.starts_with("<skill_context ") && short.len() < 600, "{short}");
    for key in ["skill_id", "name", "path", "dir", "mtime_ms", "ref"] {
        assert_eq!(second[key], first[key], "{key}");
    }
    assert_eq!(load(&site, "two", &[])["suppressed"], false, "another session has nothing");
    assert_eq!(load(&site, "one", &["--force"]), first, "it can be had again");
    fs::write(&file, skill_md("review", "# Review\n\nAnother text.\n")).unwrap();
    assert!(load(&site, "one", &[])["text"].as_str().unwrap().contains("Another text."));
    assert_eq!(load(&site, "one", &[])["suppressed"], true);
}

/// RFC-0010:C-SESSION
#[test]
fn without_a_session_every_load_is_whole() {
    let site = Site::new();
    write(&repo(&site, "review"), "# Review\n");
    for _ in 0..2 {
        let json = site.skc(["load", "review", "--format", "json"]).ok().json();
        assert_eq!(json["suppressed"], false);
    }
    assert!(!site.home().join(".skillc/sessions.db").exists(), "nothing is written for nobody");
}

/// RFC-0010:C-SESSION
#[test]
fn sessions_that_cannot_be_kept_never_fail_a_load() {
    let site = Site::new();
    write(&repo(&site, "review"), "# Review\n");
    let file = site.home().join(".skillc/sessions.db");
    put(&file, "no database at all, but a text that is long enough to be looked at".repeat(50));
    assert_eq!(load(&site, "one", &[])["suppressed"], false);
    assert_eq!(load(&site, "one", &[])["suppressed"], true, "a damaged file is made anew");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    for _ in 0..2 {
        assert_eq!(load(&site, "one", &[])["suppressed"], false);
    }
}

fn call(client: &mut Client, arguments: Value) -> Value {
    let result = client.call("skill_load", arguments);
    assert_ne!(result["isError"], true, "{result}");
    result["structuredContent"].clone()
}

/// RFC-0010:C-SESSION
#[test]
fn a_connection_is_a_session_and_another_one_is_another() {
    let site = Site::new();
    write(&repo(&site, "review"), "# Review\n\nThe text.\n");
    for lifecycle in LIFECYCLES {
        let (mut one, mut two) = (Client::start(&site, lifecycle), Client::start(&site, lifecycle));
        let first = call(&mut one, json!({ "name": "review" }));
        assert_eq!(first["suppressed"], false, "{lifecycle:?}");
        assert_eq!(call(&mut one, json!({ "name": "review" }))["suppressed"], true, "{lifecycle:?}");
        assert_eq!(call(&mut two, json!({ "name": "review" }))["suppressed"], false, "{lifecycle:?}");
        assert_eq!(call(&mut one, json!({ "name": "review", "force": true })), first, "{lifecycle:?}");
        assert_eq!(call(&mut one, json!({ "ref": first["ref"] })), first, "{lifecycle:?}");
    }
    assert!(!site.home().join(".skillc/sessions.db").exists(), "a server keeps it in memory");
}

/// RFC-0010:C-LOAD
#[test]
fn an_agent_loads_by_path_or_name_and_gets_candidates_as_data() {
    let site = Site::new();
    let paths = ["a/twin", "b/twin"].map(|place| text(&write(&repo(&site, place), "# Twin\n")));
    let mut client = Client::start(&site, Lifecycle::Initialize("2025-11-25"));
    let refused = client.call("skill_load", json!({ "name": "twin" }));
    assert_eq!(refused["isError"], true);
    let error = &refused["_meta"]["skillc/errors"][0];
    assert_eq!((&error["code"], &error["candidates"]), (&json!("E070"), &json!(paths)));
    for path in &paths {
        let json = call(&mut client, json!({ "name": "nothing", "path": path }));
        assert_eq!(&json["path"], path, "a path comes before a name");
    }
    let result = client.call("skill_load", json!({ "path": paths[0], "force": true }));
    let told = result["content"][0]["text"].as_str().unwrap();
    assert!(told.starts_with("<skill_context name=\"twin\"") && told.contains("\nref skill:"), "{told}");
}

/// RFC-0010:C-POLICY
#[test]
fn an_agent_learns_which_command_gives_consent() {
    let site = Site::new();
    write(&repo(&site, "deploy-web"), "# Deploy\n");
    configure(&site, "[permissions]\nconfirm = [{ skill_name = 'deploy-*' }]\n");
    let ask = |site: &Site| {
        let mut client = Client::start(site, Lifecycle::Stateless);
        client.call("skill_load", json!({ "name": "deploy-web" }))
    };
    let refused = ask(&site);
    let error = &refused["_meta"]["skillc/errors"][0];
    assert_eq!(error["code"], "E074");
    let hint = error["hint"].as_str().unwrap().to_owned();
    let command = hint.split_once("`skc ").unwrap().1.split_once('`').unwrap().0;
    site.skc(command.split(' ')).ok();
    assert_eq!(ask(&site)["structuredContent"]["name"], "deploy-web", "{hint}");
}

/// RFC-0010:C-POLICY
#[test]
fn a_hidden_skill_is_not_served_either() {
    let site = Site::new();
    ["open", "secret", "off"].iter().for_each(|name| site.write_skill(name, "# S\n"));
    configure(&site, "[skills]\ndisabled = ['off']\n[permissions]\ndeny = ['secret']\n");
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let listed = client.ask("resources/list", json!({})).to_string();
    assert!(listed.contains("skill://open/SKILL.md"), "{listed}");
    assert!(!listed.contains("secret") && !listed.contains("skill://off"), "{listed}");
    client.refused("resources/read", json!({ "uri": "skill://secret/SKILL.md" }));
}
