//! Servers that are killed, have no free connection or no space while events come: what a client was told is kept,
//! and sending everything again completes the rest.

use super::cluster::{Cluster, Database};
use super::{DIFFERENCES, event, origin};
use crate::contract::machines::block_on;
use crate::random::number;
use skillc_domain::event::AccessEvent;
use skillc_ports::{ErrorKind, TeamStore};
use std::sync::{RwLock, mpsc};
use std::thread;

/// Clients at once, each a machine of its own.
const CLIENTS: u64 = 4;

/// The write-ahead log is flushed before a client gets its confirmation, unlike with the settings of other tests.
const SAFE: &str = "synchronous_commit = on\nfull_page_writes = on";

fn batch(machine: u64, number: u64) -> Vec<AccessEvent> {
    (0..50).map(|n| event(machine * 1_000_000 + number * 50 + n)).collect()
}

/// Fails unless the store has this number of events, each counted once.
fn holds(database: &Database, events: u64) {
    assert_eq!(database.number("SELECT count(*) FROM skillc.access_event"), events);
    assert_eq!(database.number("SELECT coalesce(sum(n), 0) FROM skillc.usage_daily"), events);
    assert_eq!(database.number(DIFFERENCES), 0);
}

/// A database with our tables in a new server.
fn set_up(server: &Cluster) -> Database {
    let database = server.database("template1");
    block_on(database.store().init()).unwrap();
    database
}

/// `SKC_SERVER_KILLS` sets how often (4). Every second time only one connection's process is killed, after which the
/// server recovers by itself. RFC-0003:C-TEAM.
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_server_that_is_killed_while_events_come_loses_none_and_counts_none_twice() {
    let server = Cluster::start(SAFE);
    let database = set_up(&server);
    let (kills, between) = (number("SKC_SERVER_KILLS", 4), 6);
    let batches = (kills + 1) * between;
    // Held by the thread that kills until the server answers again, so that no other one tries in vain.
    let is_up = RwLock::new(());
    let (sent, done) = mpsc::channel();
    thread::scope(|scope| {
        for machine in 0..CLIENTS {
            let (database, is_up, sent) = (&database, &is_up, sent.clone());
            scope.spawn(move || {
                let log = database.store().log(&origin(&format!("m{machine}")));
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                for number in 0..batches {
                    while let Err(error) = runtime.block_on(log.append(&batch(machine, number))) {
                        assert_eq!(error.kind, ErrorKind::Unreachable, "{error} {:?}", error.source);
                        drop(is_up.read().unwrap());
                    }
                    sent.send(()).unwrap();
                }
            });
        }
        drop(sent);
        for kill in 0..kills {
            done.iter().take((CLIENTS * between) as usize).for_each(drop);
            let _down = is_up.write().unwrap();
            match kill % 2 {
                0 => kill_server(&server),
                _ => kill_connection(&server, &database),
            }
        }
    });
    holds(&database, CLIENTS * batches * 50);
    println!("{kills} kills, {} events", CLIENTS * batches * 50);
}

fn kill_server(server: &Cluster) {
    server.kill();
    server.revive();
}

fn kill_connection(server: &Cluster, database: &Database) {
    let pids = database.rows("SELECT pid FROM pg_stat_activity WHERE application_name = 'skc'");
    let Some(pid) = pids.first() else { return };
    server.kill_process(pid[0].parse().unwrap());
    while database.try_run("SELECT 1").is_err() {}
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_server_without_a_free_connection_is_busy_and_takes_all_later() {
    let server =
        Cluster::start("max_connections = 4\nsuperuser_reserved_connections = 0\nmax_wal_senders = 0");
    let database = set_up(&server);
    let refused = thread::scope(|scope| {
        let client = |machine: u64| {
            let mut refused = 0;
            for number in 0..5 {
                // As commands do, each with a connection of its own.
                while let Err(error) = block_on(
                    database.store().log(&origin(&format!("m{machine}"))).append(&batch(machine, number)),
                ) {
                    assert_eq!(error.kind, ErrorKind::Busy, "{error} {:?}", error.source);
                    refused += 1;
                }
            }
            refused
        };
        let all: Vec<_> = (0..12).map(|machine| scope.spawn(move || client(machine))).collect();
        all.into_iter().map(|one| one.join().unwrap()).sum::<u32>()
    });
    assert_ne!(refused, 0, "12 clients never met at 4 connections");
    // Connections end a moment after their clients.
    while database.try_run("SELECT 1").is_err() {}
    holds(&database, 12 * 5 * 50);
}

/// Mounting a small disk needs root. RFC-0003:C-TEAM.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_server_without_space_says_so_keeps_what_it_has_and_takes_the_rest_later() {
    if !rustix::process::geteuid().is_root() {
        return eprintln!("NOT CHECKED: a small disk cannot be mounted here");
    }
    let server = Cluster::start_with_small_disk(40, SAFE);
    let main = Database { url: server.url("postgres") };
    let small = server.data().parent().unwrap().join("small");
    main.run(&format!("CREATE TABLESPACE small LOCATION '{}'", small.display()));
    main.run("CREATE DATABASE tiny TEMPLATE template1 TABLESPACE small");
    let database = Database { url: server.url("tiny") };
    block_on(database.store().init()).unwrap();
    let log = database.store().log(&origin("a"));
    let batch = |number: u64| (0..2_000).map(|n| event(number * 2_000 + n)).collect::<Vec<_>>();
    let refused = (0..100).find_map(|number| {
        let error = block_on(log.append(&batch(number))).err()?;
        Some((number, error))
    });
    let (full, error) = refused.expect("200,000 events do not fit");
    assert_eq!(error.kind, ErrorKind::DiskFull, "{error} {:?}", error.source);
    assert_eq!(database.number("SELECT count(*) FROM skillc.access_event"), full * 2_000);
    server.resize_small_disk(200);
    holds(&database, full * 2_000);
    for number in 0..full + 5 {
        let new = if number < full { 0 } else { 2_000 };
        assert_eq!(block_on(log.append(&batch(number))).unwrap(), new);
    }
    holds(&database, (full + 5) * 2_000);
}
