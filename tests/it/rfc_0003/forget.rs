//! RFC-0003:C-PRIVACY: `skc log forget`.

use super::{ROW, Row, add, log_of, site_with, stats, varied};
use crate::site::{Site, put};
use rusqlite::Connection;
use std::path::Path;

fn count(log: &Path) -> i64 {
    Connection::open(log).unwrap().query_row("SELECT count(*) FROM access_log", [], |row| row.get(0)).unwrap()
}

/// Adds a second skill with its own events.
fn with_other(site: &Site) {
    site.write_skill("other", "# Other\n");
    site.skc(["outline", "other"]).ok();
    add(&log_of(site, "other"), &site.skill("other"), &varied());
}

/// RFC-0003:C-PRIVACY
#[test]
fn forget_deletes_what_is_named_and_nothing_else() {
    let site = site_with(&varied());
    with_other(&site);
    add(&log_of(&site, "demo"), Path::new("/elsewhere/demo"), &[ROW]);
    let run = site.skc(["log", "forget", "demo", "--before", "2026-01-11"]).ok();
    assert!(run.out.starts_with("Forgot 11 events of 'demo'"), "{}", run.out);
    assert_eq!(stats(&site, &[])["data"]["total_accesses"], 2);
    assert_eq!(count(&log_of(&site, "other")), 14);
    let run = site.skc(["log", "forget", "demo", "--format", "json"]).ok().json();
    assert_eq!(run["forgotten"], 2);
    assert_eq!(count(&log_of(&site, "demo")), 1, "the row of the skill elsewhere stays");
    site.skc(["log", "forget", "--before", "2026-01-12"]).ok();
    assert_eq!((count(&log_of(&site, "demo")), count(&log_of(&site, "other"))), (0, 2));
    assert_eq!(site.skc(["log", "forget", "demo"]).ok().out, "Nothing to forget\n");
}

/// RFC-0003:C-PRIVACY
#[test]
fn forget_reaches_fallback_logs_and_skills_that_are_gone() {
    let site = site_with(&varied());
    let fallback = site.project().join(".skillc/logs/demo/.skillc-meta/logs.db");
    put(&fallback, "");
    Connection::open(&fallback)
        .unwrap()
        .execute_batch(&format!(
            "CREATE TABLE access_log(id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL, run_id TEXT NOT NULL,
               command TEXT NOT NULL, skill TEXT NOT NULL, skill_path TEXT NOT NULL, cwd TEXT NOT NULL,
               args TEXT NOT NULL, error TEXT);
             INSERT INTO access_log(timestamp, run_id, command, skill, skill_path, cwd, args)
             VALUES ('2026-01-01T00:00:00Z', 'r', 'show', 'demo', '{}', '/', '{{}}')",
            site.skill("demo").display()
        ))
        .unwrap();
    std::fs::remove_dir_all(site.skill("demo")).unwrap();
    let run = site.skc(["log", "forget", "demo", "--format", "json"]).ok().json();
    assert_eq!(run["forgotten"], 14);
    assert_eq!(count(&fallback), 0);
    site.skc(["log", "forget", "never-there"]).fails("E001");
    site.skc(["log", "forget", "../demo"]).fails("E051");
}

/// RFC-0003:C-PRIVACY
#[test]
fn forgotten_events_leave_no_bytes() {
    let site = site_with(&[]);
    let secret = r#"{"query":"hunter2-hunter2"}"#;
    let rows: Vec<Row<'_>> = (0..300).map(|_| Row { command: "search", args: secret, ..ROW }).collect();
    add(&log_of(&site, "demo"), &site.skill("demo"), &rows);
    site.skc(["search", "demo", "hunter2-hunter2"]).ok();
    site.skc(["log", "forget", "demo"]).ok();
    for suffix in ["", "-wal", "-shm"] {
        let path = site.runtime("demo").join(format!(".skillc-meta/logs.db{suffix}"));
        let bytes = std::fs::read(path).unwrap_or_default();
        assert!(!bytes.windows(15).any(|w| w == b"hunter2-hunter2"), "logs.db{suffix}");
    }
}

/// RFC-0003:C-PRIVACY
#[test]
fn forget_needs_a_skill_or_a_time() {
    let site = site_with(&varied());
    site.skc(["log", "forget"]).fails("E100");
    site.skc(["log", "forget", "--before", "soon"]).fails("E031");
    site.skc(["log", "remember", "demo"]).fails("E100");
    assert_eq!(count(&log_of(&site, "demo")), 13);
}
