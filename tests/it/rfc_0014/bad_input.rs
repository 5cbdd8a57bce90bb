//! RFC-0014:C-INPUT: odd records, at which no parser may stop.

use super::*;
use crate::site::snapshot;

const SKILL: &str = "/home/kim/.agents/skills/notes";

fn read_of(uuid: &str, file: &str) -> String {
    lines(&claude_read(uuid, &format!("{SKILL}/{file}"), None))
}

/// RFC-0014:C-INPUT
#[test]
fn lines_that_cannot_be_read_are_skipped_without_a_word() {
    let site = Site::new();
    let mut bytes = read_of("1", "a.md").into_bytes();
    bytes.extend(b"{\"type\":\"from-the-future\",\"skill\":{\"x\":[1]}}\n");
    bytes.extend(b"not json about a skill\n");
    bytes.extend(b"{\"type\":\"assistant\",\"skill\":\"\xff\xfe\"}\n");
    bytes.extend(b"[1,2,\"skill\"]\n\"skill\"\n\n\r\n");
    bytes.extend(b"{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":7,\"content\":\"skill\"}]}}\n");
    bytes.extend(b"{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"name\":\"Read\",\"input\":{\"file_path\":[\"skill\"],\"offset\":-3}}]}}\n");
    bytes.extend(read_of("2", "b.md").as_bytes());
    bytes.extend(b"{\"type\":\"assistant\",\"uuid\":\"cut off, a skill");
    put(&claude_file(&site, "s1"), bytes);
    let run = site.skc(["history", "import"]).ok();
    assert_eq!(run.err, "");
    assert_eq!(events(&site), ["read notes a.md - - -", "read notes b.md - - -"]);
}

/// RFC-0014:C-INPUT
#[test]
fn a_line_of_a_hundred_megabytes_is_skipped() {
    let site = Site::new();
    let mut bytes = read_of("1", "a.md").into_bytes();
    bytes.extend(b"{\"skill\":\"");
    bytes.resize(bytes.len() + 100_000_000, b'x');
    bytes.extend(b"\"}\n");
    bytes.extend(read_of("2", "b.md").as_bytes());
    put(&claude_file(&site, "s1"), bytes);
    import(&site);
    assert_eq!(events(&site), ["read notes a.md - - -", "read notes b.md - - -"]);
}

/// RFC-0014:C-INPUT
#[cfg(unix)]
#[test]
fn links_fifos_and_loops_are_passed_by() {
    use std::os::unix::fs::symlink;
    let site = Site::new();
    put(&claude_file(&site, "s1"), read_of("1", "a.md"));
    put(&site.root().join("outside.jsonl"), read_of("2", "b.md"));
    let folder = claude_file(&site, "s1").parent().unwrap().to_owned();
    symlink("..", folder.join("loop")).unwrap();
    symlink(site.root().join("outside.jsonl"), folder.join("link.jsonl")).unwrap();
    fs::create_dir(folder.join("folder.jsonl")).unwrap();
    std::process::Command::new("mkfifo").arg(folder.join("pipe.jsonl")).status().unwrap();
    import(&site);
    assert_eq!(events(&site), ["read notes a.md - - -"]);
}

/// RFC-0014:C-INPUT
#[test]
fn a_file_that_cannot_be_opened_is_named_and_the_others_are_read() {
    let site = Site::new();
    put(&claude_file(&site, "s1"), read_of("1", "a.md"));
    // A document above the size limit is refused, like every unreadable file.
    let document = format!("{{\"sessionId\":\"x\",\"pad\":\"{}\"}}", "x".repeat(17_000_000));
    put(&site.home().join(".gemini/tmp/a/chats/session-a.json"), document);
    let run = site.skc(["history", "import"]).ok();
    assert!(run.err.contains("warning[W012]: skipped history of gemini-cli"), "{}", run.err);
    assert!(run.err.contains("session-a.json"), "{}", run.err);
    assert_eq!(events(&site), ["read notes a.md - - -"]);
}

/// RFC-0014:C-SOURCES
#[test]
fn the_folders_of_agents_are_left_as_they_are() {
    let site = Site::new();
    put(&claude_file(&site, "s1"), read_of("1", "a.md"));
    put(&site.home().join(".codex/sessions/2026/03/04/rollout-x.jsonl"), "{}\n");
    let folders = [".claude", ".codex"].map(|folder| site.home().join(folder));
    let before = folders.each_ref().map(|folder| snapshot(folder));
    import(&site);
    site.skc(["history", "sources"]).ok();
    assert_eq!(folders.each_ref().map(|folder| snapshot(folder)), before);
}

/// RFC-0014:C-SOURCES
#[test]
fn each_history_is_listed_with_its_folder_size_and_days() {
    let site = Site::new();
    assert_eq!(site.skc(["history", "sources", "--format", "json"]).ok().json()["sources"], json!([]));
    let file = claude_session(&site, "s1", &[]);
    put(&file, "{}\n");
    age(&file);
    put(&claude_file(&site, "s2"), "{}\n");
    let reply = site.skc(["history", "sources", "--format", "json"]).ok().json();
    let found = &reply["sources"][0];
    assert_eq!(
        (&found["agent"], &found["files"], &found["bytes"]),
        (&json!("claude-code"), &json!(2), &json!(6))
    );
    assert_eq!((&found["first_day"], &found["deleted_after_days"]), (&json!("2001-09-09"), &json!(30)));
    assert_eq!(found["path"].as_str().unwrap(), site.home().join(".claude/projects").to_str().unwrap());
    let text = site.skc(["history", "sources"]).ok().out;
    assert!(text.contains("Claude Code: 2 files") && text.contains("deleted after 30 days"), "{text}");
}

/// RFC-0014:C-RECORDS
#[test]
fn a_text_that_only_names_a_skill_counts_nowhere() {
    let site = Site::new();
    let text =
        json!([{ "type": "text", "text": format!("I could use the skill notes; see {SKILL}/SKILL.md") }]);
    let mut meta = claude(
        "3",
        "user",
        json!([{ "type": "text", "text": format!("Base directory for this skill: {SKILL}") }]),
    );
    meta["isMeta"] = true.into();
    let values = [
        claude("1", "assistant", text.clone()),
        claude("2", "user", text),
        meta,
        claude("4", "user", json!("Please run /notes: <command-name>notes</command-name>")),
        claude(
            "5",
            "assistant",
            tool_use("t", "Bash", json!({ "command": format!("echo 'cat {SKILL}/SKILL.md'") })),
        ),
        claude("6", "user", tool_result("t", "x", false)),
        claude(
            "7",
            "assistant",
            tool_use("u", "Task", json!({ "prompt": format!("Read {SKILL}/SKILL.md") })),
        ),
        claude("8", "user", tool_result("u", "x", false)),
    ];
    claude_session(&site, "s1", &values);
    import(&site);
    assert_eq!(events(&site), Vec::<String>::new());
}

/// RFC-0014:C-INPUT
#[test]
fn a_document_that_is_no_json_is_named() {
    let site = Site::new();
    put(&claude_file(&site, "s1"), read_of("1", "a.md"));
    put(&site.home().join(".gemini/tmp/a/chats/session-a.json"), "{ \"sessionId\": \"x\", \"messages\": [");
    let run = site.skc(["history", "import"]).ok();
    assert!(run.err.contains("warning[W012]: skipped history of gemini-cli"), "{}", run.err);
    assert!(run.err.contains("session-a.json"), "{}", run.err);
    assert_eq!(events(&site), ["read notes a.md - - -"]);
}

/// RFC-0014:C-INPUT
#[test]
fn a_file_that_grows_while_it_is_read_is_imported_whole() {
    use std::io::Write;
    let site = Site::new();
    let file = claude_file(&site, "s1");
    put(&file, read_of("0", "a.md"));
    let records: Vec<String> = (1..200).map(|at| read_of(&at.to_string(), "a.md")).collect();
    let writer = std::thread::spawn(move || {
        let mut file = fs::File::options().append(true).open(file).unwrap();
        for record in records {
            // For a moment the file ends in the middle of a record.
            let (first, second) = record.split_at(record.len() / 2);
            file.write_all(first.as_bytes()).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(2));
            file.write_all(second.as_bytes()).unwrap();
        }
    });
    while !writer.is_finished() {
        import(&site);
    }
    writer.join().unwrap();
    import(&site);
    assert_eq!(events(&site).len(), 200);
}

/// RFC-0014:C-INPUT
#[test]
fn a_clock_that_jumps_loses_and_doubles_nothing() {
    let site = Site::new();
    let at = |uuid: &str, time: &str| {
        let mut values = claude_read(uuid, &format!("{SKILL}/a.md"), None);
        values.iter_mut().for_each(|value| value["timestamp"] = time.into());
        lines(&values)
    };
    let times = [
        "2026-03-04T05:06:07.000Z",
        "1969-12-31T23:59:59Z",
        "9999-12-31T23:59:59Z",
        "2025-01-01T00:00:00Z",
        "never",
    ];
    let text: String = times.iter().enumerate().map(|(uuid, time)| at(&uuid.to_string(), time)).collect();
    let file = claude_file(&site, "s1");
    put(&file, &text);
    let touch = |seconds: i64| {
        let now = std::time::SystemTime::now();
        let jump = std::time::Duration::from_secs(seconds.unsigned_abs());
        let time = if seconds < 0 { now - jump } else { now + jump };
        fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
    };
    for jump in [400_000_000, -400_000_000, 0] {
        touch(jump);
        import(&site);
        assert_eq!(events(&site).len(), times.len(), "{jump}");
    }
    site.skc(["stats", "--agents"]).ok();
    site.skc(["history", "sources"]).ok();
}

/// RFC-0014:C-INPUT
#[test]
fn a_history_whose_folder_is_gone_leaves_what_was_imported() {
    let site = Site::new();
    let file = claude_file(&site, "s1");
    put(&file, read_of("1", "a.md"));
    put(&site.home().join(".claude/projects/-work-site/s2.jsonl"), read_of("2", "b.md"));
    import(&site);
    let imported = events(&site);
    assert_eq!(imported.len(), 2);
    fs::remove_dir_all(file.parent().unwrap()).unwrap();
    assert_eq!(site.skc(["history", "import"]).ok().err, "");
    fs::remove_dir_all(site.home().join(".claude")).unwrap();
    assert_eq!(site.skc(["history", "import"]).ok().err, "");
    assert_eq!(events(&site), imported);
}

/// RFC-0014:C-INPUT
#[test]
fn each_of_many_sessions_is_imported_once() {
    // More than bookmarks are set at once, in one folder and in a folder each.
    const SESSIONS: usize = 2_500;
    let site = Site::new();
    for at in 0..SESSIONS {
        put(&claude_file(&site, &format!("s{at}")), read_of(&at.to_string(), "a.md"));
        let agents = format!(".claude/projects/-work-app/s{at}/subagents/agent-{at}.jsonl");
        put(&site.home().join(agents), read_of(&format!("agent-{at}"), "b.md"));
    }
    assert_eq!(imported(&import(&site), "claude-code")["new"], 2 * SESSIONS);
    let again = imported(&import(&site), "claude-code");
    assert_eq!((&again["files"], &again["unchanged"]), (&json!(0), &json!(2 * SESSIONS)));
}
