//! RFC-0007:C-IN-PLACE: a repository's own folder of skills as a store.

use crate::site::{Site, put, skill_md, snapshot};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

/// A repository with skills of several files in `skills/`, and `skc init --in-place` in it.
fn repository(names: &[&str]) -> Site {
    let site = Site::without_project();
    for name in names {
        let folder = site.project().join("skills").join(name);
        put(&folder.join("SKILL.md"), skill_md(name, "# Main\nSee references/more.md.\n"));
        put(&folder.join("references/more.md"), "# More\ntext of more\n");
        put(&folder.join("scripts/run.sh"), "echo run\n");
    }
    let init = site.skc(["init", "--in-place"]).ok();
    assert!(init.out.contains("skc build --all"), "{}", init.out);
    site
}

fn in_place(site: &Site, name: &str) -> PathBuf {
    site.project().join("skills").join(name)
}

/// RFC-0007:C-IN-PLACE, RFC-0001:C-OUTPUT
#[test]
fn a_repositorys_skills_are_built_where_they_are() {
    let site = repository(&["one", "two"]);
    put(&site.project().join("skills/README.md"), "# Skills\n");
    let before = snapshot(&site.project().join("skills"));
    let paths = ["skills/README.md", "skills/one", "skills/two"];
    let run = site.skc([&["build"][..], &paths].concat()).ok();
    assert!(run.out.contains("Built one: ") && run.out.contains("2 built, 0 unchanged"), "{}", run.out);
    assert!(run.err.contains("warning[W025]: ") && run.err.contains("skills/README.md"), "{}", run.err);
    assert_eq!(snapshot(&site.project().join("skills")), before);
    assert!(!site.skill("one").exists() && site.runtime("one").join("SKILL.md").is_file());
    assert!(site.project().join(".claude/skills/two/SKILL.md").is_file());
    let shown = site.skc(["show", "one", "--section", "More"]).ok();
    assert!(shown.out.contains("text of more"), "{}", shown.out);
    assert_eq!(site.skc(["build", "--all"]).ok().out, "0 built, 2 unchanged\n");
    let listed = site.skc(["list", "--format", "json"]).ok().json();
    assert_eq!((&listed["total"], &listed["skills"][0]["status"]), (&2.into(), &"normal".into()));
    assert_eq!(listed["skills"][1]["source_path"], in_place(&site, "two").to_str().unwrap());
}

/// RFC-0007:C-IN-PLACE
#[test]
fn every_command_finds_a_skill_that_is_built_in_place() {
    let site = repository(&["one"]);
    site.skc(["build", "--all"]).ok();
    for arguments in [
        &["outline", "one"][..],
        &["sources", "skills/one"],
        &["open", "one", "scripts/run.sh"],
        &["search", "one", "text"],
        &["lint", "one"],
        &["lint", "--all"],
        &["load", "one"],
        &["stats", "one"],
        &["undeploy", "one"],
    ] {
        site.skc(arguments).ok();
    }
    let lint = site.skc(["lint", "--all", "--format", "json"]).ok().json();
    assert_eq!(lint["skills"].as_array().map(Vec::len), Some(1), "{lint}");
    let found = site.skc(["find", "does one", "--mode", "lexical", "--format", "json"]).ok().json();
    assert_eq!(found["results"][0]["name"], "one", "{found}");
    site.skc(["init", "three"]).ok();
    assert!(in_place(&site, "three").join("SKILL.md").is_file(), "a new skill joins them");
}

/// RFC-0007:C-IN-PLACE
#[test]
fn the_first_of_two_stores_has_the_name() {
    let site = repository(&["one"]);
    site.write_skill("one", "# Stored\n");
    let built = site.skc(["build", "one", "--format", "json"]).ok().json();
    assert_eq!(built["built"][0]["source"], site.skill("one").to_str().unwrap());
    let before = snapshot(&site.runtime("one").join("SKILL.md"));
    let refused = site.skc(["build", "skills/one"]).fails("E055");
    assert!(refused.err.contains(site.skill("one").to_str().unwrap()), "{}", refused.err);
    assert_eq!(snapshot(&site.runtime("one").join("SKILL.md")), before);
    let all = site.skc(["build", "--all"]).ok();
    assert!(all.err.contains("warning[W024]") && all.err.contains("skills/one"), "{}", all.err);
}

/// RFC-0007:C-IN-PLACE, RFC-0007:C-LINKS
#[test]
fn a_store_is_no_folder_of_skcs_own_and_none_outside_the_project() {
    let site = repository(&["one"]);
    let config = site.project().join(".skillc/config.toml");
    let outside = site.root().join("outside");
    put(&outside.join("two/SKILL.md"), skill_md("two", "# Two\n"));
    for (root, code) in [
        (".skillc/runtime", "W032"),
        ("skills/.git", "W032"),
        ("../outside", "W033"),
        (outside.to_str().unwrap(), "W033"),
    ] {
        put(&config, format!("[sources]\nroots = ['{root}']\n"));
        let listed = site.skc(["list", "--format", "json"]).ok();
        assert!(listed.err.contains(&format!("warning[{code}]")), "{root}: {}", listed.err);
        assert_eq!(listed.json()["total"], 0, "{root}");
    }
    put(&config, "[sources]\nroots = ['skills', 'linked']\n");
    symlink(site.project().join("skills"), site.project().join("linked")).unwrap();
    let refused = site.skc(["build", "--all"]).fails("E018");
    assert!(refused.err.contains("linked"), "{}", refused.err);
    fs::remove_file(site.project().join("linked")).unwrap();
    symlink(&outside, in_place(&site, "two")).unwrap();
    site.skc(["build", "two"]).fails("E018");
}

/// RFC-0001:C-OUTPUT
#[test]
fn several_skills_are_built_at_once_and_the_rest_after_a_failure() {
    let site = Site::new();
    site.write_skill("a", "# A\n");
    site.write_skill("c", "# C\n");
    let run = site.skc(["build", "a", "none", "c"]).fails("E001");
    assert!(run.out.contains("Built a") && run.out.contains("Built c"), "{}", run.out);
    assert!(
        run.out.contains("Failed none") && run.out.contains("2 built, 0 unchanged, 1 failed"),
        "{}",
        run.out
    );
    let rows = site.skc(["stats", "a", "--group-by", "errors", "--format", "json"]).ok();
    assert!(!rows.out.contains("none"), "the failure is not of 'a': {}", rows.out);
}
