//! Appending events: all or none, and each event once, even with several simultaneous senders.

use super::cluster::ready_database;
use super::{DIFFERENCES, event, origin};
use crate::contract::machines::block_on;
use skillc_domain::event::AccessEvent;
use skillc_domain::usage::{SkillFilter, UsageFilter, UsageQuery};
use skillc_ports::TeamStore;
use std::sync::Barrier;
use std::thread;

/// 8 clients send the same 20 batches of 200 events at the same time, each in a different order. RFC-0003:C-TEAM
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn eight_clients_that_replay_the_same_batches_leave_exact_counts_and_rollups() {
    let database = ready_database();
    let batches: Vec<Vec<AccessEvent>> =
        (0..20).map(|b| (0..200).map(|n| event(b * 150 + n)).collect()).collect();
    let start = Barrier::new(8);
    let client = |seed: usize| {
        let log = database.store().log(&origin("a"));
        let order = (0..20).map(|n| (n * (2 * seed + 1) + seed) % 20);
        start.wait();
        order.map(|b| block_on(log.append(&batches[b])).unwrap()).sum::<u64>()
    };
    let new: u64 = thread::scope(|scope| {
        let client = &client;
        let all = [0, 1, 3, 4, 5, 6, 8, 9].map(|seed| scope.spawn(move || client(seed)));
        all.into_iter().map(|one| one.join().unwrap()).sum()
    });
    assert_eq!(new, 3_050, "batches overlap by 50");
    assert_eq!(database.number("SELECT count(*) FROM skillc.access_event"), 3_050);
    assert_eq!(database.number("SELECT sum(n) FROM skillc.usage_daily"), 3_050);
    assert_eq!(database.number(DIFFERENCES), 0);
}

/// Batches of several statements can deadlock. The server then aborts one, which is sent again.
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn large_batches_at_once_end_exact_too() {
    let database = ready_database();
    let batch: Vec<AccessEvent> = (0..45_000).map(event).collect();
    thread::scope(|scope| {
        for offset in [0, 5_000, 15_000] {
            let (database, batch) = (&database, &batch);
            scope.spawn(move || {
                let log = database.store().log(&origin("a"));
                block_on(log.append(&batch[offset..offset + 30_000])).unwrap()
            });
        }
    });
    assert_eq!(database.number("SELECT sum(n) FROM skillc.usage_daily"), 45_000);
    assert_eq!(database.number(DIFFERENCES), 0);
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_batch_that_the_server_refuses_leaves_nothing() {
    let database = ready_database();
    database.run("ALTER TABLE skillc.access_event ADD CHECK (cwd <> 'refused')");
    let log = database.store().log(&origin("a"));
    let mut batch: Vec<AccessEvent> = (0..25_000).map(event).collect();
    batch[24_999].cwd = "refused".to_owned();
    assert!(block_on(log.append(&batch)).is_err());
    assert_eq!(database.number("SELECT count(*) FROM skillc.access_event"), 0);
    assert_eq!(database.number("SELECT count(*) FROM skillc.usage_daily"), 0);
    assert_eq!(block_on(log.append(&batch[..10])).unwrap(), 10, "and the log goes on");
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn values_that_postgresql_cannot_store_are_stored_in_another_form() {
    let database = ready_database();
    let log = database.store().log(&origin("a"));
    let odd = AccessEvent {
        event_id: "no id".into(),
        timestamp: "1970-01-01 00:00:00".into(),
        has_invalid_args: true,
        ..event(1)
    };
    let long = "§ '\"\\{},NULL\u{1f600}".repeat(20_000);
    let huge = AccessEvent {
        skill: long.clone(),
        command: long.clone(),
        file: Some(long.clone()),
        section: Some(long.clone()),
        error: Some(long.clone()),
        args: long.clone(),
        ..event(2)
    };
    let nul = AccessEvent { skill: "a\0b".to_owned(), section: Some("\0".to_owned()), ..event(6) };
    let batch = [odd, huge, nul];
    assert_eq!(block_on(log.append(&batch)).unwrap(), 3);
    assert_eq!(block_on(log.append(&batch)).unwrap(), 0);
    assert_eq!(database.number(DIFFERENCES), 0);
    let by_name = |name: &str| {
        let filter = UsageFilter { skill: SkillFilter::Name(name.to_owned()), ..UsageFilter::default() };
        block_on(log.usage(&UsageQuery { filter, ..UsageQuery::default() })).unwrap()
    };
    for name in ["a\0b", "a\u{fffd}b", &long] {
        assert_eq!(by_name(name).summary.total_accesses, 1);
    }
    assert_eq!(by_name("skill-1").issues.timestamps, 1);
    assert_eq!(by_name("skill-1").summary.total_accesses, 0);
    assert_eq!(
        database.rows("SELECT stamp FROM skillc.access_event WHERE flaws = 3"),
        [["1970-01-01 00:00:00"]]
    );
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn rows_inserted_by_hand_are_rolled_up_too() {
    let database = ready_database();
    let row = |table: &str, id: u32, ts: &str| {
        database.run(&format!(
            "INSERT INTO skillc.{table} (ts, event_id, org_id, machine, run_id, command, skill, skill_path, cwd, args, file)
             VALUES ('{ts}', '00000000-0000-7000-8000-00000000000{id}', 'o', 'm', 'r', 'show', 's', 'p', 'c', '{{}}', 'f')"
        ));
    };
    row("access_event", 1, "2001-01-01T00:00:00Z");
    row("access_event_default", 2, "2001-01-01T00:00:00Z");
    row("access_event", 3, "now");
    assert_eq!(database.number("SELECT sum(n) FROM skillc.usage_daily"), 3);
    assert_eq!(database.number(DIFFERENCES), 0);
}
