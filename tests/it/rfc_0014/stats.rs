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
    assert!(text.contains("2         ~7              Claude Code  idle"), "{text}");
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

/// A busy day: one skill of which several files are read, with token counts.
fn busy_scene() -> Site {
    let site = scene();
    let skill = site.home().join(".claude/skills/used");
    let file = |name: &str| skill.join(name).to_str().unwrap().to_owned();
    let mut values = vec![listing("l3", "s1", &["used"])];
    values.push(claude("d", "assistant", tool_use("t-d", "Skill", json!({ "skill": "used" }))));
    values.push(claude("d-r", "user", tool_result("t-d", "Launching skill: used", false)));
    values.extend(claude_read("e", &file("references/long.md"), Some((3, 5))));
    values.extend(claude_read("f", &file("references/long.md"), Some((9, 2))));
    values.iter_mut().for_each(|value| {
        if value["message"].is_object() {
            value["message"]["model"] = "claude-opus-5-20260101".into();
        }
    });
    claude_session(&site, "s2", &values);
    site
}

/// RFC-0014:C-COST
#[test]
fn tokens_and_money_are_added_up_by_skill_and_model() {
    let site = busy_scene();
    import(&site);
    let used = |reply: &Value| {
        let costs = reply["cost"].as_array().unwrap();
        costs.iter().find(|cost| cost["skill"] == "used").unwrap().clone()
    };
    let cost = used(&site.skc(["stats", "--cost", "--format", "json"]).ok().json());
    let models = json!([
        { "model": null, "messages": 1, "input": 3, "output": 4, "cache_read": 0, "cache_write": 0, "money": null },
        { "model": "claude-opus-5-20260101", "messages": 3, "input": 9, "output": 12, "cache_read": 0, "cache_write": 0, "money": null },
    ]);
    assert_eq!(
        (&cost["models"], &cost["listing_tokens"], &cost["money"]),
        (&models, &json!(21), &Value::Null)
    );
    let text = site.skc(["stats", "--cost"]).ok().out;
    assert!(text.contains("~21") && text.contains("'[history] prices'"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let prices = "[[history.prices]]\nmodel = 'claude-opus-5'\ninput = 1000\noutput = 2000.5\n\n[[history.prices]]\nmodel = 'claude-code'\ninput = 1e6\n";
    put(&site.project().join(".skillc/config.toml"), prices);
    let run = site.skc(["stats", "--cost", "--format", "json"]).ok();
    assert!(run.err.contains("W033"), "a project has no prices: {}", run.err);
    assert_eq!(used(&run.json())["money"], Value::Null);
    fs::remove_file(site.project().join(".skillc/config.toml")).unwrap();
    put(&site.home().join(".skillc/config.toml"), prices);
    let cost = used(&site.skc(["stats", "--cost", "--format", "json"]).ok().json());
    let money = |value: &Value| (value["money"].as_f64().unwrap() * 1e6).round();
    // 3 tokens at 1 each; 9 at 0.001 and 12 at 0.0020005; 21 tokens of lists at the model's price.
    assert_eq!((money(&cost["models"][0]), money(&cost["models"][1])), (3_000_000.0, 33_006.0));
    assert_eq!((money(&cost), &cost["is_estimated"]), (3_054_006.0, &json!(true)));
    put(&site.home().join(".skillc/config.toml"), "[history]\nprices = [{ input = 1 }]\n");
    assert!(site.skc(["stats", "--cost"]).ok().err.contains("W032"), "a price without a model");
}

/// RFC-0014:C-STATS
#[test]
fn a_funnel_and_paths_are_shown_on_80_columns() {
    let site = busy_scene();
    import(&site);
    let funnel = site.skc(["stats", "--funnel", "--format", "json"]).ok().json();
    let used = &funnel["funnel"][0];
    let path = site.home().join(".claude/skills/used");
    assert_eq!(
        *used,
        json!({ "agent": "claude-code", "skill": "used", "skill_path": path, "offered": 2, "chosen": 1, "read": 1, "done": 1 })
    );
    let text = site.skc(["stats", "--funnel"]).ok().out;
    assert!(
        text.contains("used (Claude Code)") && text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    let paths = site.skc(["stats", path.to_str().unwrap(), "--paths", "--format", "json"]).ok().json();
    let step = |from: Value, to: &str| json!({ "skill": "used", "skill_path": path, "from": from, "to": to, "count": 1 });
    let long = "references/long.md";
    // All records have the same second, so they are in the order of the log.
    let steps = paths["paths"].as_array().unwrap();
    assert!(steps.contains(&step(json!("SKILL.md"), long)), "{paths}");
    let text = site.skc(["stats", "--paths"]).ok().out;
    assert!(text.contains("→ references/long.md"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    for option in ["--funnel", "--cost", "--paths"] {
        site.skc(["stats", option, "--team"]).fails("E100");
        site.skc(["stats", option, "--agents"]).fails("E100");
    }
}

/// RFC-0014:C-STATS
#[test]
fn the_page_has_a_funnel_and_a_heat_map() {
    let site = busy_scene();
    import(&site);
    site.skc(["stats", "--all", "--html", "usage.html"]).ok();
    let page = fs::read_to_string(site.project().join("usage.html")).unwrap();
    for part in ["From offer to use", "Sections by agent", "Claude Code", "heat-5", "<bdi>Deep</bdi>"] {
        assert!(page.contains(part), "{part}");
    }
    let without = Site::new();
    without.skc(["stats", "--all", "--html", "usage.html"]).ok();
    let page = fs::read_to_string(without.project().join("usage.html")).unwrap();
    assert!(!page.contains("Sections by agent"));
}

/// RFC-0014:C-STATS
#[test]
fn a_damaged_log_of_histories_does_not_hide_own_figures() {
    let site = Site::built("demo", "# Demo\n\n## Part\n\ntext\n");
    site.skc(["show", "demo", "--section", "Part"]).ok();
    put(&history_log(&site), [7; 4096]);
    for args in [&["stats", "demo", "--format", "json"][..], &["stats", "--all", "--format", "json"]] {
        let run = site.skc(args);
        assert_eq!(run.err.matches("E032").count(), 1, "{args:?}: {}", run.err);
        assert_eq!(run.json()["data"]["unique_sections"], 1, "{args:?}");
    }
    site.skc(["stats", "--agents"]).fails("E032");
}

/// RFC-0014:C-STATS
#[test]
fn every_view_says_that_no_history_is_imported() {
    let site = scene();
    for view in ["--dead", "--agents", "--funnel"] {
        let text = site.skc(["stats", view]).ok().out;
        assert!(text.contains("No history is imported yet"), "{view}: {text}");
    }
}

/// RFC-0014:C-STATS
#[test]
fn skills_with_the_same_name_are_told_apart_by_their_folders() {
    let site = Site::new();
    let values: Vec<Value> = [".claude/skills", "elsewhere/skills"]
        .iter()
        .enumerate()
        .flat_map(|(at, folder)| {
            let file = agents_skill(&site, folder, "twin").join("references/long.md");
            claude_read(&format!("a{at}"), file.to_str().unwrap(), Some((3, 2)))
        })
        .collect();
    claude_session(&site, "s1", &values);
    import(&site);
    for view in ["--funnel", "--paths"] {
        let text = site.skc(["stats", view]).ok().out;
        let is_named = |folder: &str| text.lines().any(|line| line.trim() == format!("~/{folder}/twin"));
        assert!(is_named(".claude/skills") && is_named("elsewhere/skills"), "{view}: {text}");
    }
}
