//! What each role may do.

use super::cluster::{Database, ready_database};
use super::{event, origin};
use crate::contract::machines::block_on;
use skillc_domain::team::TeamCatalogEntry;
use skillc_domain::usage::UsageQuery;
use skillc_ports::{ErrorKind, TeamStore};

fn entry() -> TeamCatalogEntry {
    TeamCatalogEntry {
        skill: "s".to_owned(),
        name: "s".to_owned(),
        description: "d".to_owned(),
        digest: "0".repeat(64),
        headings: Vec::new(),
    }
}

/// RFC-0003:C-TEAM
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_writer_adds_and_reads_and_can_do_nothing_else() {
    let database = ready_database();
    let store = database.store_of("writer");
    let log = store.log(&origin("a"));
    assert_eq!(block_on(log.append(&[event(1), event(2)])).unwrap(), 2);
    assert!(block_on(store.publish(&origin("a"), &entry())).unwrap());
    assert_eq!(block_on(log.usage(&UsageQuery::default())).unwrap().summary.total_accesses, 2);
    let status = block_on(store.status()).unwrap();
    assert!(status.may_write && !status.may_init && status.events == 2);
    assert_eq!(block_on(store.init()).unwrap_err().kind, ErrorKind::Denied);
    let as_writer = Database { url: database.url_of("writer") };
    for table in
        ["access_event", "access_event_default", "catalogue_version", "usage_daily", "section_daily", "store"]
    {
        for sql in [
            format!("UPDATE skillc.{table} SET {} = {0}", column(table)),
            format!("DELETE FROM skillc.{table}"),
            format!("TRUNCATE skillc.{table}"),
            format!("DROP TABLE skillc.{table}"),
            format!("ALTER TABLE skillc.{table} DISABLE TRIGGER ALL"),
        ] {
            refused(&as_writer, &sql);
        }
    }
    for sql in [
        "INSERT INTO skillc.usage_daily SELECT * FROM skillc.usage_daily",
        "INSERT INTO skillc.section_daily SELECT * FROM skillc.section_daily",
        "INSERT INTO skillc.store DEFAULT VALUES",
        "INSERT INTO skillc.migration SELECT * FROM skillc.migration",
        "SELECT skillc.place_events(now())",
        "CREATE TABLE skillc.mine (x int)",
        "CREATE TEMP TABLE added AS SELECT * FROM skillc.access_event;
         CREATE TRIGGER forged AFTER INSERT ON added REFERENCING NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION skillc.count_added()",
    ] {
        refused(&as_writer, sql);
    }
    assert_eq!(database.number(super::DIFFERENCES), 0);
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_reader_reads_and_adds_nothing() {
    let database = ready_database();
    let store = database.store_of("reader");
    assert_eq!(block_on(store.log(&origin("a")).append(&[event(1)])).unwrap_err().kind, ErrorKind::Denied);
    assert_eq!(block_on(store.publish(&origin("a"), &entry())).unwrap_err().kind, ErrorKind::Denied);
    block_on(store.log(&origin("a")).usage(&UsageQuery::default())).unwrap();
    let status = block_on(store.status()).unwrap();
    assert!(!status.may_write && !status.may_init);
}

fn column(table: &str) -> &'static str {
    match table {
        "store" => "store",
        _ => {
            if table.starts_with("usage") || table.starts_with("section") {
                "n"
            } else {
                "org_id"
            }
        }
    }
}

fn refused(database: &Database, sql: &str) {
    let error = database.try_run(sql).expect_err(sql);
    let code = error.as_database_error().and_then(|e| e.code()).map(|code| code.into_owned());
    assert_eq!(code.as_deref(), Some("42501"), "{sql}: {error}");
}
