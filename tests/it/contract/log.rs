//! `LocalLog`: one log of this machine. `usage.rs` covers counting, `log_sqlite.rs` old and foreign files of SQLite.

use super::machines::{Machine, RealMachine, block_on, in_memory};
use crate::random::Random;
use skillc_domain::event::AccessEvent;
use skillc_domain::event::EventTime;
use skillc_domain::history::HistoryKind;
use skillc_domain::time::Timestamp;
use skillc_domain::usage::{Grouping, SkillFilter, Usage, UsageFilter, UsageQuery, usage};
use skillc_memory::{MemoryLocalLogs, MemoryMachine};
use skillc_ports::{ErrorKind, EventLabel, Forget, LocalLog, LocalLogs, LogPosition, PortError};
use skillc_sqlite::SqliteLocalLogs;
use std::path::Path;
use std::thread;

contract!([memory, sqlite, pooled] {
    without_a_log_there_are_no_events_and_no_time,
    a_log_and_the_folders_above_it_are_made,
    every_field_of_an_event_comes_back,
    events_come_in_the_order_in_which_they_were_added,
    an_event_whose_id_is_there_changes_nothing,
    an_append_of_nothing_makes_the_log,
    places_begin_at_one_and_none_is_used_twice,
    events_after_a_place_come_up_to_a_limit,
    events_after_a_position_are_counted,
    nothing_is_made_by_asking_forgetting_or_retiring,
    logs_at_two_paths_are_two,
    a_store_has_confirmed_nothing_at_first,
    confirmations_of_a_store_are_never_withdrawn,
    stores_are_distinguished,
    a_log_without_events_remembers_what_is_confirmed,
    the_events_of_a_skill_are_forgotten,
    events_before_a_time_are_forgotten,
    forgetting_applies_to_every_part,
    everything_is_forgotten_where_nothing_is_said,
    forgotten_events_are_no_longer_counted,
    the_events_of_every_skill_of_a_name_are_forgotten,
    an_event_that_is_no_access_counts_for_its_section_alone,
    imported_events_are_counted_by_agent_skill_and_kind,
    every_count_of_imported_events_is_that_of_plain_code,
    the_events_of_a_renamed_skill_are_relabeled,
    a_log_with_later_events_is_not_retired,
    a_retired_log_goes_with_the_empty_folders_above_it,
    a_folder_that_holds_something_stays_when_a_log_is_retired,
    events_elsewhere_are_no_bound_for_empty_folders,
    after_retiring_a_new_log_begins,
    where_there_is_no_log_it_is_retired,
    bytes_that_are_no_log_are_corrupt,
    a_look_for_damage_finds_it_and_makes_no_file,
    a_log_tells_when_it_was_written,
    writers_at_once_lose_no_event,
});

struct LogScene {
    machine: Box<dyn Machine>,
    log: Box<dyn LocalLogs>,
}

fn memory() -> LogScene {
    let machine = in_memory();
    let log = Box::new(MemoryLocalLogs::new(&machine));
    LogScene { machine: Box::new(machine), log }
}

fn sqlite() -> LogScene {
    LogScene { machine: Box::new(RealMachine::new()), log: Box::new(SqliteLocalLogs::default()) }
}

/// With logs that stay open.
fn pooled() -> LogScene {
    LogScene { machine: Box::new(RealMachine::new()), log: Box::new(SqliteLocalLogs::pooled()) }
}

const LOG: &str = "runtime/x/.skillc-meta/logs.db";

impl LogScene {
    fn at(&self) -> Box<dyn LocalLog> {
        self.log.at(&self.machine.at(LOG))
    }

    fn append(&self, event: &AccessEvent) -> Result<(), PortError> {
        block_on(self.at().append(std::slice::from_ref(event))).map(drop)
    }

    fn count(&self, after: LogPosition) -> u64 {
        block_on(self.at().count(after)).unwrap()
    }

    fn places(&self) -> Vec<LogPosition> {
        block_on(self.at().events(0, u32::MAX)).unwrap().into_iter().map(|row| row.position).collect()
    }

    fn acknowledge(&self, store: &str, up_to: LogPosition) {
        block_on(self.at().acknowledge(store, up_to)).unwrap();
    }

    fn acknowledged(&self, store: &str) -> LogPosition {
        block_on(self.at().acknowledged(store)).unwrap()
    }

    fn forget(&self, what: Forget) -> u64 {
        block_on(self.at().forget(&what)).unwrap()
    }

    fn retire(&self, last: LogPosition, up_to: &str) -> bool {
        block_on(self.at().retire(last, &self.machine.at(up_to))).unwrap()
    }

    fn add(&self, ids: &[&str]) {
        ids.iter().for_each(|id| self.append(&event(id)).unwrap());
    }

    fn events(&self) -> Result<Vec<AccessEvent>, PortError> {
        Ok(block_on(self.at().events(0, u32::MAX))?.into_iter().map(|row| row.event).collect())
    }

    fn ids(&self) -> Vec<String> {
        self.events().unwrap().into_iter().map(|event| event.event_id.to_string()).collect()
    }
}

fn event(id: &str) -> AccessEvent {
    AccessEvent {
        event_id: id.into(),
        timestamp: "2026-01-31T12:00:00Z".into(),
        run_id: "20260131T120000Z-0001".to_owned(),
        command: "show".to_owned(),
        skill: "x".to_owned(),
        skill_path: "/home/x/.skillc/skills/x".to_owned(),
        cwd: "/home/x".to_owned(),
        args: "{}".to_owned(),
        error: None,
        ..AccessEvent::default()
    }
}

fn without_a_log_there_are_no_events_and_no_time(at: &LogScene) {
    assert!(at.events().unwrap().is_empty());
    assert_eq!(block_on(at.at().written_at()), None);
    assert!(at.machine.names("").is_empty(), "looking makes nothing");
}

/// RFC-0007:C-LOGGING
fn a_log_and_the_folders_above_it_are_made(at: &LogScene) {
    at.add(&["1"]);
    assert_eq!(at.ids(), ["1"]);
}

fn every_field_of_an_event_comes_back(at: &LogScene) {
    let odd = AccessEvent {
        skill: "'; DROP TABLE access_log; --".to_owned(),
        skill_path: "/ünï/設定\n\t\"x\"".to_owned(),
        args: r#"{"query":"a \"b\" \u0000"}"#.to_owned(),
        error: Some("error[E020]: section not found: 'x'".to_owned()),
        cwd: String::new(),
        target: Some("x".to_owned()),
        file: Some("docs/設定.md".to_owned()),
        section: Some(String::new()),
        ..event("odd")
    };
    at.append(&odd).unwrap();
    at.append(&event("plain")).unwrap();
    let timestamp = EventTime::Unreadable("2026-01-31T12:00:00Z".to_owned());
    let flawed = AccessEvent { timestamp, has_invalid_args: true, ..event("flawed") };
    at.append(&flawed).unwrap();
    assert_eq!(at.events().unwrap(), [odd, event("plain"), flawed]);
}

fn events_come_in_the_order_in_which_they_were_added(at: &LogScene) {
    at.add(&["5", "1", "9", "3"]);
    assert_eq!(at.ids(), ["5", "1", "9", "3"]);
}

fn an_event_whose_id_is_there_changes_nothing(at: &LogScene) {
    at.add(&["1", "2"]);
    let copy = AccessEvent { command: "open".to_owned(), ..event("1") };
    at.append(&copy).unwrap();
    assert_eq!(at.events().unwrap(), [event("1"), event("2")]);
}

fn an_append_of_nothing_makes_the_log(at: &LogScene) {
    assert_eq!(block_on(at.at().append(&[])).unwrap(), 0);
    assert!(at.machine.kind(LOG).is_some());
    assert_eq!(at.count(0), 0);
}

fn places_begin_at_one_and_none_is_used_twice(at: &LogScene) {
    at.add(&["1", "2", "3"]);
    assert_eq!(at.places(), [1, 2, 3]);
    assert_eq!(at.forget(Forget::default()), 3);
    at.add(&["4"]);
    assert!(at.places()[0] > 3, "{:?}", at.places());
}

fn events_after_a_place_come_up_to_a_limit(at: &LogScene) {
    at.add(&["1", "2", "3", "4"]);
    let ids = |after, limit| -> Vec<String> {
        let rows = block_on(at.at().events(after, limit)).unwrap();
        rows.into_iter().map(|row| row.event.event_id.to_string()).collect()
    };
    assert_eq!(ids(0, 2), ["1", "2"]);
    assert_eq!(ids(2, 9), ["3", "4"]);
    assert_eq!(ids(2, 1), ["3"]);
    assert_eq!(ids(-1, 1), ["1"]);
    assert!(ids(4, 9).is_empty() && ids(0, 0).is_empty() && ids(LogPosition::MAX, 9).is_empty());
}

fn events_after_a_position_are_counted(at: &LogScene) {
    assert_eq!(at.count(0), 0);
    at.add(&["1", "2", "3"]);
    assert_eq!([0, 1, 3, 9].map(|after| at.count(after)), [3, 2, 0, 0]);
}

fn nothing_is_made_by_asking_forgetting_or_retiring(at: &LogScene) {
    at.machine.folder("runtime");
    assert!(at.events().unwrap().is_empty() && at.count(0) == 0);
    assert_eq!(block_on(at.at().usage(&UsageQuery::default())).unwrap(), Usage::default());
    assert_eq!(at.acknowledged("a"), 0);
    assert_eq!(at.forget(Forget::default()), 0);
    assert!(at.machine.names("runtime").is_empty());
    assert!(at.retire(0, "runtime"));
    assert!(at.machine.names("runtime").is_empty());
}

fn a_store_has_confirmed_nothing_at_first(at: &LogScene) {
    at.add(&["1"]);
    assert_eq!(at.acknowledged("a"), 0);
}

fn confirmations_of_a_store_are_never_withdrawn(at: &LogScene) {
    at.add(&["1", "2", "3"]);
    for (said, stored) in [(2, 2), (1, 2), (3, 3), (0, 3)] {
        at.acknowledge("a", said);
        assert_eq!(at.acknowledged("a"), stored);
    }
}

fn stores_are_distinguished(at: &LogScene) {
    at.add(&["1", "2"]);
    at.acknowledge("a", 2);
    at.acknowledge("A", 1);
    assert_eq!(["a", "A", "", "'"].map(|store| at.acknowledged(store)), [2, 1, 0, 0]);
}

fn a_log_without_events_remembers_what_is_confirmed(at: &LogScene) {
    at.acknowledge("a", 0);
    at.acknowledge("b", 7);
    assert_eq!((at.acknowledged("a"), at.acknowledged("b")), (0, 7));
    assert_eq!(at.count(0), 0);
}

/// Five events: two of another skill, one without a time.
fn events_to_forget(at: &LogScene) {
    let other = |id| AccessEvent { skill_path: "/other".to_owned(), ..event(id) };
    let on = |day: &str, base: AccessEvent| AccessEvent {
        timestamp: format!("2026-01-{day}T00:00:00Z").as_str().into(),
        ..base
    };
    let events = [
        on("01", event("1")),
        on("01", other("2")),
        AccessEvent { timestamp: "".into(), ..event("3") },
        on("02", other("4")),
        on("03", event("5")),
    ];
    assert_eq!(block_on(at.at().append(&events)).unwrap(), 5);
}

fn forget(skill_path: Option<&str>, before: Option<&str>) -> Forget {
    Forget {
        skill_path: skill_path.map(str::to_owned),
        skill: None,
        before: before.and_then(|day| Timestamp::parse(&format!("2026-01-{day}T00:00:00Z"))),
    }
}

fn the_events_of_a_skill_are_forgotten(at: &LogScene) {
    events_to_forget(at);
    assert_eq!(at.forget(forget(Some("/oth"), None)), 0);
    assert_eq!(at.forget(forget(Some("/other"), None)), 2);
    assert_eq!(at.ids(), ["1", "3", "5"]);
    assert_eq!(at.forget(forget(Some("/other"), None)), 0);
}

fn events_before_a_time_are_forgotten(at: &LogScene) {
    events_to_forget(at);
    assert_eq!(at.forget(forget(None, Some("01"))), 0);
    assert_eq!(at.forget(forget(None, Some("03"))), 3);
    assert_eq!(at.ids(), ["3", "5"], "one without a time is not before anything");
}

fn forgetting_applies_to_every_part(at: &LogScene) {
    events_to_forget(at);
    assert_eq!(at.forget(forget(Some("/other"), Some("02"))), 1);
    assert_eq!(at.ids(), ["1", "3", "4", "5"]);
}

fn everything_is_forgotten_where_nothing_is_said(at: &LogScene) {
    events_to_forget(at);
    assert_eq!(at.forget(Forget::default()), 5);
    assert!(at.ids().is_empty());
}

fn forgotten_events_are_no_longer_counted(at: &LogScene) {
    events_to_forget(at);
    at.forget(forget(Some("/other"), None));
    let left = at.events().unwrap();
    for grouping in Grouping::ALL {
        let query = UsageQuery { grouping, ..UsageQuery::default() };
        assert_eq!(block_on(at.at().usage(&query)).unwrap(), usage(&left, &query));
    }
}

fn the_events_of_every_skill_of_a_name_are_forgotten(at: &LogScene) {
    events_to_forget(at);
    let named = |name: &str| Forget { skill: Some(name.to_owned()), ..Forget::default() };
    assert_eq!(at.forget(named("y")), 0);
    assert_eq!(at.forget(named("x")), 5);
}

/// What an import adds: reads with and without sections, offers, a choice, a failure; also an event of `skc` itself.
fn imported_events() -> Vec<AccessEvent> {
    let imported = |id: &str, command: &str, agent: &str, session: &str| AccessEvent {
        command: command.to_owned(),
        run_id: session.to_owned(),
        args: format!(
            r#"{{"agent":"{agent}","listing_tokens":{}}}"#,
            if command == "offered" { 7 } else { 0 }
        ),
        ..event(id)
    };
    let read = |id: &str, section: Option<&str>, is_supplement: bool| AccessEvent {
        file: Some("a.md".to_owned()),
        section: section.map(str::to_owned),
        is_partial: true,
        is_supplement,
        ..imported(id, "read", "codex", "s1")
    };
    let offered = |id: &str, session: &str| AccessEvent {
        is_supplement: true,
        timestamp: "2026-01-01T00:00:00Z".into(),
        ..imported(id, "offered", "codex", session)
    };
    let failed = AccessEvent { error: Some("failed".to_owned()), ..imported("9", "failed", "cursor", "s3") };
    vec![
        read("1", Some("One"), false),
        read("2", Some("Deep"), true),
        read("3", None, false),
        read("4", Some("Two"), false),
        offered("5", "s1"),
        offered("6", "s1"),
        offered("7", "s2"),
        imported("8", "chosen", "codex", "s2"),
        failed,
        AccessEvent { args: "[".to_owned(), has_invalid_args: true, ..imported("10", "read", "x", "s") },
        event("11"),
    ]
}

/// RFC-0014:C-SECTIONS
fn an_event_that_is_no_access_counts_for_its_section_alone(at: &LogScene) {
    let mut events = imported_events();
    // Enough other rows that a store may look up individual ones.
    events.extend((0..300).map(|n| AccessEvent {
        timestamp: "2025-01-01T00:00:00Z".into(),
        is_supplement: n % 3 == 0,
        file: Some("old.md".to_owned()),
        section: Some(format!("{}", n % 5)),
        ..event(&format!("old-{n}"))
    }));
    block_on(at.at().append(&events)).unwrap();
    let since = Timestamp::parse("2026-01-02T00:00:00Z");
    for (grouping, since) in
        Grouping::ALL.into_iter().flat_map(|grouping| [(grouping, None), (grouping, since)])
    {
        for skill in [SkillFilter::Any, SkillFilter::Path("/home/x/.skillc/skills/x".to_owned())] {
            let query =
                UsageQuery { grouping, filter: UsageFilter { skill, since, ..UsageFilter::default() } };
            assert_eq!(block_on(at.at().usage(&query)).unwrap(), usage(&events, &query), "{query:?}");
        }
    }
}

/// RFC-0014:C-STATS
fn imported_events_are_counted_by_agent_skill_and_kind(at: &LogScene) {
    let history = |filter: &UsageFilter| block_on(at.at().history(filter)).unwrap();
    assert_eq!(history(&UsageFilter::default()), []);
    block_on(at.at().append(&imported_events())).unwrap();
    let found: Vec<_> = history(&UsageFilter::default())
        .into_iter()
        .map(|tally| (tally.agent, tally.kind, tally.events, tally.sessions, tally.listing_tokens))
        .collect();
    let expected = [
        ("codex", HistoryKind::Offered, 3, 2, 21),
        ("codex", HistoryKind::Chosen, 1, 1, 0),
        ("codex", HistoryKind::Read, 3, 1, 0),
        ("cursor", HistoryKind::Failed, 1, 1, 0),
    ];
    assert_eq!(
        found,
        expected.map(|(agent, kind, events, sessions, tokens)| {
            (agent.to_owned(), kind, events, sessions, tokens)
        })
    );
    let later = UsageFilter { since: Timestamp::parse("2026-01-02T00:00:00Z"), ..UsageFilter::default() };
    assert_eq!(history(&later).len(), 3, "without the offers");
}

/// RFC-0014:C-STATS
fn every_count_of_imported_events_is_that_of_plain_code(at: &LogScene) {
    let mut events = imported_events();
    events.extend(varied_events(400));
    block_on(at.at().append(&events)).unwrap();
    let model = MemoryMachine::new();
    let model = MemoryLocalLogs::new(&model).at(Path::new("/logs.db"));
    block_on(model.append(&events)).unwrap();
    let since = Timestamp::parse("2026-01-03T00:00:00Z");
    for filter in [
        UsageFilter::default(),
        UsageFilter { since, ..UsageFilter::default() },
        UsageFilter { skill: SkillFilter::Path("/s/b".to_owned()), ..UsageFilter::default() },
        UsageFilter { projects: vec!["/work/b".to_owned()], ..UsageFilter::default() },
    ] {
        macro_rules! same {
            ($($count:ident),+) => { $(
                let (found, expected) = (block_on(at.at().$count(&filter)), block_on(model.$count(&filter)));
                assert_eq!(found.unwrap(), expected.unwrap(), "{filter:?}");
            )+ };
        }
        same!(history, funnels, costs, reading_steps, section_reads);
    }
    let costs = block_on(at.at().costs(&UsageFilter::default())).unwrap();
    assert!(costs.iter().any(|cost| cost.messages > 1 && cost.tokens.input > 0 && !cost.model.is_empty()));
}

/// Imported events of every kind, agent, session and file.
fn varied_events(count: usize) -> Vec<AccessEvent> {
    let mut random = Random::new(14);
    let mut varied = |at: usize| {
        let kind = *random.pick(&HistoryKind::ALL);
        let skill = random.word(&["a", "b", "c"]);
        let is_offered = kind == HistoryKind::Offered;
        let file = random.word(&["SKILL.md", "references/a.md", "references/b.md"]).to_owned();
        let is_failed = random.percent(20) && !is_offered;
        let was_read = kind == HistoryKind::Read && !is_failed;
        let tokens = match random.below(3) {
            0 => format!(
                r#","model":"m{0}","tokens":{{"input":{0},"output":2,"cache_read":3,"cache_write":4}}"#,
                at % 4
            ),
            1 => r#","tokens":{"input":5}"#.to_owned(),
            _ => String::new(),
        };
        let listing = if is_offered { r#","listing_tokens":9"# } else { "" };
        AccessEvent {
            timestamp: format!("2026-01-0{}T00:00:0{}Z", 1 + random.below(5), random.below(3))
                .as_str()
                .into(),
            run_id: format!("s{}", random.below(12)),
            command: kind.word().to_owned(),
            skill: skill.to_owned(),
            skill_path: format!("/s/{skill}"),
            cwd: random.word(&["/work/a", "/work/b/c"]).to_owned(),
            args: format!(r#"{{"agent":"{}"{listing}{tokens}}}"#, random.word(&["codex", "cursor"])),
            error: is_failed.then(|| "failed".to_owned()),
            target: (kind == HistoryKind::Read || kind == HistoryKind::Ran).then(|| file.clone()),
            section: (was_read && random.percent(60)).then(|| format!("Part {}", random.below(4))),
            file: was_read.then_some(file),
            is_supplement: is_offered || random.percent(20),
            is_partial: was_read,
            ..event(&format!("varied-{at}"))
        }
    };
    (0..count).map(&mut varied).collect()
}

/// RFC-0007:C-RENAME
fn the_events_of_a_renamed_skill_are_relabeled(at: &LogScene) {
    let relabel = |from: &str| {
        block_on(at.at().relabel(from, EventLabel { skill: "new", skill_path: "/new" })).unwrap()
    };
    assert_eq!(relabel("/other"), 0);
    assert_eq!(at.count(0), 0);
    events_to_forget(at);
    // More than are changed in one step.
    let many: Vec<AccessEvent> = (0..600)
        .map(|number| AccessEvent { skill_path: "/other".to_owned(), ..event(&format!("many{number}")) })
        .collect();
    block_on(at.at().append(&many)).unwrap();
    at.acknowledge("a", 3);
    let (before, places) = (at.events().unwrap(), at.places());
    assert_eq!((relabel("/oth"), relabel("/other"), relabel("/other")), (0, 602, 0));
    let expected: Vec<AccessEvent> = before
        .into_iter()
        .map(|event| match event.skill_path.as_str() {
            "/other" => AccessEvent { skill: "new".to_owned(), skill_path: "/new".to_owned(), ..event },
            _ => event,
        })
        .collect();
    assert_eq!(at.events().unwrap(), expected);
    assert_eq!((at.places(), at.acknowledged("a")), (places, 3));
}

fn a_log_with_later_events_is_not_retired(at: &LogScene) {
    at.add(&["1", "2"]);
    assert!(!at.retire(1, "runtime"));
    assert_eq!(at.ids(), ["1", "2"]);
}

fn a_retired_log_goes_with_the_empty_folders_above_it(at: &LogScene) {
    at.add(&["1", "2"]);
    assert!(at.retire(2, "runtime"));
    assert!(at.machine.kind("runtime").is_some(), "the bound itself stays");
    assert!(at.machine.names("runtime").is_empty(), "{:?}", at.machine.all_below("runtime"));
    assert_eq!(block_on(at.at().written_at()), None);
}

fn a_folder_that_holds_something_stays_when_a_log_is_retired(at: &LogScene) {
    at.add(&["1"]);
    at.machine.write("runtime/x/SKILL.md", b"x");
    assert!(at.retire(1, "runtime"));
    assert_eq!(at.machine.names("runtime/x"), ["SKILL.md"]);
}

fn events_elsewhere_are_no_bound_for_empty_folders(at: &LogScene) {
    at.add(&["1"]);
    at.machine.folder("elsewhere");
    assert!(at.retire(1, "elsewhere"));
    assert!(at.machine.names("runtime/x/.skillc-meta").is_empty());
    assert!(at.machine.kind("").is_some());
}

fn after_retiring_a_new_log_begins(at: &LogScene) {
    at.add(&["1", "2"]);
    at.acknowledge("a", 2);
    assert!(at.retire(2, ""));
    at.add(&["3"]);
    assert_eq!(at.ids(), ["3"]);
    assert_eq!(at.acknowledged("a"), 0, "its places are others");
}

fn where_there_is_no_log_it_is_retired(at: &LogScene) {
    assert!(at.retire(0, ""));
    at.machine.folder("runtime/x/.skillc-meta");
    assert!(at.retire(0, "runtime"));
}

fn logs_at_two_paths_are_two(at: &LogScene) {
    at.add(&["1"]);
    let other = at.machine.at("elsewhere/logs.db");
    block_on(at.log.at(&other).append(&[event("2")])).unwrap();
    assert_eq!(at.ids(), ["1"]);
    assert_eq!(block_on(at.log.at(&other).events(0, 9)).unwrap()[0].event, event("2"));
}

fn a_look_for_damage_finds_it_and_makes_no_file(at: &LogScene) {
    let log = at.machine.at(LOG);
    let is_damaged = || at.log.is_damaged(&log).unwrap();
    assert!(!is_damaged(), "there is none");
    at.append(&event("1")).unwrap();
    let folder = Path::new(LOG).parent().unwrap().to_str().unwrap();
    let before = at.machine.names(folder);
    assert!(!is_damaged());
    assert_eq!(at.machine.names(folder), before);
    at.machine.write(LOG, b"no database");
    assert!(is_damaged());
}

fn bytes_that_are_no_log_are_corrupt(at: &LogScene) {
    let garbage = [7; 5000];
    at.machine.write(LOG, &garbage);
    assert_eq!(at.events().unwrap_err().kind, ErrorKind::Corrupt);
    assert!(at.append(&event("1")).is_err());
    assert_eq!(at.machine.read(LOG).unwrap(), garbage, "it holds what it held");
}

fn a_log_tells_when_it_was_written(at: &LogScene) {
    let written_at = || block_on(at.at().written_at()).unwrap();
    at.add(&["1"]);
    let first = written_at();
    at.add(&["2"]);
    assert!(first > 1_700_000_000_000_000_000 && written_at() >= first);
}

fn writers_at_once_lose_no_event(at: &LogScene) {
    let path = at.machine.at(LOG);
    thread::scope(|scope| {
        for writer in 0..4 {
            let (log, path) = (&at.log, &path);
            scope.spawn(move || {
                for n in 0..8 {
                    block_on(log.at(path).append(&[event(&format!("{writer}-{n}"))])).unwrap();
                }
            });
        }
    });
    let ids = at.ids();
    assert_eq!(ids.len(), 32);
    for writer in 0..4 {
        let own: Vec<_> = ids.iter().filter(|id| id.starts_with(&format!("{writer}-"))).collect();
        assert!(own.is_sorted(), "{own:?}");
    }
}
