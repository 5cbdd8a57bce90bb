//! RFC-0010:C-CATALOG: agents' folders as roots, and what a strict reader leaves out.

use super::scene::{configure, text};
use crate::mcp::{Client, Lifecycle};
use crate::site::{Run, Site, put, skill_md};
use serde_json::json;
use skillc_domain::agents::{AGENTS, Detect, expand};
use std::fs;
use std::path::Path;

fn add(folder: &Path, name: &str) {
    put(&folder.join(name).join("SKILL.md"), skill_md(name, "body"));
}

fn names(run: &Run) -> Vec<String> {
    let skills = run.json()["skills"].clone();
    skills.as_array().unwrap().iter().map(|skill| skill["name"].as_str().unwrap().to_owned()).collect()
}

fn catalog(site: &Site, more: &[&str]) -> Run {
    site.skc(["catalog", "--format", "json"].iter().chain(more)).ok()
}

/// A machine with Claude Code's folders, Codex in the home and no Cursor.
fn scene() -> Site {
    let site = Site::new();
    add(&site.project().join(".agents/skills"), "shared");
    add(&site.project().join(".claude/skills"), "claudes");
    add(&site.home().join(".claude/skills"), "claudes-of-home");
    add(&site.home().join(".codex/skills"), "codexs");
    add(&site.project().join(".cursor/skills"), "cursors");
    site
}

/// RFC-0010:C-CATALOG
#[test]
fn folders_of_claude_code_and_of_agents_on_this_machine_are_searched() {
    let site = scene();
    assert_eq!(names(&catalog(&site, &[])), ["shared", "claudes", "claudes-of-home", "codexs"]);
    let found = catalog(&site, &[]).json();
    assert_eq!(found["skills"][1]["locations"][0]["root"], "claude-code");
    assert_eq!((&found["elsewhere"], &found["skills"][3]["scope"]), (&json!(1), &json!("user")));
    fs::create_dir(site.home().join(".cursor")).unwrap();
    assert_eq!(names(&catalog(&site, &[])).len(), 5, "Cursor is here now");
}

/// RFC-0010:C-CATALOG
#[test]
fn the_folder_of_each_agent_whose_home_is_on_this_machine_is_searched() {
    let mut agents = 0;
    for agent in AGENTS {
        let Detect::AnyOf(homes) = agent.detect else { continue };
        let site = Site::new();
        let home = site.home();
        let folder = |template: &&str| {
            expand(template, home.to_str().unwrap(), &|_| None).filter(|at| at.starts_with(&home))
        };
        let (Some(agents_home), Some(skills)) =
            (homes.iter().find_map(folder), agent.user.iter().find_map(folder))
        else {
            continue;
        };
        add(&skills, "here");
        fs::create_dir_all(agents_home).unwrap();
        assert_eq!(names(&catalog(&site, &[])), ["here"], "{}", agent.id);
        agents += 1;
    }
    assert!(agents > 60, "{agents}");
}

/// RFC-0010:C-BUDGET
#[test]
fn codex_drops_no_skill_whose_path_it_can_shorten() {
    let site = Site::without_project();
    let deep = site.project().join("deep/".repeat(20));
    for at in 0..134 {
        let description = "日本語の説明文です。".repeat(4);
        let text = format!("---\nname: s{at:03}\ndescription: {description}\n---\n");
        put(&deep.join(format!(".agents/skills/s{at:03}/SKILL.md")), text);
    }
    put(&deep.join(".git/HEAD"), "");
    let run = site.skc_in(&deep, ["catalog", "--budget", "codex", "--context", "100000", "-o", "json"]).ok();
    let budget = run.json()["budget"].clone();
    assert_eq!((&budget["shortened"], &budget["dropped"]), (&json!(134), &json!(0)), "{budget}");
}

/// RFC-0010:C-CATALOG
#[test]
fn the_roots_of_a_call_or_of_the_settings_leave_out_folders_of_agents() {
    let site = scene();
    assert_eq!(names(&catalog(&site, &["--roots", "standard"])), ["shared"]);
    assert_eq!(names(&catalog(&site, &["--roots", "all"])).len(), 5);
    configure(&site, "[discovery]\ndefault_roots = 'standard'\n");
    assert_eq!(names(&catalog(&site, &[])), ["shared"]);
    assert_eq!(catalog(&site, &[]).json()["elsewhere"], 4);
    assert_eq!(names(&catalog(&site, &["--roots", "all"])).len(), 5);
    configure(&site, "[discovery]\ndefault_roots = 'all'\n");
    assert_eq!(names(&catalog(&site, &[])).len(), 5);
    configure(&site, "[discovery]\ndefault_roots = 'some'\n");
    assert!(site.skc(["catalog"]).ok().err.contains("W032"));
}

/// RFC-0010:C-LOAD
#[test]
fn load_finds_by_name_what_the_catalog_and_find_show() {
    let site = scene();
    for name in names(&catalog(&site, &[])) {
        site.skc(["load", &name]).ok();
        let found = site.skc(["find", &name, "--format", "json"]).ok().json();
        assert_eq!(found["results"][0]["name"], name.as_str());
    }
    site.skc(["load", "cursors"]).fails("E071");
    site.skc(["load", "cursors", "--roots", "all"]).ok();
    site.skc(["load", "claudes", "--roots", "standard"]).fails("E071");
}

/// RFC-0011:C-FIND
#[test]
fn the_tool_and_the_command_count_the_same_skills_elsewhere() {
    let site = scene();
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let own = client.call("skill_search", json!({ "query": "shared" }))["structuredContent"].clone();
    let command = site.skc(["find", "shared", "--format", "json"]).ok().json();
    assert_eq!((&own["elsewhere"], &command["elsewhere"]), (&json!(1), &json!(1)));
}

/// RFC-0010:C-LOAD, RFC-0011:C-FIND
#[test]
fn a_skill_that_validation_leaves_out_is_told_with_its_reason_wherever_it_is_asked_for() {
    let site = Site::without_project();
    let file = site.project().join(".claude/skills/claude-api/SKILL.md");
    let description = format!("Build apps on an API. {}", "x".repeat(1_046));
    put(&file, format!("---\nname: claude-api\ndescription: {description}\n---\n"));
    let reason =
        "description has 1068 characters, at most 1024 are allowed; Claude Code loads it, Codex does not";
    let run = site.skc(["load", "claude-api"]).fails("E082");
    assert!(run.err.contains(&format!("skill 'claude-api' is invalid: {reason}")), "{}", run.err);
    assert!(run.err.contains(&text(&file)) && run.err.contains("lenient"), "{}", run.err);
    site.skc(["load", file.to_str().unwrap()]).fails("E082");
    for query in ["claude-api", "build apps"] {
        let run = site.skc(["find", query]).ok();
        assert!(run.err.contains(&format!("invalid: claude-api: {reason}")), "{query}: {}", run.err);
    }
    let reply = site.skc(["find", "claude", "--format", "json"]).ok().json();
    assert_eq!(reply["invalid"], json!([format!("claude-api: {reason}")]));
    assert!(!site.skc(["find", "something else"]).ok().err.contains("invalid:"));
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let loaded = client.call("skill_load", json!({ "name": "claude-api" }));
    assert!(loaded["content"][0]["text"].as_str().unwrap().contains(reason), "{loaded}");
    let found = client.call("skill_search", json!({ "query": "claude-api" }));
    assert!(found["content"][0]["text"].as_str().unwrap().contains(reason), "{found}");
}

/// RFC-0010:C-LOAD, RFC-0010:C-POLICY
#[test]
fn a_hidden_skill_that_is_invalid_too_is_not_told() {
    let site = Site::without_project();
    put(
        &site.project().join(".agents/skills/other/SKILL.md"),
        "---\nname: secret-plan\ndescription: Builds plans.\n---\n",
    );
    configure(&site, "[permissions]\ndeny = ['secret-*']\n");
    let mut client = Client::start(&site, Lifecycle::Stateless);
    for (tool, arguments) in [
        ("skill_load", json!({ "name": "secret-plan" })),
        ("skill_search", json!({ "query": "secret-plan" })),
        ("skill_search", json!({ "query": "builds plans" })),
    ] {
        let reply = client.call(tool, arguments).to_string();
        assert!(!reply.contains("differs from the name of its folder"), "{reply}");
    }
}

/// RFC-0010:C-BUDGET
#[test]
fn a_budget_counts_the_folders_that_the_client_reads_as_it_counts_them() {
    let site = Site::without_project();
    let skill = |folder: &str, name: &str, front: &str| {
        put(&site.project().join(folder).join(name).join("SKILL.md"), format!("---\n{front}\n---\n# X\n"));
    };
    skill(".claude/skills", "plain", "name: plain\ndescription: Does it.\nwhen_to_use: Daily.");
    skill(".claude/skills", "Odd Name", "description: Loads it.");
    skill(".claude/skills", "hidden", "name: hidden\ndescription: d\ndisable-model-invocation: true");
    skill(".claude/skills/group", "deep", "name: deep\ndescription: d");
    skill(".agents/skills", "shared", "name: shared\ndescription: Does more.");
    skill(".agents/skills", "policy", "name: policy\ndescription: d");
    put(
        &site.project().join(".agents/skills/policy/agents/openai.yaml"),
        "policy:\n  allow_implicit_invocation: false\n",
    );
    skill(".agents/skills", "long", &format!("name: long\ndescription: {}", "x".repeat(1_025)));
    skill(".cursor/skills", "cursors", "name: cursors\ndescription: d");
    let budget = |args: &[&str]| catalog(&site, args).json()["budget"].clone();
    let claude = budget(&["--budget", "claude-code"]);
    let list = "- Odd Name: Loads it.\n- plain: Does it. - Daily.\n";
    assert_eq!((&claude["wanted"], &claude["whole"]), (&json!(list.len()), &json!(2)), "{claude}");
    let path = site.project().join(".agents/skills/shared/SKILL.md");
    let line = format!("- shared: Does more. (file: {})\n", path.display());
    let codex = budget(&["--budget", "codex"]);
    assert_eq!((&codex["unit"], &codex["wanted"]), (&json!("characters"), &json!(line.len())), "{codex}");
    let tokens = budget(&["--budget", "codex", "--context", "200000"]);
    let expected = (&json!("tokens"), &json!(4_000), &json!(line.len().div_ceil(4)));
    assert_eq!((&tokens["unit"], &tokens["limit"], &tokens["wanted"]), expected, "{tokens}");
}

/// RFC-0010:C-LOAD, RFC-0011:C-FIND
#[test]
fn a_built_skill_that_validation_leaves_out_is_refused_with_its_own_reason() {
    let long = "Use when testing. ".repeat(60);
    for (front, reason) in [
        (
            format!("name: x\ndescription: {}", long.trim()),
            "description has 1079 characters, at most 1024 are allowed",
        ),
        ("name: other\ndescription: d".to_owned(), "name 'other' differs from the name of its folder, 'x'"),
    ] {
        let site = Site::new();
        site.write("x", "SKILL.md", format!("---\n{front}\n---\n# X\n"));
        site.write("x", "references/a.md", "# A\n");
        site.skc(["build", "x"]).ok();
        for arguments in [&["load", "x"][..], &["load", ".claude/skills/x"]] {
            let run = site.skc(arguments).fails("E082");
            assert!(run.err.contains(reason) && !run.err.contains("is gone"), "{arguments:?}: {}", run.err);
        }
        for arguments in [&["find", "x"][..], &["catalog", "-v"]] {
            let run = site.skc(arguments);
            assert!(run.err.contains(reason) && !run.err.contains("is gone"), "{arguments:?}: {}", run.err);
        }
    }
}
