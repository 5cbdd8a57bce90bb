//! RFC-0001:C-TARGETS: agents and their folders.

use super::deploys;
use crate::site::{Site, put};
use skillc_domain::agents::{AGENTS, aliases};
use std::path::Path;

/// The short names of the RFC: name, id, folder in the project, folder in the home directory.
const SHORT: [[&str; 4]; 8] = [
    ["claude", "claude-code", ".claude/skills", ".claude/skills"],
    ["codex", "codex", ".agents/skills", ".agents/skills"],
    ["copilot", "github-copilot", ".agents/skills", ".copilot/skills"],
    ["cursor", "cursor", ".agents/skills", ".cursor/skills"],
    ["gemini", "gemini-cli", ".agents/skills", ".gemini/skills"],
    ["kiro", "kiro-cli", ".kiro/skills", ".kiro/skills"],
    ["opencode", "opencode", ".agents/skills", ".config/opencode/skills"],
    ["trae", "trae", ".trae/skills", ".trae/skills"],
];

/// The folders to which a build with these arguments deploys, without the skill's name.
#[track_caller]
fn folders(site: &Site, args: &[&str]) -> Vec<String> {
    let reply = site.skc([&["build", "x", "-o", "json"], args].concat()).ok().json();
    let folder = |path: &str| Path::new(path).parent().unwrap().to_string_lossy().into_owned();
    deploys(&reply).iter().map(|place| folder(place[1])).collect()
}

fn below(base: &Path, folder: &str) -> String {
    base.join(folder).to_string_lossy().into_owned()
}

fn site_with_skill() -> Site {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site
}

/// RFC-0001:C-TARGETS
#[test]
fn targets_lists_every_agent_with_its_folders() {
    let site = Site::new();
    let reply = site.skc(["targets", "-o", "json"]).ok().json();
    let rows = reply["targets"].as_array().unwrap();
    assert_eq!((rows.len(), AGENTS.len()), (79, 79));
    let path = |folder: &serde_json::Value| folder["path"].as_str().map(str::to_owned);
    for (row, agent) in rows.iter().zip(AGENTS) {
        let names: Vec<_> = row["aliases"].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
        assert_eq!((row["target"].as_str().unwrap(), names), (agent.id, aliases(agent).collect()));
        assert_eq!(path(&row["project"]).unwrap(), below(&site.project(), agent.project));
        assert_eq!(path(&row["user"]).is_some(), !agent.user.is_empty(), "{}", agent.id);
    }
    let text = site.skc(["targets"]).ok().out;
    for [name, id, ..] in SHORT {
        assert!(text.lines().any(|line| line.contains(id) && line.contains(name)), "{id}: {text}");
    }
}

/// RFC-0001:C-TARGETS
#[test]
fn a_short_name_and_an_id_name_the_same_agent() {
    let site = site_with_skill();
    for [name, id, project, user] in SHORT {
        for target in [name, id] {
            assert_eq!(folders(&site, &["-t", target]), [below(&site.project(), project)]);
            assert_eq!(folders(&site, &["-g", "-t", target]), [below(&site.home(), user)]);
        }
    }
}

/// RFC-0001:C-TARGETS
#[test]
fn a_target_with_a_separator_is_a_path() {
    let site = site_with_skill();
    let elsewhere = below(&site.root(), "elsewhere");
    assert_eq!(folders(&site, &["-t", "./agents"]), [below(&site.project(), "agents")]);
    assert_eq!(folders(&site, &["-t", "claude/"]), [below(&site.project(), "claude")]);
    assert_eq!(folders(&site, &["-t", &elsewhere]), [elsewhere]);
    assert_eq!(folders(&site, &["-t", "~/agents"]), [below(&site.home(), "agents")]);
    assert!(site.project().join("agents/x/SKILL.md").is_file());
}

/// RFC-0001:C-TARGETS
#[test]
fn an_unknown_target_suggests_the_nearest_names() {
    let site = site_with_skill();
    for (unknown, near) in [("cursr", "cursor"), ("claud", "claude"), ("open-code", "opencode")] {
        let run = site.skc(["build", "x", "-t", unknown]).fails("E100");
        assert!(run.err.contains(unknown) && run.err.contains(&format!("  - {near}\n")), "{}", run.err);
    }
    site.skc(["build", "x", "-t", "zzzzzzzzzzzzzzz"]).fails("E100");
    site.skc(["build", "x", "-t", ""]).fails("E100");
    assert!(!site.runtime("x").join("SKILL.md").exists());
}

/// RFC-0001:C-TARGETS
#[test]
fn an_agent_without_a_user_folder_takes_no_global_skill() {
    let site = site_with_skill();
    let without: Vec<_> = AGENTS.iter().filter(|agent| agent.user.is_empty()).collect();
    assert!(!without.is_empty());
    for agent in without {
        let run = site.skc(["build", "x", "-g", "-t", agent.id]).fails("E100");
        assert!(run.err.contains(agent.id), "{}", run.err);
        assert_eq!(folders(&site, &["-t", agent.id]), [below(&site.project(), agent.project)]);
    }
}

/// RFC-0001:C-TARGETS
#[test]
fn targets_in_the_configuration_add_and_override() {
    let site = site_with_skill();
    let root = below(&site.root(), "of-cursor");
    put(&site.project().join(".skillc/config.toml"), "[targets]\nmine = 'of-mine'\n");
    // Only the user's configuration may name places outside the project.
    put(
        &site.home().join(".skillc/config.toml"),
        format!("[targets]\nclaude = '~/of-claude'\ncursor = '{root}'\n"),
    );
    let claude = below(&site.home(), "of-claude");
    assert_eq!(folders(&site, &["-t", "mine"]), [below(&site.project(), "of-mine")]);
    assert_eq!(folders(&site, &["-t", "cursor"]), [root]);
    for args in [&["-t", "claude"][..], &["-t", "claude-code"], &[]] {
        assert_eq!(folders(&site, args), [claude.as_str()], "{args:?}");
    }
    let reply = site.skc(["targets", "-o", "json"]).ok().json();
    let row =
        |name: &str| reply["targets"].as_array().unwrap().iter().filter(|r| r["target"] == name).count();
    assert_eq!((row("mine"), row("claude"), row("claude-code"), row("cursor")), (1, 1, 0, 1));
}

/// RFC-0001:C-TARGETS
#[test]
fn an_agents_variable_moves_its_user_folder() {
    let site = site_with_skill();
    let root = site.root();
    let vars = [("CLAUDE_CONFIG_DIR", root.join("c")), ("XDG_CONFIG_HOME", root.join("x"))];
    let build = |has_home: bool| {
        let mut command = site.command(["build", "x", "-g", "-t", "claude,opencode", "-o", "json"]);
        command.envs(vars.iter().map(|(name, value)| (name, value)));
        if !has_home {
            command.env_remove("SKILLC_HOME");
        }
        let reply = crate::site::finish(command).ok().json();
        deploys(&reply).iter().map(|place| place[1].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(build(false), [below(&root, "c/skills/x"), below(&root, "x/opencode/skills/x")]);
    let home = site.home();
    assert_eq!(build(true), [below(&home, ".claude/skills/x"), below(&home, ".config/opencode/skills/x")]);
}
