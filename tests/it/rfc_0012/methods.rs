//! The replies of the methods (RFC-0012:C-METHODS, C-ERRORS).

use super::{host, scene, shared};
use crate::mcp::Client;
use crate::site::put;
use serde_json::{Value, json};
use skillc_domain::config::Settings;
use skillc_domain::places::Places;
use skillc_host::HostServer;
use skillc_host::contract::{Command, SkillDiscoverySearchParams};
use skillc_memory::HashEmbedder;
use skillc_ops::Environment;
use skillc_ops::workspace::Workspace;
use skillc_ports::Quiet;
use std::path::Path;
use std::sync::Arc;

fn names(listed: &Value) -> Vec<&str> {
    listed["skills"].as_array().unwrap().iter().map(|skill| skill["name"].as_str().unwrap()).collect()
}

/// The JSON-RPC code and the fault's code of a refused request.
#[track_caller]
fn refused(client: &mut Client, method: &str, params: Value) -> (i64, String) {
    let reply = client.request(method, params);
    let error = &reply["error"];
    (
        error["code"].as_i64().unwrap_or_else(|| panic!("{reply}")),
        error["data"]["code"].as_str().unwrap_or_default().to_owned(),
    )
}

/// RFC-0012:C-METHODS
#[test]
fn skills_are_listed_with_the_fields_of_the_specification() {
    let site = scene();
    put(&site.project().join(".agents/skills/bad/SKILL.md"), "---\nname: [\n---\n");
    let mut client = host(&site);
    let listed = client.ask("skills.list", json!({}));
    assert_eq!(names(&listed), ["pdf-forms", "release-notes", "discord"], "repo before user, then by path");
    let first = listed["skills"][0].as_object().unwrap();
    let mut fields: Vec<&str> = first.keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["description", "dir", "id", "mtimeMs", "name", "path", "scope"]);
    let dir = site.project().join(".agents/skills/pdf-forms");
    assert_eq!(first["dir"], dir.to_str().unwrap());
    assert_eq!(first["path"], dir.join("SKILL.md").to_str().unwrap());
    assert_eq!((&first["scope"], &listed["skills"][2]["scope"]), (&json!("repo"), &json!("user")));
    assert!(first["mtimeMs"].as_i64().unwrap() > 1_600_000_000_000);
    assert_eq!(first["id"].as_str().unwrap().len(), 16);
    assert_eq!(listed["errors"].as_array().unwrap().len(), 1);
    assert!(listed["errors"][0]["path"].as_str().unwrap().ends_with("bad/SKILL.md"));
    assert!(!listed["errors"][0]["message"].as_str().unwrap().is_empty());
    assert_eq!(listed.as_object().unwrap().len(), 2);
}

/// RFC-0012:C-METHODS
#[test]
fn a_working_directory_brings_its_own_skills_and_settings() {
    let site = scene();
    let other = site.root().join("other");
    put(&other.join(".git/HEAD"), "");
    put(&other.join(".skillc/config.toml"), "[skills]\ndisabled = [\"discord\"]\n");
    put(&other.join(".agents/skills/there/SKILL.md"), "---\nname: there\ndescription: d\n---\n");
    std::fs::create_dir_all(other.join("deep/er")).unwrap();
    let mut client = host(&site);
    let there = json!({ "cwd": other.join("deep/er") });
    assert_eq!(names(&client.ask("skills.list", there.clone())), ["there"]);
    assert_eq!(names(&client.ask("skills.list", json!({}))).len(), 3);
    put(&other.join(".skillc/config.toml"), "");
    assert_eq!(names(&client.ask("skills.list", there.clone())), ["there", "discord"], "what holds now");
    put(&other.join(".agents/skills/new/SKILL.md"), "---\nname: new\ndescription: d\n---\n");
    let anew = json!({ "cwd": other, "force_reload": true });
    assert_eq!(names(&client.ask("skills.list", anew)), ["new", "there", "discord"]);
    let found = client.ask("skill.search", json!({ "query": "there", "cwd": other }));
    assert_eq!(found["results"][0]["name"], "there");
    assert!(client.ask("skill.load", json!({ "name": "there", "cwd": other }))["text"].is_string());
    for cwd in ["relative", "", "/no/such/folder"] {
        for method in ["skills.list", "context.inspect"] {
            let params = json!({ "cwd": cwd, "include_skills": true });
            let params = if method == "skills.list" { json!({ "cwd": cwd }) } else { params };
            assert_eq!(refused(&mut client, method, params), (-32602, "E100".to_owned()), "{cwd}");
        }
    }
}

/// RFC-0012:C-METHODS; skills specification, 13.7
#[test]
fn the_catalog_and_what_was_loaded_can_be_inspected() {
    let site = scene();
    let mut client = host(&site);
    assert_eq!(client.ask("context.inspect", json!({})), json!({}));
    let state = client.ask("context.inspect", json!({ "include_skills": true }));
    let catalog =
        json!({ "cwd": site.project(), "enabled": true, "count": 3, "truncated": false, "errors": [] });
    assert_eq!(state, json!({ "skills": { "catalogs": [catalog], "loaded": [] } }));
    let loaded = client.ask("skill.load", json!({ "name": "discord" }));
    client.ask("skills.list", json!({ "cwd": site.home() }));
    let state = client.ask("context.inspect", json!({ "include_skills": true }));
    let version = json!({
        "skill_id": loaded["skill_id"], "name": "discord", "path": loaded["path"], "mtime_ms": loaded["mtime_ms"],
    });
    assert_eq!(state["skills"]["loaded"], json!([version]));
    let cwds: Vec<&Value> =
        state["skills"]["catalogs"].as_array().unwrap().iter().map(|c| &c["cwd"]).collect();
    assert_eq!(cwds, [&json!(site.home()), &json!(site.project())]);
}

/// RFC-0012:C-METHODS
#[test]
fn search_and_load_answer_as_the_commands_do() {
    let site = scene();
    let mut client = host(&site);
    let asked = json!({ "query": "release notes", "mode": "lexical", "scope": "repo", "limit": 1 });
    let found = client.ask("skill.search", asked);
    let args =
        ["find", "release notes", "--mode", "lexical", "--scope", "repo", "--limit", "1", "-o", "json"];
    let by_command = site.skc(args).ok().json();
    assert_eq!(found["results"], by_command["results"]);
    assert_eq!(found["results"][0]["name"], "release-notes");
    let path = found["results"][0]["path"].clone();
    let loaded = client.ask("skill.load", json!({ "path": path }));
    assert_eq!(loaded, site.skc(["load", path.as_str().unwrap(), "-o", "json"]).ok().json());
    assert!(loaded["text"].as_str().unwrap().starts_with("<skill_context name=\"release-notes\""));
}

/// RFC-0012:C-METHODS
#[test]
fn a_text_is_sent_once_on_a_connection_unless_it_is_forced() {
    let site = scene();
    let file = shared(&site, false, "deploy", "Deploys.");
    let (mut client, mut other) = (host(&site), host(&site));
    let suppressed =
        |client: &mut Client, params: Value| client.ask("skill.load", params)["suppressed"].clone();
    let deploy = json!({ "name": "deploy" });
    assert_eq!(suppressed(&mut client, deploy.clone()), false);
    assert_eq!(suppressed(&mut client, deploy.clone()), true);
    assert_eq!(suppressed(&mut client, json!({ "name": "deploy", "force": true })), false);
    assert_eq!(suppressed(&mut other, deploy.clone()), false, "another connection has nothing yet");
    let text = std::fs::read_to_string(&file).unwrap();
    put(&file, text + "\nMore.\n");
    assert_eq!(suppressed(&mut client, deploy), false, "another version");
    let reference = client.ask("skill.load", json!({ "name": "discord" }))["ref"].clone();
    assert_eq!(client.ask("skill.load", json!({ "ref": reference }))["name"], "discord");
}

/// RFC-0012:C-ERRORS
#[test]
fn a_fault_is_an_error_with_its_code_and_hint() {
    let site = scene();
    shared(&site, true, "pdf-forms", "Another of that name.");
    put(
        &site.home().join(".skillc/config.toml"),
        "[permissions]\nconfirm = [{ skill_name = \"release-*\" }]\ndeny = [{ skill_name = \"discord\" }]\n",
    );
    let mut client = host(&site);
    let failed = |code: &str| (-32000, code.to_owned());
    assert_eq!(refused(&mut client, "skill.load", json!({ "name": "pdf-forms" })), failed("E070"));
    assert_eq!(refused(&mut client, "skill.load", json!({ "name": "no-such" })), failed("E071"));
    assert_eq!(refused(&mut client, "skill.load", json!({ "path": "/etc/passwd" })), failed("E071"));
    assert_eq!(refused(&mut client, "skill.load", json!({ "name": "discord" })), failed("E072"));
    assert_eq!(refused(&mut client, "skill.load", json!({ "name": "release-notes" })), failed("E074"));
    assert_eq!(refused(&mut client, "skill.search", json!({ "query": " " })), failed("E004"));
    assert_eq!(
        refused(&mut client, "skill.search", json!({ "query": "x", "mode": "none" })),
        (-32602, "E100".to_owned())
    );
    let reply = client.request("skill.load", json!({ "name": "pdf-forms" }));
    let hint = reply["error"]["data"]["hint"].as_str().unwrap();
    assert!(hint.matches("pdf-forms/SKILL.md").count() == 2, "the candidates: {hint}");
    assert_eq!(reply["error"]["message"], "several skills are called 'pdf-forms'");
}

/// RFC-0012:C-METHODS
#[test]
fn discovery_needs_a_model_but_for_an_empty_query() {
    let site = scene();
    let mut client = host(&site);
    for query in ["", " \n"] {
        assert_eq!(
            client.ask("skill.discovery.search", json!({ "query": query, "limit": 5 })),
            json!({ "results": [] })
        );
    }
    let asked = json!({ "query": "send a message", "limit": 5 });
    assert_eq!(refused(&mut client, "skill.discovery.search", asked), (-32000, "E060".to_owned()));
}

/// RFC-0012:C-METHODS
#[test]
fn discovery_answers_with_exactly_the_reply_of_the_document() {
    let site = scene();
    let places = Places::new(site.home(), site.project(), Some(site.project()));
    let mut app = skillc::app(places.clone(), Settings::default(), Environment::default(), Arc::new(Quiet));
    Arc::make_mut(&mut app.ports).embedders =
        Arc::new(skillc_ports::SameEmbedder::new(HashEmbedder::default()));
    let resolve = move |_: &Path| Workspace {
        places: places.clone(),
        settings: Settings::default(),
        environment: Environment::default(),
    };
    let host = HostServer::new(app, Arc::new(resolve));
    let params = SkillDiscoverySearchParams { query: "a message to a channel".to_owned(), limit: Some(2) };
    let answer = host.answer(Command::SkillDiscoverySearch(params)).unwrap();
    let results = answer["results"].as_array().unwrap();
    assert_eq!((answer.as_object().unwrap().len(), results.len()), (1, 1), "the others are below the floor");
    let best = results[0].as_object().unwrap();
    let mut fields: Vec<&str> = best.keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["description", "name", "score", "skill_id"]);
    assert_eq!(best["name"], "discord");
    let score = best["score"].as_f64().unwrap();
    assert!(score <= 1.0 && score > 0.0, "{score}");
}
