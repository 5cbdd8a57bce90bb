//! RFC-0003:C-TEAM as a story: several machines, a server, and what both print.

use crate::contract::machines::block_on;
use crate::postgres::cluster::{CAREFUL_USER, Database, PASSWORD, empty_database, ready_database};
use crate::rfc_0004::{in_memory_with_team, team_of_memory};
use crate::site::{Run, Site, put, skill_md};
use serde_json::{Value, json};
use skillc_domain::event::AccessEvent;
use skillc_memory::{FaultPlan, MemoryLocalLogs, MemoryMachine, PlannedFault, PortCall};
use skillc_ports::{ErrorKind, LocalLogs};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

/// A machine of the team, with its own home directory and the skill `demo`.
struct Machine<'a> {
    site: Site,
    name: &'static str,
    database: &'a Database,
}

impl<'a> Machine<'a> {
    fn new(name: &'static str, database: &'a Database) -> Self {
        let site = Site::built("demo", "# Demo\n\nfirst\n\n## Usage\n\nsecond\n\n## Changelog\n");
        put(&site.home().join(".skillc/config.toml"), format!("[team]\nmachine = '{name}'\norg = 'acme'\n"));
        Self { site, name, database }
    }

    fn skc(&self, line: &str) -> Run {
        let url = self.database.url_of("writer");
        self.site.skc_with(&[("SKILLC_TEAM_URL", &url)], line.split(' '))
    }

    fn stats(&self, further: &str) -> Value {
        self.skc(&format!("stats demo --format json{further}")).ok().json()
    }

    /// The accesses on this machine, by its own log, without those of the queries in this test.
    fn own(&self, grouping: &str) -> BTreeMap<String, u64> {
        figures(&self.stats(&format!(" --group-by {grouping}"))["data"])
    }

    fn fallback(&self) -> std::path::PathBuf {
        self.site.project().join(".skillc/logs/demo/.skillc-meta/logs.db")
    }
}

/// The entries of a list or an object, without what the query itself adds.
fn figures(data: &Value) -> BTreeMap<String, u64> {
    if let Some(object) = data.as_object() {
        let all = object.iter().filter(|(key, _)| *key != "stats");
        return all.map(|(key, count)| (key.clone(), count.as_u64().unwrap())).collect();
    }
    let entry = |entry: &Value| {
        let mut entry = entry.as_object().unwrap().clone();
        let count = entry.remove("count").unwrap().as_u64().unwrap();
        (Value::Object(entry).to_string(), count)
    };
    data.as_array().unwrap().iter().map(entry).collect()
}

fn sum(parts: &[BTreeMap<String, u64>]) -> BTreeMap<String, u64> {
    let mut sum = BTreeMap::new();
    for (key, count) in parts.iter().flatten() {
        *sum.entry(key.clone()).or_default() += count;
    }
    sum
}

/// RFC-0003:C-TEAM
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_team_counts_each_event_once() {
    let database = ready_database();
    let [anna, ben, cleo] = ["anna", "ben", "cleo"].map(|name| Machine::new(name, &database));
    for machine in [&anna, &ben, &cleo] {
        machine.skc("show demo --section Usage").ok();
        machine.skc("search demo second").ok();
    }
    ben.skc("show demo --section nope").fails("E020");
    // Cleo works in a sandbox for a while, where her runtime is read-only and the server is out of reach.
    let runtime = cleo.site.runtime("demo");
    let kept = cleo.site.root().join("kept");
    fs::rename(&runtime, &kept).unwrap();
    put(&runtime, "in the way");
    for _ in 0..3 {
        cleo.site.skc(["open", "demo", "SKILL.md"]).ok();
    }
    let copy = cleo.site.root().join("copy");
    copy_folder(cleo.fallback().parent().unwrap(), &copy);
    assert!(anna.skc("sync --team").ok().out.contains("Sent 3 entries for 'demo'"));
    ben.skc("sync --team").ok();
    fs::remove_file(&runtime).unwrap();
    fs::rename(&kept, &runtime).unwrap();
    let out = cleo.skc("sync --team").ok().out;
    assert!(out.starts_with("Synced 3 entries for 'demo' (local logs removed)\n"), "{out}");
    assert!(out.contains("Sent 6 entries for 'demo'"), "{out}");
    // Restored and repeated events do not count twice.
    copy_folder(&copy, cleo.fallback().parent().unwrap());
    cleo.skc("sync --team").ok();
    for machine in [&anna, &ben, &cleo] {
        assert!(machine.skc("sync --team").ok().out.contains("Nothing new for"), "{}", machine.name);
        forget_what_was_sent(&machine.site);
        let out = machine.skc("sync --team").ok().out;
        assert!(out.contains("were already there"), "{out}");
    }
    for grouping in ["sections", "files", "commands", "errors", "search"] {
        let own = sum(&[anna.own(grouping), ben.own(grouping), cleo.own(grouping)]);
        let team = figures(&anna.stats(&format!(" --team --group-by {grouping}"))["data"]);
        assert_eq!(team, own, "{grouping}");
    }
    let reply = ben.stats(" --team");
    assert_eq!(reply["data"]["total_accesses"], 13);
    assert_eq!((&reply["skill"], &reply["skill_path"]), (&json!("demo"), &json!(null)));
    assert_eq!(ben.stats(" --team --machine cleo")["data"]["total_accesses"], 6);
    assert_eq!(ben.stats(" --team --org other")["data"]["total_accesses"], 0);
    let all = ben.skc("stats --team --format json").ok().json();
    assert_eq!(all["skills"], json!([{"skill": "demo", "count": 13}]));
    assert!(ben.skc("stats demo --team").ok().out.contains("Reads: "));
    let status = anna.skc("team status --format json").ok().json();
    assert_eq!((&status["state"]["events"], &status["state"]["machine"]), (&json!(13), &json!("anna")));
    let text = anna.skc("team status").ok().out;
    assert!(text.contains("machine 'anna', organization 'acme'"), "{text}");
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

/// Restores the state of an interruption between sending a batch and its acknowledgment.
fn forget_what_was_sent(site: &Site) {
    let log = site.runtime("demo").join(".skillc-meta/logs.db");
    let db = rusqlite::Connection::open(log).unwrap();
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%ack%'";
    let table: String = db.query_row(names, [], |row| row.get(0)).unwrap();
    assert_eq!(db.execute(&format!("DELETE FROM {table}"), []).unwrap(), 1);
}

/// RFC-0003:C-TEAM
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn each_fault_of_the_server_has_its_code() {
    let empty = empty_database();
    let ready = ready_database();
    let site = Site::built("demo", "# Demo\n");
    let sync = |url: &str, password: &str| {
        let vars = [("SKILLC_TEAM_URL", url), ("SKILLC_TEAM_PASSWORD", password)];
        site.skc_with(&vars, ["sync", "--team", "-v"])
    };
    let careful = ready.url_of(CAREFUL_USER);
    let port = server_without_tls();
    sync(&empty.url, "").fails("E047");
    sync(&careful, "wrong").fails("E045");
    sync(&careful.replace("/skcpg", "/nowhere"), "").fails("E044");
    sync(&ready.url_of("reader"), "").fails("E045");
    sync(&format!("postgres://u@127.0.0.1:{port}/x?sslmode=require"), "").fails("E046");
    let later = "INSERT INTO skillc.migration (version, description, success, checksum, execution_time)
                 VALUES (5, 'later', true, '', 0)";
    ready.run(later);
    sync(&careful, PASSWORD).fails("E048");
    let db = rusqlite::Connection::open(site.runtime("demo").join(".skillc-meta/logs.db")).unwrap();
    let rows: i64 = db.query_row("SELECT count(*) FROM access_log", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 1, "the build is still there");
    drop(db);
    assert!(sync(&ready_database().url, "").ok().out.contains("Sent 1 entries"));
}

/// The port of a fake server that answers like a PostgreSQL server without a certificate.
fn server_without_tls() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut stream = stream;
            let mut question = [0; 8];
            let _ = stream.read_exact(&mut question).and_then(|()| stream.write_all(b"N"));
        }
    });
    port
}

/// RFC-0003:C-TEAM, RFC-0009:C-TEAM
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_password_is_never_printed() {
    let database = ready_database();
    let site = Site::built("demo", "# Demo\n");
    let good = database.url_of(CAREFUL_USER).replacen("careful@", "careful:correct%20horse@", 1);
    let bad = good.replacen("horse", "sesame", 1);
    for url in [&good, &bad, &bad.replace("/skcpg", "/nowhere"), &"postgres://u:sesame@h:x/".to_owned()] {
        for line in [
            "config",
            "config -o json",
            "team status -v",
            "sync --team -v",
            "stats --team -v",
            "open demo SKILL.md -v",
        ] {
            for vars in
                [&[("SKILLC_TEAM_URL", url.as_str())][..], &[("SKILLC_TEAM_URL", url), ("SKC_VERBOSE", "1")]]
            {
                let run = site.skc_with(vars, line.split(' '));
                let text = format!("{}{}", run.out, run.err);
                assert!(!text.contains("horse") && !text.contains("sesame"), "{line}: {text}");
            }
        }
    }
    put(&site.home().join(".skillc/secret"), "correct horse\nno more\n");
    put(&site.home().join(".skillc/config.toml"), "[team]\npassword_file = 'secret'\n");
    let url = database.url_of(CAREFUL_USER);
    let run = site.skc_with(&[("SKILLC_TEAM_URL", &url)], ["team", "status", "-v"]).ok();
    assert!(!run.out.contains("horse") && !run.err.contains("horse"));
}

/// RFC-0003:C-TEAM
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn events_go_straight_to_the_team_and_fall_back() {
    let database = ready_database();
    let machine = Machine::new("dora", &database);
    let config = "[team]\nmachine = 'dora'\norg = 'acme'\n[log]\nstore = 'postgres'\n";
    put(&machine.site.home().join(".skillc/config.toml"), config);
    let log = machine.site.runtime("demo").join(".skillc-meta/logs.db");
    let rows = || -> i64 {
        let db = rusqlite::Connection::open(&log).unwrap();
        db.query_row("SELECT count(*) FROM access_log", [], |row| row.get(0)).unwrap()
    };
    let before = rows();
    machine.skc("show demo --section Usage").ok();
    assert_eq!(rows(), before, "nothing stays here");
    assert_eq!(database.number("SELECT count(*) FROM skillc.access_event"), 1);
    let away = database.url.replace("/skcpg", "/nowhere");
    let run =
        machine.site.skc_with(&[("SKILLC_TEAM_URL", &away)], ["show", "demo", "--section", "Usage"]).ok();
    assert_eq!((run.err.as_str(), rows()), ("", before + 1));
    machine.skc("sync --team").ok();
    let sections = &machine.stats(" --group-by sections")["data"];
    assert_eq!(sections[0]["count"], 2, "its own events are asked of the store");
    assert_eq!(machine.stats("")["filters"]["machine"], "dora");
}

/// RFC-0003:C-TEAM
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_published_skill_stands_in_the_catalog_once() {
    let database = empty_database();
    let machine = Machine::new("emil", &database);
    machine.skc("team status").fails("E047");
    let url = database.url.clone();
    let owner = |line: &str| machine.site.skc_with(&[("SKILLC_TEAM_URL", &url)], line.split(' '));
    owner("team status").fails("E047");
    let out = owner("team init").ok().out;
    assert!(out.starts_with("Team store ") && out.contains("is ready"), "{out}");
    owner("team init").ok();
    let published = owner("team publish demo").ok().out;
    assert!(published.starts_with("Published 'demo' in the catalog of "), "{published}");
    assert!(owner("team publish demo").ok().out.starts_with("Unchanged 'demo'"));
    put(&machine.site.home().join(".skillc/skills/other/SKILL.md"), skill_md("other", "# Other\n"));
    let reply = owner("team publish --all --format json").ok().json();
    let expected = json!([{"skill": "demo", "changed": false}, {"skill": "other", "changed": true}]);
    assert_eq!(reply["published"], expected);
    machine.site.write_skill("demo", "# Demo\n\n## New\n");
    assert!(owner("team publish demo").ok().out.starts_with("Published"));
    assert_eq!(owner("team status --format json").ok().json()["state"]["skills"], 2);
    owner("team publish").fails("E100");
    owner("team publish none").fails("E001");
    owner("team status demo").fails("E100");
    let texts = database.rows("SELECT c::text FROM skillc.catalogue c");
    assert!(!format!("{texts:?}").contains("first"), "no text of a skill");
}

const LOG: &str = "/project/.skillc/runtime/demo/.skillc-meta/logs.db";

/// RFC-0003:C-TEAM
#[test]
fn a_sync_to_the_team_may_stop_at_any_step() {
    use skillc_memory::FaultEffect::{Refuse, StopAfter};
    let mut stopped = 0;
    for operation in [PortCall::ReadLog, PortCall::ReadTeam, PortCall::AppendTeam, PortCall::Acknowledge] {
        for call in 1..=3 {
            for effect in [Refuse(ErrorKind::Unreachable), StopAfter(0), StopAfter(1), StopAfter(2)] {
                let machine = MemoryMachine::new();
                let team = team_of_memory(&machine);
                let events: Vec<AccessEvent> = (0..7)
                    .map(|n| AccessEvent {
                        event_id: format!("id-{n}").as_str().into(),
                        timestamp: "2026-01-01T00:00:00Z".into(),
                        skill: "demo".into(),
                        ..AccessEvent::default()
                    })
                    .collect();
                block_on(MemoryLocalLogs::new(&machine).at(Path::new(LOG)).append(&events)).unwrap();
                machine.plan(FaultPlan::none().with(PlannedFault { operation, call, effect }));
                let first = in_memory_with_team(&machine, &team, "sync", json!({"team": true}));
                stopped += usize::from(!first.failures.is_empty());
                machine.plan(FaultPlan::none());
                let again = in_memory_with_team(&machine, &team, "sync", json!({"team": true}));
                assert!(again.failures.is_empty(), "{operation:?} {call} {effect:?}: {:?}", again.failures);
                let stats = in_memory_with_team(&machine, &team, "stats", json!({"team": true}));
                let reply = stats.reply.unwrap().json();
                assert_eq!(reply["data"]["total_accesses"], 7, "{operation:?} {call} {effect:?}");
                let third = in_memory_with_team(&machine, &team, "sync", json!({"team": true}));
                assert_eq!(third.reply.unwrap().json()["team"]["logs"], json!([]));
            }
        }
    }
    assert!(stopped > 10, "{stopped} of the plans met something");
}

/// One event of the skill `demo`.
fn event(id: &str) -> AccessEvent {
    AccessEvent {
        event_id: id.into(),
        timestamp: "2026-01-01T00:00:00Z".into(),
        skill: "demo".into(),
        skill_path: "/project/.skillc/skills/demo".into(),
        ..AccessEvent::default()
    }
}

/// RFC-0007:C-SYNC
#[test]
fn a_server_that_fails_does_not_hide_what_was_done_before() {
    let machine = MemoryMachine::new();
    machine.write("/project/.skillc/skills/demo/SKILL.md", skill_md("demo", "# Demo\n"));
    let team = team_of_memory(&machine);
    let fallback = "/project/.skillc/logs/demo/.skillc-meta/logs.db";
    let add = |log: &str, id| {
        block_on(MemoryLocalLogs::new(&machine).at(Path::new(log)).append(&[event(id)])).unwrap();
    };
    add(fallback, "a");
    add("/project/.skillc/runtime/other/.skillc-meta/logs.db", "b");
    let effect = skillc_memory::FaultEffect::Refuse(ErrorKind::Unreachable);
    let refuse = |operation, call| {
        machine.plan(FaultPlan::none().with(PlannedFault { operation, call, effect }));
        let run = in_memory_with_team(&machine, &team, "sync", json!({"team": true}));
        assert_eq!(run.failures.len(), 1);
        run.reply.unwrap().json()
    };
    let reply = refuse(PortCall::ReadTeam, 1);
    assert_eq!(reply["synced"], json!([{"skill": "demo", "entries": 1, "removed": true}]));
    assert_eq!(reply["team"]["logs"], json!([]));
    let reply = refuse(PortCall::AppendTeam, 2);
    assert_eq!(reply["team"]["logs"], json!([{"skill": "demo", "entries": 1, "new": 1}]));
}

/// RFC-0007:C-SYNC
#[test]
fn a_log_that_cannot_be_read_does_not_keep_the_others_from_the_team() {
    let machine = MemoryMachine::new();
    let team = team_of_memory(&machine);
    for skill in ["a", "b"] {
        let log = format!("/project/.skillc/runtime/{skill}/.skillc-meta/logs.db");
        block_on(MemoryLocalLogs::new(&machine).at(Path::new(&log)).append(&[event(skill)])).unwrap();
    }
    let effect = skillc_memory::FaultEffect::Refuse(ErrorKind::Corrupt);
    machine.plan(FaultPlan::none().with(PlannedFault { operation: PortCall::ReadLog, call: 1, effect }));
    let run = in_memory_with_team(&machine, &team, "sync", json!({"team": true}));
    let codes: Vec<_> = run.failures.iter().map(|failure| failure.fault.code()).collect();
    assert_eq!(codes, ["E042"]);
    let sent = json!([{"skill": "b", "entries": 1, "new": 1}]);
    assert_eq!(run.reply.unwrap().json()["team"]["logs"], sent);
}
