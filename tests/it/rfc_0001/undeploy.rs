//! RFC-0001:C-UNDEPLOY: removing deployed skills.

use super::snapshot;
use crate::site::{Site, put, skill_md};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// The paths that a run of `undeploy` removed, relative to the site's root, sorted.
#[track_caller]
fn removed(site: &Site, args: &[&str]) -> Vec<String> {
    let reply: Value = site.skc([&["undeploy", "-o", "json"], args].concat()).ok().json();
    let below =
        |path: &str| Path::new(path).strip_prefix(site.root()).unwrap().to_string_lossy().into_owned();
    let places = reply["removed"].as_array().unwrap();
    let mut places: Vec<_> = places.iter().map(|place| below(place["path"].as_str().unwrap())).collect();
    places.sort();
    places
}

/// RFC-0001:C-UNDEPLOY
#[test]
fn undeploy_takes_back_every_deploy_of_a_skill() {
    let site = Site::built("x", "# X\n");
    site.skc(["build", "x", "--target", "kiro,./own", "--copy"]).ok();
    site.skc(["build", "x", "--global", "--target", "claude,cursor"]).ok();
    let kept = ["project/.skillc", "home/.skillc"].map(|folder| (folder, without_deploys(&site, folder)));
    let told = removed(&site, &["x"]);
    let wanted = [
        "home/.claude/skills/x",
        "home/.cursor/skills/x",
        "project/.claude/skills/x",
        "project/.kiro/skills/x",
        "project/own/x",
    ];
    assert_eq!(told, wanted);
    for place in wanted {
        assert!(fs::symlink_metadata(site.root().join(place)).is_err(), "{place}");
    }
    for (folder, before) in kept {
        assert_eq!(without_deploys(&site, folder), before, "source, runtime and index stay");
    }
    assert!(removed(&site, &["x"]).is_empty());
    assert!(site.skc(["undeploy", "x"]).ok().out.contains("deployed nowhere"));
}

/// Everything below a folder except the list of deploys.
fn without_deploys(site: &Site, folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut found = snapshot(&site.root().join(folder));
    found.retain(|(path, _)| !path.ends_with("deployed.json"));
    found
}

/// RFC-0001:C-UNDEPLOY
#[test]
fn undeploy_leaves_alone_what_is_not_of_the_skill() {
    let site = Site::built("x", "# X\n");
    site.write_skill("other", "# O\n");
    site.skc(["build", "other"]).ok();
    let own = site.project().join(".claude/skills/x");
    let foreign: [fn(&Site, &Path); 4] = [
        |_, place| put(&place.join("SKILL.md"), "mine"),
        |_, place| put(place, "mine"),
        |site, place| symlink(site.home(), place).unwrap(),
        |site, place| symlink(site.runtime("other"), place).unwrap(),
    ];
    for occupy in foreign {
        match fs::symlink_metadata(&own).unwrap().is_dir() {
            true => fs::remove_dir_all(&own).unwrap(),
            false => fs::remove_file(&own).unwrap(),
        }
        occupy(&site, &own);
        let before = snapshot(&site.root());
        assert!(removed(&site, &["x"]).is_empty());
        assert!(removed(&site, &["x", "--target", "claude"]).is_empty());
        let mut after = snapshot(&site.root());
        after.retain(|(path, _)| !path.contains(".skillc-meta"));
        assert!(after.iter().all(|entry| before.contains(entry)));
    }
    assert!(site.project().join(".claude/skills/other/SKILL.md").is_file());
}

/// RFC-0001:C-UNDEPLOY
#[test]
fn a_global_skill_of_the_same_name_keeps_its_deploys() {
    let site = Site::new();
    put(&site.home().join(".skillc/skills/x/SKILL.md"), skill_md("x", "# Global\n"));
    site.skc_in(&site.home(), ["build", "x"]).ok();
    site.skc_in(&site.home(), ["build", "x", "--target", "cursor", "--copy"]).ok();
    site.write_skill("x", "# Local\n");
    site.skc(["build", "x"]).ok();
    assert_eq!(removed(&site, &["x"]), ["project/.claude/skills/x"]);
    for place in [".claude/skills/x/SKILL.md", ".cursor/skills/x/SKILL.md"] {
        assert!(site.home().join(place).is_file(), "{place}");
    }
}

/// RFC-0001:C-UNDEPLOY
#[test]
fn a_skill_undeployed_while_disabled_stays_so() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.skc(["build", "x", "--target", "claude,cursor"]).ok();
    site.skc(["disable", "x"]).ok();
    site.skc(["undeploy", "x", "--target", "cursor"]).ok();
    let run = site.skc(["enable", "x"]).ok();
    assert!(run.out.contains("Deployed .claude/skills/x\n") && !run.out.contains(".agents"), "{}", run.out);
}

/// RFC-0001:C-UNDEPLOY
#[test]
fn undeploy_with_a_target_removes_only_that_one() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.skc(["build", "x", "--target", "claude,cursor,kiro,./own"]).ok();
    site.skc(["build", "x", "--global", "--target", "kiro,trae"]).ok();
    assert_eq!(removed(&site, &["x", "--target", "cursor"]), ["project/.agents/skills/x"]);
    assert_eq!(removed(&site, &["x", "--target", "./own"]), ["project/own/x"]);
    // `eve` has no folder in the home directory, and `trae` is only deployed there.
    assert_eq!(removed(&site, &["x", "--target", "eve,trae"]), ["home/.trae/skills/x"]);
    site.skc(["undeploy", "x", "--target", "no-such-agent"]).fails("E100");
    assert_eq!(
        removed(&site, &["x"]),
        ["home/.kiro/skills/x", "project/.claude/skills/x", "project/.kiro/skills/x"]
    );
}

/// RFC-0001:C-UNDEPLOY
#[test]
fn a_skill_whose_source_is_gone_is_undeployed() {
    let site = Site::built("x", "# X\n");
    std::fs::remove_dir_all(site.skill("x")).unwrap();
    let place = site.project().join(".claude/skills/x");
    assert!(std::fs::symlink_metadata(&place).is_ok());
    site.skc(["undeploy", "x"]).ok();
    assert!(std::fs::symlink_metadata(&place).is_err());
    site.skc(["undeploy", "never-there"]).fails("E001");
}

/// RFC-0001:C-UNDEPLOY
#[test]
fn undeploy_says_of_which_skill_a_deployment_is_that_stays() {
    let site = Site::new();
    let global = site.home().join(".skillc/skills/x");
    put(&global.join("SKILL.md"), skill_md("x", "# Global\n"));
    site.skc_in(&site.home(), ["build", "x"]).ok();
    site.write_skill("x", "# Project\n");
    let run = site.skc(["undeploy", "x"]).ok();
    assert!(!run.out.contains("nowhere"), "{}", run.out);
    assert!(run.out.contains("~/.claude/skills/x belongs to another skill and stays"), "{}", run.out);
    assert!(site.home().join(".claude/skills/x").is_symlink());
    let command = run.out.split("skc undeploy ").nth(1).unwrap().trim();
    assert!(site.skc(["undeploy", command]).ok().out.contains("Removed ~/.claude/skills/x"));
    assert!(!site.home().join(".claude/skills/x").is_symlink());
}

/// RFC-0001:C-UNDEPLOY
#[test]
fn a_link_of_a_project_that_moved_is_undeployed() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.skc(["build", "x"]).ok();
    let link = site.project().join(".claude/skills/x");
    fs::remove_file(&link).unwrap();
    symlink("/no-such-place/.skillc/runtime/x", &link).unwrap();
    let run = site.skc(["undeploy", "x"]).ok();
    assert!(run.out.contains("Removed .claude/skills/x"), "{}", run.out);
    assert!(link.symlink_metadata().is_err());
}

/// RFC-0001:C-UNDEPLOY
#[test]
fn undeploy_all_takes_back_every_deploy_of_the_project_and_outside_one_of_the_home() {
    let site = Site::built("x", "# X\n");
    site.write_skill("y", "# Y\n");
    site.skc(["build", "y", "--target", "kiro,./own", "--copy"]).ok();
    put(&site.home().join(".skillc/skills/z/SKILL.md"), skill_md("z", "# Z\n"));
    site.skc_in(&site.home(), ["build", "z", "--target", "cursor"]).ok();
    site.write_skill("unbuilt", "# U\n");
    fs::remove_dir_all(site.skill("x")).unwrap();
    let foreign = site.project().join(".claude/skills/mine/SKILL.md");
    put(&foreign, "mine");
    assert_eq!(removed(&site, &["--all", "--target", "kiro"]), ["project/.kiro/skills/y"]);
    assert_eq!(removed(&site, &["--all"]), ["project/.claude/skills/x", "project/own/y"]);
    assert!(foreign.is_file() && site.runtime("x").is_dir() && site.skill("y").is_dir());
    assert_eq!(site.skc(["undeploy", "--all"]).ok().out, "Nothing is deployed\n");
    let at_home = site.skc_in(&site.home(), ["undeploy", "--all"]).ok().out;
    let again = "These were deployed for you, in every project; 'skc build --all --global --target cursor' \
                 deploys them again\n";
    assert_eq!(at_home, format!("Removed .cursor/skills/z (cursor)\n{again}"));
    assert!(site.skc(["undeploy", "--all", "-o", "json"]).ok().json().get("skill").is_none());
}

/// RFC-0001:C-UNDEPLOY
#[test]
fn undeploy_takes_a_skill_or_all_of_them() {
    let site = Site::built("x", "# X\n");
    let run = site.skc(["undeploy"]).fails("E100");
    assert!(run.err.contains("name a skill, or give '--all'"), "{}", run.err);
    let run = site.skc(["undeploy", "x", "--all"]).fails("E100");
    assert!(run.err.contains("'--all'"), "{}", run.err);
    assert!(site.project().join(".claude/skills/x").exists());
}

/// RFC-0010:C-POLICY, RFC-0001:C-UNDEPLOY
#[test]
fn undeploy_all_of_an_agent_leaves_what_is_kept_from_it() {
    let site = Site::built("x", "# X\n");
    site.write_skill("secret", "# S\n");
    site.skc(["build", "secret"]).ok();
    put(&site.home().join(".skillc/config.toml"), "[permissions]\ndeny = ['secret']\n");
    let run = site.skc_with(&[("SKILLC_AGENT", "some-agent")], ["undeploy", "--all"]).ok();
    assert!(!run.out.contains("secret") && run.out.contains(".claude/skills/x"), "{}", run.out);
    assert!(site.project().join(".claude/skills/secret").exists());
}
