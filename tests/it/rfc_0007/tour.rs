//! RFC-0007:C-TRY.

use crate::site::{Site, finish, program, snapshot};
use serde_json::Value;
use skillc::{SHIPPED_SKILL, demo};
use std::fs;
use std::process::Command;

/// A reply without paths, scores and cursors, which depend on the place.
fn without_places(reply: &Value) -> Value {
    match reply {
        Value::String(text) if text.starts_with('/') => Value::Null,
        Value::Array(all) => all.iter().map(without_places).collect(),
        Value::Object(all) => all
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "score" | "next_cursor"))
            .map(|(key, v)| (key.clone(), without_places(v)))
            .collect(),
        other => other.clone(),
    }
}

/// RFC-0007:C-TRY
#[test]
fn an_edited_skill_changes_the_tour() {
    let shipped = demo(SHIPPED_SKILL, |_| {}).unwrap();
    let text = b"---\nname: using-skc\ndescription: Another.\n---\n# Marmalade Xylophones\n\nThey ring.\n";
    let edited = demo(&[("SKILL.md", text)], |_| {}).unwrap();
    let changed: Vec<&str> = shipped
        .iter()
        .zip(&edited)
        .filter(|(a, b)| without_places(&a.reply) != without_places(&b.reply))
        .map(|(_, step)| step.command.split(' ').nth(1).unwrap())
        .collect();
    assert_eq!(changed, ["lint", "build", "outline", "search", "show", "open", "list"]);
    let said: String = edited.iter().map(|step| step.reply.to_string() + &step.command).collect();
    assert!(said.contains("They ring.") && said.contains("marmalade xylophones"), "{said}");
}

/// RFC-0007:C-TRY
#[test]
fn the_tour_replies_what_the_commands_reply() {
    let site = Site::new();
    for (path, bytes) in SHIPPED_SKILL {
        site.write("using-skc", path, bytes);
    }
    let bin = site.root().join("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(program(), bin.join("skc")).unwrap();
    for step in demo(SHIPPED_SKILL, |_| {}).unwrap() {
        let prepared = site.command([""; 0]);
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", &format!("{} --format json", step.command)])
            .current_dir(site.project())
            .env_clear();
        command.envs(prepared.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env("PATH", &bin);
        let reply = finish(command).ok().json();
        assert_eq!(without_places(&reply), without_places(&step.reply), "{}", step.command);
    }
}

/// RFC-0007:C-TRY
#[test]
fn try_prints_each_step_of_the_tour() {
    let site = Site::without_project();
    let shown = site.skc(["try"]).ok().out;
    let steps = site.skc(["try", "--format", "json"]).ok().json();
    let steps = steps["steps"].as_array().unwrap();
    let text = |step: &Value, key: &str| step[key].as_str().unwrap().to_owned();
    let verbs: Vec<String> =
        steps.iter().map(|step| text(step, "command").split(' ').nth(1).unwrap().to_owned()).collect();
    assert_eq!(verbs, ["lint", "build", "outline", "search", "show", "open", "list"]);
    let mut rest = shown.as_str();
    for step in steps {
        let head = format!("# {}\n$ {}\n", text(step, "why"), text(step, "command"));
        let at = rest.find(&head).unwrap_or_else(|| panic!("no {head} in {rest}"));
        rest = &rest[at + head.len()..];
        let reply = rest.split("\n# ").next().unwrap();
        assert!(!reply.trim().is_empty(), "{head}");
    }
    assert!(shown.contains(steps[4]["reply"]["content"].as_str().unwrap()));
}

/// RFC-0007:C-TRY
#[test]
fn try_leaves_nothing_behind() {
    let site = Site::without_project();
    let temporary = site.root().join("tmp");
    fs::create_dir(&temporary).unwrap();
    let before = snapshot(&site.root());
    site.skc_with(&[("TMPDIR", temporary.to_str().unwrap())], ["try"]).ok();
    site.skc_with(&[("TMPDIR", temporary.to_str().unwrap())], ["try", "-o", "json", "-v"]).ok();
    assert_eq!(snapshot(&site.root()), before);
}
