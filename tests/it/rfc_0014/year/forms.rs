//! Writes the planned year in the file formats of the agents.

use super::plan::{Agent, Event, SKILLS, Session, Step};
use super::truth::{listing_line, tokens};
use crate::rfc_0014::lines;
use crate::site::put;
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use skillc_domain::time::Timestamp;
use std::fs;
use std::path::Path;

/// The path of a skill's file.
fn file(home: &str, skill: usize, rest: &str) -> String {
    format!("{home}/.agents/skills/{}/{rest}", SKILLS[skill])
}

fn time(step: &Step) -> String {
    Timestamp::of(step.at_ms * 1_000_000).to_string().replace('Z', ".000Z")
}

/// The shell command and the exit status of a step that is a command.
fn command(event: Event, home: &str) -> Option<(String, i32)> {
    match event {
        Event::ReadByShell(skill, first, last) => {
            Some((format!("sed -n '{first},{last}p' {}", file(home, skill, "references/long.md")), 0))
        }
        Event::Ran(skill, status) => Some((format!("bash {}", file(home, skill, "scripts/run.sh")), status)),
        _ => None,
    }
}

/// Writes all histories below a home.
pub fn write(home: &Path, year: &[Session]) {
    let text = home.to_str().unwrap();
    for session in year {
        match session.agent {
            Agent::Claude => claude_files(home, text, session),
            Agent::Codex => codex_files(home, text, session),
            Agent::Copilot => copilot_files(home, text, session),
            Agent::Gemini => gemini_files(home, text, session),
            Agent::OpenCode => {}
        }
    }
    opencode_database(home, text, year);
}

fn claude_files(home: &Path, text: &str, session: &Session) {
    let folder = home.join(".claude/projects").join(session.cwd.replace('/', "-"));
    let records: Vec<Value> =
        session.steps.iter().flat_map(|step| claude(text, session, &session.id, step)).collect();
    put(&folder.join(format!("{}.jsonl", session.id)), lines(&records));
    if session.is_copied {
        put(&folder.join(format!("{}-copy.jsonl", session.id)), lines(&records));
    }
    if let Some((id, steps)) = &session.continuation {
        let more: Vec<Value> = steps.iter().flat_map(|step| claude(text, session, id, step)).collect();
        put(&folder.join(format!("{id}.jsonl")), lines(&records) + &lines(&more));
    }
}

fn claude(home: &str, session: &Session, id: &str, step: &Step) -> Vec<Value> {
    let number = step.number;
    let record = |part: &str, kind: &str| json!({ "type": kind, "uuid": format!("{number}-{part}"), "sessionId": id, "timestamp": time(step), "cwd": session.cwd });
    let message = |part: &str, kind: &str, content: Value| {
        let mut record = record(part, kind);
        let [input, output, read, written] = tokens(step);
        record["requestId"] = format!("req-{number}").into();
        record["message"] = json!({ "id": format!("msg-{number}"), "role": kind, "model": "claude-opus-5", "content": content });
        if kind == "assistant" {
            record["message"]["usage"] = json!({ "input_tokens": input, "output_tokens": output,
                "cache_read_input_tokens": read, "cache_creation_input_tokens": written });
        }
        record
    };
    let attachment = |kind: &str, key: &str, value: Value| {
        let mut record = record("a", "attachment");
        record["attachment"] = json!({ "type": kind, key: value });
        record
    };
    // A message has one line per block, and each line repeats the token counts.
    let call = |tool: &str, input: Value, result: &str, is_error: bool| {
        let tool_id = format!("toolu-{number}");
        vec![
            message("t", "assistant", json!([{ "type": "text", "text": "I look into the skill." }])),
            message(
                "c",
                "assistant",
                json!([{ "type": "tool_use", "id": tool_id, "name": tool, "input": input }]),
            ),
            message(
                "r",
                "user",
                json!([{ "type": "tool_result", "tool_use_id": tool_id, "content": result, "is_error": is_error }]),
            ),
        ]
    };
    let body = |skill: usize, tool: Option<String>| {
        let text = format!(
            "Base directory for this skill: {}\n\n# Text",
            file(home, skill, "").trim_end_matches('/')
        );
        let mut record = message("b", "user", json!([{ "type": "text", "text": text }]));
        record["isMeta"] = true.into();
        record["sourceToolUseID"] = tool.into();
        record
    };
    match step.event {
        Event::Offered => {
            let list = SKILLS.map(|skill| listing_line(Agent::Claude, skill, home)).join("\n");
            let mut offer = attachment("skill_listing", "content", list.into());
            offer["attachment"]["names"] = json!(SKILLS);
            vec![offer]
        }
        Event::Chosen(skill) => {
            let mut records = call("Skill", json!({ "skill": SKILLS[skill] }), "Launching skill", false);
            records.push(body(skill, Some(format!("toolu-{number}"))));
            records
        }
        Event::Requested(skill) => {
            let name = SKILLS[skill];
            let typed =
                format!("<command-message>{name}</command-message>\n<command-name>/{name}</command-name>");
            vec![message("u", "user", typed.into()), body(skill, None)]
        }
        Event::ReadWhole(skill) => {
            call("Read", json!({ "file_path": file(home, skill, "SKILL.md") }), "1\tx", false)
        }
        Event::ReadLines(skill, first, last) => call(
            "Read",
            json!({ "file_path": file(home, skill, "references/long.md"), "offset": first, "limit": last - first + 1 }),
            "1\tx",
            false,
        ),
        Event::FailedRead(skill) => call(
            "Read",
            json!({ "file_path": file(home, skill, "missing.md") }),
            "File does not exist.",
            true,
        ),
        Event::Searched(skill) => {
            call("Grep", json!({ "pattern": "x", "path": file(home, skill, "") }), "1", false)
        }
        Event::FailedLoad => call("Skill", json!({ "skill": "none" }), "Unknown skill: none", true),
        Event::ReadByShell(..) | Event::Ran(..) => {
            let (line, status) = command(step.event, home).unwrap();
            let said = if status == 0 { "done".to_owned() } else { format!("Exit code {status}\nboom") };
            call("Bash", json!({ "command": line }), &said, status != 0)
        }
        Event::Talk => vec![message("t", "user", "Please run the skill ask, /ask, SKILL.md.".into())],
        Event::Compaction => {
            let mut boundary = record("c", "system");
            boundary["subtype"] = "compact_boundary".into();
            let known = json!([{ "name": SKILLS[0], "path": "userSettings:ask", "content": "# Text" }]);
            vec![boundary, attachment("invoked_skills", "skills", known)]
        }
    }
}

fn codex_files(home: &Path, text: &str, session: &Session) {
    let folder = home.join(".codex/sessions/2026/01/01");
    let meta = |id: &str| {
        let meta = json!({ "id": id, "session_id": session.id, "cwd": session.cwd });
        json!({ "timestamp": time(&session.steps[0]), "type": "session_meta", "payload": meta })
    };
    let mut records = vec![meta(&session.id)];
    records.extend(session.steps.iter().flat_map(|step| codex(text, step)));
    put(&folder.join(format!("rollout-{}.jsonl", session.id)), lines(&records));
    if session.is_copied {
        put(
            &home.join(".codex/archived_sessions").join(format!("rollout-{}.jsonl", session.id)),
            lines(&records),
        );
    }
    if let Some((id, steps)) = &session.continuation {
        let fork =
            vec![meta(id)].into_iter().chain(records).chain(steps.iter().flat_map(|step| codex(text, step)));
        put(&folder.join(format!("rollout-{}_{id}.jsonl", session.id)), lines(&fork.collect::<Vec<_>>()));
    }
}

fn codex(home: &str, step: &Step) -> Vec<Value> {
    let item =
        |payload: Value| json!({ "timestamp": time(step), "type": "response_item", "payload": payload });
    let message = |role: &str, text: String| {
        item(json!({ "type": "message", "role": role, "content": [{ "type": "input_text", "text": text }] }))
    };
    let call = |line: String, status: i32| {
        let id = format!("call_{}", step.number);
        let arguments = json!({ "cmd": line }).to_string();
        let output = format!("Chunk ID: 1\nWall time: 1\nProcess exited with code {status}\nOutput:\nx");
        let [input, received, read, written] = tokens(step);
        let usage = json!({ "input_tokens": input + read + written, "cached_input_tokens": read,
            "cache_write_input_tokens": written, "output_tokens": received });
        let info = json!({ "total_token_usage": { "total_tokens": step.number }, "last_token_usage": usage });
        let count = json!({ "timestamp": time(step), "type": "event_msg", "payload": { "type": "token_count", "info": info } });
        vec![
            item(
                json!({ "type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": id }),
            ),
            count.clone(),
            item(json!({ "type": "function_call_output", "call_id": id, "output": output })),
            // The record is repeated when the account's limits change.
            count,
        ]
    };
    match step.event {
        Event::Offered => {
            let list = SKILLS.map(|skill| listing_line(Agent::Codex, skill, home)).join("\n");
            vec![message("developer", format!("<skills_instructions>\n{list}\n</skills_instructions>"))]
        }
        Event::Requested(skill) => vec![message(
            "user",
            format!(
                "<skill>\n<name>{}</name>\n<path>{}</path>\n# Text\n</skill>",
                SKILLS[skill],
                file(home, skill, "SKILL.md")
            ),
        )],
        Event::ReadWhole(skill) => call(format!("cat {}", file(home, skill, "SKILL.md")), 0),
        Event::ReadLines(skill, first, last) => {
            codex(home, &Step { event: Event::ReadByShell(skill, first, last), ..*step })
        }
        Event::FailedRead(skill) => call(format!("cat {}", file(home, skill, "missing.md")), 1),
        Event::Searched(skill) => call(format!("rg x {}", file(home, skill, "")), 0),
        Event::ReadByShell(..) | Event::Ran(..) => {
            let (line, status) = command(step.event, home).unwrap();
            call(line, status)
        }
        Event::Compaction => {
            vec![
                json!({ "timestamp": time(step), "type": "compacted", "payload": { "message": "the skill ask" } }),
            ]
        }
        Event::Talk | Event::Chosen(_) | Event::FailedLoad => {
            vec![message("user", "Use the skill $ask, SKILL.md.".into())]
        }
    }
}

fn copilot_files(home: &Path, text: &str, session: &Session) {
    let event = |id: &str, step: &Step, kind: &str, data: Value| json!({ "type": kind, "id": id, "timestamp": time(step), "data": data });
    let start = json!({ "sessionId": session.id, "context": { "cwd": session.cwd } });
    let mut events = vec![event("start", &session.steps[0], "session.start", start)];
    for step in &session.steps {
        let id = |part: &str| format!("{}-{part}", step.number);
        let invoked = |skill: usize, trigger: &str| {
            let data = json!({ "name": SKILLS[skill], "path": file(text, skill, "SKILL.md"), "trigger": trigger, "content": "# Text" });
            event(&id("i"), step, "skill.invoked", data)
        };
        let mut loaded = None;
        let (tool, arguments, is_good) = match step.event {
            Event::Chosen(skill) => {
                loaded = Some(invoked(skill, "agent-invoked"));
                ("skill", json!({ "skill": SKILLS[skill] }), true)
            }
            Event::Requested(skill) => {
                events.push(invoked(skill, "user-invoked"));
                continue;
            }
            Event::ReadWhole(skill) => ("view", json!({ "path": file(text, skill, "SKILL.md") }), true),
            Event::ReadLines(skill, first, last) => (
                "view",
                json!({ "path": file(text, skill, "references/long.md"), "view_range": [first, last] }),
                true,
            ),
            Event::FailedRead(skill) => ("view", json!({ "path": file(text, skill, "missing.md") }), false),
            Event::Searched(skill) => {
                ("grep", json!({ "pattern": "x", "path": file(text, skill, "") }), true)
            }
            Event::FailedLoad => ("skill", json!({ "skill": "none" }), false),
            Event::ReadByShell(..) | Event::Ran(..) => {
                let (line, status) = command(step.event, text).unwrap();
                ("bash", json!({ "command": line }), status == 0)
            }
            Event::Talk | Event::Compaction | Event::Offered => {
                events.push(event(
                    &id("u"),
                    step,
                    "user.message",
                    json!({ "content": "Use the skill ask, SKILL.md." }),
                ));
                continue;
            }
        };
        let call = format!("call-{}", step.number);
        let requests = json!([{ "toolCallId": call, "name": tool, "arguments": arguments }]);
        let message =
            json!({ "messageId": id("m"), "outputTokens": tokens(step)[1], "toolRequests": requests });
        events.push(event(&id("m"), step, "assistant.message", message));
        events.push(event(
            &id("s"),
            step,
            "tool.execution_start",
            json!({ "toolCallId": call, "toolName": tool, "arguments": arguments }),
        ));
        events.extend(loaded);
        let done = json!({ "toolCallId": call, "success": is_good, "result": { "content": "x" } });
        events.push(event(&id("c"), step, "tool.execution_complete", done));
    }
    put(&home.join(".copilot/session-state").join(&session.id).join("events.jsonl"), lines(&events));
    if session.is_copied {
        put(
            &home.join(".copilot/history-session-state").join(&session.id).join("events.jsonl"),
            lines(&events),
        );
    }
}

fn gemini_files(home: &Path, text: &str, session: &Session) {
    let mut values = vec![json!({ "sessionId": session.id, "kind": "main", "directories": [session.cwd] })];
    for step in &session.steps {
        let response = |output: &str| json!([{ "functionResponse": { "response": { "output": output } } }]);
        let (tool, args, is_good, result) = match step.event {
            Event::Chosen(skill) => {
                let said = format!("<activated_skill name=\"{}\">", SKILLS[skill]);
                ("activate_skill", json!({ "name": SKILLS[skill] }), true, response(&said))
            }
            Event::ReadWhole(skill) => {
                ("read_file", json!({ "file_path": file(text, skill, "SKILL.md") }), true, Value::Null)
            }
            Event::ReadLines(skill, first, last) => {
                let args = json!({ "file_path": file(text, skill, "references/long.md"), "start_line": first, "end_line": last });
                ("read_file", args, true, Value::Null)
            }
            Event::FailedRead(skill) => {
                ("read_file", json!({ "file_path": file(text, skill, "missing.md") }), false, Value::Null)
            }
            Event::Searched(skill) => (
                "grep_search",
                json!({ "pattern": "x", "dir_path": file(text, skill, "") }),
                true,
                Value::Null,
            ),
            Event::FailedLoad => {
                ("activate_skill", json!({ "name": "none" }), true, response("Skill \"none\" not found."))
            }
            Event::ReadByShell(..) | Event::Ran(..) => {
                let (line, status) = command(step.event, text).unwrap();
                ("run_shell_command", json!({ "command": line }), status == 0, Value::Null)
            }
            Event::Talk | Event::Compaction | Event::Offered | Event::Requested(_) => {
                values.push(json!({ "id": format!("u-{}", step.number), "timestamp": time(step), "type": "user", "content": "the skill ask" }));
                continue;
            }
        };
        let [input, output, cached, _] = tokens(step);
        let message = |status: &str| {
            json!({
                "id": format!("m-{}", step.number), "timestamp": time(step), "type": "gemini", "model": "gemini-3-pro",
                "tokens": { "input": input + cached, "output": output, "cached": cached },
                "toolCalls": [{ "id": format!("call-{}", step.number), "name": tool, "args": args, "result": result, "status": status, "timestamp": time(step) }],
            })
        };
        // The message is written again whenever it changes.
        values.extend([message("executing"), message(if is_good { "success" } else { "error" })]);
    }
    values.push(json!({ "$rewindTo": "m-1" }));
    let chats = home.join(".gemini/tmp").join(&session.cwd[6..]).join("chats");
    put(&chats.join(format!("session-{}.jsonl", session.id)), lines(&values));
    if session.is_copied {
        put(&chats.join(format!("session-{}-copy.jsonl", session.id)), lines(&values));
    }
}

fn opencode_database(home: &Path, text: &str, year: &[Session]) {
    let path = home.join(".local/share/opencode/opencode.db");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut db = Connection::open(&path).unwrap();
    let change = db.transaction().unwrap();
    change
        .execute_batch(
            "CREATE TABLE session(id TEXT PRIMARY KEY, directory TEXT, title TEXT);
             CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
             CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);",
        )
        .unwrap();
    for session in year.iter().filter(|session| session.agent == Agent::OpenCode) {
        change
            .execute("INSERT INTO session VALUES (?1, ?2, 'title')", params![session.id, session.cwd])
            .unwrap();
        for step in &session.steps {
            let (id, message) = (format!("prt_{:08}", step.number), format!("msg_{:08}", step.number));
            let values = params![id, message, session.id, step.at_ms, opencode(text, step).to_string()];
            change.execute("INSERT INTO part VALUES (?1, ?2, ?3, ?4, ?4, ?5)", values).unwrap();
            let [input, output, read, write] = tokens(step);
            let data = json!({ "role": "assistant", "modelID": "m", "tokens": { "input": input, "output": output, "reasoning": 0, "cache": { "read": read, "write": write } } });
            let values = params![message, session.id, step.at_ms, data.to_string()];
            change.execute("INSERT INTO message VALUES (?1, ?2, ?3, ?4)", values).unwrap();
        }
    }
    change.commit().unwrap();
}

fn opencode(home: &str, step: &Step) -> Value {
    let part = |tool: &str, status: &str, input: Value, metadata: Value| {
        json!({ "type": "tool", "tool": tool, "callID": "c", "state": {
        "status": status, "input": input, "output": "x", "metadata": metadata, "time": { "start": step.at_ms, "end": step.at_ms + 1 } } })
    };
    let good = |tool: &str, input: Value| part(tool, "completed", input, json!({}));
    match step.event {
        Event::Chosen(skill) => {
            let dir = file(home, skill, "");
            part(
                "skill",
                "completed",
                json!({ "name": SKILLS[skill] }),
                json!({ "name": SKILLS[skill], "dir": dir.trim_end_matches('/') }),
            )
        }
        Event::ReadWhole(skill) => good("read", json!({ "filePath": file(home, skill, "SKILL.md") })),
        Event::ReadLines(skill, first, last) => good(
            "read",
            json!({ "filePath": file(home, skill, "references/long.md"), "offset": first, "limit": last - first + 1 }),
        ),
        Event::FailedRead(skill) => {
            part("read", "error", json!({ "filePath": file(home, skill, "missing.md") }), json!({}))
        }
        Event::Searched(skill) => good("grep", json!({ "pattern": "x", "path": file(home, skill, "") })),
        Event::FailedLoad => part("skill", "error", json!({ "name": "none" }), json!({})),
        Event::ReadByShell(..) | Event::Ran(..) => {
            let (line, status) = command(step.event, home).unwrap();
            part("bash", "completed", json!({ "command": line }), json!({ "exit": status }))
        }
        Event::Talk | Event::Compaction | Event::Offered | Event::Requested(_) => {
            json!({ "type": "text", "text": "Use the skill ask, SKILL.md." })
        }
    }
}
