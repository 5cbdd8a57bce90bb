//! RFC-0014:C-PRIVACY: which data is stored, forgotten and shared.

use super::*;
use crate::contract::machines::block_on;
use crate::rfc_0004::{app_with_team, in_memory_app, team_of_memory};
use crate::site::snapshot;
use skillc_domain::event::AccessEvent;
use skillc_memory::{MemoryLocalLogs, MemoryMachine};
use skillc_ports::LocalLogs;
use std::path::Path;

const SKILL: &str = "/home/kim/.agents/skills/notes";

/// RFC-0014:C-PRIVACY
#[test]
fn nothing_of_prompts_answers_and_texts_is_stored() {
    let site = Site::new();
    let mut values = vec![
        claude("1", "user", json!("a whispered prompt about the skill")),
        claude("2", "assistant", json!([{ "type": "text", "text": "a whispered answer about the skill" }])),
        claude(
            "3",
            "assistant",
            tool_use("t", "Bash", json!({ "command": format!("cat {SKILL}/a.md # whispered") })),
        ),
        claude("4", "user", tool_result("t", "whispered output of the skill", false)),
        claude("5", "assistant", tool_use("u", "Grep", json!({ "pattern": "whispered", "path": SKILL }))),
        claude("6", "user", tool_result("u", "whispered", true)),
        claude("7", "assistant", tool_use("v", "Skill", json!({ "skill": "notes", "args": "whispered" }))),
        claude("8", "user", tool_result("v", "Launching skill: notes", false)),
    ];
    values.extend(claude_read("9", &format!("{SKILL}/b.md"), None));
    claude_session(&site, "s1", &values);
    import(&site);
    assert_eq!(events(&site).len(), 4);
    for (name, bytes) in snapshot(&site.home().join(".skillc")) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("whispered") && !text.contains("secret text"), "{name}");
    }
    let said = site.skc(["history", "import"]).ok().out;
    assert!(
        said.contains("Stored: agent, session, folder, time, skill, file, lines, outcome, tokens, model"),
        "{said}"
    );
}

/// RFC-0014:C-PRIVACY
#[test]
fn forgotten_events_are_gone_and_no_copy_of_a_history_brings_them_back() {
    let site = Site::new();
    let read = |uuid: &str, name: &str| claude_read(uuid, &format!("/gone/skills/{name}/a.md"), None);
    let values: Vec<Value> = [read("1", "notes"), read("2", "plans")].concat();
    let file = claude_session(&site, "s1", &values);
    import(&site);
    let reply = site.skc(["log", "forget", "notes", "--format", "json"]).ok().json();
    assert_eq!(reply["forgotten"], 1);
    assert_eq!(events(&site), ["read plans a.md - - -"]);
    put(&claude_file(&site, "copy"), fs::read(&file).unwrap());
    import(&site);
    assert_eq!(events(&site), ["read plans a.md - - -"]);
    site.skc(["log", "forget", "--before", "2026-03-05"]).ok();
    put(&claude_file(&site, "another"), fs::read(&file).unwrap());
    import(&site);
    assert_eq!(events(&site), Vec::<String>::new());
    for (name, bytes) in snapshot(&site.home().join(".skillc/history")) {
        let is_log = name.starts_with("logs.db");
        assert!(!is_log || !String::from_utf8_lossy(&bytes).contains("/gone/skills"), "{name}");
    }
}

/// RFC-0014:C-PRIVACY
#[test]
fn a_team_gets_what_was_imported_only_if_the_user_shares_it() {
    for (is_shared, expected) in [(false, 0), (true, 1)] {
        let machine = MemoryMachine::new();
        let team = team_of_memory(&machine);
        let mut app = app_with_team(&machine, &team);
        app.call.settings.history.is_shared = is_shared;
        let event = |id: &str, is_supplement| AccessEvent {
            event_id: id.into(),
            timestamp: "2026-01-01T00:00:00Z".into(),
            command: "read".into(),
            skill: "demo".into(),
            args: r#"{"agent":"codex"}"#.into(),
            is_supplement,
            ..AccessEvent::default()
        };
        let log = app.call.places.history_log();
        let events = [event("a", false), event("b", true)];
        block_on(MemoryLocalLogs::new(&machine).at(Path::new(&log)).append(&events)).unwrap();
        in_memory_app(&app, "sync", json!({ "team": true }));
        let stats = in_memory_app(&app, "stats", json!({ "team": true, "skill": null }));
        assert_eq!(stats.reply.unwrap().json()["data"]["total_accesses"], expected);
    }
}
