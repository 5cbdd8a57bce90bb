//! RFC-0007:C-LIST.

use crate::site::{Site, put, skill_md};
use serde_json::{Value, json};
use std::fs;

/// Two skills in the project and two in the home.
fn stores() -> Site {
    let site = Site::new();
    ["rust-b", "a"].iter().for_each(|name| site.write_skill(name, "# X\n"));
    for name in ["rust-c", "B"] {
        put(&site.home().join(format!(".skillc/skills/{name}/SKILL.md")), skill_md("x", "# X\n"));
    }
    site
}

fn list(site: &Site, args: &[&str]) -> Value {
    site.skc(["list", "--format", "json"].iter().chain(args)).ok().json()
}

/// The name of each row, with its scope or its status.
fn rows(reply: &Value, key: &str) -> Vec<String> {
    let skills = reply["skills"].as_array().unwrap().iter();
    skills.map(|s| format!("{} {}", s["name"].as_str().unwrap(), s[key].as_str().unwrap())).collect()
}

/// RFC-0007:C-LIST
#[test]
fn list_shows_project_skills_before_global_ones() {
    let site = stores();
    let expected = ["a project", "rust-b project", "B global", "rust-c global"];
    assert_eq!(rows(&list(&site, &[]), "scope"), expected);
    let text = site.skc(["list"]).ok().out;
    let firsts: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(firsts, ["SKILL", "a", "rust-b", "B", "rust-c"]);
}

/// RFC-0007:C-LIST
#[test]
fn list_tells_normal_not_built_and_obsolete() {
    let site = stores();
    for name in ["changed", "broken", "touched"] {
        site.write_skill(name, "# X\n");
    }
    site.skc(["build", "--all"]).ok();
    fs::remove_dir_all(site.runtime("a")).unwrap();
    fs::write(site.runtime("broken").join(".skillc-meta/manifest.json"), "{}").unwrap();
    site.write("changed", "SKILL.md", skill_md("changed", "# Y\n"));
    site.write("touched", "SKILL.md", skill_md("touched", "# X\n"));
    let status = |args: &[&str]| rows(&list(&site, &[args, &["--scope", "project"]].concat()), "status");
    let fast = ["a not-built", "broken not-built", "changed normal", "rust-b normal", "touched normal"];
    let compared = ["a not-built", "broken not-built", "changed obsolete", "rust-b normal", "touched normal"];
    assert_eq!(status(&[]), fast);
    assert_eq!(status(&["--check-obsolete"]), compared);
    assert_eq!(status(&["--status", "obsolete"]), ["changed obsolete"]);
}

/// RFC-0007:C-LIST
#[test]
fn list_filters_narrow_the_list() {
    let site = stores();
    site.skc(["build", "a"]).ok();
    let names = |args: &[&str]| rows(&list(&site, args), "scope");
    assert_eq!(names(&["--scope", "project"]), ["a project", "rust-b project"]);
    assert_eq!(names(&["--scope", "global"]), ["B global", "rust-c global"]);
    assert_eq!(names(&["--status", "normal"]), ["a project"]);
    assert_eq!(names(&["--status", "not-built"]), ["rust-b project", "B global", "rust-c global"]);
    assert_eq!(names(&["--pattern", "rust-*"]), ["rust-b project", "rust-c global"]);
    assert_eq!(names(&["--limit", "3"]), ["a project", "rust-b project", "B global"]);
    assert_eq!(names(&["-p", "rust-?", "--scope", "global", "-l", "1"]), ["rust-c global"]);
    let reply = list(&site, &["--pattern", "rust-*", "--limit", "1"]);
    assert_eq!((&reply["total"], &reply["filtered"]), (&json!(4), &json!(1)));
}

/// RFC-0007:C-LIST
#[test]
fn list_verbose_adds_the_source() {
    let site = stores();
    let columns = |args: &[&str]| -> Vec<Vec<String>> {
        let out = site.skc(args).ok().out;
        out.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    };
    let short = columns(&["list"]);
    assert_eq!(short[0], ["SKILL", "SCOPE", "STATUS", "DEPLOYED", "TO", "DESCRIPTION"]);
    assert_eq!(short[1][..6], ["a", "project", "not-built", "-", "Does", "a."]);
    let long = columns(&["list", "--verbose"]);
    assert_eq!(long[0], ["SKILL", "SCOPE", "STATUS", "DEPLOYED", "TO", "SOURCE"]);
    assert_eq!(long[1][..5], ["a", "project", "not-built", "-", ".skillc/skills/a"]);
    assert_eq!(long[3][..5], ["B", "global", "not-built", "-", "~/.skillc/skills/B"]);
}

/// RFC-0007:C-LIST
#[test]
fn list_as_json_has_the_fields_of_the_rfc() {
    let site = Site::built("x", "# X\n");
    let expected = json!({
        "skills": [{
            "name": "x", "scope": "project", "status": "normal",
            "description": "Does x. Use when testing.", "deployed": ["claude-code"],
            "source_path": site.skill("x"), "runtime_path": site.runtime("x")
        }],
        "total": 1,
        "filtered": 1
    });
    assert_eq!(list(&site, &[]), expected);
    let nothing = Site::without_project();
    assert_eq!(list(&nothing, &[]), json!({"skills": [], "total": 0, "filtered": 0}));
}

/// RFC-0007:C-LIST
#[test]
fn list_names_the_clients_that_a_skill_is_deployed_to() {
    let site = stores();
    let deployed = |name: &str| {
        let reply = list(&site, &[]);
        let skill = reply["skills"].as_array().unwrap().iter().find(|skill| skill["name"] == name).unwrap();
        skill["deployed"].clone()
    };
    site.skc(["build", "a", "-t", "claude,codex,./out"]).ok();
    site.skc(["build", "rust-c", "--copy"]).ok();
    assert_eq!(deployed("a"), json!(["./out", "claude-code", "codex"]));
    assert_eq!(deployed("rust-c"), json!(["claude-code"]));
    assert_eq!(deployed("rust-b"), json!([]));
    // As in a clone: only what exists counts, and of the agents that share a folder, only those that are installed.
    fs::remove_file(site.runtime("a").join(".skillc-meta/deployed.json")).unwrap();
    assert_eq!(deployed("a"), json!(["claude-code", "universal"]));
    fs::create_dir_all(site.home().join(".codex")).unwrap();
    assert_eq!(deployed("a"), json!(["claude-code", "codex"]));
    site.skc(["undeploy", "a", "-t", "claude"]).ok();
    assert_eq!(deployed("a"), json!(["codex"]));
}

/// RFC-0007:C-LIST, RFC-0007:C-HELP
#[test]
fn an_empty_list_says_what_there_is_and_what_to_do_next() {
    let site = Site::without_project();
    let list = |site: &Site| site.skc(["list"]).ok().out;
    let none = "No skills in the stores of this project and of your home.\n\n";
    assert_eq!(
        list(&site),
        format!("{none}Agents  none found\nSkills  none found\nNext    run 'skc init my-skill'\n")
    );
    fs::create_dir_all(site.home().join(".codex")).unwrap();
    for name in ["one", "two"] {
        put(&site.home().join(format!(".claude/skills/{name}/SKILL.md")), skill_md(name, "# X\n"));
    }
    put(&site.project().join(".agents/skills/three/SKILL.md"), skill_md("three", "# X\n"));
    let overview = "Agents  Claude Code, Codex\nSkills  2 in ~/.claude/skills, 1 in .agents/skills\n";
    assert_eq!(list(&site), format!("{none}{overview}Next    run 'skc find \"what you want to do\"'\n"));
    let bare = site.skc([""; 0]).ok().out;
    assert!(
        bare.ends_with(&format!("\n\n{overview}Next    run 'skc find \"what you want to do\"'\n")),
        "{bare}"
    );
    let found = site.skc(["find", "xylophone", "--mode", "lexical"]).ok().out;
    assert_eq!(found, format!("No skill fits\n\n{overview}Next    run 'skc catalog'\n"));
    put(&site.project().join("skills/own/SKILL.md"), skill_md("own", "# X\n"));
    assert!(list(&site).ends_with("Next    run 'skc init --in-place'\n"));
    site.skc(["init", "--in-place"]).ok();
    assert!(list(&site).starts_with("SKILL "));
    assert!(!site.skc([""; 0]).ok().out.contains("\nAgents "));
}

/// RFC-0007:C-LIST
#[test]
fn a_broken_skill_is_skipped_with_a_warning() {
    let site = Site::new();
    site.write_skill("good", "# X\n");
    site.write("no-description", "SKILL.md", "---\nname: x\n---\n");
    site.write("no-yaml", "SKILL.md", "---\nname: [\n---\n");
    site.write("no-skill", "README.md", "# A folder of something else\n");
    site.write("no-folder", "../file.md", "");
    let run = site.skc(["list", "--format", "json"]).ok();
    assert_eq!(rows(&run.json(), "scope"), ["good project"]);
    assert_eq!(run.json()["total"], 1);
    let warnings: Vec<&str> = run.err.lines().filter(|line| line.starts_with("warning[W024]: ")).collect();
    assert_eq!(warnings.len(), 2, "{}", run.err);
    for (warning, name) in warnings.iter().zip(["no-description", "no-yaml"]) {
        assert!(warning.contains(&format!("/{name}': ")), "{warning}");
    }
}
