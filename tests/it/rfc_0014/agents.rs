//! RFC-0014:C-RECORDS: the history format of each agent, with every known kind of record.

use super::*;
use rusqlite::params;
use std::process::Command;

const SKILL: &str = "/home/kim/.agents/skills/notes";

/// RFC-0014:C-RECORDS
#[test]
fn claude_code_says_what_was_offered_chosen_requested_read_and_run() {
    let site = Site::new();
    let base =
        json!([{ "type": "text", "text": format!("Base directory for this skill: {SKILL}\n\n# Notes") }]);
    let mut body = claude("5", "user", base.clone());
    body["isMeta"] = true.into();
    body["sourceToolUseID"] = "t1".into();
    let mut typed_body = claude("9", "user", base);
    typed_body["isMeta"] = true.into();
    let mut again = claude(
        "12",
        "user",
        json!([{ "type": "text", "text": "(Re-invocation of /notes — its text is above)" }]),
    );
    again["isMeta"] = true.into();
    let listing = json!({ "type": "skill_listing", "content": "- notes: Takes notes.\n- plans: Makes plans.", "names": ["notes", "plans"] });
    let found =
        json!({ "type": "nested", "skillDir": "/work/app/sub/.claude/skills", "skillNames": ["deep"] });
    let bash = |line: &str| json!({ "command": line });
    let records = vec![
        json!({ "type": "attachment", "uuid": "1", "sessionId": "s1", "timestamp": AT, "cwd": "/work/app", "attachment": listing }),
        json!({ "type": "attachment", "uuid": "2", "sessionId": "s1", "timestamp": AT, "cwd": "/work/app", "attachment": found }),
        claude("3", "assistant", tool_use("t1", "Skill", json!({ "skill": "notes", "args": "x" }))),
        claude("4", "user", tool_result("t1", "Launching skill: notes", false)),
        body,
        claude("6", "assistant", tool_use("t2", "Skill", json!({ "skill": "none" }))),
        claude("7", "user", tool_result("t2", "<tool_use_error>Unknown skill: none</tool_use_error>", true)),
        claude(
            "8",
            "user",
            json!("<command-message>notes</command-message>\n<command-name>/notes</command-name>"),
        ),
        typed_body,
        claude(
            "10",
            "user",
            json!("<command-message>clear</command-message>\n<command-name>/clear</command-name>"),
        ),
        claude(
            "11",
            "user",
            json!("<command-message>notes</command-message>\n<command-name>/notes</command-name>"),
        ),
        again,
        claude("13", "assistant", tool_use("t3", "Bash", bash(&format!("python3 {SKILL}/scripts/run.py")))),
        claude("14", "user", tool_result("t3", "Exit code 2\nboom", true)),
        claude("15", "assistant", tool_use("t4", "Grep", json!({ "pattern": "word", "path": SKILL }))),
        claude("16", "user", tool_result("t4", "1 file", false)),
        claude("17", "assistant", tool_use("t5", "Read", json!({ "file_path": format!("{SKILL}/gone.md") }))),
        claude("18", "user", tool_result("t5", "File does not exist", true)),
        claude(
            "19",
            "assistant",
            tool_use("t6", "Bash", bash(&format!("cd {SKILL} && cat SKILL.md | head -20"))),
        ),
        claude("20", "user", tool_result("t6", "# Notes", false)),
        json!({ "type": "attachment", "uuid": "21", "sessionId": "s1", "timestamp": AT,
                "attachment": { "type": "invoked_skills", "skills": [{ "name": "notes", "path": "userSettings:notes" }] } }),
    ];
    claude_session(&site, "s1", &records);
    let [read, result] = claude_read("30", &format!("{SKILL}/references/a.md"), Some((10, 20)));
    put(&site.home().join(".claude/projects/-work-app/s1/subagents/agent-1.jsonl"), lines(&[read, result]));
    import(&site);
    let mut found = events(&site);
    found.sort();
    let mut expected = [
        "offered notes - - - -",
        "offered plans - - - -",
        "offered deep - - - -",
        "chosen notes - - - -",
        "failed none none - - failed",
        "requested notes - - - -",
        "requested notes - - - -",
        "ran notes scripts/run.py - - exit 2",
        "searched notes - - - -",
        "read notes gone.md - - failed",
        "read notes SKILL.md [1,20] - -",
        "read notes references/a.md [10,29] - -",
    ];
    expected.sort();
    assert_eq!(found, expected);
    let args = column(&site, "args").concat();
    assert!(args.contains(r#""listing_tokens":6"#), "two dozen characters: {args}");
    assert!(args.contains(r#""tokens":{"cache_read":0,"cache_write":0,"input":3,"output":4}"#), "{args}");
    assert_eq!(column(&site, "run_id")[0], "s1");
    assert_eq!(column(&site, "timestamp")[0], "2026-03-04T05:06:07Z");
    assert_eq!(column(&site, "cwd")[0], "/work/app");
}

fn codex(kind: &str, payload: Value) -> Value {
    json!({ "timestamp": AT, "type": kind, "payload": payload })
}

fn codex_call(id: &str, name: &str, arguments: Value) -> Value {
    codex(
        "response_item",
        json!({ "type": "function_call", "name": name, "arguments": arguments.to_string(), "call_id": id }),
    )
}

fn codex_output(id: &str, output: Value) -> Value {
    codex("response_item", json!({ "type": "function_call_output", "call_id": id, "output": output }))
}

/// A session of Codex with every known kind of record.
fn codex_session() -> Vec<Value> {
    let message = |role: &str, text: String| {
        codex(
            "response_item",
            json!({ "type": "message", "role": role, "content": [{ "type": "input_text", "text": text }] }),
        )
    };
    let local = json!({ "type": "local_shell_call", "call_id": "c5", "action": { "type": "exec", "command": ["cat", format!("{SKILL}/b.md")] } });
    vec![
        codex("session_meta", json!({ "id": "thread", "session_id": "thread", "cwd": "/work/app" })),
        message(
            "developer",
            format!(
                "<skills_instructions>\n- notes: Takes notes. (file: {SKILL}/SKILL.md)\n</skills_instructions>"
            ),
        ),
        codex("turn_context", json!({ "cwd": SKILL })),
        message("user", "use $notes".into()),
        message(
            "user",
            format!("<skill>\n<name>notes</name>\n<path>{SKILL}/SKILL.md</path>\n# Notes\n</skill>"),
        ),
        codex_call("c1", "exec_command", json!({ "cmd": "sed -n '10,29p' references/a.md" })),
        codex_output(
            "c1",
            json!("Chunk ID: 1\nProcess exited with code 0\nOutput:\nProcess exited with code 7\n"),
        ),
        codex_call(
            "c2",
            "shell",
            json!({ "command": ["bash", "-lc", "cat SKILL.md | head -20"], "workdir": SKILL }),
        ),
        codex_output("c2", json!("{\"output\":\"x\",\"metadata\":{\"exit_code\":141}}")),
        codex_call("c3", "exec_command", json!({ "cmd": "python3 scripts/run.py", "workdir": SKILL })),
        codex_output("c3", json!("Process exited with code 1\nOutput:\n")),
        codex_call("c4", "exec_command", json!({ "cmd": "sed -i s/a/b/ SKILL.md" })),
        codex_output("c4", json!("Process exited with code 0\nOutput:\n")),
        codex("response_item", local),
        codex_output("c5", json!({ "content": "Exit code: 1\nOutput:\n", "success": false })),
        codex_call("c6", "exec_command", json!({ "cmd": "rg word references" })),
        codex_output("c6", json!("Process exited with code 0\nOutput:\n")),
        codex("event_msg", json!({ "type": "user_message", "message": format!("cat {SKILL}/SKILL.md") })),
        codex("compacted", json!({ "message": "skill" })),
    ]
}

const CODEX_EVENTS: [&str; 7] = [
    "offered notes - - - -",
    "requested notes - - - -",
    "read notes references/a.md [10,29] - -",
    "read notes SKILL.md [1,20] - -",
    "ran notes scripts/run.py - - exit 1",
    "read notes b.md - - exit 1",
    "searched notes references - - -",
];

const ROLLOUT: &str = ".codex/sessions/2026/03/04/rollout-2026-03-04T05-06-07-thread.jsonl";

/// RFC-0014:C-RECORDS
#[test]
fn codex_says_what_its_shell_read_and_ran() {
    let site = Site::new();
    put(&site.home().join(ROLLOUT), lines(&codex_session()));
    import(&site);
    assert_eq!(events(&site), CODEX_EVENTS);
}

/// The token counts of the imported events, in order: input, output, read from the cache, written to the cache; and
/// the model.
fn tokens(site: &Site) -> Vec<String> {
    let args = column(site, "args");
    let of = |args: &String| {
        let args: Value = serde_json::from_str(args).unwrap();
        let tokens = args.get("tokens").map(|tokens| {
            ["input", "output", "cache_read", "cache_write"].map(|key| tokens[key].as_u64().unwrap())
        });
        tokens
            .map_or("-".to_owned(), |tokens| format!("{tokens:?} {}", args["model"].as_str().unwrap_or("-")))
    };
    args.iter().map(of).collect()
}

/// RFC-0014:C-COST
#[test]
fn codex_counts_the_tokens_of_a_message_behind_its_calls() {
    let site = Site::new();
    let count = |sum: u64, last: u64| {
        let info = json!({ "total_token_usage": { "total_tokens": sum },
            "last_token_usage": { "input_tokens": last + 40, "cached_input_tokens": 30, "cache_write_input_tokens": 10, "output_tokens": 7, "reasoning_output_tokens": 5 } });
        codex("event_msg", json!({ "type": "token_count", "info": info }))
    };
    let read = |id: &str| codex_call(id, "exec_command", json!({ "cmd": format!("cat {SKILL}/{id}.md") }));
    let done = |id: &str| codex_output(id, json!("Process exited with code 0\nOutput:\n"));
    let values = [
        codex("session_meta", json!({ "id": "thread", "cwd": "/work/app" })),
        codex("turn_context", json!({ "cwd": "/work/app", "model": "gpt-6" })),
        codex("event_msg", json!({ "type": "token_count", "info": null })),
        // One message with two calls.
        read("a"),
        read("b"),
        count(100, 100),
        done("a"),
        done("b"),
        // The same count again, then a message without a count.
        count(100, 100),
        read("c"),
        done("c"),
        // The tokens of a message that concerned no skill.
        count(200, 200),
        read("d"),
        count(300, 300),
        done("d"),
    ];
    put(&site.home().join(ROLLOUT), lines(&values));
    import(&site);
    assert_eq!(tokens(&site), ["[100, 7, 30, 10] gpt-6", "-", "-", "[300, 7, 30, 10] gpt-6"]);
}

/// A text compressed by the program `zstd`; `None` if it is not installed.
fn compressed(text: &str) -> Option<Vec<u8>> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    let done = Command::new("zstd").arg("-cq").arg(file.path()).output().ok()?;
    done.status.success().then_some(done.stdout)
}

/// An uncompressed Zstandard frame: a header and raw blocks (RFC 8878).
fn stored(text: &str) -> Vec<u8> {
    // Single segment; the content size has four bytes.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0b1010_0000];
    frame.extend((text.len() as u32).to_le_bytes());
    let blocks: Vec<&[u8]> = text.as_bytes().chunks(1_000).collect();
    for (at, block) in blocks.iter().enumerate() {
        let is_last = u32::from(at + 1 == blocks.len());
        frame.extend(&((block.len() as u32) << 3 | is_last).to_le_bytes()[..3]);
        frame.extend(*block);
    }
    frame
}

/// RFC-0014:C-RECORDS
#[test]
fn a_compressed_session_of_codex_is_read_where_there_is_no_plain_one() {
    let text = lines(&codex_session());
    for bytes in [Some(stored(&text)), compressed(&text)].into_iter().flatten() {
        let site = Site::new();
        let file = site.home().join(format!("{ROLLOUT}.zst"));
        put(&file, bytes);
        assert_eq!(imported(&import(&site), "codex")["files"], 1);
        assert_eq!(events(&site), CODEX_EVENTS);
        // The decompressed file is the same session.
        put(&site.home().join(ROLLOUT), &text);
        assert_eq!(imported(&import(&site), "codex")["new"], 0);
    }
}

/// RFC-0014:C-INPUT
#[test]
fn a_damaged_compressed_session_is_imported_up_to_the_damage_and_named_once() {
    let site = Site::new();
    let mut bytes = stored(&lines(&codex_session()));
    bytes.truncate(bytes.len() - 300);
    put(&site.home().join(format!("{ROLLOUT}.zst")), bytes);
    let run = site.skc(["history", "import", "--format", "json"]).ok();
    assert!(run.err.contains("warning[W012]") && run.err.contains(".jsonl.zst"), "{}", run.err);
    assert!(events(&site).len() >= 3, "{:?}", events(&site));
    assert_eq!(site.skc(["history", "import"]).ok().err, "", "said once");
}

fn copilot(kind: &str, id: &str, data: Value) -> Value {
    json!({ "type": kind, "id": id, "timestamp": AT, "data": data })
}

/// RFC-0014:C-RECORDS
#[test]
fn copilot_says_who_invoked_a_skill_and_what_was_viewed() {
    let site = Site::new();
    let start = |id: &str, call: &str, tool: &str, arguments: Value| {
        copilot(
            "tool.execution_start",
            id,
            json!({ "toolCallId": call, "toolName": tool, "arguments": arguments }),
        )
    };
    let done = |id: &str, call: &str, success: bool| {
        copilot(
            "tool.execution_complete",
            id,
            json!({ "toolCallId": call, "success": success, "result": { "content": "x" } }),
        )
    };
    let invoked = |id: &str, trigger: &str| {
        copilot(
            "skill.invoked",
            id,
            json!({ "name": "notes", "path": format!("{SKILL}/SKILL.md"), "trigger": trigger, "content": "x" }),
        )
    };
    let values = [
        copilot("session.start", "e0", json!({ "sessionId": "s", "context": { "cwd": "/work/app" } })),
        start("e1", "c1", "skill", json!({ "skill": "notes" })),
        invoked("e2", "agent-invoked"),
        done("e3", "c1", true),
        invoked("e4", "user-invoked"),
        start("e5", "c2", "view", json!({ "path": format!("{SKILL}/a.md"), "view_range": [10, 29] })),
        done("e6", "c2", true),
        start("e7", "c3", "view", json!({ "path": format!("{SKILL}/a.md"), "view_range": [10, -1] })),
        done("e8", "c3", true),
        start("e9", "c4", "view", json!({ "path": format!("{SKILL}/SKILL.md") })),
        done("e10", "c4", true),
        start("e11", "c5", "skill", json!({ "skill": "none" })),
        done("e12", "c5", false),
        start("e13", "c6", "bash", json!({ "command": format!("head -5 {SKILL}/a.md") })),
        done("e14", "c6", true),
    ];
    put(&site.home().join(".copilot/session-state/s/events.jsonl"), lines(&values));
    import(&site);
    let expected = [
        "chosen notes - - - -",
        "requested notes - - - -",
        "read notes a.md [10,29] - -",
        "read notes a.md [10,null] - -",
        "read notes SKILL.md - - -",
        "failed none none - - failed",
        "read notes a.md [1,5] - -",
    ];
    assert_eq!(events(&site), expected);
}

/// RFC-0014:C-COST
#[test]
fn copilot_records_the_received_tokens_of_a_message() {
    let site = Site::new();
    let message = |id: &str, output: u64, requests: Value| {
        let data = json!({ "messageId": id, "model": "m", "outputTokens": output, "content": "x", "toolRequests": requests });
        copilot("assistant.message", id, data)
    };
    let request = |id: &str, tool: &str, arguments: Value| json!({ "toolCallId": id, "name": tool, "arguments": arguments });
    let start = |id: &str, call: &str, tool: &str, arguments: Value| {
        copilot(
            "tool.execution_start",
            id,
            json!({ "toolCallId": call, "toolName": tool, "arguments": arguments }),
        )
    };
    let done = |id: &str, call: &str| {
        copilot("tool.execution_complete", id, json!({ "toolCallId": call, "success": true }))
    };
    let invoked = json!({ "name": "notes", "path": format!("{SKILL}/SKILL.md"), "trigger": "agent-invoked" });
    let (skill, other, file) = (
        json!({ "skill": "notes" }),
        json!({ "path": "/work/x" }),
        json!({ "path": format!("{SKILL}/a.md") }),
    );
    let values = [
        copilot("session.start", "e0", json!({ "sessionId": "s", "context": { "cwd": "/work/app" } })),
        message("m1", 11, json!([request("c1", "skill", skill.clone())])),
        start("e1", "c1", "skill", skill),
        copilot("skill.invoked", "e2", invoked.clone()),
        done("e3", "c1"),
        // The first call that concerns a skill gets the tokens.
        message(
            "m2",
            22,
            json!([
                request("c2", "view", other.clone()),
                request("c3", "view", file.clone()),
                request("c4", "view", file.clone())
            ]),
        ),
        start("e4", "c2", "view", other),
        start("e5", "c3", "view", file.clone()),
        start("e6", "c4", "view", file),
        done("e7", "c2"),
        done("e8", "c3"),
        done("e9", "c4"),
        copilot("skill.invoked", "e10", invoked),
    ];
    put(&site.home().join(".copilot/session-state/s/events.jsonl"), lines(&values));
    import(&site);
    assert_eq!(tokens(&site), ["[0, 11, 0, 0] m", "[0, 22, 0, 0] m", "-", "-"]);
}

fn gemini_call(id: &str, name: &str, args: Value, status: &str) -> Value {
    json!({ "id": id, "name": name, "args": args, "status": status, "timestamp": AT })
}

fn gemini_message(id: &str, calls: &[Value]) -> Value {
    json!({ "id": id, "timestamp": AT, "type": "gemini", "content": "", "tokens": { "input": 9, "cached": 4, "output": 2 }, "toolCalls": calls })
}

/// RFC-0014:C-RECORDS
#[test]
fn the_last_state_of_a_repeated_gemini_message_counts() {
    let site = Site::new();
    let mut activated = gemini_call("c1", "activate_skill", json!({ "name": "notes" }), "success");
    activated["result"] =
        json!([{ "functionResponse": { "response": { "output": "<activated_skill name=\"notes\">" } } }]);
    let mut unknown = gemini_call("c9", "activate_skill", json!({ "name": "none" }), "success");
    unknown["result"] =
        json!([{ "functionResponse": { "response": { "output": "Skill \"none\" not found." } } }]);
    let read = |id: &str, args: Value| gemini_call(id, "read_file", args, "success");
    let a = format!("{SKILL}/a.md");
    let calls = [
        activated,
        read("c2", json!({ "file_path": a, "start_line": 10, "end_line": 29 })),
        read("c3", json!({ "absolute_path": a, "offset": 9, "limit": 20 })),
        gemini_call("c4", "read_many_files", json!({ "paths": [a, format!("{SKILL}/b.md")] }), "success"),
        gemini_call("c5", "run_shell_command", json!({ "command": format!("cat {a}") }), "error"),
        gemini_call("c6", "grep_search", json!({ "pattern": "x", "dir_path": SKILL }), "success"),
        unknown,
    ];
    let values = [
        json!({ "sessionId": "s", "projectHash": "h", "startTime": AT, "kind": "main", "directories": ["/work/app"] }),
        json!({ "id": "m1", "type": "user", "content": [{ "text": "use the skill notes" }] }),
        gemini_message("m2", &[gemini_call("c1", "activate_skill", json!({ "name": "notes" }), "executing")]),
        gemini_message("m2", &calls),
        gemini_message("m2", &calls),
        json!({ "$set": { "messages": [gemini_message("m3", &[read("c7", json!({ "file_path": a }))])] } }),
        json!({ "$rewindTo": "m2" }),
    ];
    let chats = site.home().join(".gemini/tmp/app/chats");
    put(&chats.join("session-2026-03-04T05-06-abcdef01.jsonl"), lines(&values));
    let document = json!({ "sessionId": "old", "messages": [gemini_message("m", &[read("c1", json!({ "file_path": a }))])] });
    put(
        &site.home().join(".gemini/tmp/old/chats/session-old.json"),
        serde_json::to_string_pretty(&document).unwrap(),
    );
    put(&site.home().join(".gemini/tmp/old/.project_root"), "/work/old\n");
    import(&site);
    let mut found = events(&site);
    found.sort();
    let mut expected = [
        "chosen notes - - - -",
        "read notes a.md [10,29] - -",
        "read notes a.md [10,29] - -",
        "read notes a.md - - -",
        "read notes b.md - - -",
        "read notes a.md - - failed",
        "searched notes - - - -",
        "failed none none - - failed",
        "read notes a.md - - -",
        "read notes a.md - - -",
    ];
    expected.sort();
    assert_eq!(found, expected);
    let mut folders = column(&site, "cwd");
    folders.sort();
    folders.dedup();
    assert_eq!(folders, ["/work/app", "/work/old"]);
}

/// RFC-0014:C-RECORDS
#[test]
fn cursor_records_no_time_so_that_of_its_file_counts_and_is_marked() {
    let site = Site::new();
    let block = |name: &str, input: Value| json!({ "type": "tool_use", "name": name, "input": input });
    let values = [
        json!({ "role": "user", "message": { "content": [{ "type": "text", "text": "use the skill notes" }] } }),
        json!({ "role": "assistant", "message": { "content": [block("Read", json!({ "path": format!("{SKILL}/SKILL.md") }))] } }),
        json!({ "role": "assistant", "message": { "content": [
            block("Read", json!({ "path": format!("{SKILL}/a.md"), "offset": 10, "limit": 20 })),
            block("Shell", json!({ "command": "cat SKILL.md", "working_directory": SKILL })),
        ] } }),
        json!({ "type": "turn_ended" }),
    ];
    let file = site.home().join(".cursor/projects/work-app/agent-transcripts/u1/u1.jsonl");
    put(&file, lines(&values));
    put(&site.home().join(".cursor/projects/work-app/other.jsonl"), lines(&values));
    age(&file);
    import(&site);
    let expected = ["read notes SKILL.md - - -", "read notes a.md [10,29] - -", "read notes SKILL.md - - -"];
    assert_eq!(events(&site), expected);
    assert_eq!(column(&site, "timestamp")[0], "2001-09-09T01:46:40Z");
    assert!(column(&site, "args")[0].contains(r#""time_estimated":true"#));
}

/// Writes a database of OpenCode with these parts.
fn opencode(site: &Site, parts: &[(&str, i64, Value)]) -> PathBuf {
    let file = site.home().join(".local/share/opencode/opencode.db");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let db = Connection::open(&file).unwrap();
    db.execute_batch(
        "PRAGMA journal_mode = WAL;
         CREATE TABLE IF NOT EXISTS session(id TEXT PRIMARY KEY, directory TEXT, title TEXT, time_created INTEGER, extra TEXT);
         CREATE TABLE IF NOT EXISTS part(id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
         INSERT OR IGNORE INTO session(id, directory, title) VALUES ('ses', '/work/app', 'secret title');",
    )
    .unwrap();
    for (id, at, data) in parts {
        db.execute(
            "INSERT OR REPLACE INTO part VALUES (?1, 'm', 'ses', ?2, ?2, ?3)",
            params![id, at, data.to_string()],
        )
        .unwrap();
    }
    file
}

fn opencode_tool(tool: &str, status: &str, input: Value) -> Value {
    json!({ "type": "tool", "callID": "c", "tool": tool, "state": {
        "status": status, "input": input, "output": "secret output", "metadata": { "name": "notes", "dir": SKILL }, "time": { "start": 1_772_600_000_000_i64 } } })
}

/// RFC-0014:C-RECORDS
#[test]
fn opencode_is_read_from_its_database_and_nothing_is_created_beside_it() {
    let site = Site::new();
    let read = json!({ "filePath": format!("{SKILL}/a.md"), "offset": 10, "limit": 20 });
    let parts = [
        ("p1", 1_772_600_000_000, opencode_tool("skill", "completed", json!({ "name": "notes" }))),
        ("p2", 1_772_600_000_000, opencode_tool("read", "completed", read)),
        (
            "p3",
            1_772_600_000_001,
            opencode_tool("bash", "completed", json!({ "command": "cat SKILL.md", "workdir": SKILL })),
        ),
        (
            "p4",
            1_772_600_000_002,
            opencode_tool("grep", "completed", json!({ "pattern": "x", "path": SKILL })),
        ),
        ("p5", 1_772_600_000_003, json!({ "type": "text", "text": "the skill notes" })),
        (
            "p6",
            1_772_600_000_004,
            opencode_tool("read", "running", json!({ "filePath": format!("{SKILL}/c.md") })),
        ),
    ];
    let file = opencode(&site, &parts);
    let before = crate::site::snapshot(file.parent().unwrap());
    import(&site);
    assert_eq!(crate::site::snapshot(file.parent().unwrap()), before);
    let expected = [
        "chosen notes - - - -",
        "read notes a.md [10,29] - -",
        "read notes SKILL.md - - -",
        "searched notes - - - -",
    ];
    assert_eq!(events(&site), expected);
    // A running call is only imported once it has ended.
    let ended = opencode_tool("read", "completed", json!({ "filePath": format!("{SKILL}/c.md") }));
    opencode(&site, &[("p6", 1_772_600_000_009, ended)]);
    let again = imported(&import(&site), "opencode");
    assert_eq!((&again["new"], &again["found"]["read"]), (&json!(1), &json!(1)));
    assert_eq!(events(&site).last().unwrap(), "read notes c.md - - -");
}

/// RFC-0014:C-RECORDS
#[test]
fn older_files_of_opencode_are_read_and_count_once() {
    let site = Site::new();
    let storage = site.home().join(".local/share/opencode/storage");
    let session = json!({ "id": "ses", "directory": "/work/app", "title": "secret title" });
    put(&storage.join("session/p1/ses.json"), session.to_string());
    let read = json!({ "filePath": format!("{SKILL}/a.md"), "offset": 10, "limit": 20 });
    let parts = [
        ("p1", opencode_tool("skill", "completed", json!({ "name": "notes" }))),
        ("p2", opencode_tool("read", "completed", read.clone())),
        ("p3", opencode_tool("read", "error", json!({ "filePath": format!("{SKILL}/b.md") }))),
        ("p4", opencode_tool("read", "running", json!({ "filePath": format!("{SKILL}/c.md") }))),
        ("p5", json!({ "type": "text", "text": "the skill notes" })),
    ];
    for (id, mut part) in parts {
        part["id"] = id.into();
        part["sessionID"] = "ses".into();
        put(&storage.join(format!("part/msg/{id}.json")), part.to_string());
    }
    import(&site);
    let mut found = events(&site);
    found.sort();
    assert_eq!(found, ["chosen notes - - - -", "read notes a.md [10,29] - -", "read notes b.md - - failed"]);
    assert_eq!((&column(&site, "run_id")[0], &column(&site, "cwd")[0]), (&"ses".into(), &"/work/app".into()));
    // The database has the same parts.
    opencode(&site, &[("p2", 1_772_600_000_000, opencode_tool("read", "completed", read))]);
    assert_eq!(imported(&import(&site), "opencode")["new"], 0);
}

/// A message of OpenCode. It has no end while it is being written.
fn opencode_message(ended: Option<i64>) -> Value {
    json!({ "role": "assistant", "modelID": "m", "time": { "created": 1, "completed": ended },
            "tokens": { "input": 9, "output": 3, "reasoning": 2, "cache": { "read": 5, "write": 1 } } })
}

/// RFC-0014:C-COST
#[test]
fn opencode_has_the_tokens_of_a_message_at_its_end() {
    let site = Site::new();
    let read = |file: &str| opencode_tool("read", "completed", json!({ "filePath": file }));
    let a = format!("{SKILL}/a.md");
    let mut other = read("/work/app/x");
    other["state"]["metadata"] = json!({});
    let file = opencode(&site, &[("p1", 1, other), ("p2", 2, read(&a)), ("p3", 3, read(&a))]);
    let put_message = |ended| {
        let db = Connection::open(&file).unwrap();
        db.execute_batch("CREATE TABLE IF NOT EXISTS message(id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT)").unwrap();
        db.execute(
            "INSERT OR REPLACE INTO message VALUES ('m', 'ses', 1, ?1)",
            params![opencode_message(ended).to_string()],
        )
        .unwrap();
    };
    put_message(None);
    import(&site);
    assert_eq!(events(&site), Vec::<String>::new(), "it is still written");
    put_message(Some(9));
    import(&site);
    assert_eq!(tokens(&site), ["[9, 5, 5, 1] m", "-"]);
}

/// RFC-0014:C-COST
#[test]
fn older_files_of_opencode_have_the_tokens_of_their_messages() {
    let site = Site::new();
    let storage = site.home().join(".local/share/opencode/storage");
    put(&storage.join("message/ses/msg.json"), opencode_message(Some(9)).to_string());
    for id in ["p1", "p2"] {
        let mut part = opencode_tool("read", "completed", json!({ "filePath": format!("{SKILL}/a.md") }));
        part["id"] = id.into();
        part["sessionID"] = "ses".into();
        part["messageID"] = "msg".into();
        put(&storage.join(format!("part/msg/{id}.json")), part.to_string());
    }
    import(&site);
    let mut found = tokens(&site);
    found.sort();
    assert_eq!(found, ["-", "[9, 5, 5, 1] m"]);
}

/// RFC-0014:C-INPUT, RFC-0014:C-SOURCES
#[test]
fn a_locked_database_and_one_of_another_form_are_named_and_the_others_are_read() {
    let site = Site::new();
    let file = opencode(&site, &[]);
    let [read, result] = claude_read("1", &format!("{SKILL}/a.md"), None);
    claude_session(&site, "s1", &[read, result]);
    let db = Connection::open(&file).unwrap();
    db.execute_batch("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE").unwrap();
    fs::write(file.with_file_name("opencode.db-wal"), "x").unwrap();
    let run = site.skc(["history", "import"]).ok();
    assert!(run.err.contains("warning[W012]") && run.err.contains("opencode.db"), "{}", run.err);
    assert_eq!(events(&site), ["read notes a.md - - -"]);
    let unreadable = |agent: &str| {
        let reply = site.skc(["history", "sources", "--format", "json"]).ok().json();
        let sources = reply["sources"].as_array().unwrap().clone();
        sources.iter().find(|one| one["agent"] == agent).unwrap()["unreadable"].clone()
    };
    assert_eq!(unreadable("claude-code"), Value::Null);
    assert!(unreadable("opencode").is_string());
    assert!(site.skc(["history", "sources"]).ok().out.contains("  cannot be read: "));
    drop(db);
    fs::remove_file(file.with_file_name("opencode.db-wal")).unwrap();
    let db = Connection::open(&file).unwrap();
    db.execute_batch("DROP TABLE part").unwrap();
    drop(db);
    let run = site.skc(["history", "import"]).ok();
    assert!(run.err.contains("warning[W012]") && run.err.contains("opencode.db"), "{}", run.err);
}

/// RFC-0014:C-RECORDS
#[test]
fn pi_says_what_was_put_in_and_read() {
    let site = Site::new();
    let message = |id: &str, message: Value| json!({ "type": "message", "id": id, "timestamp": AT, "message": message });
    let call = |id: &str, name: &str, arguments: Value| json!({ "role": "assistant", "content": [{ "type": "toolCall", "id": id, "name": name, "arguments": arguments }] });
    let values = [
        json!({ "type": "session", "version": 3, "id": "s", "cwd": "/work/app" }),
        message(
            "1",
            json!({ "role": "user", "content": [{ "type": "text", "text": format!("<skill name=\"notes\" location=\"{SKILL}/SKILL.md\">\nx\n</skill>") }] }),
        ),
        message(
            "2",
            call("c1", "read", json!({ "path": format!("{SKILL}/a.md"), "offset": 10, "limit": 20 })),
        ),
        message("3", json!({ "role": "toolResult", "toolCallId": "c1", "isError": false, "content": [] })),
        message("4", call("c2", "bash", json!({ "command": format!("cat {SKILL}/b.md") }))),
        message("5", json!({ "role": "toolResult", "toolCallId": "c2", "isError": true, "content": [] })),
    ];
    put(&site.home().join(".pi/agent/sessions/--work-app--/2026_s.jsonl"), lines(&values));
    import(&site);
    let expected = ["requested notes - - - -", "read notes a.md [10,29] - -", "read notes b.md - - failed"];
    assert_eq!(events(&site), expected);
}

/// RFC-0014:C-RECORDS
#[test]
fn droid_writes_messages_as_claude_code_does() {
    let site = Site::new();
    let message = |id: &str, role: &str, content: Value| json!({ "type": "message", "id": id, "timestamp": AT, "message": { "role": role, "content": content } });
    let values = [
        json!({ "type": "session_start", "id": "s", "cwd": "/work/app" }),
        message("1", "assistant", tool_use("t1", "Skill", json!({ "skill": "notes" }))),
        message("2", "user", tool_result("t1", "Skill \"notes\" is now active", false)),
        message(
            "3",
            "assistant",
            tool_use(
                "t2",
                "Read",
                json!({ "file_path": format!("{SKILL}/a.md"), "offset": 10, "limit": 20 }),
            ),
        ),
        message("4", "user", tool_result("t2", "x", false)),
        message(
            "5",
            "assistant",
            tool_use("t3", "Execute", json!({ "command": format!("bash {SKILL}/scripts/x.sh") })),
        ),
        message("6", "user", tool_result("t3", "x", false)),
    ];
    put(&site.home().join(".factory/sessions/app/s.jsonl"), lines(&values));
    import(&site);
    let expected = ["chosen notes - - - -", "read notes a.md [10,29] - -", "ran notes scripts/x.sh - - -"];
    assert_eq!(events(&site), expected);
}

/// RFC-0014:C-RECORDS
#[test]
fn qwen_counts_lines_from_zero() {
    let site = Site::new();
    let record = |uuid: &str, kind: &str, part: Value| json!({ "uuid": uuid, "sessionId": "s", "timestamp": AT, "type": kind, "cwd": "/work/app", "message": { "role": "model", "parts": [part] } });
    let call = |id: &str, name: &str, args: Value| json!({ "functionCall": { "id": id, "name": name, "args": args } });
    let response = |id: &str, output: &str| json!({ "functionResponse": { "id": id, "response": { "output": output } } });
    let values = [
        record("1", "assistant", call("c1", "skill", json!({ "skill": "notes" }))),
        record("2", "tool_result", response("c1", "x")),
        record(
            "3",
            "assistant",
            call(
                "c2",
                "read_file",
                json!({ "absolute_path": format!("{SKILL}/a.md"), "offset": 9, "limit": 20 }),
            ),
        ),
        record("4", "tool_result", response("c2", "x")),
    ];
    put(&site.home().join(".qwen/projects/app/chats/s.jsonl"), lines(&values));
    import(&site);
    assert_eq!(events(&site), ["chosen notes - - - -", "read notes a.md [10,29] - -"]);
}
