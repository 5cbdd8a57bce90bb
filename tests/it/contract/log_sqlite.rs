//! Cases that only occur for logs in SQLite files: older tables, rows of other tools, files that cannot be written,
//! and files that are deleted while being written.

use super::machines::{Machine, RealMachine, block_on};
use rusqlite::Connection;
use skillc_domain::event::{AccessEvent, EventId};
use skillc_domain::time::Timestamp;
use skillc_domain::usage::{Grouping, SkillFilter, UsageFilter, UsageQuery, usage};
use skillc_ports::{ErrorKind, Forget, LocalLog, LocalLogs, PortError};
use skillc_sqlite::SqliteLocalLogs;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

/// The columns of a log before events had ids.
const OLDEST: &str = "CREATE TABLE access_log (id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL,
    run_id TEXT NOT NULL, command TEXT NOT NULL, skill TEXT NOT NULL, skill_path TEXT NOT NULL, cwd TEXT NOT NULL,
    args TEXT NOT NULL, error TEXT);";

/// The columns with ids, before derived columns.
const WITH_IDS: &str = "CREATE TABLE access_log (id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL,
    run_id TEXT NOT NULL, command TEXT NOT NULL, skill TEXT NOT NULL, skill_path TEXT NOT NULL, cwd TEXT NOT NULL,
    args TEXT NOT NULL, error TEXT, event_id TEXT);
    CREATE UNIQUE INDEX idx_access_log_event ON access_log(event_id);";

struct Place {
    machine: RealMachine,
}

impl Place {
    fn new() -> Self {
        let machine = RealMachine::new();
        machine.folder("logs");
        Self { machine }
    }

    fn path(&self) -> PathBuf {
        self.machine.at("logs/logs.db")
    }

    fn log(&self) -> Box<dyn LocalLog> {
        SqliteLocalLogs::default().at(&self.path())
    }

    fn sql(&self, sql: &str) {
        Connection::open(self.path()).unwrap().execute_batch(sql).unwrap();
    }

    fn events(&self) -> Vec<AccessEvent> {
        block_on(self.log().events(0, u32::MAX)).unwrap().into_iter().map(|row| row.event).collect()
    }

    fn append(&self, events: &[AccessEvent]) -> Result<u64, PortError> {
        block_on(self.log().append(events))
    }

    /// Compares each grouping with the model's counts of the log's own events.
    fn counts_what_it_holds(&self) {
        let events = self.events();
        let since = Timestamp::parse("2026-01-31T12:00:01Z");
        for filter in [UsageFilter::default(), UsageFilter { since, ..UsageFilter::default() }] {
            for grouping in Grouping::ALL {
                let query = UsageQuery { grouping, filter: filter.clone() };
                assert_eq!(block_on(self.log().usage(&query)).unwrap(), usage(&events, &query), "{query:?}");
            }
        }
    }

    /// Names and bytes of all files of the log.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let bytes = |name: String| (name.clone(), self.machine.read(&format!("logs/{name}")).unwrap());
        self.machine.names("logs").into_iter().map(bytes).collect()
    }

    fn holds(&self, marker: &str) -> bool {
        self.files().values().any(|bytes| bytes.windows(marker.len()).any(|part| part == marker.as_bytes()))
    }
}

fn event(second: i64, chance: u32) -> AccessEvent {
    AccessEvent {
        event_id: EventId::new(second * 1_000_000_000, u128::from(chance)),
        timestamp: "2026-01-31T12:00:00Z".into(),
        run_id: "r".to_owned(),
        command: "show".to_owned(),
        skill: "x".to_owned(),
        skill_path: "/x".to_owned(),
        cwd: "/".to_owned(),
        args: "{}".to_owned(),
        ..AccessEvent::default()
    }
}

/// Inserts like a program that only knows the base columns; `error` is SQL.
fn foreign(timestamp: &str, command: &str, args: &str, error: &str) -> String {
    format!(
        "INSERT INTO access_log(timestamp, run_id, command, skill, skill_path, cwd, args, error)
         VALUES ('{timestamp}', 'r', '{command}', 'x', '/x', '/', '{args}', {error});"
    )
}

const TIME: &str = "2026-01-31T12:00:00Z";

/// A row as written by other programs, with the expected target, file, section, and flaws in arguments and time.
type Known = (Option<&'static str>, Option<&'static str>, Option<&'static str>, bool, bool);
const FOREIGN: &[(&str, &str, &str, &str, Known)] = &[
    (
        TIME,
        "show",
        r#"{"section":"Top","file":"SKILL.md"}"#,
        "NULL",
        (Some("Top"), Some("SKILL.md"), Some("Top"), false, false),
    ),
    (TIME, "show", r#"{"section":"Top"}"#, "NULL", (Some("Top"), None, None, false, false)),
    (
        TIME,
        "show",
        r#"{"section":"Top","file":"SKILL.md"}"#,
        "'error[E020]: x'",
        (Some("Top"), None, None, false, false),
    ),
    (
        TIME,
        "open",
        r#"{"path":"docs/a.md"}"#,
        "NULL",
        (Some("docs/a.md"), Some("docs/a.md"), None, false, false),
    ),
    (TIME, "open", r#"{"path":"a"}"#, "'error'", (Some("a"), None, None, false, false)),
    (TIME, "search", r#"{"query":"設定 \"x\""}"#, "NULL", (Some("設定 \"x\""), None, None, false, false)),
    (
        TIME,
        "outline",
        r#"{"section":"Top","path":"a","query":"b"}"#,
        "NULL",
        (None, None, None, false, false),
    ),
    (TIME, "search", r#"{"query":7,"section":"x"}"#, "NULL", (None, None, None, false, false)),
    (TIME, "show", r#"{"section":null,"file":["a"]}"#, "NULL", (None, None, None, false, false)),
    (TIME, "show", r#"{"file":"a.md"}"#, "NULL", (None, Some("a.md"), None, false, false)),
    (TIME, "search", "", "NULL", (None, None, None, true, false)),
    (TIME, "search", "[]", "NULL", (None, None, None, true, false)),
    (TIME, "search", "{query:1}", "NULL", (None, None, None, true, false)),
    (TIME, "search", r#"{"query":"a""#, "NULL", (None, None, None, true, false)),
    ("yesterday", "search", r#"{"query":"a"}"#, "NULL", (Some("a"), None, None, false, true)),
    ("2026-02-30T00:00:00Z", "search", "null", "NULL", (None, None, None, true, true)),
    ("", "show", "{}", "NULL", (None, None, None, false, true)),
    ("2026-01-31T12:00:02Z", "show", "{}", "NULL", (None, None, None, false, false)),
];

fn foreign_rows() -> String {
    FOREIGN.iter().map(|(time, command, args, error, _)| foreign(time, command, args, error)).collect()
}

fn known_of(event: &AccessEvent) -> (Option<&str>, Option<&str>, Option<&str>, bool, bool) {
    let (args, timestamp) = (event.has_invalid_args, event.timestamp.known().is_none());
    (event.target.as_deref(), event.file.as_deref(), event.section.as_deref(), args, timestamp)
}

fn knows_foreign_rows(events: &[AccessEvent]) {
    assert!(events.len() >= FOREIGN.len());
    for (event, (.., known)) in events.iter().zip(FOREIGN) {
        assert_eq!(known_of(event), *known, "{event:?}");
    }
}

/// RFC-0007:C-LOGGING
#[test]
fn a_row_of_another_tool_says_what_was_asked_for() {
    let place = Place::new();
    place.append(&[]).unwrap();
    place.sql(&foreign_rows());
    let before = place.events();
    knows_foreign_rows(&before);
    place.counts_what_it_holds();
    let own = AccessEvent { args: "[".to_owned(), ..event(1, 1) };
    place.append(std::slice::from_ref(&own)).unwrap();
    assert_eq!(place.events()[..before.len()], before, "the next writer keeps what was said of them");
    place.counts_what_it_holds();
    assert_eq!(place.events().last(), Some(&own), "what is given is not worked out again");
}

/// Decision 33
#[test]
fn logs_of_older_versions_are_read_as_they_will_be_when_written() {
    for (schema, has_side) in [(OLDEST, false), (WITH_IDS, false)] {
        let place = Place::new();
        place.sql(&format!("{schema}{}{}", foreign_rows(), foreign_rows()));
        let before = (place.files(), place.events());
        knows_foreign_rows(&before.1);
        place.counts_what_it_holds();
        assert_eq!(place.files(), before.0, "reading changes nothing");
        assert_eq!(place.append(&[event(1, 1)]).unwrap(), 1);
        let mut expected = before.1;
        expected.push(event(1, 1));
        assert_eq!(place.events(), expected, "{has_side}");
        place.counts_what_it_holds();
        assert_eq!(place.append(&expected).unwrap(), 0, "each is known by its id");
    }
}

/// Decision 33
#[test]
fn rows_without_an_id_get_the_one_that_a_copy_of_the_log_gives_them() {
    let place = Place::new();
    let row = foreign(TIME, "show", "{}", "NULL");
    let other = foreign(TIME, "open", "{}", "NULL");
    place.sql(&format!("{OLDEST}{row}{other}{row}{row}"));
    let plain = |command: &str| AccessEvent {
        command: command.to_owned(),
        event_id: EventId::Missing,
        ..event(0, 0)
    };
    let id = |command, n| EventId::derived(&plain(command), n);
    let expected = [id("show", 0), id("open", 0), id("show", 1), id("show", 2)];
    let ids = || -> Vec<EventId> { place.events().into_iter().map(|event| event.event_id).collect() };
    assert_eq!(ids(), expected);
    for after in 0..4 {
        let page = block_on(place.log().events(after, 1)).unwrap();
        assert_eq!(page[0].event.event_id, expected[after as usize], "also alone on a page");
    }
    place.append(&[]).unwrap();
    assert_eq!(ids(), expected);
    place.sql(&row);
    assert_eq!(ids()[4], id("show", 3), "one that was written by an older version afterwards");
    assert_eq!(place.append(&[AccessEvent { event_id: id("show", 3), ..event(0, 0) }]).unwrap(), 0);
    assert_eq!(ids()[4], id("show", 3));
}

#[test]
fn an_id_that_is_taken_is_passed_over() {
    let base = AccessEvent { event_id: EventId::Missing, ..event(0, 0) };
    let id = |n| EventId::derived(&base, n);
    for taken in [0, 1, 2] {
        let place = Place::new();
        let row = foreign(TIME, "show", "{}", "NULL");
        let set = format!("UPDATE access_log SET event_id = '{}' WHERE id = 4;", id(taken));
        place.sql(&format!("{WITH_IDS}{row}{row}{row}{}{set}{row}", foreign(TIME, "open", "{}", "NULL")));
        let free: Vec<_> = (0..9).filter(|n| *n != taken).map(id).collect();
        let read = place.events();
        for (at, row) in [0, 1, 2, 4].into_iter().enumerate() {
            assert_eq!(read[row].event_id, free[at]);
            let alone = block_on(place.log().events(row as i64, 1)).unwrap();
            assert_eq!(alone[0].event.event_id, free[at]);
        }
        place.append(&[]).unwrap();
        assert_eq!(place.events(), read);
    }
}

/// SQL and `domain::time` accept the same texts as times.
#[test]
fn sql_takes_for_a_time_what_the_domain_takes_for_one() {
    let mut texts: Vec<String> = [
        "",
        "now",
        "0",
        "2451545",
        "-4713-11-24T12:00:00Z",
        "2026-01-31",
        "2026-01-31T12:00Z",
        "2026-01-31 12:00:00Z",
        "2026-01-31T12:00:00",
        "2026-01-31T12:00:00+00:00",
        "2026-01-31t12:00:00Z",
        "2026-01-31T12:00:00z",
        "2026-01-31T12:00:00.0Z",
        " 2026-01-31T12:00:00Z",
        "2026-01-31T12:00:00Z ",
        "2026-01-31T24:00:00Z",
        "2026-01-31T23:59:60Z",
        "2026-01-31T23:60:00Z",
        "2026-00-10T00:00:00Z",
        "2026-13-10T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-01-32T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "2024-02-29T00:00:00Z",
        "2100-02-29T00:00:00Z",
        "2000-02-29T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "1677-09-21T00:12:43Z",
        "1677-09-21T00:12:44Z",
        "2262-04-11T23:47:16Z",
        "2262-04-11T23:47:17Z",
        "9999-12-31T23:59:59Z",
        "２026-01-31T12:00:00Z",
        "2026-01-31T12:00:0０Z",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.extend(
        (1..=12).flat_map(|month| (28..=31).map(move |day| format!("2027-{month:02}-{day:02}T08:09:10Z"))),
    );
    let place = Place::new();
    place.append(&[]).unwrap();
    place.sql(&texts.iter().map(|text| foreign(text, "show", "{}", "NULL")).collect::<String>());
    for (event, text) in place.events().iter().zip(&texts) {
        let is_known = event.timestamp.known().is_some();
        assert_eq!((&event.timestamp.to_string(), is_known), (text, Timestamp::parse(text).is_some()));
    }
}

/// SQLite stores any value in any column.
#[test]
fn values_that_are_no_text_fail_no_question() {
    let place = Place::new();
    let columns = "(timestamp, run_id, command, skill, skill_path, cwd, args, error)";
    place.sql(&format!(
        "CREATE TABLE access_log (id INTEGER PRIMARY KEY, timestamp, run_id, command, skill, skill_path, cwd, args, error);
         INSERT INTO access_log{columns} VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
         INSERT INTO access_log{columns} VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
         INSERT INTO access_log{columns} VALUES (5, 1.5, 'show', x'ff', CAST(x'ff41' AS TEXT), '/', x'7b7d', 7);
         {}",
        foreign(TIME, "search", "{\"query\":\"a\"}", "NULL")
    ));
    let events = place.events();
    assert_eq!(events.len(), 4);
    assert!(events[..3].iter().all(|event| event.timestamp.known().is_none()) && events[0].has_invalid_args);
    assert_ne!(events[0].event_id, events[1].event_id);
    place.counts_what_it_holds();
    assert_eq!(
        block_on(place.log().forget(&Forget {
            before: Timestamp::parse("2027-01-01T00:00:00Z"),
            skill_path: None,
            skill: None
        }))
        .unwrap(),
        1
    );
    assert_eq!(place.append(&[event(1, 1)]).unwrap(), 1);
    place.counts_what_it_holds();
}

/// Such values sort after every text, so that none follows them in index order.
#[test]
fn names_that_are_no_text_do_not_keep_counting_from_its_end() {
    for name in ["x'78'", "CAST(x'78ff' AS TEXT)"] {
        for column in ["skill", "skill_path", "timestamp"] {
            let place = Place::new();
            place.append(&[event(1, 1), event(2, 2)]).unwrap();
            place.sql(&format!("UPDATE access_log SET {column} = {name} WHERE id = 2"));
            for grouping in Grouping::ALL {
                for skill in [SkillFilter::Any, SkillFilter::Path("/x".to_owned())] {
                    let query =
                        UsageQuery { grouping, filter: UsageFilter { skill, ..UsageFilter::default() } };
                    block_on(place.log().usage(&query)).unwrap();
                }
            }
            if column != "timestamp" {
                place.counts_what_it_holds();
            }
        }
    }
}

#[test]
fn a_table_that_is_no_log_is_corrupt_and_no_table_is_no_log() {
    let place = Place::new();
    place.sql("CREATE TABLE other (a)");
    assert!(place.events().is_empty());
    assert!(block_on(place.log().retire(0, &place.machine.at(""))).unwrap());
    place.machine.folder("logs");
    place.sql("CREATE TABLE access_log (a)");
    assert_eq!(block_on(place.log().count(0)).unwrap_err().kind, ErrorKind::Corrupt);
    assert!(place.append(&[event(1, 1)]).is_err());
}

#[test]
fn asking_changes_no_byte_and_makes_no_file() {
    let ask = |place: &Place| {
        let before = place.files();
        place.counts_what_it_holds();
        block_on(place.log().acknowledged("a")).unwrap();
        block_on(place.log().written_at()).unwrap();
        let mut after = place.files();
        // The memory shared by processes next to the log is not content.
        if before.contains_key("logs.db-shm") {
            after.insert("logs.db-shm".to_owned(), before["logs.db-shm"].clone());
        }
        assert_eq!(after.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
        assert!(after == before);
    };
    let place = Place::new();
    place.append(&[event(1, 1), event(2, 2)]).unwrap();
    ask(&place);
    Connection::open(place.path())
        .unwrap()
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA user_version = 1")
        .unwrap();
    assert_eq!(place.files().len(), 1, "closed by another tool");
    ask(&place);
    place.sql("PRAGMA journal_mode = DELETE");
    ask(&place);
}

/// RFC-0007:C-LOGGING
#[test]
fn an_event_after_a_read_goes_to_the_log_that_is_there_by_then() {
    let place = Place::new();
    place.append(&[event(1, 1)]).unwrap();
    let log = place.log();
    let counted = || block_on(log.count(0)).unwrap();
    assert_eq!(counted(), 1);
    assert_eq!(block_on(log.append(&[event(2, 2)])).unwrap(), 1, "through the connection of the read");
    assert_eq!(counted(), 2);
    assert_eq!(block_on(log.append(&[event(2, 2)])).unwrap(), 0, "it is there already");
    assert_eq!(counted(), 2);
    assert!(block_on(place.log().retire(2, &place.machine.at(""))).unwrap());
    assert_eq!(block_on(log.append(&[event(3, 3)])).unwrap(), 1);
    assert_eq!(place.events().len(), 1, "in a new log");
    place.counts_what_it_holds();
}

#[test]
fn bytes_that_are_no_database_are_corrupt_for_every_question() {
    let place = Place::new();
    place.machine.write("logs/logs.db", &[7; 5000]);
    let log = place.log();
    let kinds = [
        block_on(log.append(&[event(1, 1)])).unwrap_err().kind,
        block_on(log.usage(&UsageQuery::default())).unwrap_err().kind,
        block_on(log.events(0, 1)).unwrap_err().kind,
        block_on(log.count(0)).unwrap_err().kind,
        block_on(log.acknowledged("a")).unwrap_err().kind,
        block_on(log.acknowledge("a", 1)).unwrap_err().kind,
        block_on(log.forget(&Forget::default())).unwrap_err().kind,
        block_on(log.retire(9, &place.machine.at(""))).unwrap_err().kind,
    ];
    assert_eq!(kinds, [ErrorKind::Corrupt; 8]);
    assert_eq!(place.files()["logs.db"], [7; 5000]);
}

/// Decision 34. Each waits for five seconds, so they all wait concurrently.
#[test]
fn a_log_that_stays_locked_is_busy_and_holds_what_it_held() {
    let place = Place::new();
    place.append(&[event(1, 1)]).unwrap();
    let holder = Connection::open(place.path()).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    thread::scope(|scope| {
        let kinds = [
            scope.spawn(|| place.append(&[event(2, 2)]).unwrap_err().kind),
            scope.spawn(|| place.append(&[event(2, 2), event(3, 3)]).unwrap_err().kind),
            scope.spawn(|| block_on(place.log().acknowledge("a", 1)).unwrap_err().kind),
            scope.spawn(|| block_on(place.log().forget(&Forget::default())).unwrap_err().kind),
        ];
        place.counts_what_it_holds();
        for kind in kinds {
            assert_eq!(kind.join().unwrap(), ErrorKind::Busy);
        }
    });
    assert_eq!(block_on(place.log().retire(1, &place.machine.at(""))).unwrap_err().kind, ErrorKind::Busy);
    holder.execute_batch("ROLLBACK").unwrap();
    assert_eq!(place.events(), [event(1, 1)]);
}

#[test]
fn a_batch_that_fails_in_its_midst_adds_nothing() {
    let place = Place::new();
    place.append(&[event(1, 1)]).unwrap();
    place.sql("CREATE UNIQUE INDEX stop ON access_log(command) WHERE command = 'stop'");
    let stop = |n| AccessEvent { command: "stop".to_owned(), ..event(n, n as u32) };
    assert_eq!(place.append(&[event(2, 2), stop(3), stop(4)]).unwrap_err().kind, ErrorKind::Failed);
    assert_eq!(place.events(), [event(1, 1)]);
}

/// A log may come from a cloned repository.
#[test]
fn triggers_and_views_of_a_log_do_not_run() {
    let place = Place::new();
    place.append(&[event(1, 1)]).unwrap();
    place.sql(
        "CREATE TABLE seen (n);
         CREATE TRIGGER spy AFTER INSERT ON access_log BEGIN INSERT INTO seen VALUES (1); END;
         CREATE TRIGGER keep AFTER DELETE ON access_log BEGIN INSERT INTO seen VALUES (2); END;",
    );
    place.append(&[event(2, 2)]).unwrap();
    place.append(&[event(3, 3), event(4, 4)]).unwrap();
    assert_eq!(block_on(place.log().forget(&Forget::default())).unwrap(), 4);
    let seen = Connection::open(place.path()).unwrap();
    assert_eq!(seen.query_row("SELECT count(*) FROM seen", [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    place.sql(
        "ALTER TABLE access_log RENAME TO t;
         CREATE VIEW access_log AS SELECT * FROM t UNION ALL SELECT * FROM t;",
    );
    assert_eq!(block_on(place.log().events(0, 9)).unwrap_err().kind, ErrorKind::Corrupt);
    assert_eq!(block_on(place.log().count(0)).unwrap_err().kind, ErrorKind::Corrupt);
    assert_eq!(block_on(place.log().usage(&UsageQuery::default())).unwrap_err().kind, ErrorKind::Corrupt);
    assert!(place.append(&[event(5, 5)]).is_err());
    assert!(block_on(place.log().forget(&Forget::default())).is_err());
    assert!(block_on(place.log().retire(9, &place.machine.at(""))).is_err());
}

/// Opening one would wait for a process at its other end.
#[cfg(unix)]
#[test]
fn a_fifo_in_the_place_of_a_log_does_not_block() {
    let place = Place::new();
    let make = std::process::Command::new("mkfifo").arg(place.path()).status();
    assert!(make.unwrap().success());
    let denied = |done: Result<u64, PortError>| {
        assert!(matches!(done.unwrap_err().kind, ErrorKind::Denied | ErrorKind::Linked));
    };
    denied(place.append(&[event(2, 2)]));
    denied(block_on(place.log().count(0)));
    denied(block_on(place.log().forget(&Forget::default())));
    denied(block_on(place.log().retire(9, &place.machine.at(""))).map(u64::from));
}

#[cfg(unix)]
#[test]
fn the_target_of_a_link_is_not_touched() {
    let place = Place::new();
    place.machine.folder("theirs");
    let theirs = SqliteLocalLogs::default().at(&place.machine.at("theirs/logs.db"));
    block_on(theirs.append(&[event(1, 1)])).unwrap();
    place.machine.link("logs/logs.db", "../theirs/logs.db");
    let denied = |done: Result<u64, PortError>| {
        assert!(matches!(done.unwrap_err().kind, ErrorKind::Denied | ErrorKind::Linked));
    };
    denied(place.append(&[event(2, 2)]));
    denied(block_on(place.log().forget(&Forget::default())));
    denied(block_on(place.log().retire(9, &place.machine.at(""))).map(u64::from));
    place.machine.link("folder", "theirs");
    let linked = SqliteLocalLogs::default().at(&place.machine.at("folder/logs.db"));
    denied(block_on(linked.append(&[event(2, 2)])));
    denied(block_on(linked.forget(&Forget::default())));
    denied(block_on(linked.retire(9, &place.machine.at(""))).map(u64::from));
    place.machine.folder("theirs/sub/deep");
    let deep = SqliteLocalLogs::default().at(&place.machine.at("folder/sub/deep/logs.db"));
    denied(block_on(deep.retire(9, &place.machine.at(""))).map(u64::from));
    assert!(place.machine.kind("theirs/sub/deep").is_some());
    assert_eq!(block_on(theirs.count(0)).unwrap(), 1);
}

/// RFC-0007:C-LOGGING
#[test]
fn nothing_of_what_is_forgotten_stays_in_the_files() {
    let place = Place::new();
    let marked = |n: u32, path: &str, marker: &str| AccessEvent {
        skill_path: path.to_owned(),
        args: format!("{{\"query\":\"{marker}-{n}-{}\"}}", "x".repeat((n % 400) as usize)),
        target: Some(format!("{marker}-{n}")),
        ..event(i64::from(n), n)
    };
    // One by one and in between others, so that pages are split and checkpoints happen occasionally.
    for n in 0..60 {
        place.append(&[marked(2 * n, "/x", "keeping"), marked(2 * n + 1, "/gone", "marmot")]).unwrap();
    }
    let many: Vec<_> = (200..1_200)
        .map(|n| marked(n, ["/x", "/gone"][n as usize % 2], ["keeping", "marmot"][n as usize % 2]))
        .collect();
    place.append(&many).unwrap();
    assert!(place.holds("marmot") && place.holds("keeping"));
    assert_eq!(
        block_on(place.log().forget(&Forget {
            skill_path: Some("/gone".to_owned()),
            before: None,
            skill: None
        }))
        .unwrap(),
        560
    );
    assert!(!place.holds("marmot"), "{:?}", place.files().keys());
    assert!(place.holds("keeping"));
    assert_eq!(block_on(place.log().count(0)).unwrap(), 560);
    place.counts_what_it_holds();
    let integrity: String = Connection::open(place.path())
        .unwrap()
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(integrity, "ok");
}

#[test]
fn rows_deleted_by_another_tool_are_erased_by_the_next_forgetting() {
    let place = Place::new();
    let marked = |n| AccessEvent {
        args: format!("{{\"query\":\"marmot {}\"}}", "x".repeat(3_000)),
        ..event(n, n as u32)
    };
    place.append(&(0..50).map(marked).collect::<Vec<_>>()).unwrap();
    place.append(&[event(99, 99)]).unwrap();
    place.sql("DELETE FROM access_log WHERE id < 51");
    assert!(place.holds("marmot"));
    assert_eq!(
        block_on(place.log().forget(&Forget {
            skill_path: Some("/none".to_owned()),
            before: None,
            skill: None
        }))
        .unwrap(),
        0
    );
    assert!(!place.holds("marmot"));
    assert_eq!(place.events(), [event(99, 99)]);
}

/// A reader prevents a checkpoint, so deleting fails and says so; the next attempt succeeds.
#[test]
fn a_forgetting_that_a_reader_keeps_from_its_end_is_busy_and_may_be_repeated() {
    let place = Place::new();
    let marked = AccessEvent { args: "{\"query\":\"marmot\"}".to_owned(), ..event(1, 1) };
    place.append(&[marked, event(2, 2)]).unwrap();
    let reader = Connection::open(place.path()).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM access_log").unwrap();
    let done = block_on(place.log().forget(&Forget::default()));
    assert_eq!(done.unwrap_err().kind, ErrorKind::Busy);
    drop(reader);
    block_on(place.log().forget(&Forget::default())).unwrap();
    assert!(!place.holds("marmot"));
}

/// 32 processes simulated by threads, each of which opens the log for each event.
#[test]
fn writers_at_once_on_a_log_that_is_not_there_lose_nothing() {
    let place = Place::new();
    thread::scope(|scope| {
        for writer in 0..32 {
            let place = &place;
            scope.spawn(move || {
                for n in 0..50 {
                    assert_eq!(place.append(&[event(n, writer * 50 + n as u32)]).unwrap(), 1);
                }
            });
        }
    });
    assert_eq!(block_on(place.log().count(0)).unwrap(), 1_600);
    place.counts_what_it_holds();
    assert!(place.files()["logs.db-wal"].len() < 2 * 1024 * 1024, "it is emptied now and then");
}

/// Writers append to a log that is repeatedly moved and retired: every event ends up in exactly one of the two.
#[test]
fn an_append_that_meets_retiring_ends_in_the_next_log() {
    const WRITERS: u32 = 3;
    const EACH: u32 = 2_000;
    const RETIRED: u32 = 12;
    let place = Place::new();
    let deep = place.machine.at("logs/a/b/logs.db");
    let target = place.log();
    let (writing, retired) = (AtomicU32::new(WRITERS), AtomicU32::new(0));
    let move_all = || {
        let log = SqliteLocalLogs::default().at(&deep);
        let rows = block_on(log.events(0, u32::MAX)).unwrap();
        let Some(last) = rows.last().map(|row| row.position) else { return };
        let events: Vec<_> = rows.into_iter().map(|row| row.event).collect();
        block_on(target.append(&events)).unwrap();
        if block_on(log.retire(last, &place.machine.at("logs"))).unwrap() {
            retired.fetch_add(1, Ordering::Relaxed);
        }
    };
    let write = |writer: u32| -> u32 {
        let _leaves = Leaves(&writing);
        let log = SqliteLocalLogs::default().at(&deep);
        let is_over = || retired.load(Ordering::Relaxed) >= RETIRED;
        let append = |n: &u32| {
            block_on(log.append(&[event(i64::from(*n), writer * EACH + n)])).unwrap();
            // A moment at which the log may be found complete.
            block_on(target.count(0)).unwrap();
        };
        (0..EACH).take_while(|_| !is_over()).inspect(append).count() as u32
    };
    let written: u32 = thread::scope(|scope| {
        let writers = [0, 1, 2].map(|writer| {
            let write = &write;
            scope.spawn(move || write(writer))
        });
        while writing.load(Ordering::Relaxed) > 0 {
            move_all();
        }
        writers.map(|writer| writer.join().unwrap()).iter().sum()
    });
    move_all();
    assert!(!deep.exists() && !place.machine.at("logs/a").exists());
    let mut ids: Vec<_> = place.events().into_iter().map(|event| event.event_id).collect();
    assert_eq!(ids.len(), written as usize);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), written as usize);
    assert!(retired.load(Ordering::Relaxed) > 0, "{retired:?} met the writers");
}

/// Two concurrent syncs.
#[test]
fn those_who_retire_a_log_at_once_all_find_it_gone() {
    let place = Place::new();
    let deep = place.machine.at("logs/a/b/logs.db");
    for n in 0..200 {
        block_on(SqliteLocalLogs::default().at(&deep).append(&[event(n, n as u32)])).unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let done =
                        block_on(SqliteLocalLogs::default().at(&deep).retire(1, &place.machine.at("logs")));
                    assert!(done.unwrap());
                });
            }
        });
        assert!(!place.machine.at("logs/a").exists());
    }
}

/// Such a table reuses the positions of its deleted last rows.
#[test]
fn events_after_a_forgetting_do_not_count_as_confirmed() {
    let place = Place::new();
    place.sql(&OLDEST.replace(" AUTOINCREMENT", ""));
    place.append(&[event(1, 1), event(2, 2), event(3, 3)]).unwrap();
    block_on(place.log().acknowledge("a", 3)).unwrap();
    assert_eq!(block_on(place.log().forget(&Forget::default())).unwrap(), 3);
    place.append(&[event(4, 4)]).unwrap();
    let confirmed = block_on(place.log().acknowledged("a")).unwrap();
    assert_eq!(block_on(place.log().count(confirmed)).unwrap(), 1);
}

/// Signals that a writer is done, even if it panics.
struct Leaves<'a>(&'a AtomicU32);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Readers of a log that is retired and created again see one or the other, never a mixture.
#[test]
fn a_reader_that_meets_retiring_sees_one_log() {
    let place = Place::new();
    let is_done = AtomicBool::new(false);
    let batch = |round: i64| (0..20).map(|n| event(round, (round * 20 + n) as u32)).collect::<Vec<_>>();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    let count = block_on(place.log().count(0)).unwrap();
                    assert!(count == 0 || count == 20, "{count}");
                }
            });
        }
        for round in 0..60 {
            place.append(&batch(round)).unwrap();
            assert!(block_on(place.log().retire(20, &place.machine.at(""))).unwrap());
        }
        is_done.store(true, Ordering::Relaxed);
    });
}

#[cfg(unix)]
mod in_a_folder_that_cannot_be_written {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    /// A user to whom permissions apply.
    const NOBODY: u32 = 65_534;
    const LOG: &str = "SKC_TEST_LOG";
    const EXPECTED: &str = "SKC_TEST_EXPECTED";

    /// Runs in a process of its own, as a user to whom permissions apply.
    #[test]
    #[ignore = "is run by the others of this module"]
    fn child() {
        let log = SqliteLocalLogs::default().at(Path::new(&std::env::var(LOG).unwrap()));
        let events = block_on(log.events(0, 99)).unwrap();
        assert_eq!(events.len().to_string(), std::env::var(EXPECTED).unwrap());
        let events: Vec<_> = events.into_iter().map(|row| row.event).collect();
        for grouping in Grouping::ALL {
            let query = UsageQuery { grouping, ..UsageQuery::default() };
            assert_eq!(block_on(log.usage(&query)).unwrap(), usage(&events, &query));
        }
        assert_eq!(block_on(log.append(&[event(9, 9)])).unwrap_err().kind, ErrorKind::Denied);
        assert_eq!(block_on(log.forget(&Forget::default())).unwrap_err().kind, ErrorKind::Denied);
        assert!(block_on(log.retire(99, Path::new("/"))).is_err());
    }

    /// Queries a log with this many events whose folder, or whose files, are read-only.
    fn ask(place: &Place, expected: usize) {
        let before = place.files();
        let modes = |file: u32, folder: u32| {
            let set = |path: &Path, mode| fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
            set(&place.machine.at("logs"), 0o755);
            before.keys().for_each(|name| set(&place.machine.at(&format!("logs/{name}")), file));
            set(&place.machine.at("logs"), folder);
        };
        let program = place.machine.at("tests");
        // Copied by another process: a file that this one has open for writing could not be run.
        let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status();
        assert!(copied.unwrap().success());
        let root = place.machine.at("");
        let is_root = fs::metadata(&root).unwrap().uid() == 0;
        if is_root {
            fs::set_permissions(&root, PermissionsExt::from_mode(0o755)).unwrap();
            let names = before.keys().map(|name| format!("logs/{name}"));
            names
                .chain(["logs".to_owned()])
                .for_each(|n| chown(place.machine.at(&n), Some(NOBODY), Some(NOBODY)).unwrap());
        }
        modes(0o444, 0o555);
        let mut command = Command::new(&program);
        command.args([
            "--exact",
            &format!("{}::child", module_path!().split_once("::").unwrap().1),
            "--ignored",
        ]);
        command.env(LOG, place.path()).env(EXPECTED, expected.to_string());
        if is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        let done = command.output().unwrap();
        modes(0o644, 0o755);
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(
            done.status.success() && said.contains("1 passed"),
            "{said}{}",
            String::from_utf8_lossy(&done.stderr)
        );
        assert_eq!(place.files(), before);
    }

    #[test]
    fn a_log_with_its_files_beside_it_is_read() {
        let place = Place::new();
        place.append(&[event(1, 1), event(2, 2)]).unwrap();
        assert_eq!(place.files().len(), 3);
        ask(&place, 2);
    }

    #[test]
    fn a_log_without_files_beside_it_is_read() {
        let place = Place::new();
        place.append(&[event(1, 1), event(2, 2)]).unwrap();
        place.sql("PRAGMA user_version = 1");
        assert_eq!(place.files().len(), 1);
        ask(&place, 2);
    }

    #[test]
    fn a_log_of_an_older_version_is_read() {
        let place = Place::new();
        place.sql(&format!("{OLDEST}{}", foreign_rows()));
        ask(&place, FOREIGN.len());
    }
}

/// RFC-0003:C-MIGRATION
#[test]
fn the_new_file_of_a_killed_process_is_removed_by_the_next_writer() {
    let place = Place::new();
    let new = place.machine.at("logs/logs.db.new");
    place.append(&[event(1, 1)]).unwrap();
    for name in ["logs.db.new", "logs.db.new-journal"] {
        fs::write(place.machine.at(&format!("logs/{name}")), "half").unwrap();
    }
    place.append(&[event(2, 2)]).unwrap();
    let names = place.machine.names("logs");
    assert!(names.iter().all(|name| !name.contains(".new")), "{names:?}");
    // A process that is still writing it holds its lock.
    fs::write(&new, "half").unwrap();
    let held = fs::File::open(&new).unwrap();
    held.lock().unwrap();
    place.append(&[event(3, 3)]).unwrap();
    assert!(new.exists());
    drop(held);
    place.append(&[event(4, 4)]).unwrap();
    assert!(!new.exists());
    assert_eq!(place.events().len(), 4);
}
