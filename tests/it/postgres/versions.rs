//! Tables of every older version of the schema are refused, and brought up to date by `init` with what is in them.

use super::cluster::{Database, empty_database, ready_database};
use super::{DIFFERENCES, event, origin};
use crate::contract::machines::block_on;
use skillc_ports::{ErrorKind, TeamStore};

/// The statements of each version; a released one never changes.
const STEPS: [&str; 4] = [
    include_str!("../../../adapters/postgres/migrations/0001_events.sql"),
    include_str!("../../../adapters/postgres/migrations/0002_rollups.sql"),
    include_str!("../../../adapters/postgres/migrations/0003_catalogue.sql"),
    include_str!("../../../adapters/postgres/migrations/0004_search.sql"),
];

/// A database as the program of an older version left it.
fn of_version(version: usize) -> Database {
    let list = "SELECT format('(%L, %L, %L, %L::bytea, %s)', version, description, success, checksum, execution_time)
                FROM skillc.migration ORDER BY version";
    let done: Vec<String> = ready_database().rows(list).into_iter().map(|row| row[0].clone()).collect();
    let database = empty_database();
    database.run("CREATE SCHEMA skillc; CREATE TABLE skillc.migration (version bigint PRIMARY KEY, description text NOT NULL,
        installed_on timestamptz NOT NULL DEFAULT now(), success boolean NOT NULL, checksum bytea NOT NULL,
        execution_time bigint NOT NULL)");
    for (sql, row) in STEPS.iter().zip(done).take(version) {
        database.run(sql);
        database.run(&format!(
            "INSERT INTO skillc.migration (version, description, success, checksum, execution_time) VALUES {row}"
        ));
    }
    database
}

/// Rows as an older program sent them.
const ROWS: &str = "
    INSERT INTO skillc.access_event (ts, event_id, org_id, machine, run_id, command, skill, skill_path, cwd, args, file)
    SELECT timestamptz '2026-01-31' - n * interval '9 hours', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
        'acme', 'old', 'r', 'show', 's' || n % 3, 'p', 'c', '{}', CASE WHEN n % 2 = 0 THEN 'f' END
    FROM generate_series(1, 300) AS n";

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn tables_of_each_older_version_are_refused_and_then_updated_with_what_they_hold() {
    // The first two came together: no program left tables without the counts of the second.
    for version in 2..STEPS.len() {
        let database = of_version(version);
        database.run(ROWS);
        let store = database.store();
        let log = store.log(&origin("new"));
        for error in [block_on(store.status()).unwrap_err(), block_on(log.append(&[event(1)])).unwrap_err()] {
            assert_eq!(error.kind, ErrorKind::NotReady, "version {version}: {:?}", error.source);
        }
        let status = block_on(store.init()).unwrap();
        assert_eq!((status.schema, status.events), (4, 300), "version {version}");
        assert_eq!(block_on(log.append(&[event(1)])).unwrap(), 1, "version {version}");
        assert_eq!(database.number("SELECT sum(n) FROM skillc.usage_daily"), 301, "version {version}");
        assert_eq!(database.number(DIFFERENCES), 0, "version {version}");
    }
}
