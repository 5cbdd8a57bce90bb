//! RFC-0007:C-REMOVE.

use crate::site::{Site, put, skill_md, snapshot};
use std::fs;
use std::os::unix::fs::symlink;

/// A built skill of several files, deployed for two agents.
fn built() -> Site {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.write("x", "references/a.md", "# A\ntext\n");
    site.skc(["build", "x", "--target", "claude,cursor"]).ok();
    site
}

/// RFC-0007:C-REMOVE
#[test]
fn a_removed_skill_is_gone_everywhere_and_comes_back() {
    let site = built();
    let source = snapshot(&site.skill("x"));
    let link = fs::read_link(site.project().join(".claude/skills/x")).unwrap();
    let run = site.skc(["remove", "x"]).ok();
    assert!(
        run.out.contains("Removed .claude/skills/x") && run.out.contains("Removed .skillc/skills/x"),
        "{}",
        run.out
    );
    for gone in [site.skill("x"), site.runtime("x"), site.project().join(".claude/skills/x")] {
        assert!(gone.symlink_metadata().is_err(), "{gone:?}");
    }
    assert!(site.project().join(".agents/skills/x").symlink_metadata().is_err());
    site.skc(["show", "x", "--section", "A"]).fails("E001");
    site.skc(["undo"]).ok();
    assert_eq!(snapshot(&site.skill("x")), source);
    assert_eq!(fs::read_link(site.project().join(".claude/skills/x")).unwrap(), link);
    assert!(site.project().join(".agents/skills/x/SKILL.md").is_file());
    assert!(site.skc(["show", "x", "--section", "A"]).ok().out.contains("text"));
    let stats = site.skc(["stats", "x", "--group-by", "commands", "--format", "json"]).ok();
    assert!(stats.out.contains("build"), "its log is back: {}", stats.out);
}

/// RFC-0007:C-REMOVE
#[test]
fn a_purged_skill_is_gone_for_good() {
    let site = built();
    site.skc(["remove", "x", "--purge"]).ok();
    assert!(!site.skill("x").exists() && !site.runtime("x").exists());
    site.skc(["undo"]).fails("E053");
}

/// RFC-0007:C-REMOVE
#[test]
fn removing_a_skill_leaves_others_alone() {
    let site = built();
    let elsewhere = site.project().join("elsewhere/y");
    put(&elsewhere.join("SKILL.md"), skill_md("y", "# Y\n"));
    site.skc(["remove", "elsewhere/y"]).fails("E100");
    symlink(&elsewhere, site.skill("y")).unwrap();
    put(&site.project().join(".claude/skills/y/SKILL.md"), "mine");
    site.skc(["remove", "y"]).ok();
    assert!(site.skill("y").symlink_metadata().is_err() && elsewhere.join("SKILL.md").is_file());
    assert_eq!(fs::read_to_string(site.project().join(".claude/skills/y/SKILL.md")).unwrap(), "mine");
    assert!(site.runtime("x").exists() && site.skill("x").exists());
}

/// RFC-0007:C-REMOVE, RFC-0007:C-IN-PLACE
#[test]
fn a_skill_in_place_and_a_global_one_are_removed_and_come_back() {
    let site = Site::without_project();
    put(&site.project().join("skills/near/SKILL.md"), skill_md("near", "# N\n"));
    put(&site.home().join(".skillc/skills/far/SKILL.md"), skill_md("far", "# F\n"));
    site.skc(["init", "--in-place"]).ok();
    for (name, source, link) in [
        ("near", site.project().join("skills/near"), site.project().join(".claude/skills/near")),
        ("far", site.home().join(".skillc/skills/far"), site.home().join(".claude/skills/far")),
    ] {
        site.skc(["build", name]).ok();
        site.skc(["remove", name]).ok();
        assert!(!source.exists() && link.symlink_metadata().is_err(), "{name}");
        site.skc(["undo"]).ok();
        assert!(source.join("SKILL.md").is_file() && link.join("SKILL.md").is_file(), "{name}");
    }
}

/// RFC-0007:C-REMOVE, RFC-0010:C-ENABLE
#[test]
fn a_skill_that_is_switched_off_comes_back_without_its_deploys() {
    let site = Site::built("x", "# X\n");
    site.skc(["disable", "x"]).ok();
    site.skc(["remove", "x"]).ok();
    site.skc(["undo"]).ok();
    let link = site.project().join(".claude/skills/x");
    assert!(link.symlink_metadata().is_err());
    site.skc(["enable", "x"]).ok();
    assert!(link.join("SKILL.md").is_file());
}

/// RFC-0007:C-UNDO
#[test]
fn removals_of_one_second_are_undone_in_reverse_order() {
    let site = Site::new();
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    for name in names {
        site.write_skill(name, "# S\n");
    }
    for name in names {
        site.skc(["remove", name]).ok();
    }
    let mut back: Vec<&str> = Vec::new();
    for _ in names {
        site.skc(["undo"]).ok();
        back.extend(
            names.iter().filter(|name| site.skill(name).exists() && !back.contains(name)).collect::<Vec<_>>(),
        );
    }
    assert_eq!(back, ["h", "g", "f", "e", "d", "c", "b", "a"]);
}
