//! `AccessLog`.

use super::machines::{Machine, RealMachine, block_on, in_memory};
use skillc_domain::event::AccessEvent;
use skillc_memory::MemoryAccessLog;
use skillc_ports::{AccessLog, ErrorKind, PortError};
use skillc_sqlite::SqliteAccessLog;
use std::thread;

contract!([memory, sqlite] {
    where_nothing_stands_there_are_no_events_and_no_time,
    a_log_and_the_folders_above_it_are_made,
    every_field_of_an_event_comes_back,
    events_come_in_the_order_in_which_they_were_added,
    an_event_whose_id_is_there_changes_nothing,
    logs_at_two_paths_are_two,
    bytes_that_are_no_log_are_corrupt,
    a_log_tells_when_it_was_written,
    writers_at_once_lose_no_event,
});

struct LogScene {
    machine: Box<dyn Machine>,
    log: Box<dyn AccessLog>,
}

fn memory() -> LogScene {
    let machine = in_memory();
    let log = Box::new(MemoryAccessLog::new(&machine));
    LogScene { machine: Box::new(machine), log }
}

fn sqlite() -> LogScene {
    LogScene { machine: Box::new(RealMachine::new()), log: Box::new(SqliteAccessLog) }
}

const LOG: &str = "runtime/x/.skillc-meta/logs.db";

impl LogScene {
    fn append(&self, event: &AccessEvent) -> Result<(), PortError> {
        block_on(self.log.append(&self.machine.at(LOG), event))
    }

    fn add(&self, ids: &[&str]) {
        ids.iter().for_each(|id| self.append(&event(id)).unwrap());
    }

    fn events(&self) -> Result<Vec<AccessEvent>, PortError> {
        block_on(self.log.events(&self.machine.at(LOG)))
    }

    fn ids(&self) -> Vec<String> {
        self.events().unwrap().into_iter().map(|event| event.event_id).collect()
    }
}

fn event(id: &str) -> AccessEvent {
    AccessEvent {
        event_id: id.to_owned(),
        timestamp: "2026-01-31T12:00:00Z".to_owned(),
        run_id: "20260131T120000Z-0001".to_owned(),
        command: "show".to_owned(),
        skill: "x".to_owned(),
        skill_path: "/home/x/.skillc/skills/x".to_owned(),
        cwd: "/home/x".to_owned(),
        args: "{}".to_owned(),
        error: None,
    }
}

fn where_nothing_stands_there_are_no_events_and_no_time(at: &LogScene) {
    assert!(at.events().unwrap().is_empty());
    assert_eq!(block_on(at.log.written_at(&at.machine.at(LOG))), None);
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
        ..event("odd")
    };
    at.append(&odd).unwrap();
    at.append(&event("plain")).unwrap();
    assert_eq!(at.events().unwrap(), [odd, event("plain")]);
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

fn logs_at_two_paths_are_two(at: &LogScene) {
    at.add(&["1"]);
    let other = at.machine.at("elsewhere/logs.db");
    block_on(at.log.append(&other, &event("2"))).unwrap();
    assert_eq!(at.ids(), ["1"]);
    assert_eq!(block_on(at.log.events(&other)).unwrap(), [event("2")]);
}

fn bytes_that_are_no_log_are_corrupt(at: &LogScene) {
    let garbage = [7; 5000];
    at.machine.write(LOG, &garbage);
    assert_eq!(at.events().unwrap_err().kind, ErrorKind::Corrupt);
    assert!(at.append(&event("1")).is_err());
    assert_eq!(at.machine.read(LOG).unwrap(), garbage, "it holds what it held");
}

fn a_log_tells_when_it_was_written(at: &LogScene) {
    let written_at = || block_on(at.log.written_at(&at.machine.at(LOG))).unwrap();
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
                    block_on(log.append(path, &event(&format!("{writer}-{n}")))).unwrap();
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
