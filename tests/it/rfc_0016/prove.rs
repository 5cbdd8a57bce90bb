//! RFC-0016:C-PROVE: whether a skill is loaded, chosen, reached and followed.

use crate::rfc_0004::app;
use crate::site::{Site, put, skill_md, snapshot};
use serde_json::{Value, json};
use skillc_domain::discovery::scan::{ScanBounds, ScannedRoot};
use skillc_memory::MemoryMachine;
use skillc_ops::App;
use skillc_ops::prove::{ProofTime, prove as prove_in};
use skillc_ops::render::Render;
use skillc_ops::resolve::resolve;
use skillc_ops::run::Run;
use skillc_ports::{PortError, Scan, SkillScanner};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A SKILL.md that is too long to be copied into the stub. It has three sections, and the heading of one occurs
/// twice.
fn body() -> String {
    let filler = "Marmots whistle when an eagle comes.\n".repeat(200);
    format!(
        "# Notes\n\nRun `scripts/collect.py`, then read [style](references/style.md).\n\n\
         ## Collect merged changes\n\n{filler}\n## Group changes by audience\n\n{filler}\n### Examples\n\nOne.\n\n\
         ## Publish draft announcements\n\n{filler}\n### Examples\n\nTwo.\n"
    )
}

fn scene() -> Site {
    let site = Site::new();
    site.write("notes", "SKILL.md", skill_md("notes", &body()));
    site.write("notes", "references/style.md", "# Style\n\n## Prefer active verbs\n\nWrite.\n");
    site.write("notes", "scripts/collect.py", "print(1)\n");
    site
}

fn prove(site: &Site, args: &[&str]) -> Value {
    site.skc([&["prove", "notes", "-o", "json"], args].concat()).ok().json()
}

/// RFC-0016:C-PROVE
#[test]
fn each_client_that_offers_the_skill_counts() {
    let site = scene();
    let loads = prove(&site, &[])["loads"].clone();
    assert_eq!((&loads["score"], &loads["clients"], &loads["loading"]), (&json!(1.0), &json!(6), &json!(6)));
    site.write("notes", "SKILL.md", format!("---\nname: notes\n---\n{}", body()));
    let loads = prove(&site, &[])["loads"].clone();
    assert!(loads["loading"].as_u64() < Some(6), "{loads}");
    assert!(loads["dropped_by"][0]["why"].is_string(), "{loads}");
}

/// RFC-0016:C-PROVE
#[test]
fn own_trigger_queries_decide_and_what_others_win_is_named() {
    let site = scene();
    let thief =
        "---\nname: thief\ndescription: Draws fancy diagrams of marmots. Use when drawing.\n---\n# Thief\n";
    site.write("thief", "SKILL.md", thief);
    let chosen = prove(&site, &[])["chosen"].clone();
    assert_eq!(chosen["own"], Value::Null);
    assert_eq!(chosen["headings"], json!({ "right": 3, "total": 3 }), "{chosen}");
    assert_eq!(chosen["mode"], "lexical");
    let queries = json!([
        { "query": "notes about merged changes", "should_trigger": true },
        { "query": "draw fancy diagrams", "should_trigger": true },
        { "query": "draw diagrams of marmots", "should_trigger": false },
        { "query": "group changes by audience", "should_trigger": false },
    ]);
    site.write("notes", "evals/eval_queries.json", queries.to_string());
    let chosen = prove(&site, &[])["chosen"].clone();
    let own = json!({ "file": "evals/eval_queries.json", "right": 2, "total": 4 });
    assert_eq!((&chosen["own"], &chosen["score"]), (&own, &json!(0.5)), "{chosen}");
    assert_eq!(
        chosen["lost"],
        json!([
            { "query": "draw fancy diagrams", "should_trigger": true, "winner": "thief", "rank": null },
            { "query": "group changes by audience", "should_trigger": false, "winner": "notes", "rank": 1 },
        ])
    );
    let text = site.skc(["prove", "notes"]).ok().out;
    assert!(text.starts_with("notes: 50 % (weakest: chosen)\n"), "{text}");
    assert!(text.contains("'draw fancy diagrams': won by thief, itself not found"), "{text}");
    site.write("notes", "evals/eval_queries.json", "{}");
    site.skc(["prove", "notes"]).fails("E081");
}

/// RFC-0016:C-PROVE
#[test]
fn each_section_is_reached_by_the_calls_of_an_agent() {
    let site = scene();
    let reached = prove(&site, &[])["reached"].clone();
    assert_eq!(
        (&reached["score"], &reached["sections"], &reached["reached"]),
        (&json!(1.0), &json!(4), &json!(4))
    );
    // The stub lists "Collect merged changes"; the others need a search.
    assert_eq!(reached["calls"], json!({ "median": 2, "worst": 2 }), "{reached}");
    assert!(reached["bytes"]["worst"].as_u64() > Some(7_000), "the text of a section: {reached}");
    assert!(reached["bytes"]["median"].as_u64() < Some(400), "{reached}");
    assert_eq!(reached["far"], json!([]));
    site.write("small", "SKILL.md", skill_md("small", "# Small\n\n## One\n\nText.\n"));
    let small = site.skc(["prove", "small", "-o", "json"]).ok().json();
    assert_eq!(small["reached"]["calls"], json!({ "median": 0, "worst": 0 }), "the stub holds it whole");
}

/// RFC-0016:C-PROVE
#[test]
fn a_heading_that_no_search_finds_takes_the_outline() {
    let site = scene();
    site.write("notes", "references/signs.md", "# Signs\n\n## ???\n\nText.\n");
    let reached = prove(&site, &[])["reached"].clone();
    assert_eq!(reached["reached"], reached["sections"], "{reached}");
    assert_eq!(reached["calls"]["worst"], 3);
}

/// RFC-0016:C-PROVE
#[test]
fn nothing_is_built_deployed_or_left_behind() {
    let site = scene();
    let before = snapshot(&site.skill("notes"));
    prove(&site, &[]);
    assert_eq!(snapshot(&site.skill("notes")), before);
    let left = site.home().join(".skillc/prove");
    assert!(!left.exists() || fs::read_dir(left).unwrap().next().is_none());
    assert!(!site.home().join(".claude").exists());
    let list = site.skc(["undo", "--list", "-o", "json"]).ok().json();
    assert!(!list.to_string().contains("prove"), "{list}");
    let log = site.skc(["stats", "notes", "-o", "json"]).ok().json();
    assert_eq!(log["data"]["reads"], 0, "the calls of the proof are no reads");
    site.skc(["show", "notes", "-s", "Notes"]).fails("E002");
}

/// RFC-0016:C-PROVE
#[test]
fn a_skill_in_no_store_and_one_that_no_build_accepts_are_measured_too() {
    let site = scene();
    let outside = site.project().join("work/notes");
    put(&outside.join("SKILL.md"), skill_md("notes", &body()));
    let reply = site.skc(["prove", "work/notes/SKILL.md", "-o", "json"]).ok().json();
    assert_eq!((&reply["skill"], &reply["reached"]["score"]), (&json!("notes"), &json!(1.0)), "{reply}");
    put(&outside.join("SKILL.md"), "# No front matter\n");
    let reply = site.skc(["prove", "work/notes", "-o", "json"]).ok().json();
    assert_eq!((&reply["score"], &reply["reached"]["score"]), (&json!(0.0), &json!(0.0)));
    assert!(reply["reached"]["reason"].as_str().unwrap().starts_with("error[E011]"), "{reply}");
}

/// RFC-0016:C-PROVE
#[test]
fn without_imported_sessions_there_is_no_data_and_with_them_each_step_is_counted() {
    let site = scene();
    let followed = prove(&site, &[])["followed"].clone();
    assert_eq!((&followed["score"], &followed["sessions"]), (&Value::Null, &json!(0)));
    assert!(site.skc(["prove", "notes"]).ok().out.contains("followed  no data"));
    let at = |n: u32| format!("2026-03-04T05:06:0{n}.000Z");
    let skill = site.skill("notes");
    let read = |n: u32, session: &str, file: &str| {
        let path = skill.join(file);
        let content = json!([{ "type": "tool_use", "id": format!("t{n}"), "name": "Read", "input": { "file_path": path } }]);
        let result = json!([{ "type": "tool_result", "tool_use_id": format!("t{n}"), "content": "1\tx" }]);
        let record = |kind: &str, content: &Value| {
            json!({ "type": kind, "uuid": format!("{kind}{n}"), "sessionId": session, "timestamp": at(n), "cwd": "/work",
                    "message": { "id": format!("m{kind}{n}"), "role": kind, "content": content } })
        };
        format!("{}\n{}\n", record("assistant", &content), record("user", &result))
    };
    for (session, text) in [
        ("s1", read(1, "s1", "SKILL.md") + &read(2, "s1", "references/style.md")),
        ("s2", read(3, "s2", "SKILL.md")),
    ] {
        put(&site.home().join(format!(".claude/projects/-work/{session}.jsonl")), text);
    }
    site.skc(["history", "import"]).ok();
    let followed = prove(&site, &[])["followed"].clone();
    assert_eq!(
        followed,
        json!({ "score": 0.25, "sessions": 2, "steps": [
            { "file": "references/style.md", "sessions": 1 }, { "file": "scripts/collect.py", "sessions": 0 },
        ] })
    );
    let reply = prove(&site, &["--min", "1"]);
    assert_eq!(reply["score"], 1.0, "it depends on what the sessions were asked to do");
    assert!(site.skc(["prove", "notes"]).ok().out.contains("never opened or run: scripts/collect.py"));
}

/// RFC-0016:C-PROVE
#[test]
fn a_score_below_the_least_one_ends_with_status_one() {
    let site = scene();
    site.write(
        "notes",
        "evals/eval_queries.json",
        r#"[{"query":"zebra","should_trigger":true},{"query":"merged changes","should_trigger":true}]"#,
    );
    let reply = prove(&site, &["--min", "0.5"]);
    assert_eq!(
        (&reply["score"], &reply["weakest"], &reply["min"]),
        (&json!(0.5), &json!("chosen"), &json!(0.5))
    );
    let below = site.skc(["prove", "notes", "--min", "0.51"]);
    assert_eq!(below.status, 1);
    assert!(
        below.out.starts_with("notes: 50 % (weakest: chosen); at least 51 % required\n"),
        "{}",
        below.out
    );
    for min in ["1.1", "-1", "NaN"] {
        site.skc(["prove", "notes", &format!("--min={min}")]).fails("E100");
    }
}

/// RFC-0016:C-PROVE
#[test]
fn a_badge_replaces_only_a_badge() {
    let site = scene();
    for file in ["skill.svg", "skill.json"] {
        prove(&site, &["--badge", file]);
        prove(&site, &["--badge", file]);
        assert!(fs::read_to_string(site.project().join(file)).unwrap().contains("100 %"), "{file}");
    }
    put(&site.project().join("logo.svg"), "<svg></svg>");
    site.skc(["prove", "notes", "--badge", "logo.svg"]).fails("E052");
    prove(&site, &["--badge", "logo.svg", "--force"]);
}

/// RFC-0016:C-PROVE
#[test]
fn the_table_for_a_pull_request_escapes_what_authors_write() {
    let site = scene();
    site.write(
        "notes",
        "evals/eval_queries.json",
        r#"[{"query":"a|b <img src=x> @all","should_trigger":true}]"#,
    );
    let text = site.skc(["prove", "notes", "--format", "markdown"]).ok().out;
    assert!(text.contains("| loads | 100 % | 6 of 6 clients |"), "{text}");
    assert!(text.contains("'a\\|b \\<img src=x\\> @\u{200b}all': won by nothing"), "{text}");
}

/// A scanner on a file system that hangs.
struct StuckScanner;

impl SkillScanner for StuckScanner {
    fn scan(&self, _: &Path, _: &ScanBounds<'_>, _: Option<Arc<ScannedRoot>>) -> Result<Scan, PortError> {
        loop {
            std::thread::park();
        }
    }
}

/// RFC-0016:C-PROVE
#[test]
fn a_proof_ends_in_time_and_names_what_is_missing() {
    let machine = MemoryMachine::new();
    machine.write("/project/.skillc/skills/demo/SKILL.md", skill_md("demo", &body()));
    let mut app = app(&machine);
    let proof = |app: &App, time| {
        let skill = resolve(app, "demo").unwrap();
        let begun = Instant::now();
        let reply = prove_in(&mut Run::new(app), &skill, Some(0.0), ProofTime::new(time)).unwrap();
        (reply, begun.elapsed())
    };
    Arc::make_mut(&mut app.ports).scanner = Arc::new(StuckScanner);
    let (reply, took) = proof(&app, Duration::from_secs(3));
    assert!(took < Duration::from_secs(20), "{took:?}");
    assert!(reply.unmeasured.contains(&"chosen".to_owned()), "{reply:?}");
    assert!(reply.is_below_min(), "what was not measured does not pass");
    let markdown = String::from_utf8(reply.formatted("markdown").unwrap()).unwrap();
    assert!(markdown.contains("| chosen | no data | not measured: out of time |"), "{markdown}");

    let (reply, _) = proof(&self::app(&machine), Duration::ZERO);
    assert_eq!(reply.unmeasured, ["loads", "chosen", "reached", "followed"]);
}
