//! RFC-0003:C-FILTERS.

use super::{ROW, Row, add, log_of, site_with, stats, varied};
use crate::site::Site;
use rusqlite::Connection;
use serde_json::json;
use std::fs;

#[track_caller]
fn total(site: &Site, further: &[&str]) -> u64 {
    stats(site, further)["data"]["total_accesses"].as_u64().unwrap()
}

/// RFC-0003:C-FILTERS
#[test]
fn since_and_until_both_count() {
    let site = site_with(&varied());
    for (further, expected) in [
        (&["--since", "2026-01-11T00:00:00Z"][..], 2),
        (&["--since", "2026-01-11"], 2),
        (&["--until", "2026-01-11"], 12),
        (&["--since", "2026-01-11T01:00:00+01:00", "--until", "2026-01-11T00:00:00Z"], 1),
        (&["--since", "2026-01-12T23:59:59Z"], 1),
        (&["--since", "2026-01-13"], 0),
        (&["--until", "2026-01-09"], 0),
        (&["--since", "1h"], 0),
        (&["--until", "1s"], 13),
    ] {
        assert_eq!(total(&site, further), expected, "{further:?}");
    }
}

/// RFC-0003:C-FILTERS
#[test]
fn the_reply_names_its_filters() {
    let site = site_with(&varied());
    let folder = site.project().to_str().unwrap().to_owned();
    let reply =
        stats(&site, &["--since", "2026-01-11", "--until", "2026-01-12T02:00:00+02:00", "--project", "."]);
    let expected = json!({
        "since": "2026-01-11T00:00:00Z", "until": "2026-01-12T00:00:00Z", "projects": [folder],
    });
    assert_eq!(reply["filters"], expected);
}

/// RFC-0003:C-FILTERS
#[test]
fn a_project_is_a_folder_and_all_below_it() {
    let site = site_with(&varied());
    assert_eq!(total(&site, &["--project", "/work/a"]), 11, "/work/ab is another");
    assert_eq!(total(&site, &["--project", "/work/a/../b"]), 1);
    assert_eq!(total(&site, &["--project", "/work/b", "--project", "/work/ab/"]), 2);
    assert_eq!(total(&site, &["--project", "/work/a", "--project", "/work/a/src"]), 11, "nothing twice");
    assert_eq!(total(&site, &["--project", "/"]), 13);
    let odd = site.project().join("100%_a");
    fs::create_dir(&odd).unwrap();
    add(&log_of(&site, "demo"), &site.skill("demo"), &[Row { cwd: odd.to_str().unwrap(), ..ROW }]);
    assert_eq!(total(&site, &["--project", "100%_a"]), 1);
    assert_eq!(total(&site, &["--project", "1000_a"]), 0);
    std::os::unix::fs::symlink(&odd, site.project().join("link")).unwrap();
    assert_eq!(total(&site, &["--project", "link"]), 1, "links are resolved");
}

/// RFC-0003:C-FILTERS
#[test]
fn a_filter_that_cannot_be_read_is_e031() {
    let site = site_with(&[]);
    for further in [
        &["--since", "yesterday"][..],
        &["--until", "2026-02-30"],
        &["--since", ""],
        &["--until", "7"],
        &["--project", ""],
        &["--since", "2026-02-01", "--until", "2026-01-01"],
    ] {
        let line = [&["stats", "demo"], further].concat();
        let run = site.skc(&line).fails("E031");
        assert!(run.err.contains(further[0]), "{}", run.err);
    }
}

/// RFC-0003:C-FILTERS
#[test]
fn broken_rows_are_counted_apart() {
    let mut rows = varied();
    for at in ["yesterday", "", "2026-01-10 12:00:00", "2026-13-10T12:00:00Z"] {
        rows.push(Row { at, ..ROW });
    }
    for args in ["", "{", "[]", "\"x\"", "{\"section\":"] {
        rows.push(Row { command: "show", args, ..ROW });
    }
    rows.push(Row { command: "search", args: "{\"query\":7}", ..ROW });
    let site = site_with(&rows);
    for grouping in ["summary", "sections", "files", "commands", "projects", "errors", "search"] {
        let reply = stats(&site, &["--group-by", grouping]);
        assert_eq!(reply["unreadable"], json!({"timestamps": 4, "arguments": 5}), "{grouping}");
    }
    let reply = stats(&site, &[]);
    assert_eq!(reply["data"]["total_accesses"], 19);
    assert_eq!(reply["data"]["unique_sections"], 3);
    assert_eq!(reply["period"]["end"], "2026-01-12T23:59:59Z");
    let text = site.skc(["stats", "demo"]).ok().out;
    assert!(text.contains("could not be read"), "{text}");
}

/// RFC-0003:C-CLI, RFC-0003:C-SCHEMA
#[test]
fn no_log_is_an_empty_result() {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n");
    let reply = site.skc(["stats", "demo", "--format", "json"]).ok().json();
    assert_eq!(
        reply["data"],
        json!({"total_accesses": 0, "reads": 0, "unique_sections": 0, "unique_files": 0, "error_count": 0})
    );
    assert_eq!(reply["period"], json!({"start": null, "end": null}));
    fs::remove_dir_all(site.runtime("demo")).unwrap();
    let text = site.skc(["stats", "demo"]).ok().out;
    assert!(text.starts_with("demo usage statistics"), "{text}");
    let empty = site_with(&varied());
    assert_eq!(stats(&empty, &["--since", "2027-01-01"])["period"], json!({"start": null, "end": null}));
}

/// RFC-0003:C-CLI
#[test]
fn another_skill_in_the_same_log_does_not_count() {
    let site = site_with(&varied());
    add(&log_of(&site, "demo"), std::path::Path::new("/elsewhere/demo"), &varied());
    assert_eq!(total(&site, &[]), 13);
}

/// RFC-0003:C-CLI
#[test]
fn asking_changes_nothing_but_adds_its_own_event() {
    let site = site_with(&varied());
    let rows = || -> Vec<String> {
        let db = Connection::open(log_of(&site, "demo")).unwrap();
        let mut all = db.prepare("SELECT command || timestamp || args FROM access_log ORDER BY id").unwrap();
        all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let before = rows();
    site.skc(["stats", "demo", "--group-by", "errors"]).ok();
    let after = rows();
    assert_eq!(after[..before.len()], before);
    assert_eq!(after.len(), before.len() + 1);
    assert!(after.last().unwrap().starts_with("stats"));
}
