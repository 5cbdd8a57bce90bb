//! RFC-0003: analytics. `contract/usage.rs` tests what every log promises.

mod command;
mod damage;
mod filters;
mod forget;
mod migration;
mod page;
mod queries;
mod reads;
mod team;

use crate::site::Site;
use rusqlite::{Connection, params};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A row as another program would add it, with the columns of every version.
struct Row<'a> {
    at: &'a str,
    command: &'a str,
    args: &'a str,
    cwd: &'a str,
    error: Option<&'a str>,
}

const ROW: Row<'_> =
    Row { at: "2026-01-10T12:00:00Z", command: "outline", args: "{}", cwd: "/work/a", error: None };

/// The log of a project skill.
fn log_of(site: &Site, skill: &str) -> PathBuf {
    site.runtime(skill).join(".skillc-meta/logs.db")
}

/// Adds rows about a skill to an existing log.
fn add(log: &Path, skill_path: &Path, rows: &[Row<'_>]) {
    let db = Connection::open(log).unwrap();
    let name = skill_path.file_name().unwrap().to_str().unwrap();
    for row in rows {
        let values = params![
            row.at,
            "run",
            row.command,
            name,
            skill_path.to_str().unwrap(),
            row.cwd,
            row.args,
            row.error
        ];
        db.execute(
            "INSERT INTO access_log(timestamp, run_id, command, skill, skill_path, cwd, args, error)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            values,
        )
        .unwrap();
    }
}

/// A skill `demo` whose log contains exactly these rows.
fn site_with(rows: &[Row<'_>]) -> Site {
    let site = Site::built("demo", "# Demo\n\nfirst\n\n## Usage\n\nsecond\n\n## Changelog\n\nthird\n");
    let db = Connection::open(log_of(&site, "demo")).unwrap();
    db.execute_batch("DELETE FROM access_log").unwrap();
    add(&log_of(&site, "demo"), &site.skill("demo"), rows);
    site
}

/// The reply of `skc stats demo` with more arguments. The event that the call itself adds is removed.
#[track_caller]
fn stats(site: &Site, further: &[&str]) -> Value {
    let reply = site.skc([&["stats", "demo", "--format", "json"], further].concat()).ok().json();
    let db = Connection::open(log_of(site, "demo")).unwrap();
    db.execute("DELETE FROM access_log WHERE command = 'stats'", []).unwrap();
    reply
}

/// The figures of one grouping.
#[track_caller]
fn data(site: &Site, grouping: &str) -> Value {
    stats(site, &["--group-by", grouping])["data"].clone()
}

/// A row of `show` on a section of a file.
fn show<'a>(args: &'a str) -> Row<'a> {
    Row { command: "show", args, ..ROW }
}

/// Rows with values for every grouping.
fn varied() -> Vec<Row<'static>> {
    let usage = r#"{"section":"Usage","file":"SKILL.md","max_lines":null}"#;
    let api = r#"{"section":"Usage","file":"api.md"}"#;
    vec![
        show(usage),
        Row { at: "2026-01-11T00:00:00Z", cwd: "/work/a/src", ..show(usage) },
        Row { at: "2026-01-12T23:59:59Z", cwd: "/work/ab", ..show(api) },
        show(r#"{"section":"Äpfel","file":"api.md"}"#),
        Row { error: Some("error[E020]: section not found: 'Nope'"), ..show(r#"{"section":"Nope"}"#) },
        Row { error: Some("error[E020]: section not found: 'Nope'"), ..show(r#"{"section":"Nope"}"#) },
        Row { command: "open", args: r#"{"path":"SKILL.md","max_lines":5}"#, ..ROW },
        Row {
            command: "open",
            args: r#"{"path":"x"}"#,
            error: Some("error[E021]: file not found: 'x'"),
            ..ROW
        },
        Row { command: "search", args: r#"{"query":"auth"}"#, ..ROW },
        Row { command: "search", args: r#"{"query":"auth"}"#, cwd: "/work/b", ..ROW },
        Row { command: "search", args: r#"{"query":"api"}"#, ..ROW },
        Row { command: "search", args: r#"{"query":"zoo"}"#, ..ROW },
        Row { command: "dream", ..ROW },
    ]
}
