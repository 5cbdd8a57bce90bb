//! RFC-0007:C-MCP-FRESH: the server's caches never make an answer stale.

use super::{Client, Lifecycle, logged};
use crate::site::{Site, put, skill_md};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::fs;

const VERSION: Lifecycle = Lifecycle::Initialize("2025-11-25");

fn site(body: &str) -> Site {
    let site = Site::built("demo", body);
    put(&site.project().join(".skillc/config.toml"), "[index]\non_stale = \"rebuild\"\n");
    site
}

fn search(client: &mut Client, query: &str) -> Vec<String> {
    let found = client.call("skc_search", json!({ "skill": "demo", "query": query }));
    let results = found["structuredContent"]["results"].as_array();
    let results = results.unwrap_or_else(|| panic!("{found}")).iter();
    results.map(|result| result["file"].as_str().unwrap().to_owned()).collect()
}

fn show(client: &mut Client, section: &str) -> Value {
    client.call("skc_show", json!({ "skill": "demo", "section": section }))
}

fn code(reply: &Value) -> &str {
    reply["_meta"]["skillc/errors"][0]["code"].as_str().unwrap_or_default()
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn an_edit_made_right_before_a_call_is_in_its_answer() {
    let site = site("# Top\nword0\n");
    let mut client = Client::start(&site, VERSION);
    for round in 1..60 {
        let (word, path) = (format!("word{round}"), format!("sub{}/f.md", round % 9));
        site.write("demo", &path, format!("# Sub\n{word}\n"));
        assert_eq!(search(&mut client, &word), [path.as_str()], "round {round}");
        site.write_skill("demo", &format!("# Top\nbody{round}\n"));
        let shown = show(&mut client, "Top");
        assert_eq!(shown["structuredContent"]["content"], format!("# Top\nbody{round}\n"), "{shown}");
        let read = client.ask("resources/read", json!({ "uri": "skill://demo/SKILL.md" }));
        assert_eq!(read["contents"][0]["text"], skill_md("demo", &format!("# Top\nbody{round}\n")));
    }
    assert_eq!(client.close().status, 0);
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn a_stale_index_is_reported_by_the_very_next_call() {
    let site = Site::built("demo", "# Top\nword\n");
    let mut client = Client::start(&site, VERSION);
    for round in 0..20 {
        assert_eq!(search(&mut client, "word").len(), 1);
        site.write("demo", "late.md", format!("# Late\nround {round}\n"));
        assert_eq!(code(&show(&mut client, "Top")), "E002");
        site.skc(["build", "demo"]).ok();
        assert_eq!(search(&mut client, &format!("round {round}")), ["late.md"]);
    }
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn an_index_that_others_edit_replace_or_delete_answers_as_it_is_then() {
    let site = Site::built("demo", "# Top\nword\n");
    let mut client = Client::start(&site, VERSION);
    for round in 0..10 {
        assert_eq!(search(&mut client, "word"), ["SKILL.md"]);
        let big =
            format!("# Big\nbig{round} {}\n", "filler ".repeat(if round % 2 == 0 { 1 } else { 40_000 }));
        site.write("demo", "big.md", big);
        site.skc(["build", "demo"]).ok();
        assert_eq!(search(&mut client, &format!("big{round}")), ["big.md"]);
    }
    fs::remove_file(site.index("demo")).unwrap();
    assert_eq!(code(&show(&mut client, "Top")), "E002");
    fs::remove_dir_all(site.runtime("demo")).unwrap();
    assert_eq!(code(&show(&mut client, "Top")), "E002");
    site.skc(["build", "demo"]).ok();
    assert_eq!(search(&mut client, "word"), ["SKILL.md"]);
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn the_server_holds_no_lock_that_others_wait_for() {
    let site = Site::built("demo", "# Top\nword\n");
    let mut client = Client::start(&site, VERSION);
    search(&mut client, "word");
    show(&mut client, "Top");
    let [index, log] = [site.index("demo"), site.runtime("demo").join(".skillc-meta/logs.db")];
    for database in [index, log] {
        let db = Connection::open(&database).unwrap();
        db.busy_timeout(std::time::Duration::ZERO).unwrap();
        db.execute_batch("BEGIN IMMEDIATE; CREATE TABLE t(x); DROP TABLE t; COMMIT; VACUUM").unwrap();
    }
    assert_eq!(search(&mut client, "word"), ["SKILL.md"]);
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn a_log_that_others_empty_or_delete_gets_the_next_event() {
    let site = Site::built("demo", "# Top\nword\n");
    let mut client = Client::start(&site, VERSION);
    search(&mut client, "word");
    site.skc(["log", "forget", "demo"]).ok();
    let before = logged(&site, "demo").len();
    show(&mut client, "Top");
    assert_eq!(logged(&site, "demo").len(), before + 1);
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(site.runtime("demo").join(format!(".skillc-meta/logs.db{suffix}")));
    }
    show(&mut client, "Top");
    let events: Vec<String> = logged(&site, "demo").into_iter().map(|event| event.command).collect();
    assert_eq!(events, ["show"]);
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn a_deleted_skill_is_gone_and_a_recreated_one_is_another() {
    let site = site("# Top\nword\n");
    let mut client = Client::start(&site, VERSION);
    for round in 0..5 {
        assert_eq!(search(&mut client, "word").len(), 1);
        fs::remove_dir_all(site.skill("demo")).unwrap();
        assert_eq!(code(&show(&mut client, "Top")), "E001");
        assert_eq!(client.ask("skills/list", json!({}))["skills"], json!([]));
        site.write_skill("demo", &format!("# Top\nword {round}\n"));
        let shown = show(&mut client, "Top");
        assert_eq!(shown["structuredContent"]["content"], format!("# Top\nword {round}\n"), "{shown}");
    }
}
