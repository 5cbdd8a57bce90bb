//! Servers that refuse, stop responding or do not exist. No message ever contains the password.

use super::cluster::{CAREFUL_USER, Cluster, PASSWORD, cluster, ready_database};
use super::{event, origin};
use crate::contract::machines::block_on;
use skillc_domain::usage::UsageQuery;
use skillc_ports::{ErrorKind, PortError, TeamStore};
use skillc_postgres::{PostgresSettings, PostgresTeamStore};
use std::error::Error;
use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

fn all_texts(error: &PortError) -> String {
    let mut texts = format!("{error} {error:?}");
    let mut next = error.source();
    while let Some(error) = next {
        texts.push_str(&format!(" {error} {error:?}"));
        next = error.source();
    }
    texts
}

fn settings(url: &str) -> PostgresSettings {
    PostgresSettings { connect_timeout: Duration::from_millis(500), ..PostgresSettings::new(url) }
}

fn refusal(settings: PostgresSettings) -> PortError {
    block_on(PostgresTeamStore::new(settings).status()).unwrap_err()
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_password_comes_from_the_url_or_beside_it_and_a_wrong_one_is_denied() {
    let database = ready_database();
    let url = database.url_of(CAREFUL_USER);
    let with = |password: &str| url.replacen("careful@", &format!("careful:{password}@"), 1);
    let right = with("correct%20horse");
    block_on(PostgresTeamStore::new(settings(&right)).status()).unwrap();
    let beside = PostgresSettings { password: Some(PASSWORD.to_owned()), ..settings(&with("sesame")) };
    block_on(PostgresTeamStore::new(beside).status()).unwrap();
    let wrong = PostgresSettings { password: Some("sesame".to_owned()), ..settings(&right) };
    for settings in
        [wrong, settings(&with("sesame")), settings(&format!("{url}&password=sesame")), settings(&url)]
    {
        let error = refusal(settings);
        assert_eq!(error.kind, ErrorKind::Denied, "{:?}", error.source);
        let texts = all_texts(&error);
        assert!(!texts.contains("sesame") && !texts.contains("horse"), "{texts}");
    }
}

#[test]
fn no_text_tells_a_password_whatever_is_wrong_with_the_address() {
    for url in [
        "postgres://u:sesame@",
        "postgres://u:sesame@h:x/d",
        "postgres://u:se/same@h/d",
        "postgres://u:12/sesame@h/d",
        "postgres://u:12#sesame@h/d",
        "postgres://u:12?sesame@h/d",
        "postgres//u:sesame@h/d",
        "sesame",
        "mysql://u:sesame@h/d",
        "postgres://u:sesame@h/d?sslmode=sesame",
        "postgres://u@h/d?port=sesame",
        "postgres://u:sesame@127.0.0.1:1/d",
        "postgres://u@127.0.0.1:1/d?password=sesame",
        "postgres://u:%73esame@/d?host=/nowhere",
        "postgres://u:sesame@localhost:1/d?sslmode=verify-full&sslrootcert=/nowhere",
    ] {
        let store = PostgresTeamStore::new(settings(url));
        let error = block_on(store.status()).unwrap_err();
        let texts = format!("{} {}", all_texts(&error), store.address());
        assert!(!texts.contains("same"), "{url}: {texts}");
        assert!(matches!(error.kind, ErrorKind::Invalid | ErrorKind::Unreachable), "{url}: {error:?}");
    }
}

#[test]
fn a_server_that_does_not_listen_is_reported_at_once() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let begun = Instant::now();
    let error = refusal(PostgresSettings::new(format!("postgres://u@127.0.0.1:{port}/d")));
    assert_eq!(error.kind, ErrorKind::Unreachable);
    assert!(begun.elapsed() < Duration::from_secs(2), "it took {:?}", begun.elapsed());
}

#[test]
fn a_silent_server_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    assert_eq!(refusal(settings(&format!("postgres://u@127.0.0.1:{port}/d"))).kind, ErrorKind::Unreachable);
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_server_that_falls_is_unreachable_and_served_again_when_it_is_back() {
    let server = Cluster::start("synchronous_commit = on");
    let database = server.database("template1");
    let store = PostgresTeamStore::new(settings(&database.url));
    block_on(store.init()).unwrap();
    let log = store.log(&origin("a"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(log.append(&[event(1)])).unwrap();
    server.stop();
    for _ in 0..2 {
        assert_eq!(runtime.block_on(log.append(&[event(2)])).unwrap_err().kind, ErrorKind::Unreachable);
    }
    assert_eq!(runtime.block_on(log.usage(&UsageQuery::default())).unwrap_err().kind, ErrorKind::Unreachable);
    server.start_again();
    assert_eq!(runtime.block_on(log.append(&[event(1), event(2)])).unwrap(), 1);
}

/// A stopped server process keeps its connection open and never answers.
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_server_that_falls_silent_is_not_waited_for_without_end() {
    let database = ready_database();
    let hasty = PostgresSettings { statement_timeout: Duration::from_millis(500), ..settings(&database.url) };
    let store = PostgresTeamStore::new(hasty);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(store.status()).unwrap();
    let pid = database.number(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'skc'",
    );
    let signal = |name: &str| Command::new("kill").args([name, &pid.to_string()]).status().unwrap();
    signal("-STOP");
    let begun = Instant::now();
    let error = runtime.block_on(store.status()).unwrap_err();
    signal("-CONT");
    assert_eq!(error.kind, ErrorKind::Unreachable, "{error:?}");
    assert!(begun.elapsed() < Duration::from_secs(10));
    runtime.block_on(store.status()).unwrap();
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_connection_that_the_server_has_ended_is_opened_again() {
    let database = ready_database();
    let store = database.store();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(store.status()).unwrap();
    database.run(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'skc'
        AND datname = current_database()",
    );
    runtime.block_on(store.status()).unwrap();
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_statement_that_takes_too_long_is_stopped_by_the_server() {
    let database = ready_database();
    database.run("CREATE FUNCTION skillc.slow() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_catalog.pg_sleep(60); RETURN NEW; END $$;
        CREATE TRIGGER slow BEFORE INSERT ON skillc.access_event_default FOR EACH ROW EXECUTE FUNCTION skillc.slow()");
    let hasty = PostgresSettings {
        statement_timeout: Duration::from_millis(200),
        ..PostgresSettings::new(&database.url)
    };
    let log = PostgresTeamStore::new(hasty).log(&origin("a"));
    let old = skillc_domain::event::AccessEvent { timestamp: "2001-01-01T00:00:00Z".into(), ..event(1) };
    assert_eq!(block_on(log.append(&[old])).unwrap_err().kind, ErrorKind::Busy);
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn an_address_is_shown_without_user_and_options() {
    let store = PostgresTeamStore::new(PostgresSettings::new(cluster().url("ready")));
    assert!(store.address().starts_with("/tmp/skcpg") && store.address().ends_with("/ready"));
}
