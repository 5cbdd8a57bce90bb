//! `AccessLog`: every store of events must count the same as `domain::usage::usage`.

use super::machines::{Machine, RealMachine, block_on, in_memory};
use crate::postgres::cluster::ready_database;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use skillc_domain::event::{AccessEvent, EventId, EventTime};
use skillc_domain::team::TeamOrigin;
use skillc_domain::time::{Timestamp, parse_rfc3339, rfc3339};
use skillc_domain::usage::{
    Grouping, ParseIssues, Period, SkillFilter, Usage, UsageFilter, UsageQuery, usage,
};
use skillc_memory::MemoryLocalLogs;
use skillc_ports::{AccessLog, LocalLogs, TeamStore};
use skillc_sqlite::SqliteLocalLogs;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

contract!([memory, sqlite, postgres] {
    a_log_without_events_counts_nothing,
    an_append_says_how_many_were_new,
    an_event_sent_again_is_counted_once,
    equal_events_with_two_ids_are_two,
    totals_are_what_the_model_counts,
    sections_are_what_the_model_counts,
    files_are_what_the_model_counts,
    commands_are_what_the_model_counts,
    projects_are_what_the_model_counts,
    errors_are_what_the_model_counts,
    searches_are_what_the_model_counts,
    both_ends_of_a_time_belong_to_it,
    a_time_of_a_few_events_among_many_is_what_the_model_counts,
    a_project_is_a_folder_and_all_below_it,
    equals_come_in_the_order_of_bytes,
    rows_that_cannot_be_read_are_counted_apart,
    any_text_is_counted_as_it_is,
    random_events_are_what_the_model_counts,
});

/// Creates empty logs, each independent of the others.
struct UsageScene {
    fresh: Box<dyn Fn() -> Box<dyn AccessLog>>,
}

fn memory() -> UsageScene {
    let machine = in_memory();
    let logs = MemoryLocalLogs::new(&machine);
    let next = counter();
    UsageScene { fresh: Box::new(move || logs.at(&machine.at(&next()))) }
}

fn sqlite() -> UsageScene {
    let machine = RealMachine::new();
    let next = counter();
    UsageScene { fresh: Box::new(move || SqliteLocalLogs::default().at(&machine.at(&next()))) }
}

/// Each log belongs to an organization of its own.
fn postgres() -> UsageScene {
    let store = ready_database().store();
    let next = counter();
    let origin = move || TeamOrigin { org: next(), machine: "m".to_owned() };
    UsageScene { fresh: Box::new(move || store.log(&origin())) }
}

fn counter() -> impl Fn() -> String {
    let made = Cell::new(0);
    move || {
        made.set(made.get() + 1);
        format!("{}/logs.db", made.get())
    }
}

impl UsageScene {
    fn of(&self, events: &[AccessEvent]) -> Box<dyn AccessLog> {
        let log = (self.fresh)();
        assert_eq!(append(&*log, events), events.len() as u64);
        log
    }

    /// Compares every filter over the fixture, alone and in a log with many other events.
    fn agrees_on(&self, grouping: Grouping) {
        let events = fixture();
        let log = self.of(&events);
        for filter in filters() {
            agrees(&*log, &events, &UsageQuery { grouping, filter });
        }
    }
}

fn append(log: &dyn AccessLog, events: &[AccessEvent]) -> u64 {
    block_on(log.append(events)).unwrap()
}

fn ask(log: &dyn AccessLog, query: &UsageQuery) -> Usage {
    block_on(log.usage(query)).unwrap()
}

fn agrees(log: &dyn AccessLog, events: &[AccessEvent], query: &UsageQuery) {
    assert_eq!(ask(log, query), usage(events, query), "{query:#?}");
}

fn all(grouping: Grouping) -> UsageQuery {
    UsageQuery { grouping, filter: UsageFilter::default() }
}

/// An event with an id of its own; `second` counts from 2026-01-31 12:00 UTC.
fn event(second: i64, chance: u64) -> AccessEvent {
    let at = parse_rfc3339("2026-01-31T12:00:00Z").unwrap() + second * 1_000_000_000;
    AccessEvent {
        event_id: EventId::new(at, u128::from(chance)),
        timestamp: rfc3339(at).as_str().into(),
        run_id: "20260131T120000Z-0001".to_owned(),
        command: "show".to_owned(),
        skill: "x".to_owned(),
        skill_path: "/home/x/.skillc/skills/x".to_owned(),
        cwd: "/home/x".to_owned(),
        args: "{}".to_owned(),
        ..AccessEvent::default()
    }
}

fn read(base: AccessEvent, file: &str, section: &str) -> AccessEvent {
    let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    AccessEvent { target: text(section), file: text(file), section: text(section), ..base }
}

fn failed(base: AccessEvent, target: Option<&str>, error: &str) -> AccessEvent {
    AccessEvent { target: target.map(str::to_owned), error: Some(error.to_owned()), ..base }
}

const DAY_S: i64 = 86_400;

/// Two skills, one of them in two places; every command; ties, failures, and rows that are only partly readable.
fn fixture() -> Vec<AccessEvent> {
    let mut events = Vec::new();
    let mut n = 0;
    let mut add = |second: i64, edit: &dyn Fn(AccessEvent) -> AccessEvent| {
        n += 1;
        events.push(edit(event(second, n)));
    };
    for (at, path) in
        ["/home/x/.skillc/skills/x", "/p/.skillc/skills/x", "/p/.skillc/skills/ünï"].iter().enumerate()
    {
        let of = move |base: AccessEvent| AccessEvent {
            skill: path.rsplit('/').next().unwrap().to_owned(),
            skill_path: (*path).to_owned(),
            cwd: ["/home/x", "/home/x/a", "/home/xy"][at].to_owned(),
            ..base
        };
        let day = at as i64 * DAY_S;
        for (file, section) in
            [("SKILL.md", "Top"), ("SKILL.md", "top"), ("docs/設定.md", "Top"), ("b.md", "a\n\"b\"")]
        {
            add(day + 1, &|e| read(of(e), file, section));
            add(day - 3 * DAY_S, &|e| read(of(e), file, section));
        }
        add(day, &|e| read(of(e), "SKILL.md", "Top"));
        add(day + 2, &|e| AccessEvent {
            command: "open".to_owned(),
            target: Some("b.md".to_owned()),
            ..read(of(e), "b.md", "")
        });
        for query in ["marmot", "Marmot", "設定", "", "marmot"] {
            add(day + 3, &|e| AccessEvent {
                command: "search".to_owned(),
                target: Some(query.to_owned()),
                ..of(e)
            });
        }
        add(day + 4, &|e| AccessEvent { command: "search".to_owned(), target: None, ..of(e) });
        add(day + 5, &|e| AccessEvent { command: "outline".to_owned(), cwd: "/".to_owned(), ..of(e) });
        for error in ["error[E020]: section not found: 'y'", "error[E020]: section not found: 'Y'"] {
            add(day + 6, &|e| failed(of(e), Some("y"), error));
            add(day + 6, &|e| failed(of(e), None, error));
            add(day + 7, &|e| AccessEvent { command: "open".to_owned(), ..failed(of(e), Some(""), error) });
        }
        add(day + 8, &|e| AccessEvent {
            command: "search".to_owned(),
            ..failed(of(e), Some("marmot"), "error[E002]: x")
        });
        add(day + 9, &|e| flawed_args(of(e)));
        add(day + 9, &|e| flawed_time(of(e), "yesterday"));
        add(day + 9, &|e| flawed_args(flawed_time(of(e), "")));
    }
    events
}

fn flawed_args(base: AccessEvent) -> AccessEvent {
    AccessEvent { args: "[".to_owned(), has_invalid_args: true, ..base }
}

fn flawed_time(base: AccessEvent, timestamp: &str) -> AccessEvent {
    AccessEvent { timestamp: EventTime::Unreadable(timestamp.to_owned()), ..base }
}

/// Every kind of filter alone, and some combined.
fn filters() -> Vec<UsageFilter> {
    let none = UsageFilter::default;
    let time = |since: &str, until: &str| UsageFilter {
        since: Timestamp::parse(since),
        until: Timestamp::parse(until),
        ..none()
    };
    let path = |path: &str| UsageFilter { skill: SkillFilter::Path(path.to_owned()), ..none() };
    let name = |name: &str| UsageFilter { skill: SkillFilter::Name(name.to_owned()), ..none() };
    let from = |projects: &[&str]| UsageFilter {
        projects: projects.iter().map(|p| (*p).to_owned()).collect(),
        ..none()
    };
    let mut filters = vec![none()];
    filters.extend(["/home/x/.skillc/skills/x", "/p/.skillc/skills/ünï", "/nowhere", ""].map(path));
    filters.extend(["x", "ünï", "X"].map(name));
    filters.extend([
        time("2026-01-31T12:00:00Z", ""),
        time("", "2026-01-31T12:00:03Z"),
        time("2026-01-31T12:00:01Z", "2026-02-01T12:00:01Z"),
        time("2027-01-01T00:00:00Z", ""),
        time("2026-02-02T00:00:00Z", "2026-02-01T00:00:00Z"),
    ]);
    filters.extend([from(&["/home/x"]), from(&["/home/xy", "/home/x/a"]), from(&["/"]), from(&["/home/y"])]);
    let all_at_once = UsageFilter {
        projects: vec!["/home/x".to_owned()],
        ..time("2026-01-30T00:00:00Z", "2026-02-01T12:00:06Z")
    };
    filters.push(UsageFilter { skill: SkillFilter::Name("x".to_owned()), ..all_at_once.clone() });
    filters.push(UsageFilter {
        skill: SkillFilter::Path("/p/.skillc/skills/x".to_owned()),
        ..all_at_once.clone()
    });
    filters.push(all_at_once);
    filters
}

fn a_log_without_events_counts_nothing(at: &UsageScene) {
    let log = (at.fresh)();
    for grouping in Grouping::ALL {
        assert_eq!(ask(&*log, &all(grouping)), Usage::default());
    }
}

fn an_append_says_how_many_were_new(at: &UsageScene) {
    let log = (at.fresh)();
    assert_eq!(append(&*log, &[]), 0);
    assert_eq!(append(&*log, &[event(1, 1)]), 1);
    assert_eq!(append(&*log, &[event(1, 1)]), 0);
    assert_eq!(append(&*log, &[event(2, 2), event(1, 1), event(3, 3)]), 2);
    assert_eq!(append(&*log, &[event(4, 4), event(4, 4), event(5, 5), event(4, 4)]), 2);
    agrees(&*log, &[1, 2, 3, 4, 5].map(|n| event(n, n as u64)), &all(Grouping::Summary));
}

fn an_event_sent_again_is_counted_once(at: &UsageScene) {
    let events = fixture();
    let log = at.of(&events);
    for part in events.chunks(7) {
        assert_eq!(append(&*log, part), 0);
    }
    // A copy with other content is not another event: the first one remains.
    let changed: Vec<_> =
        events.iter().map(|e| AccessEvent { command: "build".to_owned(), ..e.clone() }).collect();
    assert_eq!(append(&*log, &changed), 0);
    for grouping in Grouping::ALL {
        agrees(&*log, &events, &all(grouping));
    }
}

fn equal_events_with_two_ids_are_two(at: &UsageScene) {
    let log = at.of(&[event(1, 1), event(1, 2)]);
    assert_eq!(ask(&*log, &all(Grouping::Summary)).summary.total_accesses, 2);
}

/// RFC-0003:C-QUERIES
fn totals_are_what_the_model_counts(at: &UsageScene) {
    at.agrees_on(Grouping::Summary);
}

/// RFC-0003:C-QUERIES
fn sections_are_what_the_model_counts(at: &UsageScene) {
    at.agrees_on(Grouping::Sections);
}

/// RFC-0003:C-QUERIES
fn files_are_what_the_model_counts(at: &UsageScene) {
    at.agrees_on(Grouping::Files);
}

/// RFC-0003:C-QUERIES
fn commands_are_what_the_model_counts(at: &UsageScene) {
    at.agrees_on(Grouping::Commands);
}

/// RFC-0003:C-QUERIES
fn projects_are_what_the_model_counts(at: &UsageScene) {
    at.agrees_on(Grouping::Projects);
}

/// RFC-0003:C-QUERIES
fn errors_are_what_the_model_counts(at: &UsageScene) {
    at.agrees_on(Grouping::Errors);
}

/// RFC-0003:C-QUERIES, decision 36
fn searches_are_what_the_model_counts(at: &UsageScene) {
    at.agrees_on(Grouping::Search);
}

/// RFC-0003:C-FILTERS
fn both_ends_of_a_time_belong_to_it(at: &UsageScene) {
    let log = at.of(&[1, 2, 3, 4].map(|n| event(n, n as u64)));
    let [start, end] = [2, 3].map(|n| event(n, 0).timestamp.known().unwrap());
    let filter = UsageFilter { since: Some(start), until: Some(end), ..UsageFilter::default() };
    for grouping in Grouping::ALL {
        let found = ask(&*log, &UsageQuery { grouping, filter: filter.clone() });
        assert_eq!(found.period, Some(Period { start, end }), "{grouping:?}");
    }
}

/// A store may use another strategy if a query matches few of many events.
fn a_time_of_a_few_events_among_many_is_what_the_model_counts(at: &UsageScene) {
    let mut events = fixture();
    events.extend((0..1_000).map(|n| read(event(-9 * DAY_S - n, 1_000 + n as u64), "SKILL.md", "Top")));
    let log = at.of(&events);
    let since = Timestamp::parse("2026-01-31T12:00:00Z");
    for grouping in Grouping::ALL {
        for filter in filters() {
            agrees(&*log, &events, &UsageQuery { grouping, filter: UsageFilter { since, ..filter } });
        }
    }
}

/// RFC-0003:C-FILTERS
fn a_project_is_a_folder_and_all_below_it(at: &UsageScene) {
    let folders =
        ["/a/b", "/a/b/c", "/a/b/設定", "/a/bc", "/a/b.c", "/a/b-c", "/a/b0", "/a", "/", "", "/A/B"];
    let placed = |(n, cwd): (usize, &&str)| AccessEvent { cwd: (*cwd).to_owned(), ..event(1, n as u64) };
    let events: Vec<_> = folders.iter().enumerate().map(placed).collect();
    let log = at.of(&events);
    let within = |project: &str| -> Vec<String> {
        let filter = UsageFilter { projects: vec![project.to_owned()], ..UsageFilter::default() };
        let query = UsageQuery { grouping: Grouping::Projects, filter };
        agrees(&*log, &events, &query);
        ask(&*log, &query).tallies.into_iter().map(|tally| tally.key[0].clone()).collect()
    };
    assert_eq!(within("/a/b"), ["/a/b", "/a/b/c", "/a/b/設定"]);
    assert_eq!(within("/a/b/"), within("/a/b"));
    assert_eq!(within("/a/%"), [""; 0], "no character stands for others");
    within("/");
}

fn equals_come_in_the_order_of_bytes(at: &UsageScene) {
    let files = ["a", "B", "é", "e\u{301}", "Z", "a b", "a.md", "z", "設", "\u{1f600}", "ａ", "10", "9"];
    let events: Vec<_> =
        files.iter().enumerate().map(|(n, file)| read(event(1, n as u64), file, "Top")).collect();
    let log = at.of(&events);
    let found: Vec<_> =
        ask(&*log, &all(Grouping::Files)).tallies.into_iter().map(|t| t.key[0].clone()).collect();
    let mut expected = files.map(str::to_owned);
    expected.sort();
    assert_eq!(found, expected);
}

fn rows_that_cannot_be_read_are_counted_apart(at: &UsageScene) {
    let events = [
        flawed_time(event(1, 1), "yesterday"),
        flawed_time(event(1, 2), ""),
        flawed_time(event(1, 3), "9999-99-99T99:99:99Z"),
        flawed_args(flawed_time(event(1, 4), "2026-02-30T00:00:00Z")),
        flawed_args(event(2, 5)),
        read(event(3, 6), "SKILL.md", "Top"),
    ];
    let log = at.of(&events);
    let found = ask(&*log, &all(Grouping::Summary));
    assert_eq!(found.issues, ParseIssues { timestamps: 4, arguments: 1 });
    assert_eq!(found.summary.total_accesses, 2);
    let later = UsageFilter { since: event(3, 0).timestamp.known(), ..UsageFilter::default() };
    let found = ask(&*log, &UsageQuery { grouping: Grouping::Commands, filter: later });
    assert_eq!(found.issues, ParseIssues { timestamps: 4, arguments: 0 });
    for grouping in Grouping::ALL {
        agrees(&*log, &events, &all(grouping));
    }
}

fn any_text_is_counted_as_it_is(at: &UsageScene) {
    let texts = [
        "'; DROP TABLE access_log; --",
        "%_\\",
        "\u{feff}",
        "\t\r\n",
        "\u{202e}x",
        "{\"a\":1}",
        " ",
        "\u{10ffff}",
        "NULL",
    ];
    let mut events = Vec::new();
    for (n, text) in texts.iter().enumerate() {
        let odd = || (*text).to_owned();
        let base = AccessEvent {
            skill: odd(),
            skill_path: format!("/{text}"),
            cwd: odd(),
            run_id: odd(),
            ..event(1, n as u64)
        };
        events.push(read(base.clone(), text, text));
        let id = |chance| EventId::new(0, chance);
        events.push(AccessEvent {
            event_id: id(n as u128 + 100),
            command: "search".to_owned(),
            target: Some(odd()),
            ..base.clone()
        });
        events.push(AccessEvent {
            event_id: id(n as u128 + 200),
            command: odd(),
            ..failed(base, Some(text), text)
        });
    }
    let log = at.of(&events);
    for grouping in Grouping::ALL {
        agrees(&*log, &events, &all(grouping));
        for text in texts {
            let filter = UsageFilter { skill: SkillFilter::Name(text.to_owned()), ..UsageFilter::default() };
            agrees(&*log, &events, &UsageQuery { grouping, filter });
        }
    }
}

const PATHS: &[&str] = &["/a/x", "/b/x", "/b/y", ""];
const FOLDERS: &[&str] = &["/", "/a", "/a/b", "/ab", "/ü"];
const TEXTS: &[&str] = &["Top", "top", "", "設定", "a'b"];

fn maybe_text() -> impl Strategy<Value = Option<String>> {
    prop::option::of(prop::sample::select(TEXTS).prop_map(str::to_owned))
}

fn any_event() -> impl Strategy<Value = AccessEvent> {
    let place = (prop::sample::select(PATHS), prop::bool::weighted(0.1), prop::sample::select(FOLDERS));
    let said = (
        prop::sample::select(&["show", "open", "search", "lint"][..]),
        maybe_text(),
        maybe_text(),
        maybe_text(),
    );
    let end = (prop::option::weighted(0.3, prop::sample::select(TEXTS)), 0u8..12);
    (-3i64..4, 0i64..3, 0u64..40, place, said, end).prop_map(|(day, second, chance, place, said, end)| {
        let ((path, is_odd, cwd), (command, target, file, section), (error, flaw)) = (place, said, end);
        let name = if is_odd { "odd" } else { path.rsplit('/').next().unwrap() };
        let event = AccessEvent {
            skill: name.to_owned(),
            skill_path: path.to_owned(),
            cwd: cwd.to_owned(),
            command: command.to_owned(),
            target,
            file,
            section,
            error: error.map(str::to_owned),
            ..event(day * DAY_S + second, chance)
        };
        match flaw {
            0 => flawed_args(event),
            1 => flawed_time(event, "soon"),
            2 => flawed_args(flawed_time(event, "")),
            _ => event,
        }
    })
}

fn any_query() -> impl Strategy<Value = UsageQuery> {
    let skill = prop_oneof![
        2 => Just(SkillFilter::Any),
        2 => prop::sample::select(PATHS).prop_map(|path| SkillFilter::Path(path.to_owned())),
        1 => prop::sample::select(&["x", "y", "odd", ""][..]).prop_map(|name| SkillFilter::Name(name.to_owned())),
    ];
    let time = || {
        prop::option::weighted(
            0.4,
            (-3i64..4, 0i64..3).prop_map(|(day, s)| event(day * DAY_S + s, 0).timestamp.known().unwrap()),
        )
    };
    let projects = prop::collection::vec(prop::sample::select(FOLDERS).prop_map(str::to_owned), 0..3);
    let projects = prop_oneof![2 => Just(Vec::new()), 1 => projects];
    (prop::sample::select(&Grouping::ALL[..]), skill, time(), time(), projects).prop_map(
        |(grouping, skill, since, until, projects)| UsageQuery {
            grouping,
            filter: UsageFilter { skill, since, until, projects, machine: None },
        },
    )
}

/// `SKC_SEED` repeats a run.
fn random_events_are_what_the_model_counts(at: &UsageScene) {
    let seed = std::env::var("SKC_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed: u64 = seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let bytes: Vec<u8> = seed.to_le_bytes().repeat(4);
    let config = Config { cases: 24, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let events = prop::collection::vec(any_event(), 0..40);
    let queries = prop::collection::vec(any_query(), 6);
    let done = runner.run(&(events, queries, 1usize..9), |(events, queries, batch)| {
        let log = (at.fresh)();
        let mut first: BTreeMap<&EventId, &AccessEvent> = BTreeMap::new();
        for part in events.chunks(batch) {
            let before = first.len();
            for event in part {
                first.entry(&event.event_id).or_insert(event);
            }
            prop_assert_eq!(append(&*log, part), (first.len() - before) as u64);
        }
        for query in &queries {
            prop_assert_eq!(ask(&*log, query), usage(first.values().copied(), query), "{:#?}", query);
        }
        Ok(())
    });
    done.unwrap_or_else(|error| panic!("SKC_SEED={seed}: {error}"));
}
