//! RFC-0003:C-MIGRATION: logs of older versions, whose rows have no ids.

use super::{log_of, stats};
use crate::contract::machines::block_on;
use crate::random::number;
use crate::site::Site;
use rusqlite::Connection;
use skillc_domain::event::{AccessEvent, EventId};
use skillc_ports::LocalLogs;
use skillc_sqlite::SqliteLocalLogs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const TABLE: &str = "CREATE TABLE access_log(id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL, run_id TEXT NOT NULL,
    command TEXT NOT NULL, skill TEXT NOT NULL, skill_path TEXT NOT NULL, cwd TEXT NOT NULL, args TEXT NOT NULL, error TEXT)";

/// Writes a log in the format of version 0.2.1 with this number of rows, some of them identical.
fn fill(log: &Path, skill: &Path, rows: u32) {
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(log.with_file_name(format!("logs.db{suffix}")));
    }
    let db = Connection::open(log).unwrap();
    db.execute_batch(TABLE).unwrap();
    db.execute(
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
         INSERT INTO access_log(timestamp, run_id, command, skill, skill_path, cwd, args)
         SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 1767225600 + i / 7, 'unixepoch'), '20260101T000000Z-0001',
                CASE i % 3 WHEN 0 THEN 'show' WHEN 1 THEN 'search' ELSE 'open' END, 'demo', ?2, '/work/a',
                CASE i % 3 WHEN 0 THEN '{\"section\":\"Usage\",\"file\":\"SKILL.md\",\"max_lines\":null}'
                           WHEN 1 THEN '{\"query\":\"q' || (i % 50) || '\",\"result_count\":' || (i % 2) || '}'
                           ELSE '{\"path\":\"SKILL.md\",\"max_lines\":null}' END
         FROM n",
        (rows, skill.to_str().unwrap()),
    )
    .unwrap();
}

fn count(log: &Path, condition: &str) -> u32 {
    let db = Connection::open(log).unwrap();
    db.query_row(&format!("SELECT count(*) FROM access_log WHERE {condition}"), [], |row| row.get(0)).unwrap()
}

/// RFC-0003:C-MIGRATION
#[test]
fn a_large_log_of_an_older_program_is_migrated_by_stats() {
    let rows = 60_000;
    let site = Site::built("demo", "# Demo\n\n## Usage\n");
    let log = log_of(&site, "demo");
    fill(&log, &site.skill("demo"), rows);
    let start = Instant::now();
    site.skc(["outline", "demo"]).ok();
    let append = start.elapsed();
    assert_eq!(count(&log, "TRUE"), rows + 1);
    assert_eq!(count(&log, "event_id IS NULL"), rows, "a command that only logs migrates nothing");
    assert!(append < Duration::from_secs(2), "{append:?}");
    let start = Instant::now();
    let reply = stats(&site, &[]);
    eprintln!("{rows} rows: {:?}", start.elapsed());
    assert_eq!(reply["data"]["total_accesses"], rows + 1);
    assert_eq!(count(&log, "event_id IS NULL OR flaws IS NULL"), 0);
    assert_eq!(count(&log, "TRUE"), rows + 1);
    let db = Connection::open(&log).unwrap();
    let distinct: u32 =
        db.query_row("SELECT count(DISTINCT event_id) FROM access_log", [], |row| row.get(0)).unwrap();
    assert_eq!(distinct, rows + 1);
    let mode: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
    let beside: Vec<_> = std::fs::read_dir(log.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("logs.db.new"))
        .collect();
    assert!(beside.is_empty(), "{beside:?}");
    assert_eq!(stats(&site, &["--group-by", "search"])["data"].as_array().unwrap().len(), 50);
}

/// RFC-0003:C-MIGRATION
#[test]
fn copies_of_an_older_log_have_the_same_ids_however_they_are_migrated() {
    let site = Site::built("demo", "# Demo\n\n## Usage\n");
    let log = log_of(&site, "demo");
    let ids = |rows: u32| -> Vec<String> {
        fill(&log, &site.skill("demo"), rows);
        stats(&site, &[]);
        let db = Connection::open(&log).unwrap();
        let mut ids = db.prepare("SELECT event_id FROM access_log ORDER BY id LIMIT 1500").unwrap();
        ids.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let small = ids(1_500);
    assert_eq!(small, ids(3_000), "in place, and rewritten");
}

/// RFC-0003:C-MIGRATION
#[test]
fn other_commands_go_on_while_a_log_is_migrated() {
    let rows = 60_000;
    let site = Site::built("demo", "# Demo\n\n## Usage\n");
    let log = log_of(&site, "demo");
    fill(&log, &site.skill("demo"), rows);
    let mut migration = site.command(["stats", "demo"]).spawn().unwrap();
    let mut commands = 0;
    while migration.try_wait().unwrap().is_none() {
        assert_eq!(site.skc(["outline", "demo"]).ok().err, "", "none has to use the fallback log");
        commands += 1;
    }
    assert!(migration.wait().unwrap().success());
    assert_eq!(count(&log, "TRUE"), rows + commands + 1, "no event is lost");
    assert!(!site.project().join(".skillc/logs/demo").exists());
}

/// RFC-0003:C-MIGRATION
#[test]
fn a_migration_that_is_killed_loses_nothing_and_is_done_by_the_next_one() {
    let rows = 60_000;
    let site = Site::built("demo", "# Demo\n\n## Usage\n");
    let log = log_of(&site, "demo");
    fill(&log, &site.skill("demo"), rows);
    for ms in [30, 90, 200] {
        let mut migration = site.command(["stats", "demo"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(ms));
        migration.kill().unwrap();
        migration.wait().unwrap();
        assert!(count(&log, "TRUE") >= rows);
    }
    let total = stats(&site, &[])["data"]["total_accesses"].as_u64().unwrap();
    assert!((u64::from(rows)..u64::from(rows) + 3).contains(&total), "{total}");
    assert_eq!(count(&log, "event_id IS NULL"), 0);
}

/// Runs calls that only append to the log, one after the other until `is_over`; returns the longest and the usual
/// duration.
fn appends(log: &Path, mut is_over: impl FnMut(usize) -> bool) -> Vec<Duration> {
    let logs = SqliteLocalLogs::default();
    let mut took = Vec::new();
    while !is_over(took.len()) {
        let event = AccessEvent {
            event_id: EventId::new(1_800_000_000_000_000_000, took.len() as u128),
            timestamp: "2026-11-23T12:00:00Z".into(),
            run_id: "run".into(),
            command: "outline".into(),
            skill: "demo".into(),
            skill_path: "/demo".into(),
            cwd: "/work".into(),
            args: "{}".into(),
            ..AccessEvent::default()
        };
        let start = Instant::now();
        assert_eq!(block_on(logs.at(log).append(&[event])).unwrap(), 1);
        took.push(start.elapsed());
        std::thread::sleep(Duration::from_millis(1));
    }
    took.sort();
    took
}

/// RFC-0003:C-MIGRATION
///
/// `SKC_LOG_ROWS=1000000` makes a log as large as that of the clause.
#[test]
fn a_migration_keeps_no_other_command_waiting() {
    // Another program may use the processor in between, so the time is measured again before the test fails.
    let seen: Vec<_> = (0..5).map(|_| longest_wait()).take_while(|wait| wait.is_err()).collect();
    assert!(seen.len() < 5, "{seen:?}");
}

/// The longest wait of a command beside a migration and without one, as an error if the first is too long, or if the
/// migration left rows to the next command, as it does on a machine that is too busy for both.
fn longest_wait() -> Result<(), (Duration, Duration)> {
    let rows = number("SKC_LOG_ROWS", 60_000) as u32;
    let site = Site::built("demo", "# Demo\n\n## Usage\n");
    let log = log_of(&site, "demo");
    // For comparison, a process that uses as much CPU time but does not touch the log.
    let other = site.root().join("logs.db");
    fill(&other, &site.skill("demo"), 10);
    let mut busy = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
    let usual = appends(&other, |count| count == 300);
    busy.kill().unwrap();
    busy.wait().unwrap();
    fill(&log, &site.skill("demo"), rows);
    let start = Instant::now();
    let mut migration = site.command(["stats", "demo"]).spawn().unwrap();
    let waits = appends(&log, |_| migration.try_wait().unwrap().is_some());
    let (longest, usual) = (waits[waits.len() - 1], usual[usual.len() - 1]);
    eprintln!(
        "{rows} rows in {:?}: of {} events the last took {:?}; {usual:?} without",
        start.elapsed(),
        waits.len(),
        &waits[waits.len().saturating_sub(4)..]
    );
    assert!(waits.len() > 20, "{}", waits.len());
    assert_eq!(count(&log, "TRUE"), rows + waits.len() as u32 + 1, "no event is lost");
    let is_complete = count(&log, "event_id IS NULL") == 0;
    if !is_complete {
        site.skc(["stats", "demo"]).ok();
        assert_eq!(count(&log, "event_id IS NULL"), 0, "the next command completes it");
    }
    // 50 ms, plus the delays that any process has on this machine.
    let is_short = longest < Duration::from_millis(50) + 3 * usual;
    if is_short && is_complete { Ok(()) } else { Err((longest, usual)) }
}
