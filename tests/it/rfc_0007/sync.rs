//! RFC-0007:C-SYNC.

use super::without_permission;
use crate::contract::machines::block_on;
use crate::rfc_0004::in_memory;
use crate::site::{Site, put, skill_md};
use rusqlite::{Connection, params};
use serde_json::json;
use skillc_domain::event::AccessEvent;
use skillc_memory::{FaultPlan, MemoryLocalLogs, MemoryMachine, PlannedFault, PortCall};
use skillc_ports::{ErrorKind, LocalLogs};
use std::fs;
use std::path::{Path, PathBuf};

/// The table of versions without ids.
const OLD_TABLE: &str = "CREATE TABLE access_log(id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL,
    run_id TEXT NOT NULL, command TEXT NOT NULL, skill TEXT NOT NULL, skill_path TEXT NOT NULL, cwd TEXT NOT NULL,
    args TEXT NOT NULL, error TEXT)";

fn fallback(site: &Site, skill: &str) -> PathBuf {
    site.project().join(".skillc/logs").join(skill).join(".skillc-meta/logs.db")
}

fn primary(site: &Site, skill: &str) -> PathBuf {
    site.runtime(skill).join(".skillc-meta/logs.db")
}

/// Writes a log of an older version, with one row for each run id.
fn old_log(path: &Path, skill_path: &Path, runs: &[&str]) {
    put(path, "");
    let db = Connection::open(path).unwrap();
    db.execute_batch(OLD_TABLE).unwrap();
    for run in runs {
        db.execute(
            "INSERT INTO access_log(timestamp, run_id, command, skill, skill_path, cwd, args)
             VALUES ('2026-01-01T00:00:00Z', ?1, 'outline', 'demo', ?2, '/', '{}')",
            params![run, skill_path.to_str().unwrap()],
        )
        .unwrap();
    }
}

/// The run ids in a log, sorted; empty if there is no log.
fn runs(log: &Path) -> Vec<String> {
    if !log.is_file() {
        return Vec::new();
    }
    let db = Connection::open(log).unwrap();
    let mut all = db.prepare("SELECT run_id FROM access_log ORDER BY run_id").unwrap();
    all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// A project skill `demo` whose runtime is read-only while these commands run, so that their events go to the
/// fallback log.
fn site_with_fallback(run_ids: &[&str]) -> Site {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n");
    let blocker = site.runtime("demo");
    put(&blocker, "a file in the place of the runtime");
    for run in run_ids {
        site.skc_with(&[("SKC_RUN_ID", run)], ["outline", "demo"]).ok();
    }
    fs::remove_file(blocker).unwrap();
    assert_eq!(runs(&fallback(&site, "demo")), run_ids);
    site
}

/// RFC-0007:C-SYNC
#[test]
fn sync_moves_fallback_logs_and_removes_them() {
    let site = site_with_fallback(&["a", "b", "c"]);
    let run = site.skc(["sync"]).ok();
    assert_eq!(
        (run.out.as_str(), run.err.as_str()),
        ("Synced 3 entries for 'demo' (local logs removed)\n", "")
    );
    assert_eq!(runs(&primary(&site, "demo")), ["a", "b", "c"]);
    assert!(!site.project().join(".skillc/logs").exists(), "the folders that were left empty are gone");
    assert!(site.skill("demo").is_dir());
    let reply = site_with_fallback(&["a"]).skc(["sync", "--format", "json"]).ok().json();
    let synced = json!([{"skill": "demo", "entries": 1, "removed": true}]);
    assert_eq!(reply, json!({"dry_run": false, "synced": synced, "team": null}));
}

/// RFC-0007:C-SYNC
#[test]
fn a_folder_without_a_project_is_left_as_it_was() {
    let site = site_with_fallback(&["a"]);
    let elsewhere = site.root().join("elsewhere");
    let log = elsewhere.join(".skillc/logs/demo/.skillc-meta/logs.db");
    put(&log, "");
    fs::copy(fallback(&site, "demo"), &log).unwrap();
    let run = site.skc(["sync", "--project", elsewhere.to_str().unwrap()]).ok();
    assert!(run.out.ends_with("(local logs removed)\n"), "{}", run.out);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

/// RFC-0007:C-SYNC
#[test]
fn a_dry_run_changes_nothing() {
    let site = site_with_fallback(&["a", "b"]);
    let run = site.skc(["sync", "--dry-run"]).ok();
    assert_eq!(run.out, "Would sync 2 entries for 'demo'\n");
    assert_eq!(runs(&fallback(&site, "demo")), ["a", "b"]);
    assert!(runs(&primary(&site, "demo")).is_empty() && !site.runtime("demo").exists());
}

/// RFC-0007:C-SYNC, decision 35
#[test]
fn rows_go_where_their_skill_path_belongs() {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n");
    let global = site.home().join(".skillc/skills/demo");
    put(&global.join("SKILL.md"), skill_md("demo", "# Demo\n"));
    let log = fallback(&site, "demo");
    old_log(&log, &site.skill("demo"), &["project"]);
    let db = Connection::open(&log).unwrap();
    for (run, path) in [("global", global.to_str().unwrap()), ("elsewhere", "/tmp/elsewhere/demo")] {
        let sql = format!(
            "INSERT INTO access_log(timestamp, run_id, command, skill, skill_path, cwd, args)
             SELECT timestamp, '{run}', command, skill, '{path}', cwd, args FROM access_log LIMIT 1"
        );
        db.execute_batch(&sql).unwrap();
    }
    drop(db);
    site.skc(["sync", "demo"]).ok();
    assert_eq!(runs(&primary(&site, "demo")), ["elsewhere", "project"]);
    assert_eq!(runs(&site.home().join(".skillc/runtime/demo/.skillc-meta/logs.db")), ["global"]);
    assert!(!Path::new("/tmp/elsewhere").exists());
}

/// RFC-0007:C-SYNC
#[test]
fn another_project_is_synced_from_anywhere() {
    let site = site_with_fallback(&["a"]);
    let elsewhere = site.root().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    assert_eq!(site.skc_in(&elsewhere, ["sync"]).ok().out, "No local logs to sync\n");
    let project = site.project();
    site.skc_in(&elsewhere, ["sync", "--project", project.to_str().unwrap()]).ok();
    assert_eq!(runs(&primary(&site, "demo")), ["a"]);
    site.skc(["sync", "--project", "no/such/folder"]).fails("E100");
}

/// RFC-0007:C-SYNC
#[test]
fn a_log_that_comes_back_adds_nothing() {
    let site = site_with_fallback(&["a", "b"]);
    let copy = site.root().join("copy.db");
    let log = fallback(&site, "demo");
    Connection::open(&log).unwrap().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    fs::copy(&log, &copy).unwrap();
    for _ in 0..2 {
        site.skc(["sync"]).ok();
        assert_eq!(runs(&primary(&site, "demo")), ["a", "b"]);
        fs::create_dir_all(log.parent().unwrap()).unwrap();
        fs::copy(&copy, &log).unwrap();
    }
}

/// RFC-0007:C-SYNC, decision 33
#[test]
fn rows_without_ids_are_compared_as_a_multiset() {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n");
    old_log(&primary(&site, "demo"), &site.skill("demo"), &["a", "a", "b"]);
    for _ in 0..2 {
        old_log(&fallback(&site, "demo"), &site.skill("demo"), &["a", "a", "a", "c"]);
        site.skc(["sync"]).ok();
        assert_eq!(runs(&primary(&site, "demo")), ["a", "a", "a", "b", "c"]);
    }
}

/// RFC-0007:C-SYNC
#[test]
fn nothing_to_sync_is_a_message_and_a_named_skill_without_logs_an_error() {
    let site = Site::new();
    assert_eq!(site.skc(["sync"]).ok().out, "No local logs to sync\n");
    let run = site.skc(["sync", "demo"]).fails("E040");
    assert!(run.err.starts_with("error[E040]: no local logs found\n"), "{}", run.err);
    fs::create_dir_all(site.project().join(".skillc/logs/demo/.skillc-meta")).unwrap();
    site.skc(["sync", "demo"]).fails("E040");
    assert_eq!(site.skc(["sync"]).ok().out, "No local logs to sync\n");
}

/// RFC-0007:C-SYNC
#[test]
fn each_log_is_synced_for_itself() {
    let site = site_with_fallback(&["a"]);
    let broken = fallback(&site, "broken");
    put(&broken, [7; 4096]);
    let run = site.skc(["sync"]).fails("E042");
    assert_eq!(run.out, "Synced 1 entries for 'demo' (local logs removed)\n");
    assert!(run.err.contains(broken.to_str().unwrap()), "{}", run.err);
    assert_eq!(fs::read(&broken).unwrap(), [7; 4096]);
    assert_eq!(runs(&primary(&site, "demo")), ["a"]);
}

/// RFC-0007:C-SYNC
#[test]
fn a_destination_that_cannot_be_written_keeps_the_log() {
    let site = site_with_fallback(&["a"]);
    put(&site.runtime("demo"), "a file in the place of the runtime");
    let run = site.skc(["sync"]).fails("E041");
    assert!(run.err.contains(primary(&site, "demo").to_str().unwrap()), "{}", run.err);
    assert_eq!(run.out, "");
    assert_eq!(runs(&fallback(&site, "demo")), ["a"]);
}

/// RFC-0007:C-SYNC, decision 4
#[test]
fn a_name_that_is_a_path_is_refused_by_sync() {
    let site = site_with_fallback(&["a"]);
    let victim = site.project().join(".skillc/victim/.skillc-meta/logs.db");
    old_log(&victim, &site.skill("demo"), &["v"]);
    for name in ["../victim", "/etc", ".", "..", "demo/../demo", ""] {
        site.skc(["sync", name]).fails("E051");
    }
    assert_eq!(runs(&victim), ["v"]);
    assert_eq!(runs(&fallback(&site, "demo")), ["a"]);
}

/// RFC-0007:C-SYNC
#[test]
fn a_log_behind_a_link_is_left_alone() {
    let site = site_with_fallback(&["a"]);
    let outside = site.root().join("outside");
    old_log(&outside.join("linked/.skillc-meta/logs.db"), &site.skill("demo"), &["x"]);
    let logs = site.project().join(".skillc/logs");
    std::os::unix::fs::symlink(outside.join("linked"), logs.join("linked")).unwrap();
    fs::create_dir(logs.join("half")).unwrap();
    std::os::unix::fs::symlink(outside.join("linked/.skillc-meta"), logs.join("half/.skillc-meta")).unwrap();
    let run = site.skc(["sync"]).fails("E042");
    assert!(run.out.contains("Synced 1 entries for 'demo'"), "{}", run.out);
    assert_eq!(runs(&outside.join("linked/.skillc-meta/logs.db")), ["x"]);
    assert_eq!(run.err.matches("error[E042]").count(), 2, "{}", run.err);
}

/// RFC-0007:C-SYNC
#[test]
fn a_log_that_cannot_be_deleted_is_reported() {
    let site = site_with_fallback(&["a"]);
    let log = fallback(&site, "demo");
    let run = without_permission(&site, log.parent().unwrap(), 0o555, &["sync"]).ok();
    assert_eq!(runs(&primary(&site, "demo")), ["a"], "{}", run.err);
    assert!(run.err.contains("warning[W010]"), "{}", run.err);
    assert_eq!(run.out, "Synced 1 entries for 'demo'\n");
    site.skc(["sync"]).ok();
    assert_eq!(runs(&primary(&site, "demo")), ["a"]);
}

/// RFC-0007:C-SYNC
#[test]
fn events_logged_during_a_sync_are_not_lost() {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n");
    let ids: Vec<String> = (0..40).map(|n| format!("run-{n:02}")).collect();
    // With a file in place of the runtime, every event goes to the fallback log and every sync fails, until the file
    // is removed.
    put(&site.runtime("demo"), "in the way");
    site.skc_with(&[("SKC_RUN_ID", "first")], ["outline", "demo"]).ok();
    fs::remove_file(site.runtime("demo")).unwrap();
    let at = fallback(&site, "demo");
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let logs = skillc_sqlite::SqliteLocalLogs::default();
            for (n, id) in ids.iter().enumerate() {
                let event = AccessEvent {
                    event_id: skillc_domain::event::EventId::new(1, n as u128),
                    timestamp: "2026-01-01T00:00:00Z".into(),
                    run_id: id.clone(),
                    skill_path: site.skill("demo").to_string_lossy().into_owned(),
                    ..AccessEvent::default()
                };
                block_on(logs.at(&at).append(&[event])).unwrap();
            }
        });
        while !writer.is_finished() {
            site.skc(["sync"]);
        }
    });
    site.skc(["sync"]).ok();
    let found = runs(&primary(&site, "demo"));
    assert_eq!(found.len(), 41, "{found:?}");
    assert!(ids.iter().all(|id| found.contains(id)));
}

const AT: &str = "/project/.skillc/logs/demo/.skillc-meta/logs.db";

/// An in-memory machine with a fallback log: twelve events of two skills with the same name.
fn machine() -> MemoryMachine {
    let machine = MemoryMachine::new();
    machine.write("/project/.skillc/skills/demo/SKILL.md", skill_md("demo", "# Demo\n"));
    let events: Vec<AccessEvent> = (0..12)
        .map(|n| AccessEvent {
            event_id: format!("id-{n:02}").as_str().into(),
            timestamp: "2026-01-01T00:00:00Z".into(),
            skill: "demo".into(),
            skill_path: ["/project/.skillc/skills/demo", "/home/.skillc/skills/demo"][n % 2].into(),
            ..AccessEvent::default()
        })
        .collect();
    block_on(MemoryLocalLogs::new(&machine).at(Path::new(AT)).append(&events)).unwrap();
    machine
}

fn ids(machine: &MemoryMachine, path: &str) -> Vec<String> {
    let rows = block_on(MemoryLocalLogs::new(machine).at(Path::new(path)).events(0, 99)).unwrap();
    rows.into_iter().map(|row| row.event.event_id.to_string()).collect()
}

/// RFC-0007:C-SYNC
#[test]
fn a_sync_may_stop_at_any_step() {
    use skillc_memory::FaultEffect::{Refuse, StopAfter};
    let mut stopped = 0;
    for operation in [PortCall::ReadLog, PortCall::AppendEvents, PortCall::RetireLog] {
        for call in 1..=4 {
            for effect in [Refuse(ErrorKind::Denied), StopAfter(0), StopAfter(1), StopAfter(2), StopAfter(3)]
            {
                let machine = machine();
                machine.plan(FaultPlan::none().with(PlannedFault { operation, call, effect }));
                let first = in_memory(&machine, "sync", json!({}));
                stopped += usize::from(!first.failures.is_empty() || !first.warnings.is_empty());
                machine.plan(FaultPlan::none());
                let again = in_memory(&machine, "sync", json!({}));
                assert!(again.failures.is_empty(), "{operation:?} {call} {effect:?}: {:?}", again.failures);
                let here = ids(&machine, "/project/.skillc/runtime/demo/.skillc-meta/logs.db");
                let there = ids(&machine, "/home/.skillc/runtime/demo/.skillc-meta/logs.db");
                assert_eq!((here.len(), there.len()), (6, 6), "{operation:?} {call} {effect:?}");
                assert!(!here.iter().any(|id| there.contains(id)));
                assert_eq!(machine.kind(AT), None, "{operation:?} {call} {effect:?}");
            }
        }
    }
    assert!(stopped > 20, "{stopped} of the plans met something");
}
