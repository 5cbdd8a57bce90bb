//! Compares `usage` with plain counting, on random events and questions.

use super::cluster::ready_database;
use super::{DAY, DIFFERENCES, event, origin};
use crate::contract::machines::block_on;
use skillc_domain::event::{AccessEvent, EventTime};
use skillc_domain::time::Timestamp;
use skillc_domain::usage::{Grouping, SkillFilter, UsageFilter, UsageQuery, usage};
use skillc_ports::TeamStore;

/// A deterministic random number generator (xorshift64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }

    fn second(&mut self) -> Timestamp {
        let offset = self.one(&[0, 1, 43_200, 86_399]);
        Timestamp::of((DAY + 86_400 * self.below(4) as i64 + offset) * 1_000_000_000)
    }

    fn event(&mut self, number: u64) -> AccessEvent {
        let text = |dice: &mut Self| Some(dice.one(&["", "a", "B", "ä", "a/b", "Z z", "設定"]).to_owned());
        let perhaps = |dice: &mut Self| if dice.below(3) == 0 { None } else { text(dice) };
        let (is_timeless, has_invalid_args) = (self.below(9) == 0, self.below(9) == 0);
        let skill = self.one(&["x", "y", "Y", "ü"]).to_owned();
        AccessEvent {
            timestamp: if is_timeless { "soon".into() } else { EventTime::At(self.second()) },
            command: self.one(&["show", "search", "open", "lint"]).to_owned(),
            skill_path: format!("/{}/{skill}", self.below(2)),
            skill,
            cwd: self.one(&["/", "/a", "/a/b", "/ab", "/a/b%_\\c"]).to_owned(),
            error: if self.below(4) == 0 { text(self) } else { None },
            target: perhaps(self),
            file: perhaps(self),
            section: perhaps(self),
            has_invalid_args,
            ..event(number)
        }
    }

    fn filter(&mut self) -> UsageFilter {
        let skill = match self.below(4) {
            0 => SkillFilter::Name(self.one(&["x", "Y", "none"]).to_owned()),
            1 => SkillFilter::Path("/1/x".to_owned()),
            _ => SkillFilter::Any,
        };
        let since = (self.below(2) == 0).then(|| self.second());
        let until = (self.below(2) == 0).then(|| self.second());
        let projects = match self.below(4) {
            0 => vec!["/a/".to_owned()],
            1 => vec!["/a/b".to_owned(), "/ab".to_owned()],
            _ => Vec::new(),
        };
        let machine = (self.below(3) == 0).then(|| self.one(&["a", "b", "c"]).to_owned());
        UsageFilter { skill, since, until, projects, machine }
    }
}

/// RFC-0003:C-QUERIES
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn every_answer_is_that_of_counting_in_plain_code() {
    let (database, seed) = (ready_database(), 0x5eed_0f17);
    let mut dice = Dice(seed);
    let store = database.store();
    let machines = ["a", "b"].map(|machine| {
        let base = if machine == "a" { 0 } else { 1_000_000 };
        let events: Vec<_> = (0..600).map(|n| dice.event(base + n)).collect();
        let sent: u64 =
            events.chunks(97).map(|c| block_on(store.log(&origin(machine)).append(c)).unwrap()).sum();
        assert_eq!(sent, 600);
        (machine, events)
    });
    let stranger = skillc_domain::team::TeamOrigin { org: "other".to_owned(), machine: "a".to_owned() };
    block_on(store.log(&stranger).append(&[event(1)])).unwrap();
    assert_eq!(database.number(DIFFERENCES), 0);
    let log = store.log(&origin("z"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for turn in 0..60 {
        let filter = dice.filter();
        for grouping in Grouping::ALL {
            let query = UsageQuery { grouping, filter: filter.clone() };
            let asked = |machine: &str| query.filter.machine.as_ref().is_none_or(|m| m == machine);
            let events = machines.iter().filter(|(machine, _)| asked(machine)).flat_map(|(_, events)| events);
            let found = runtime.block_on(log.usage(&query)).unwrap();
            assert_eq!(found, usage(events, &query), "seed {seed:#x}, turn {turn}, {query:?}");
        }
    }
}
