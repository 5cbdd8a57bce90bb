//! RFC-0014:C-IMPORT: each record is imported once, and later imports read only what is new.

use super::*;
use std::io::Write;

const SKILL: &str = "/home/kim/.agents/skills/notes";

fn session(site: &Site, name: &str, uuids: &[&str]) -> PathBuf {
    let values: Vec<Value> =
        uuids.iter().flat_map(|uuid| claude_read(uuid, &format!("{SKILL}/{uuid}.md"), None)).collect();
    claude_session(site, name, &values)
}

fn append(file: &std::path::Path, text: &str) {
    fs::File::options().append(true).open(file).unwrap().write_all(text.as_bytes()).unwrap();
}

/// RFC-0014:C-IMPORT
#[test]
fn a_second_import_reads_only_what_is_new() {
    let site = Site::new();
    let file = session(&site, "s1", &["a", "b"]);
    session(&site, "s2", &["c"]);
    let first = imported(&import(&site), "claude-code");
    assert_eq!((&first["files"], &first["new"]), (&json!(2), &json!(3)));
    let second = imported(&import(&site), "claude-code");
    assert_eq!((&second["files"], &second["unchanged"], &second["new"]), (&json!(0), &json!(2), &json!(0)));
    append(&file, &lines(&claude_read("d", &format!("{SKILL}/d.md"), None)));
    let third = imported(&import(&site), "claude-code");
    assert_eq!(
        (&third["files"], &third["new"], &third["found"]),
        (&json!(1), &json!(1), &json!({ "read": 1 }))
    );
    assert_eq!(events(&site).len(), 4);
}

/// RFC-0014:C-IMPORT
#[test]
fn a_call_is_imported_with_its_outcome_also_if_that_comes_later() {
    let site = Site::new();
    let [call, result] = claude_read("a", &format!("{SKILL}/a.md"), None);
    let file = claude_session(&site, "s1", &[call]);
    import(&site);
    assert_eq!(events(&site), Vec::<String>::new(), "it still runs");
    let failed = lines(&[claude("r", "user", tool_result("t-a", "no such file", true))]);
    append(&file, &failed);
    import(&site);
    assert_eq!(events(&site), ["read notes a.md - - failed"]);
    // A session that has ended will not get more records.
    let site = Site::new();
    let [call, _] = claude_read("a", &format!("{SKILL}/a.md"), None);
    age(&claude_session(&site, "s1", &[call]));
    import(&site);
    assert_eq!(events(&site), ["read notes a.md - - -"]);
    drop(result);
}

/// RFC-0014:C-IMPORT
#[test]
fn a_session_that_was_copied_or_resumed_counts_once() {
    let site = Site::new();
    let file = session(&site, "s1", &["a", "b"]);
    let text = fs::read_to_string(&file).unwrap();
    put(&claude_file(&site, "copy"), &text);
    // A resumed session repeats the lines under its own id.
    let resumed = text.replace("\"sessionId\":\"s1\"", "\"sessionId\":\"s9\"");
    put(&claude_file(&site, "s9"), resumed + &lines(&claude_read("c", &format!("{SKILL}/c.md"), None)));
    assert_eq!(imported(&import(&site), "claude-code")["new"], 3);
    assert_eq!(events(&site).len(), 3);
}

/// RFC-0014:C-IMPORT
#[test]
fn a_session_that_was_replaced_is_read_from_its_beginning() {
    let site = Site::new();
    let file = session(&site, "s1", &["a", "b", "c"]);
    import(&site);
    let [call, result] = claude_read("d", &format!("{SKILL}/d.md"), None);
    put(&file, lines(&[call, result]));
    assert_eq!(imported(&import(&site), "claude-code")["new"], 1);
}

/// RFC-0014:C-IMPORT
#[test]
fn an_import_that_lost_its_bookmarks_adds_nothing_twice() {
    let site = Site::new();
    session(&site, "s1", &["a", "b"]);
    import(&site);
    // The state of an import that was killed between the events and the bookmarks.
    fs::remove_file(site.home().join(".skillc/history/bookmarks.db")).unwrap();
    let again = imported(&import(&site), "claude-code");
    assert_eq!((&again["files"], &again["new"]), (&json!(1), &json!(0)));
    assert_eq!(events(&site).len(), 2);
}

/// RFC-0014:C-IMPORT
#[test]
fn an_import_that_is_killed_is_completed_by_the_next() {
    let site = Site::new();
    for at in 0..60 {
        let uuids: Vec<String> = (0..20).map(|n| format!("u{at}-{n}")).collect();
        session(&site, &format!("s{at}"), &uuids.iter().map(String::as_str).collect::<Vec<_>>());
    }
    for delay_ms in [1, 3, 6, 10, 15, 25, 40, 60] {
        let mut child = site.command(["history", "import"]).spawn().unwrap();
        let until = std::time::Instant::now() + std::time::Duration::from_millis(delay_ms);
        while std::time::Instant::now() < until {
            std::hint::spin_loop();
        }
        let _ = child.kill();
        child.wait().unwrap();
    }
    import(&site);
    let mut ids = column(&site, "event_id");
    assert_eq!(ids.len(), 1_200);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 1_200);
}

/// RFC-0014:C-IMPORT
#[test]
fn a_part_of_the_time_and_of_the_agents_can_be_imported_and_the_rest_later() {
    let site = Site::new();
    session(&site, "s1", &["a"]);
    let none = site.skc(["history", "import", "--since", "2026-04-01", "--format", "json"]).ok().json();
    assert_eq!(imported(&none, "claude-code")["new"], 0);
    let other = site.skc(["history", "import", "--agent", "codex", "--format", "json"]).ok().json();
    assert_eq!(other["imported"], json!([]));
    let some = site
        .skc(["history", "import", "--agent", "claude", "--since", "2026-03-01", "--format", "json"])
        .ok();
    assert_eq!(imported(&some.json(), "claude-code")["new"], 1);
    assert_eq!(imported(&import(&site), "claude-code")["new"], 0, "the same record");
    site.skc(["history", "import", "--agent", "nobody"]).fails("E100");
    site.skc(["history", "import", "--since", "sometime"]).fails("E031");
    site.skc(["history", "sources", "--dry-run"]).fails("E100");
    site.skc(["history", "import", "--write"]).fails("E100");
}

/// RFC-0014:C-IMPORT
#[test]
fn a_dry_run_counts_and_stores_nothing() {
    let site = Site::new();
    session(&site, "s1", &["a"]);
    let dry = site.skc(["history", "import", "--dry-run", "--format", "json"]).ok().json();
    assert_eq!((&dry["dry_run"], &dry["imported"][0]["found"]), (&json!(true), &json!({ "read": 1 })));
    assert!(!site.home().join(".skillc/history").exists());
    assert_eq!(imported(&import(&site), "claude-code")["new"], 1);
}

/// RFC-0014:C-INSTALL
#[test]
fn install_prints_each_schedule_and_writes_the_timer_only_when_asked() {
    let site = Site::new();
    let text = site.skc(["history", "install"]).ok().out;
    for part in ["SessionEnd", "17 * * * *", "skc-history.timer", "skc history import"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let units = site.home().join(".config/systemd/user");
    assert!(!units.exists());
    site.skc(["history", "install", "--write"]).ok();
    let timer = fs::read_to_string(units.join("skc-history.timer")).unwrap();
    assert!(timer.contains("OnCalendar=hourly"), "{timer}");
    site.skc(["history", "install", "--write"]).ok();
    fs::write(units.join("skc-history.timer"), "mine").unwrap();
    let refused = site.skc(["history", "install", "--write"]);
    assert_eq!(refused.status, 1);
    for part in ["error[E100]", "skc-history.timer' was not written by skc", "move it away"] {
        assert!(refused.err.contains(part), "{part}: {}", refused.err);
    }
    assert_eq!(fs::read_to_string(units.join("skc-history.timer")).unwrap(), "mine");
}
