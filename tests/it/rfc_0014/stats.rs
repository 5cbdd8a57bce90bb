//! RFC-0014:C-STATS: imported events in `skc stats`.

use super::*;

fn listing(uuid: &str, session: &str, names: &[&str]) -> Value {
    let content: Vec<String> = names.iter().map(|name| format!("- {name}: Does what it does.")).collect();
    json!({ "type": "attachment", "uuid": uuid, "sessionId": session, "timestamp": AT, "cwd": "/work/app",
            "attachment": { "type": "skill_listing", "content": content.join("\n"), "names": names } })
}

fn scene() -> Site {
    let site = Site::new();
    let skill = agents_skill(&site, ".claude/skills", "used");
    agents_skill(&site, ".claude/skills", "idle");
    let long = skill.join("references/long.md");
    let mut values = vec![listing("l1", "s1", &["used", "idle"]), listing("l2", "s2", &["used", "idle"])];
    values.extend(claude_read("a", long.to_str().unwrap(), Some((3, 2))));
    values.push(claude("b", "assistant", tool_use("t", "Skill", json!({ "skill": "none" }))));
    values.push(claude("c", "user", tool_result("t", "Unknown skill: none", true)));
    claude_session(&site, "s1", &values);
    site
}

/// RFC-0014:C-STATS
#[test]
fn stats_count_what_was_imported_with_their_own_events() {
    let site = scene();
    import(&site);
    let all = site.skc(["stats", "--all", "--format", "json"]).ok().json();
    assert_eq!(
        all["data"],
        json!({ "total_accesses": 2, "reads": 1, "unique_sections": 1, "unique_files": 1, "error_count": 1 })
    );
    assert_eq!(all["skills"], json!([{ "skill": "none", "count": 1 }, { "skill": "used", "count": 1 }]));
    let skill = site.home().join(".claude/skills/used");
    let skill = skill.to_str().unwrap();
    site.skc(["open", skill, "references/long.md", "--max-lines", "1"]).ok();
    let one = site.skc(["stats", skill, "--format", "json"]).ok().json();
    assert_eq!(
        (&one["data"]["reads"], &one["data"]["unique_files"]),
        (&json!(2), &json!(1)),
        "one file, read twice"
    );
    let project =
        site.skc(["stats", "--all", "--project", "/work", "--group-by", "projects", "--format", "json"]).ok();
    assert_eq!(project.json()["data"], json!([{ "project": "/work/app", "count": 2 }]));
}

/// RFC-0014:C-STATS
#[test]
fn each_agent_is_counted_by_kind() {
    let site = scene();
    import(&site);
    let reply = site.skc(["stats", "--agents", "--format", "json"]).ok().json();
    let events =
        json!({ "offered": 4, "chosen": 0, "requested": 0, "read": 1, "ran": 0, "searched": 0, "failed": 1 });
    assert_eq!(reply["agents"], json!([{ "agent": "claude-code", "skills": 2, "events": events }]));
    let text = site.skc(["stats", "--agents"]).ok().out;
    assert!(text.contains("Claude Code") && text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let none = site.skc(["stats", "--agents", "--since", "2026-05-01", "--format", "json"]).ok().json();
    assert_eq!(none["agents"], json!([]));
    site.skc(["stats", "--agents", "--team"]).fails("E100");
}

/// RFC-0014:C-STATS
#[test]
fn a_skill_that_is_offered_and_never_used_is_listed_with_its_tokens() {
    let site = scene();
    import(&site);
    let reply = site.skc(["stats", "--dead", "--format", "json"]).ok().json();
    let path = site.home().join(".claude/skills/idle");
    let idle = json!({ "agent": "claude-code", "skill": "idle", "skill_path": path, "sessions": 2, "tokens_per_session": 7 });
    assert_eq!(reply["dead"], json!([idle]));
    let text = site.skc(["stats", "--dead"]).ok().out;
    assert!(
        text.contains("idle (Claude Code): offered in 2 sessions, never used, about 7 tokens in each"),
        "{text}"
    );
}

/// RFC-0014:C-STATS
#[test]
fn stats_import_first_where_the_user_says_so() {
    let site = scene();
    let count =
        || site.skc(["stats", "--all", "--format", "json"]).ok().json()["data"]["total_accesses"].clone();
    assert_eq!(count(), 0);
    put(&site.project().join(".skillc/config.toml"), "[history]\nauto = true\n");
    let run = site.skc(["stats", "--all", "--format", "json"]).ok();
    assert_eq!(run.json()["data"]["total_accesses"], 0, "a project cannot switch it on");
    put(&site.home().join(".skillc/config.toml"), "[history]\nauto = true\n");
    assert_eq!(count(), 2);
}
