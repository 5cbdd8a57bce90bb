//! RFC-0010:C-ENABLE: a disabled skill is not deployed.

use super::scene::{configure, repo, text, user, write};
use crate::site::{Site, put, skill_md};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

fn deployed(site: &Site, target: &str) -> PathBuf {
    site.project().join(target).join("skills/x")
}

/// A skill with several files, deployed by link and by copy.
fn built() -> Site {
    let site = Site::new();
    site.write_skill("x", "# X\nSee references/a.md.\n");
    site.write("x", "references/a.md", "# A\n");
    site.skc(["build", "x"]).ok();
    site.skc(["build", "x", "--copy", "--target", "kiro"]).ok();
    site
}

/// RFC-0010:C-ENABLE
#[test]
fn a_disabled_skill_is_taken_from_agents_folders_and_comes_back() {
    let site = built();
    let link = fs::read_link(deployed(&site, ".claude")).unwrap();
    let off = site.skc(["disable", "x"]).ok();
    assert!(
        off.out.contains("Removed .claude/skills/x") && off.out.contains("Removed .kiro/skills/x"),
        "{}",
        off.out
    );
    for target in [".claude", ".kiro"] {
        assert!(deployed(&site, target).symlink_metadata().is_err(), "{target}");
    }
    let built = site.skc(["build", "x", "--target", "claude,cursor"]).ok();
    assert!(
        built.err.contains("warning[W082]") && !built.out.contains("Deploy"),
        "{} {}",
        built.out,
        built.err
    );
    assert!(deployed(&site, ".claude").symlink_metadata().is_err(), "a build brings nothing back");
    site.skc(["enable", "x"]).ok();
    assert_eq!(fs::read_link(deployed(&site, ".claude")).unwrap(), link);
    assert!(deployed(&site, ".kiro").join("SKILL.md").is_file() && !deployed(&site, ".kiro").is_symlink());
    assert!(deployed(&site, ".agents").join("SKILL.md").is_file(), "where the build would have deployed it");
    site.skc(["undeploy", "x"]).ok();
    site.skc(["disable", "x"]).ok();
    site.skc(["enable", "x"]).ok();
    assert!(deployed(&site, ".claude").symlink_metadata().is_err(), "it was undeployed before");
}

/// RFC-0010:C-ENABLE
#[test]
fn disable_does_what_the_readme_says() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
    let sentence = "`skc disable my-skill` hides it from agents and removes it from their folders, in other projects with their next \
                    build, until `skc enable my-skill`";
    assert!(readme.replace('\n', " ").contains(sentence), "the README says something else");
    let site = built();
    let other = site.root().join("other");
    put(&other.join(".skillc/skills/x/SKILL.md"), skill_md("x", "# X\n"));
    site.skc_in(&other, ["build", "x"]).ok();
    let link = other.join(".claude/skills/x");
    site.skc(["disable", "x"]).ok();
    assert!(deployed(&site, ".claude").symlink_metadata().is_err() && link.symlink_metadata().is_ok());
    site.skc_in(&other, ["load", "x"]).fails("E073");
    site.skc_in(&other, ["build", "--all"]).ok();
    assert!(link.symlink_metadata().is_err());
    site.skc_in(&other, ["enable", "x"]).ok();
    assert!(link.join("SKILL.md").is_file());
}

/// RFC-0010:C-ENABLE
#[test]
fn entries_of_others_stay_when_a_skill_is_disabled() {
    let site = built();
    fs::remove_file(deployed(&site, ".claude")).unwrap();
    put(&deployed(&site, ".claude").join("SKILL.md"), "mine");
    site.skc(["disable", "x"]).ok();
    assert_eq!(fs::read_to_string(deployed(&site, ".claude").join("SKILL.md")).unwrap(), "mine");
    put(&deployed(&site, ".kiro").join("mine.md"), "mine");
    site.skc(["enable", "x"]).ok();
    assert_eq!(fs::read_to_string(deployed(&site, ".kiro").join("mine.md")).unwrap(), "mine");
}

/// RFC-0010:C-ENABLE, RFC-0010:C-POLICY
#[test]
fn twins_that_are_switched_off_are_refused_as_such() {
    let site = Site::new();
    write(&repo(&site, "release"), "# R\n");
    write(&user(&site, "release"), "# Other\n");
    site.skc(["load", "release"]).fails("E070");
    site.skc(["disable", "release"]).ok();
    let err = site.skc(["load", "release"]).fails("E073").err;
    assert!(!err.contains(&text(&repo(&site, "release"))), "{err}");
}

/// RFC-0010:C-ENABLE, RFC-0010:C-POLICY
#[test]
fn a_rule_that_names_no_skill_is_a_warning() {
    let site = Site::new();
    write(&repo(&site, "release"), "# R\n");
    configure(&site, "[skills]\ndisabled = ['relaese']\n[permissions]\ndeny = ['rel*', 'intern-*']\n");
    let err = site.skc(["catalog"]).ok().err;
    assert_eq!(err.matches("warning[W059]").count(), 2, "{err}");
    assert!(err.contains("'relaese' in [skills] disabled matches no skill"), "{err}");
    assert!(err.contains("'intern-*' in [permissions] deny matches no skill"), "{err}");
}

/// RFC-0010:C-CATALOG
#[test]
fn a_stub_of_a_skill_elsewhere_is_not_the_repositorys_own() {
    let site = Site::new();
    let source = site.home().join(".skillc/elsewhere/x");
    put(&source.join("SKILL.md"), skill_md("x", "# X\n"));
    let stub = site.project().join(".agents/skills/x");
    put(&stub.join("SKILL.md"), skill_md("x", "stub"));
    let hash = "0".repeat(64);
    let manifest = format!(
        r#"{{"skill":"x","version":1,"built_at":"2026-01-01T00:00:00Z","source_hash":"{hash}","source":"{}"}}"#,
        source.display()
    );
    put(&stub.join(".skillc-meta/manifest.json"), manifest);
    let catalog = site.skc(["catalog", "--format", "json"]).ok().json();
    assert_eq!(catalog["skills"][0]["scope"], "user", "{catalog}");
    let of_repository = site.skc(["catalog", "--scope", "repo", "--format", "json"]).ok().json();
    assert_eq!(of_repository["total"], 0, "{of_repository}");
}

/// RFC-0010:C-ENABLE, RFC-0007:C-LINKS
#[test]
fn a_list_that_a_repository_brings_deploys_nothing_outside_it() {
    let site = built();
    site.skc(["disable", "x"]).ok();
    let list = site.runtime("x").join(".skillc-meta/deployed.json");
    let places = [
        site.home().join("x"),
        site.project().join(".git/x"),
        site.project().join(".skillc/skills/../x"),
        site.project().join("tools/another"),
    ];
    let place = |path: &PathBuf| serde_json::json!({ "target": "t", "path": path, "method": "symlink" });
    let forged =
        serde_json::json!({ "places": [], "withdrawn": places.iter().map(place).collect::<Vec<_>>() });
    fs::write(&list, forged.to_string()).unwrap();
    site.skc(["enable", "x"]).ok();
    for place in places {
        assert!(place.symlink_metadata().is_err(), "{place:?}");
    }
}

/// RFC-0007:C-LIST
#[test]
fn a_disabled_skill_is_marked_in_the_list() {
    let site = built();
    site.write_skill("y", "# Y\n");
    site.skc(["disable", "x"]).ok();
    let listed = site.skc(["list"]).ok();
    let status: Vec<&str> =
        listed.out.lines().skip(1).filter_map(|line| line.split("  ").find(|c| c.contains("n"))).collect();
    assert_eq!(status, ["normal, disabled", "not-built"], "{}", listed.out);
    let json = site.skc(["list", "--format", "json"]).ok().json();
    assert_eq!(
        (&json["skills"][0]["disabled"], &json["skills"][1]["disabled"]),
        (&true.into(), &Value::Null)
    );
    site.skc(["enable", "x"]).ok();
    assert_eq!(site.skc(["list", "--format", "json"]).ok().json()["skills"][0]["disabled"], Value::Null);
}

/// RFC-0010:C-ENABLE
///
/// The name in SKILL.md is not the folder's: the catalog leaves the skill out, and a build deploys it.
#[test]
fn a_skill_that_the_catalog_leaves_out_can_be_switched_off() {
    let site = Site::new();
    site.write("x", "SKILL.md", skill_md("other", "# X\n"));
    site.skc(["build", "x"]).ok();
    let off = site.skc(["disable", "x", "--project"]).ok();
    assert!(off.out.contains("Removed .claude/skills/x"), "{}", off.out);
    assert!(deployed(&site, ".claude").symlink_metadata().is_err());
    put(&site.home().join(".skillc/config.toml"), "[discovery]\nlenient = true\n");
    let catalog = site.skc(["catalog", "--format", "json"]).ok().json();
    assert!(catalog["skills"].as_array().unwrap().is_empty(), "{catalog}");
    site.skc(["enable", "x", "--project"]).ok();
    assert!(deployed(&site, ".claude").join("SKILL.md").is_file());
}

/// RFC-0010:C-ENABLE, RFC-0010:C-LOAD
///
/// Read leniently, the skill is in the catalog under its own name; stores know it by its folder.
#[test]
fn a_skill_with_another_name_than_its_folder_goes_by_both() {
    let site = Site::new();
    site.write("x", "SKILL.md", skill_md("other", "# X\n"));
    configure(&site, "[discovery]\nlenient = true\n");
    for name in ["x", "other"] {
        assert!(site.skc(["load", name]).ok().out.contains("name=\"other\""), "{name}");
        site.skc(["disable", name, "--project"]).ok();
        for asked in ["x", "other"] {
            site.skc(["load", asked]).fails("E073");
        }
        let err = site.skc(["catalog"]).ok().err;
        assert!(err.contains("0 skills") && !err.contains("W059"), "{err}");
        site.skc(["enable", name, "--project"]).ok();
    }
}

/// RFC-0010:C-CATALOG
#[test]
fn errors_of_a_source_are_reported_once_and_not_for_its_stub() {
    let site = Site::new();
    site.write("x", "SKILL.md", skill_md("other", "# X\n"));
    site.skc(["build", "x"]).ok();
    let errors = site.skc(["catalog", "--format", "json"]).ok().json()["errors"].clone();
    assert_eq!(errors.as_array().map(Vec::len), Some(1), "{errors}");
    assert!(
        errors[0]["message"].as_str().unwrap().contains("differs from the name of its folder"),
        "{errors}"
    );
    let load = site.skc(["load", "x"]);
    assert!(
        load.err.contains("E082") && load.err.contains("'other' differs from the name of its folder"),
        "{}",
        load.err
    );
}

/// RFC-0010:C-ENABLE
#[test]
fn a_skill_that_a_file_switches_off_is_taken_away_by_the_next_build() {
    let site = built();
    configure(&site, "[skills]\ndisabled = ['x']\n");
    let run = site.skc(["build", "--all"]).ok();
    assert!(run.err.contains("warning[W082]"), "{}", run.err);
    for target in [".claude", ".kiro"] {
        assert!(deployed(&site, target).symlink_metadata().is_err(), "{target}");
    }
    configure(&site, "");
    site.skc(["enable", "x"]).ok();
    assert!(deployed(&site, ".claude").join("SKILL.md").is_file());
}
