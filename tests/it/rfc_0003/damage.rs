//! RFC-0003:C-DAMAGE: damaged logs and their repair.

use super::{log_of, site_with, stats, varied};
use crate::site::{Site, put};
use rusqlite::Connection;
use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};

/// RFC-0003:C-DAMAGE
#[test]
fn a_log_that_is_no_database_is_told_at_once_and_events_go_to_the_fallback() {
    let site = site_with(&varied());
    let log = log_of(&site, "demo");
    put(&log, [7; 4096]);
    let run = site.skc(["outline", "demo"]).ok();
    assert!(run.err.starts_with("warning[W011]: access log is damaged: '"), "{}", run.err);
    assert!(
        run.err.contains(log.to_str().unwrap()) && run.err.contains("skc log repair demo"),
        "{}",
        run.err
    );
    let fallback = site.project().join(".skillc/logs/demo/.skillc-meta/logs.db");
    let count = || -> i64 {
        let db = Connection::open(&fallback).unwrap();
        db.query_row("SELECT count(*) FROM access_log", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(count(), 1);
    let run = site.skc(["stats", "demo"]).fails("E032");
    assert!(
        run.err.contains(log.to_str().unwrap()) && run.err.contains("skc log repair demo"),
        "{}",
        run.err
    );
    assert_eq!(fs::read(&log).unwrap(), [7; 4096], "nothing is changed without being asked for");
    let run = site.skc(["log", "repair", "demo"]).ok();
    assert!(run.out.starts_with("Repaired the log of 'demo', 0 events kept"), "{}", run.out);
    assert_eq!(fs::read(log.with_file_name("logs.db.damaged")).unwrap(), [7; 4096]);
    site.skc(["sync"]).ok();
    assert_eq!(stats(&site, &[])["data"]["total_accesses"], 2, "the events of the fallback log");
    assert_eq!(site.skc(["outline", "demo"]).ok().err, "");
    assert_eq!(site.skc(["log", "repair"]).ok().out, "Nothing to repair\n");
    site.skc(["log", "forget", "demo"]).ok();
    assert!(!log.with_file_name("logs.db.damaged").exists(), "what was forgotten leaves no bytes");
}

/// RFC-0003:C-DAMAGE
#[test]
fn what_only_the_write_ahead_log_still_has_is_written_back() {
    let site = Site::built("demo", "# Demo\n");
    site.skc(["outline", "demo"]).ok();
    let log = log_of(&site, "demo");
    assert!(fs::metadata(log.with_file_name("logs.db-wal")).unwrap().len() > 0);
    put(&log, "no database".repeat(20));
    let findings = || site.skc(["doctor", "--format", "json"]).json()["findings"].to_string();
    assert!(findings().contains("broken-log"));
    site.skc(["doctor", "--fix"]).ok();
    assert!(!findings().contains("broken-log"), "{}", findings());
    assert_eq!(stats(&site, &[])["data"]["total_accesses"], 2);
    let db = Connection::open(&log).unwrap();
    assert_eq!(db.query_row("PRAGMA quick_check", [], |row| row.get::<_, String>(0)).unwrap(), "ok");
}

/// RFC-0003:C-DAMAGE
#[test]
fn a_repair_keeps_every_row_that_can_be_read() {
    let site = site_with(&[]);
    let log = log_of(&site, "demo");
    let db = Connection::open(&log).unwrap();
    db.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
         INSERT INTO access_log(timestamp, run_id, command, skill, skill_path, cwd, args)
         SELECT '2026-01-10T12:00:00Z', 'run-' || i, 'outline', 'demo', ?1, '/work/a', '{}' FROM n",
        [site.skill("demo").to_str().unwrap()],
    )
    .unwrap();
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let leaf: u32 = db
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'access_log'", [], |row| row.get(0))
        .unwrap();
    let page: u32 = db.pragma_query_value(None, "page_size", |row| row.get(0)).unwrap();
    drop(db);
    // The root of the table is an interior page, and its leaves follow somewhere after it. Overwrite ten pages after
    // it.
    let mut file = OpenOptions::new().write(true).open(&log).unwrap();
    file.seek(SeekFrom::Start((u64::from(leaf) + 20) * u64::from(page))).unwrap();
    file.write_all(&vec![0xa5; 10 * page as usize]).unwrap();
    drop(file);
    let reply = site.skc(["log", "repair", "demo", "--format", "json"]).ok().json();
    let kept = reply["repaired"][0]["events"].as_u64().unwrap();
    assert!((1_000..3_000).contains(&kept), "{reply}");
    let total = stats(&site, &[])["data"]["total_accesses"].as_u64().unwrap();
    assert_eq!(total, kept);
}

/// RFC-0003:C-DAMAGE
#[test]
fn a_repair_of_a_damaged_index_loses_no_row() {
    let site = site_with(&varied());
    let log = log_of(&site, "demo");
    let db = Connection::open(&log).unwrap();
    db.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1700)
         INSERT INTO access_log(timestamp, run_id, command, skill, skill_path, cwd, args)
         SELECT '2026-01-10T12:00:00Z', 'run-' || i, 'outline', 'demo', ?1, '/work/a', '{}' FROM n",
        [site.skill("demo").to_str().unwrap()],
    )
    .unwrap();
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let rows: i64 = db.query_row("SELECT count(*) FROM access_log", [], |row| row.get(0)).unwrap();
    let index = "SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'access_log'";
    let root: u32 = db.query_row(index, [], |row| row.get(0)).unwrap();
    let page: u32 = db.pragma_query_value(None, "page_size", |row| row.get(0)).unwrap();
    drop(db);
    let mut file = OpenOptions::new().write(true).open(&log).unwrap();
    file.seek(SeekFrom::Start(u64::from(root - 1) * u64::from(page))).unwrap();
    file.write_all(&vec![0xa5; page as usize]).unwrap();
    drop(file);
    let reply = site.skc(["log", "repair", "demo", "--format", "json"]).ok().json();
    assert_eq!(reply["repaired"][0]["events"], rows, "{reply}");
}

/// RFC-0003:C-DAMAGE
#[test]
fn a_repair_needs_no_time() {
    let site = site_with(&varied());
    site.skc(["log", "repair", "demo", "--before", "1d"]).fails("E100");
    site.skc(["log", "repair", "none"]).fails("E001");
    assert_eq!(site.skc(["log", "repair", "demo"]).ok().out, "Nothing to repair\n");
    assert_eq!(stats(&site, &[])["data"]["total_accesses"], 13);
}
