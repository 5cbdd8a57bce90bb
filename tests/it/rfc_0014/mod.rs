//! RFC-0014: agents' histories. All fixtures are written by the tests, and no test reads a real home directory.

mod agents;
mod bad_input;
mod import;
mod privacy;
mod skills;
mod slim;
mod stats;
mod year;

use crate::site::{Site, put};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// The time of most records.
const AT: &str = "2026-03-04T05:06:07.000Z";

/// Lines of JSON.
fn lines(values: &[Value]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

/// Runs an import and returns the reply.
#[track_caller]
fn import(site: &Site) -> Value {
    site.skc(["history", "import", "--format", "json"]).ok().json()
}

/// The part of the reply about one agent.
#[track_caller]
fn imported(reply: &Value, agent: &str) -> Value {
    let all = reply["imported"].as_array().unwrap();
    all.iter().find(|one| one["agent"] == agent).unwrap_or_else(|| panic!("no {agent} in {reply}")).clone()
}

fn history_log(site: &Site) -> PathBuf {
    site.home().join(".skillc/history/logs.db")
}

/// The imported events in the order of the log: command, skill, file or target, lines, sections and error; `-` for
/// none.
fn events(site: &Site) -> Vec<String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let Ok(db) = Connection::open_with_flags(history_log(site), flags) else { return Vec::new() };
    let sql = "SELECT command, skill, ifnull(file, ifnull(target, '-')), args, ifnull(section, '-'), ifnull(error, '-')
               FROM access_log ORDER BY id";
    let mut statement = db.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| {
        let text = |at| row.get::<_, String>(at).unwrap();
        let args: Value = serde_json::from_str(&text(3)).unwrap();
        let lines = args.get("lines").map_or("-".to_owned(), Value::to_string);
        Ok(format!("{} {} {} {} {} {}", text(0), text(1), text(2), lines, text(4), text(5)))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

/// One column of all imported events.
fn column(site: &Site, name: &str) -> Vec<String> {
    let db = Connection::open_with_flags(history_log(site), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let sql = format!("SELECT {name} FROM access_log ORDER BY id");
    db.prepare(&sql).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Writes a skill into an agent's folder in the home directory.
fn agents_skill(site: &Site, folder: &str, name: &str) -> PathBuf {
    let skill = site.home().join(folder).join(name);
    put(&skill.join("SKILL.md"), crate::site::skill_md(name, "# Notes\n\nfirst\n"));
    put(&skill.join("references/long.md"), "intro\n\n# One\n\na\nb\n\n## Deep\n\nc\n\n# Two\n\nd\n");
    put(&skill.join("scripts/run.py"), "print(1)\n");
    for file in ["SKILL.md", "references/long.md", "scripts/run.py"] {
        age(&skill.join(file));
    }
    skill
}

/// Sets a file's modification time to before every record.
fn age(file: &std::path::Path) {
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    fs::File::options().write(true).open(file).unwrap().set_modified(old).unwrap();
}

/// A record of Claude Code with this message.
fn claude(uuid: &str, kind: &str, content: Value) -> Value {
    json!({
        "type": kind, "uuid": uuid, "sessionId": "s1", "timestamp": AT, "cwd": "/work/app", "requestId": format!("r-{uuid}"),
        "message": { "id": format!("m-{uuid}"), "role": kind, "content": content,
                     "usage": { "input_tokens": 3, "output_tokens": 4 } }
    })
}

fn tool_use(id: &str, name: &str, input: Value) -> Value {
    json!([{ "type": "tool_use", "id": id, "name": name, "input": input }])
}

fn tool_result(id: &str, content: &str, is_error: bool) -> Value {
    json!([{ "type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error }])
}

/// A read by Claude Code, and its result.
fn claude_read(uuid: &str, path: &str, lines: Option<(u32, u32)>) -> [Value; 2] {
    let mut input = json!({ "file_path": path });
    if let Some((offset, limit)) = lines {
        input["offset"] = offset.into();
        input["limit"] = limit.into();
    }
    let id = format!("t-{uuid}");
    [
        claude(uuid, "assistant", tool_use(&id, "Read", input)),
        claude(&format!("{uuid}-r"), "user", tool_result(&id, "1\tsecret text", false)),
    ]
}

fn claude_file(site: &Site, name: &str) -> PathBuf {
    site.home().join(".claude/projects/-work-app").join(format!("{name}.jsonl"))
}

/// A session of Claude Code.
fn claude_session(site: &Site, name: &str, values: &[Value]) -> PathBuf {
    let file = claude_file(site, name);
    put(&file, lines(values));
    file
}
