//! RFC-0004: searches through the program.

use super::{BODY, places, results};
use crate::site::Site;
use rusqlite::Connection;
use serde_json::{Value, json};

/// RFC-0004:C-SEARCH
#[test]
fn search_as_json_has_the_fields_of_the_rfc() {
    let site = Site::built("demo", BODY);
    let reply = |query: &str| site.skc(["search", "demo", query, "--format", "json"]).ok().json();
    let found = reply("whistle");
    let score = found["results"][0]["score"].clone();
    assert!(score.as_f64().unwrap() > 0.0, "{score}");
    let snippet = "# Top\n\nThe marmot [MATCH]whistles[/MATCH].\n";
    let result = json!({ "file": "SKILL.md", "section": "Top", "snippet": snippet, "score": score });
    assert_eq!(found, json!({ "query": "whistle", "results": [result] }));
    assert_eq!(reply(" no-such "), json!({ "query": " no-such ", "results": [] }));
}

/// RFC-0004:C-SEARCH
#[test]
fn search_returns_ten_results_by_default() {
    let site = Site::new();
    site.write_skill("demo", BODY);
    (0..12).for_each(|n| drop(site.write("demo", &format!("{n}.md"), "# Animal\n\nbadger\n")));
    site.skc(["build", "demo"]).ok();
    assert_eq!(results(&site, "badger").len(), 10);
    for (limit, count) in [("1", 1), ("3", 3), ("12", 12), ("1000", 12)] {
        let run = site.skc(["search", "demo", "badger", "--limit", limit, "-o", "json"]).ok();
        assert_eq!(run.json()["results"].as_array().map(Vec::len), Some(count));
    }
    for wrong in ["0", "-1", "1001", "x", ""] {
        site.skc(["search", "demo", "badger", &format!("--limit={wrong}")]).fails("E100");
    }
}

/// RFC-0004:C-SEARCH
#[test]
fn search_is_the_same_on_every_run_and_after_every_build() {
    let site = Site::new();
    site.write_skill("demo", BODY);
    for name in ["d", "a", "c", "b"] {
        site.write("demo", &format!("{name}.md"), "# Animal\n\nbadger\n");
    }
    site.skc(["build", "demo"]).ok();
    let first = places(&site, "badger");
    assert_eq!(first, ["a.md#Animal", "b.md#Animal", "c.md#Animal", "d.md#Animal"]);
    site.write("demo", "a.md", "# Animal\n\nferret\n");
    site.skc(["build", "demo"]).ok();
    site.write("demo", "a.md", "# Animal\n\nbadger\n");
    site.skc(["build", "demo"]).ok();
    assert_eq!(places(&site, "badger"), first, "an edited file keeps its place");
}

/// RFC-0004:C-QUERY-SYNTAX
#[test]
fn a_query_is_plain_text_from_the_command_line_to_the_index() {
    let site = Site::built("demo", BODY);
    for query in ["", " ", "\t\r\n "] {
        assert_eq!(site.skc(["search", "demo", query]).fails("E004").out, "");
    }
    for query in
        ["\"", "* OR", "marmot NOT whistles", "NEAR(marmot", "file:marmot", "';--", "😀", "-marmots", "%s"]
    {
        let run = site.skc(["search", "demo", "--", query]).ok();
        assert_eq!(run.err, "", "{query}");
    }
    assert_eq!(places(&site, "WHISTLES marmot"), ["SKILL.md#Top"]);
    assert!(places(&site, "marmot badger").is_empty());
    site.skc(["search", "demo", &"x".repeat(16 * 1024 + 1)]).fails("E100");
}

/// RFC-0004:C-LOGGING
#[test]
fn a_search_is_logged_with_its_query_and_count() {
    let site = Site::built("demo", BODY);
    site.skc(["search", "demo", "it's \"marmot\""]).ok();
    site.skc(["search", "demo", "marmot", "--limit", "5"]).ok();
    site.skc(["search", "demo", " "]).fails("E004");
    let db = Connection::open(site.runtime("demo").join(".skillc-meta/logs.db")).unwrap();
    let mut rows = db.prepare("SELECT args FROM access_log WHERE command = 'search' ORDER BY id").unwrap();
    let logged: Vec<Value> = rows
        .query_map([], |row| Ok(serde_json::from_str(&row.get::<_, String>(0)?).unwrap()))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let pairs: Vec<_> =
        logged.iter().map(|args| (args["query"].as_str().unwrap(), &args["result_count"])).collect();
    assert_eq!(pairs, [("it's \"marmot\"", &json!(0)), ("marmot", &json!(1)), (" ", &json!(0))]);
}

/// D7, RFC-0004:C-SEARCH
#[test]
fn a_search_that_takes_too_long_is_e005() {
    let machine = skillc_memory::MemoryMachine::new();
    machine.write("/project/.skillc/skills/demo/SKILL.md", crate::site::skill_md("demo", super::BODY));
    assert!(super::in_memory(&machine, "build", json!({ "skill": "demo" })).reply.is_some());
    let mut app = super::app(&machine);
    app.call.is_cancelled = std::sync::Arc::new(true.into());
    let asked = json!({ "skill": "demo", "query": "marmot" });
    let ended = super::in_memory_app(&app, "search", asked.clone());
    assert_eq!(ended.failures[0].fault.line(), "error[E005]: search ended after 10 seconds");
    assert!(super::in_memory(&machine, "search", asked).reply.is_some(), "the index is as good as before");
}

/// RFC-0004:C-SEARCH
#[test]
fn a_search_without_a_result_names_words_that_occur_together() {
    let site = Site::new();
    site.write_skill(
        "demo",
        "# Uploads\n\nPrevent path traversal in a file upload.\n\n# Keys\n\nRotate keys.\n",
    );
    site.skc(["build", "demo"]).ok();
    let out = |query: &str| site.skc(["search", "demo", query]).ok().out;
    let next = "run 'skc outline demo' to see the headings\n";
    for (query, words) in [
        ("how do I prevent path traversal in uploading", "prevent path traversal uploading"),
        ("rotate path traversal", "path traversal"),
        ("keys of wombats", "keys"),
    ] {
        let expected = format!(
            "No section has every word of '{query}'; search for '{words}', which some section has, or {next}"
        );
        assert_eq!(out(query), expected);
    }
    assert_eq!(out("wombats"), format!("No section has every word of 'wombats'; {next}"));
}
