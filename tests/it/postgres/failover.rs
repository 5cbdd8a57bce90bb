//! A second server follows the first and takes its place when that is killed.

use super::cluster::{Cluster, Database};
use super::{DIFFERENCES, event, origin};
use crate::contract::machines::block_on;
use skillc_domain::event::AccessEvent;
use skillc_ports::{ErrorKind, TeamStore};
use skillc_postgres::{PostgresSettings, PostgresTeamStore};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// A commit waits until the follower has it too, so that no confirmed event is lost with the first server.
const FOLLOWED: &str = "wal_level = replica\nsynchronous_commit = on";

fn allow_followers(data: &Path) {
    let mut access = OpenOptions::new().append(true).open(data.join("pg_hba.conf")).unwrap();
    access.write_all(b"host replication all 127.0.0.1/32 trust\n").unwrap();
}

fn batch(number: u64) -> Vec<AccessEvent> {
    (0..100).map(|n| event(number * 100 + n)).collect()
}

/// RFC-0003:C-TEAM.
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_follower_that_takes_over_has_every_confirmed_event_and_takes_the_rest() {
    let first = Cluster::start_with_network(FOLLOWED, allow_followers);
    let name = "team";
    Database { url: first.url("postgres") }.run(&format!("CREATE DATABASE {name}"));
    let address = format!("postgres://postgres@127.0.0.1:{}/{name}", first.port());
    let database = Database { url: address.clone() };
    block_on(database.store().init()).unwrap();
    let mut second = first.start_standby();
    // From here on the first server confirms only what the second has.
    let main = Database { url: first.url("postgres") };
    main.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
    main.run("SELECT pg_reload_conf()");
    let log = database.store().log(&origin("a"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let is_sync = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
    while main.number(is_sync) == 0 {}
    let confirmed: u64 = (0..20).map(|number| runtime.block_on(log.append(&batch(number))).unwrap()).sum();
    assert_eq!(confirmed, 2_000);

    let follower = Database { url: second.url(name) };
    let refused = block_on(follower.store().log(&origin("a")).append(&batch(20))).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Denied, "a follower takes no events: {:?}", refused.source);
    first.kill_all(&main.rows("SELECT pid FROM pg_stat_activity"));
    let lost = runtime.block_on(log.append(&batch(20))).unwrap_err();
    assert_eq!(lost.kind, ErrorKind::Unreachable, "{:?}", lost.source);
    second.take_over(first.port());

    // The same address, the same client.
    assert_eq!(database.number("SELECT count(*) FROM skillc.access_event"), confirmed);
    let new: u64 = (0..25).map(|number| runtime.block_on(log.append(&batch(number))).unwrap()).sum();
    assert_eq!(new, 500, "what was confirmed is known");
    assert_eq!(database.number("SELECT sum(n) FROM skillc.usage_daily"), 2_500);
    assert_eq!(database.number(DIFFERENCES), 0);
    assert_eq!(
        block_on(database.store().init()).unwrap().events,
        2_500,
        "the new server is set up like the first"
    );
}

/// RFC-0009:C-TEAM.
#[test]
fn an_address_of_several_servers_is_refused() {
    for url in
        ["postgres://u@a,b/d", "postgres://u@a:1,b:2/d", "postgres:///d?host=a,b", "postgres://u@/d?port=1,2"]
    {
        let error = block_on(PostgresTeamStore::new(PostgresSettings::new(url)).status()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Invalid, "{url}: {:?}", error.source);
    }
}
