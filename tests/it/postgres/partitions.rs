//! Each month has its own partition, even if its events came before the partition existed.

use super::cluster::ready_database;
use super::{DIFFERENCES, event, origin};
use crate::contract::machines::block_on;
use skillc_domain::event::AccessEvent;
use skillc_domain::usage::UsageQuery;
use skillc_ports::TeamStore;
use std::thread;

const ROLLUPS: &str = "SELECT md5(string_agg(u::text, '|' ORDER BY u::text)) FROM (
    SELECT u::text AS u FROM skillc.usage_daily AS u UNION ALL SELECT s::text FROM skillc.section_daily AS s) AS u";

fn of_2001(number: u64) -> AccessEvent {
    AccessEvent {
        timestamp: format!("2001-0{}-28T00:00:00Z", number % 9 + 1).as_str().into(),
        ..event(number)
    }
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn events_of_a_far_month_wait_in_the_default_partition_until_init_moves_them() {
    let database = ready_database();
    let store = database.store();
    let log = store.log(&origin("a"));
    let batch: Vec<_> = (0..100).map(of_2001).collect();
    assert_eq!(block_on(log.append(&batch)).unwrap(), 100);
    assert_eq!(block_on(store.status()).unwrap().events_unplaced, 100);
    let (rollups, usage) = (database.rows(ROLLUPS), block_on(log.usage(&UsageQuery::default())).unwrap());
    let status = block_on(store.init()).unwrap();
    assert_eq!((status.events_unplaced, status.events), (0, 100));
    assert_eq!(status.months.unwrap().0, "2001-01");
    assert_eq!(database.number("SELECT count(*) FROM skillc.access_event_2001_05"), 11);
    assert_eq!(database.rows(ROLLUPS), rollups);
    assert_eq!(block_on(log.usage(&UsageQuery::default())).unwrap(), usage);
    assert_eq!(block_on(log.append(&batch)).unwrap(), 0, "they are known where they are now");
    assert_eq!(block_on(log.append(&[of_2001(1000)])).unwrap(), 1);
    assert_eq!(block_on(store.status()).unwrap().events_unplaced, 0);
    assert_eq!(database.number(DIFFERENCES), 0);
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn events_may_come_while_others_are_moved() {
    let database = ready_database();
    thread::scope(|scope| {
        for machine in ["a", "b", "c"] {
            let database = &database;
            scope.spawn(move || {
                let log = database.store().log(&origin(machine));
                for batch in 0..30 {
                    let machine = u64::from(machine.as_bytes()[0]);
                    let events: Vec<_> =
                        (0..20).map(|n| of_2001(machine * 100_000 + batch * 20 + n)).collect();
                    assert_eq!(block_on(log.append(&events)).unwrap(), 20);
                }
            });
        }
        for _ in 0..10 {
            block_on(database.store().init()).unwrap();
        }
    });
    assert_eq!(block_on(database.store().init()).unwrap().events, 1_800);
    assert_eq!(database.number("SELECT count(*) FROM skillc.access_event"), 1_800);
    assert_eq!(database.number(DIFFERENCES), 0);
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn the_writers_rights_hold_for_partitions_made_later() {
    let database = ready_database();
    let log = database.store_of("writer").log(&origin("a"));
    block_on(log.append(&[of_2001(1)])).unwrap();
    block_on(database.store().init()).unwrap();
    assert_eq!(block_on(log.append(&[of_2001(1), of_2001(10)])).unwrap(), 1);
    assert_eq!(block_on(log.usage(&UsageQuery::default())).unwrap().summary.total_accesses, 2);
}
