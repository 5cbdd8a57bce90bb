//! Logs that cannot be written. `rfc_0007/logging.rs` covers a log that is a folder or garbage.

use super::promptly;
use crate::site::Site;
use rusqlite::Connection;

/// Decision 34: locked beyond the timeout.
#[test]
fn a_log_that_stays_locked_costs_the_command_nothing_but_time() {
    let site = Site::built("demo", "# Top\n\nmarmot\n");
    let log = site.runtime("demo").join(".skillc-meta/logs.db");
    let db = Connection::open(&log).unwrap();
    db.execute_batch("BEGIN IMMEDIATE; DELETE FROM access_log").unwrap();
    let searched = promptly(&site, ["search", "demo", "marmot"]).ok();
    assert!(searched.out.contains("SKILL.md#Top"));
    assert_eq!(searched.err, "");
    let fallback = site.project().join(".skillc/logs/demo/.skillc-meta/logs.db");
    let commands = |file| -> Vec<String> {
        let db = Connection::open(file).unwrap();
        let mut all = db.prepare("SELECT command FROM access_log ORDER BY id").unwrap();
        all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    assert_eq!(commands(&fallback), ["search"]);
    db.execute_batch("ROLLBACK").unwrap();
    assert_eq!(commands(&log), ["build"], "the log is as it was");
}
