//! Many machines that send the same and different events, in any order and more than once.

use super::cluster::ready_database;
use super::{DIFFERENCES, event, origin};
use crate::contract::machines::block_on;
use crate::random::{Random, number};
use skillc_domain::event::AccessEvent;
use skillc_ports::TeamStore;
use std::sync::Barrier;
use std::thread;

const EVENTS: u64 = 100;

/// Batches that every machine sends, as those that share a home do.
const COMMON: u64 = 5;

/// Batches of one machine; each overlaps the next by half.
const OWN: u64 = 6;

fn batch(first: u64) -> Vec<AccessEvent> {
    (first..first + EVENTS).map(event).collect()
}

/// `SKC_TEAM_MACHINES` sets how many (64), `SKC_TEAM_SEED` the order in which they send. RFC-0003:C-TEAM.
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn many_machines_that_replay_the_same_and_different_events_leave_exact_counts_and_rollups() {
    let database = ready_database();
    let (machines, seed) = (number("SKC_TEAM_MACHINES", 64), number("SKC_TEAM_SEED", 1));
    let start = Barrier::new(machines as usize);
    let send = |machine: u64| {
        let log = database.store().log(&origin(&format!("machine-{machine:03}")));
        let own = (0..OWN).map(|b| (machine + 1) * 10_000 + b * EVENTS / 2);
        let mut batches: Vec<u64> = (0..COMMON).map(|b| b * EVENTS).chain(own).flat_map(|b| [b, b]).collect();
        let mut random = Random::new(seed * 1_000 + machine);
        (1..batches.len()).rev().for_each(|at| batches.swap(at, random.below(at + 1)));
        start.wait();
        batches.into_iter().map(|first| block_on(log.append(&batch(first))).unwrap()).sum::<u64>()
    };
    let new: u64 = thread::scope(|scope| {
        let send = &send;
        let all: Vec<_> = (0..machines).map(|machine| scope.spawn(move || send(machine))).collect();
        all.into_iter().map(|one| one.join().unwrap()).sum()
    });
    let expected = COMMON * EVENTS + machines * (OWN + 1) * EVENTS / 2;
    assert_eq!(new, expected, "seed {seed}");
    assert_eq!(database.number("SELECT count(*) FROM skillc.access_event"), expected);
    assert_eq!(database.number("SELECT sum(n) FROM skillc.usage_daily"), expected);
    assert_eq!(database.number(DIFFERENCES), 0, "seed {seed}");
}
