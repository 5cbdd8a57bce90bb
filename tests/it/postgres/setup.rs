//! `init` and `status`.

use super::cluster::{Cluster, cluster, empty_database, ready_database};
use super::{event, origin};
use crate::contract::machines::block_on;
use skillc_domain::usage::UsageQuery;
use skillc_ports::{ErrorKind, TeamStore};
use std::collections::BTreeSet;
use std::thread;

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn before_init_nothing_is_there_and_everything_says_so() {
    let store = empty_database().store();
    let (log, e) = (store.log(&origin("a")), event(1));
    assert_eq!(block_on(store.status()).unwrap_err().kind, ErrorKind::NotReady);
    assert_eq!(block_on(log.append(&[e])).unwrap_err().kind, ErrorKind::NotReady);
    assert_eq!(block_on(log.usage(&UsageQuery::default())).unwrap_err().kind, ErrorKind::NotReady);
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn init_may_be_repeated_and_keeps_all() {
    let store = empty_database().store();
    let first = block_on(store.init()).unwrap();
    assert_eq!((first.schema, first.schema_known, first.events), (4, 4, 0));
    assert!(first.may_write && first.may_init && first.encryption.is_empty());
    assert_eq!(block_on(store.log(&origin("a")).append(&[event(1)])).unwrap(), 1);
    let again = block_on(store.init()).unwrap();
    assert_eq!((&again.store, again.events), (&first.store, 1));
    assert_eq!(block_on(store.status()).unwrap(), again);
    assert!(again.server_version.bytes().all(|b| b.is_ascii_digit() || b == b'.'), "{again:?}");
    let months: (String, String) = again.months.unwrap();
    assert!(months.0 < months.1 && months.0.len() == 7, "{months:?}");
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn several_may_init_at_once() {
    let database = empty_database();
    let ids: BTreeSet<String> = thread::scope(|scope| {
        let init = || block_on(database.store().init()).unwrap().store;
        let all: Vec<_> = (0..8).map(|_| scope.spawn(init)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 1);
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn tables_of_another_version_are_distinguished_from_missing_ones() {
    let database = ready_database();
    let newer = "INSERT INTO skillc.migration (version, description, success, checksum, execution_time)
                 VALUES (5, 'later', true, '', 0)";
    database.run(newer);
    let store = database.store();
    for error in [
        block_on(store.status()).unwrap_err(),
        block_on(store.init()).unwrap_err(),
        block_on(store.log(&origin("a")).append(&[event(1)])).unwrap_err(),
    ] {
        assert_eq!(error.kind, ErrorKind::Newer, "{error} {:?}", error.source);
    }
    database.run("DELETE FROM skillc.migration WHERE version > 2");
    assert_eq!(block_on(store.status()).unwrap_err().kind, ErrorKind::NotReady);
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_database_of_another_encoding_is_refused() {
    let main = super::cluster::Database { url: cluster().url("postgres") };
    main.run("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    let latin = super::cluster::Database { url: cluster().url("latin") };
    let error = block_on(latin.store().init()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Failed);
    assert!(error.source.unwrap().to_string().contains("'LATIN1'"));
}

/// The owner of a schema who may neither make schemas nor roles.
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn an_owner_without_other_rights_gets_a_working_store() {
    let cluster = Cluster::start("");
    let database = cluster.database("template1");
    database
        .run("CREATE ROLE plain LOGIN; CREATE ROLE other LOGIN; CREATE SCHEMA skillc AUTHORIZATION plain");
    let store = database.store_of("plain");
    let status = block_on(store.init()).unwrap();
    assert!(status.may_write && status.may_init);
    assert_eq!(block_on(store.log(&origin("a")).append(&[event(1)])).unwrap(), 1);
    assert_eq!(database.number("SELECT count(*) FROM pg_roles WHERE rolname LIKE 'skillc%'"), 0);
    assert_eq!(block_on(database.store_of("other").status()).unwrap_err().kind, ErrorKind::Denied);
    assert_eq!(block_on(database.store_of("other").init()).unwrap_err().kind, ErrorKind::Denied);
}
