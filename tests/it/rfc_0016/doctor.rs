//! RFC-0016:C-DOCTOR: diagnosing the skills of a machine.

use super::planted::{PLANTED, SAFE, findings, planted, tree, unnameable};
use crate::site::{Run, Site, put, skill_md};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn doctor(site: &Site, more: &[&str]) -> (Run, Value) {
    let run = site.skc(["doctor", "--format", "json"].iter().chain(more));
    let reply = run.json();
    (run, reply)
}

fn expected() -> BTreeSet<(String, String, String)> {
    PLANTED
        .iter()
        .map(|(check, severity, path)| ((*check).into(), (*severity).into(), (*path).into()))
        .collect()
}

fn is_safe(found: &(String, String, String)) -> bool {
    SAFE.iter().any(|(check, path)| found.0 == *check && found.2 == *path)
}

/// RFC-0016:C-DOCTOR
#[test]
fn each_of_25_planted_faults_is_one_finding() {
    let site = planted();
    let (run, reply) = doctor(&site, &[]);
    assert_eq!(findings(&site, &reply, "findings"), expected());
    assert_eq!(reply["findings"].as_array().unwrap().len(), PLANTED.len());
    assert_eq!(run.status, 1);
    let count = |severity| expected().iter().filter(|found| found.1 == severity).count();
    for (key, severity) in [("errors", "error"), ("warnings", "warning"), ("notes", "note")] {
        assert_eq!(reply[key], count(severity), "{key}");
    }
    for finding in reply["findings"].as_array().unwrap() {
        for key in ["what", "why", "fix"] {
            assert!(!finding[key].as_str().unwrap().is_empty(), "{key} of {finding}");
        }
        let is_fixable = finding["fix"] == "skc doctor --fix";
        assert_eq!(finding["fixable"], is_fixable, "{finding}");
    }
}

/// RFC-0016:C-DOCTOR
#[test]
fn a_look_writes_nothing_at_all() {
    let site = planted();
    let before = tree(&site);
    for line in [
        &["doctor"][..],
        &["doctor", "--format", "json", "--roots", "all"],
        &["doctor", "--roots", "standard"],
    ] {
        site.skc(line);
        assert!(tree(&site) == before, "{line:?}");
    }
    assert!(!site.home().join(".skillc/trash").exists());
    let empty = Site::without_project();
    let run = empty.skc(["doctor"]).ok();
    assert_eq!(run.out, "Nothing is wrong\n");
    assert!(tree(&empty).iter().all(|(name, _)| ["home/", "project/"].contains(&name.as_str())));
}

/// RFC-0016:C-DOCTOR
#[test]
fn the_safe_faults_are_fixed_and_a_second_run_is_quiet() {
    let site = planted();
    let (run, reply) = doctor(&site, &["--fix"]);
    assert_eq!(run.status, 1);
    let (safe, others): (BTreeSet<_>, BTreeSet<_>) = expected().into_iter().partition(is_safe);
    assert_eq!(findings(&site, &reply, "fixed"), safe);
    assert_eq!(findings(&site, &reply, "findings"), others);
    let receipt = reply["receipt"].as_str().unwrap().to_owned();
    // Only findings that need a person are left, and a second run changes nothing.
    let fixed = tree(&site);
    let (_, again) = doctor(&site, &["--fix"]);
    assert_eq!(findings(&site, &again, "findings"), others);
    assert!(again["receipt"].is_null() && again["fixed"].as_array().unwrap().is_empty());
    differ(&fixed, &tree(&site));
    site.skc(["stats", "good"]).ok();
    let list = site.skc(["undo", "--list"]).ok().out;
    assert!(list.contains(&receipt) && list.contains("what 'skc doctor --fix' changed at"), "{list}");
}

/// RFC-0016:C-DOCTOR
#[test]
fn undo_takes_every_fix_back() {
    let site = planted();
    let before = tree(&site);
    site.skc(["doctor", "--fix"]);
    assert!(tree(&site) != before);
    site.skc(["undo"]).ok();
    differ(&before, &tree(&site));
    assert_eq!(site.skc(["undo", "--list"]).ok().out, "The trash is empty\n");
    assert_eq!(findings(&site, &doctor(&site, &[]).1, "findings"), expected());
}

/// RFC-0016:C-DOCTOR
#[test]
fn an_undo_leaves_alone_what_was_changed_since() {
    let site = planted();
    site.skc(["doctor", "--fix"]);
    let copied = site.project().join(".claude/skills/copied/SKILL.md");
    put(&copied, "mine");
    site.skc(["undo"]).fails("E054");
    assert_eq!(fs::read_to_string(&copied).unwrap(), "mine");
    assert!(site.project().join(".claude/skills/gone").symlink_metadata().is_ok(), "the rest came back");
    fs::remove_dir_all(copied.parent().unwrap()).unwrap();
    site.skc(["undo"]).ok();
    assert!(fs::read_to_string(&copied).unwrap().contains("Edited here"));
}

/// Asserts that two trees are equal; lists the differences otherwise.
#[track_caller]
fn differ(before: &[(String, Vec<u8>)], after: &[(String, Vec<u8>)]) {
    let only = |one: &[(String, Vec<u8>)], other: &[(String, Vec<u8>)]| -> Vec<String> {
        one.iter().filter(|entry| !other.contains(entry)).map(|(name, _)| name.clone()).collect()
    };
    assert_eq!((only(before, after), only(after, before)), (Vec::new(), Vec::new()));
}

/// The number of runs that are killed.
fn kills() -> u32 {
    std::env::var("SKC_DOCTOR_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(8)
}

/// The tree without the leftovers of a killed writer, which are removed an hour later.
fn lasting(site: &Site) -> Vec<(String, Vec<u8>)> {
    let is_left = |name: &str| name.contains("/.skillc-tmp-") && !name.contains("tmp-x-");
    tree(site).into_iter().filter(|(name, _)| !is_left(name)).collect()
}

/// The entries of the trash that are receipts.
fn receipts(site: &Site) -> Vec<String> {
    let reply = site.skc(["undo", "--list", "--format", "json"]).ok().json();
    let entries = reply["trash"].as_array().unwrap().iter().filter(|entry| entry["command"].is_string());
    entries.map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
}

/// RFC-0016:C-DOCTOR
#[test]
fn a_fix_that_is_killed_leaves_each_finding_or_fixes_it_and_can_be_undone() {
    let rounds = kills();
    let site = planted();
    // An unfinished new log is removed by the next writer.
    let lasting = || -> Vec<_> {
        lasting(&site).into_iter().filter(|(name, _)| !name.ends_with("/logs.db.new")).collect()
    };
    let before = lasting();
    let start = Instant::now();
    site.skc(["doctor", "--fix"]);
    let whole = start.elapsed();
    site.skc(["undo"]).ok();
    for round in 0..rounds {
        let mut command = site.command(["doctor", "--fix"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(whole * round / rounds);
        child.kill().unwrap();
        child.wait().unwrap();
        let left = findings(&site, &doctor(&site, &[]).1, "findings");
        let all = expected();
        let new: Vec<_> = left.difference(&all).collect();
        assert!(new.is_empty(), "round {round}: {new:?}");
        let others: BTreeSet<_> = expected().into_iter().filter(|found| !is_safe(found)).collect();
        assert!(others.is_subset(&left), "round {round}");
        for id in receipts(&site) {
            site.skc(["undo", &id]).ok();
        }
        differ(&before, &lasting());
        fs::remove_dir_all(site.home().join(".skillc/trash")).ok();
    }
    site.skc(["doctor", "--fix"]);
    site.skc(["undo"]).ok();
    differ(&before, &self::lasting(&site));
}

/// RFC-0016:C-DOCTOR
#[test]
fn an_undo_that_is_killed_is_carried_out_by_the_next_one() {
    let rounds = kills();
    let site = planted();
    let before = lasting(&site);
    site.skc(["doctor", "--fix"]);
    let start = Instant::now();
    site.skc(["undo"]).ok();
    let whole = start.elapsed();
    for round in 0..rounds {
        site.skc(["doctor", "--fix"]);
        let mut command = site.command(["undo"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(whole * round / rounds);
        child.kill().unwrap();
        child.wait().unwrap();
        for id in receipts(&site) {
            site.skc(["undo", &id]).ok();
        }
        differ(&before, &lasting(&site));
        assert_eq!(receipts(&site), [""; 0], "round {round}");
        fs::remove_dir_all(site.home().join(".skillc/trash")).ok();
    }
}

/// RFC-0016:C-DOCTOR
#[test]
fn a_stale_build_hurts_as_the_configuration_says() {
    let site = Site::built("demo", "# Demo\n\nOld.\n");
    site.write_skill("demo", "# Demo\n\nNew.\n");
    let why = || {
        let reply = doctor(&site, &[]).1;
        let mut all = reply["findings"].as_array().unwrap().iter();
        all.find(|finding| finding["check"] == "stale-build").unwrap()["why"].as_str().unwrap().to_owned()
    };
    assert!(why().contains("fail with E002"), "{}", why());
    put(&site.project().join(".skillc/config.toml"), "[index]\non_stale = \"rebuild\"\n");
    assert!(why().contains("has to build it first"), "{}", why());
}

/// RFC-0016:C-DOCTOR
#[test]
fn a_build_of_a_proof_that_was_killed_is_a_leftover() {
    let site = Site::new();
    let proof = site.home().join(".skillc/prove/0123456789abcdef0123456789abcdef");
    put(&proof.join("x"), "half");
    assert!(findings(&site, &doctor(&site, &[]).1, "findings").iter().all(|found| found.0 != "leftover"));
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(7_200);
    fs::File::open(&proof).unwrap().set_modified(long_ago).unwrap();
    let left = findings(&site, &doctor(&site, &[]).1, "findings");
    assert!(left.iter().any(|found| found.0 == "leftover"), "{left:?}");
    site.skc(["doctor", "--fix"]);
    assert!(!proof.exists());
    site.skc(["undo"]).ok();
    assert!(proof.join("x").exists());
}

/// RFC-0016:C-DOCTOR
#[test]
fn the_gravest_findings_come_first_in_groups_with_counts_at_the_end() {
    let site = planted();
    let text = site.skc(["doctor"]).out;
    let groups: Vec<&str> = text.trim_end().split("\n\n").collect();
    let (last, groups) = groups.split_last().unwrap();
    assert_eq!(*last, "14 errors, 9 warnings, 2 notes; 'skc doctor --fix' fixes 6 of them");
    let severity = |group: &&str| match group.split(':').next().unwrap() {
        "error" => 0,
        "warning" => 1,
        "note" => 2,
        other => panic!("{other}"),
    };
    let severities: Vec<i32> = groups.iter().map(severity).collect();
    assert!(severities.is_sorted(), "{text}");
    assert!(text.contains("  .claude/skills/gone: leads to '"), "{text}");
    assert!(
        text.contains("    skc undeploy lost\n") && text.contains("    skc mcp config claude-code --write\n"),
        "{text}"
    );
    assert!(text.contains("Claude Code uses '") && text.contains("Codex"), "{text}");
}

/// RFC-0016:C-DOCTOR
#[test]
fn the_status_is_1_for_errors_only() {
    let site = Site::built("demo", "# Demo\n\nText.\n");
    assert_eq!(site.skc(["doctor"]).ok().out, "Nothing is wrong\n");
    site.write("demo", "SKILL.md", skill_md("demo", "# Demo\n\nOther text.\n"));
    let (run, reply) = doctor(&site, &[]);
    assert_eq!((run.status, &reply["warnings"]), (0, &1.into()));
    fs::create_dir_all(site.home().join(".claude/skills")).unwrap();
    symlink("/nowhere", site.home().join(".claude/skills/dead")).unwrap();
    assert_eq!(doctor(&site, &[]).0.status, 1);
    assert_eq!(site.skc(["doctor", "--fix"]).status, 1, "a link of the user's own stays");
    fs::remove_file(site.home().join(".claude/skills/dead")).unwrap();
    assert_eq!(site.skc(["doctor"]).ok().out, "Nothing is wrong\n");
}

/// RFC-0016:C-DOCTOR
#[test]
fn folders_of_agents_that_are_not_here_are_examined_on_request() {
    let site = Site::new();
    fs::create_dir_all(site.home().join(".kiro-gone")).unwrap();
    fs::create_dir_all(site.home().join(".trae-cn/skills")).unwrap();
    fs::create_dir_all(site.home().join(".roo/skills")).unwrap();
    symlink("/nowhere", site.project().join("dead")).unwrap();
    fs::create_dir_all(site.project().join(".goose/skills")).unwrap();
    symlink("/nowhere", site.project().join(".goose/skills/dead")).unwrap();
    assert!(doctor(&site, &[]).1["findings"].as_array().unwrap().is_empty());
    let (_, all) = doctor(&site, &["--roots", "all"]);
    assert_eq!(all["errors"], 1, "{all}");
}

/// RFC-0016:C-DOCTOR
#[test]
fn an_unreadable_file_is_a_finding_and_ends_nothing() {
    let site = Site::new();
    unnameable(&site);
    let (_, reply) = doctor(&site, &[]);
    let found = findings(&site, &reply, "findings");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found.iter().all(|found| found.0 == "unreadable-folder"), "{found:?}");
}

/// RFC-0016:C-DOCTOR
#[test]
fn a_trash_that_has_grown_large_is_a_note() {
    let site = Site::new();
    let item = site.home().join(".skillc/trash/2026-11-23T120000Z-00000000/item");
    put(&item, "");
    put(&item.with_file_name("origin"), format!("aside\n{}", site.home().join("x").display()));
    fs::File::options().write(true).open(&item).unwrap().set_len(300 << 20).unwrap();
    let (run, reply) = doctor(&site, &[]);
    assert_eq!((run.status, &reply["notes"], &reply["errors"]), (0, &1.into(), &0.into()), "{reply}");
    assert_eq!(reply["findings"][0]["what"], "holds 300 MiB in 2 files");
}

/// RFC-0016:C-DOCTOR
#[test]
fn an_agent_learns_nothing_of_skills_that_are_hidden_from_it() {
    let site = planted();
    fs::write(site.project().join(".skillc/config.toml"), "").unwrap();
    put(&site.home().join(".skillc/config.toml"), "[permissions]\ndeny = [\"twin\", \"stale\"]\n");
    let names = |run: &Run| ["twin", "stale"].map(|name| run.out.contains(name) || run.err.contains(name));
    assert_eq!(names(&site.skc(["doctor", "--format", "json"])), [true, true]);
    let agent = [("SKILLC_AGENT", "test")];
    assert_eq!(names(&site.skc_with(&agent, ["doctor", "--format", "json"])), [false, false]);
}

/// RFC-0016:C-DOCTOR
#[test]
fn a_rename_that_was_interrupted_is_left_to_other_commands() {
    let site = planted();
    let record = site.home().join(".skillc/journal/0123456789abcdef");
    let before = fs::read(&record).unwrap();
    site.skc(["doctor", "--fix"]);
    assert_eq!(fs::read(&record).unwrap(), before);
}

/// RFC-0016:C-DOCTOR
#[test]
fn time_grows_with_the_number_of_skills_and_not_faster() {
    let time = |count: usize| {
        let site = Site::new();
        for number in 0..count {
            let folder = site.home().join(format!(".claude/skills/s{number}"));
            put(&folder.join("SKILL.md"), skill_md(&format!("s{number}"), "# S\n"));
        }
        let start = Instant::now();
        assert!(doctor(&site, &[]).1["warnings"].as_u64().unwrap() > 0, "the list is cut");
        start.elapsed()
    };
    let (few, many) = (time(400), time(3_200));
    assert!(many < few.max(Duration::from_millis(100)) * 24, "{few:?} for 400, {many:?} for 3,200");
}

/// RFC-0016:C-DOCTOR
#[test]
fn a_link_to_a_build_that_a_clone_lacks_is_fixed_by_building() {
    let site = Site::built("demo", "# Demo\n\nText.\n");
    let link = site.project().join(".claude/skills/demo");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    fs::remove_dir_all(site.project().join(".skillc/runtime")).unwrap();
    let (_, reply) = doctor(&site, &[]);
    assert_eq!(findings(&site, &reply, "findings").len(), 1, "{reply}");
    assert_eq!(
        (&reply["findings"][0]["check"], &reply["findings"][0]["fixable"]),
        (&"dead-link".into(), &true.into())
    );
    site.skc(["doctor", "--fix"]).ok();
    assert!(link.join("SKILL.md").is_file(), "the link works again");
    assert_eq!(site.skc(["doctor"]).ok().out, "Nothing is wrong\n");
}

/// RFC-0016:C-DOCTOR
#[test]
fn of_two_copies_the_one_in_a_store_is_removed_by_skc() {
    let site = Site::new();
    let skill = skill_md("demo", "# Demo\n\nText.\n");
    put(&site.home().join(".claude/skills/demo/SKILL.md"), &skill);
    put(&site.home().join(".skillc/skills/demo/SKILL.md"), &skill);
    let (_, reply) = doctor(&site, &[]);
    let fix = reply["findings"][0]["fix"].as_str().unwrap();
    assert!(fix.starts_with("skc remove ") && fix.ends_with(".skillc/skills/demo"), "{reply}");
}
