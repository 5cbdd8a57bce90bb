//! RFC-0007:C-RENAME.

use crate::random::number;
use crate::site::{Site, put, skill_md, snapshot};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A skill of several files with links inside, built for two agents: a link and a copy.
fn built() -> Site {
    let site = Site::new();
    site.write(
        "x",
        "SKILL.md",
        "---\nname: 'x'   # ours\ndescription: Does x. Use when testing.\n---\n# X\n\nname: x\n",
    );
    site.write("x", "references/a.md", "# A\ntext\n");
    site.write("x", "scripts/run.sh", "#!/bin/sh\n");
    site.write("x", ".hidden/b", [255, 0]);
    symlink("references/a.md", site.skill("x").join("inside")).unwrap();
    symlink("../nothing", site.skill("x").join("references/dangling")).unwrap();
    fs::set_permissions(site.skill("x").join("scripts/run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    site.skc(["build", "x", "--target", "claude"]).ok();
    site.skc(["build", "x", "--target", "cursor", "--copy"]).ok();
    site
}

fn deployed(site: &Site, name: &str) -> [PathBuf; 2] {
    [".claude/skills", ".agents/skills"].map(|folder| site.project().join(folder).join(name))
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// The files of a store, without the text of SKILL.md.
fn shape(folder: &Path) -> Vec<(String, Vec<u8>)> {
    snapshot(folder).into_iter().filter(|(name, _)| name != "SKILL.md").collect()
}

/// RFC-0007:C-RENAME
#[test]
fn a_renamed_skill_keeps_all_but_its_name() {
    let site = built();
    let before = shape(&site.skill("x"));
    let run = site.skc(["rename", "x", "y"]).ok();
    assert!(!is_there(&site.skill("x")), "{}", run.out);
    assert_eq!(shape(&site.skill("y")), before);
    assert_eq!(
        fs::read_to_string(site.skill("y").join("SKILL.md")).unwrap(),
        "---\nname: 'y'   # ours\ndescription: Does x. Use when testing.\n---\n# X\n\nname: x\n"
    );
    let mode = fs::metadata(site.skill("y").join("scripts/run.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert!(run.out.starts_with("Renamed x to y in .skillc/skills/y\n"), "{}", run.out);
    assert!(run.out.ends_with("'skc rename y x' renames it back\n"), "{}", run.out);
    assert_eq!(run.err, "");
    site.skc(["lint", "y", "--select", "SKL104"]).ok();
}

/// RFC-0007:C-RENAME
#[test]
fn a_deployed_skill_is_deployed_under_the_new_name() {
    let site = built();
    let run = site.skc(["rename", "x", "y"]).ok();
    for (old, new) in deployed(&site, "x").iter().zip(deployed(&site, "y")) {
        assert!(!is_there(old) && new.join("SKILL.md").is_file(), "{}", run.out);
        let stub = fs::read_to_string(new.join("SKILL.md")).unwrap();
        assert!(stub.contains("skc show y") && !stub.contains("skc show x"), "{stub}");
        for (word, place) in [("Removed", old), ("Deployed", &new)] {
            let place = place.strip_prefix(site.project()).unwrap().display();
            assert!(run.out.contains(&format!("{word} {place}\n")), "{}", run.out);
        }
    }
    let [link, copy] = deployed(&site, "y");
    assert_eq!(fs::read_link(link).unwrap(), Path::new("../../.skillc/runtime/y"));
    assert!(copy.symlink_metadata().unwrap().is_dir());
    assert!(!is_there(&site.runtime("x")));
    assert!(site.skc(["show", "y", "--section", "A"]).ok().out.contains("text"));
    assert_eq!(
        site.skc(["list", "--check-obsolete", "--format", "json"]).ok().json()["skills"][0]["status"],
        "normal"
    );
    let indexes = snapshot(&site.runtime("y").join(".skillc-meta"));
    assert_eq!(
        indexes.iter().filter(|(name, _)| name.starts_with("search-") && name.ends_with(".db")).count(),
        1
    );
    site.skc(["undeploy", "y"]).ok();
    assert!(deployed(&site, "y").iter().all(|place| !is_there(place)));
}

/// RFC-0007:C-RENAME
#[test]
fn a_skill_that_is_renamed_back_is_as_before() {
    let site = built();
    let (source, stub) = (snapshot(&site.skill("x")), fs::read(site.runtime("x").join("SKILL.md")).unwrap());
    let link = fs::read_link(&deployed(&site, "x")[0]).unwrap();
    site.skc(["rename", "x", "y"]).ok();
    site.skc(["rename", "y", "x"]).ok();
    assert_eq!(snapshot(&site.skill("x")), source);
    assert_eq!(fs::read(site.runtime("x").join("SKILL.md")).unwrap(), stub);
    assert_eq!(fs::read_link(&deployed(&site, "x")[0]).unwrap(), link);
    assert!(deployed(&site, "x")[1].join("SKILL.md").is_file());
    assert!(!is_there(&site.skill("y")) && !is_there(&site.runtime("y")));
    site.skc(["undo"]).fails("E053");
}

/// RFC-0007:C-RENAME
#[test]
fn the_log_of_a_renamed_skill_counts_for_it() {
    let site = built();
    site.skc(["show", "x", "--section", "A"]).ok();
    site.write_skill("unbuilt", "# U\n");
    site.skc(["outline", "unbuilt"]).ok();
    let accesses = |name: &str| {
        let reply = site.skc(["stats", name, "--format", "json"]).ok().json();
        (reply["data"]["total_accesses"].as_u64().unwrap(), reply["data"]["reads"].as_u64().unwrap())
    };
    let (all, reads) = accesses("x");
    site.skc(["rename", "x", "y"]).ok();
    // The additional access is the first query itself.
    assert_eq!(accesses("y"), (all + 1, reads));
    site.skc(["rename", "unbuilt", "still-unbuilt"]).ok();
    assert_eq!(accesses("still-unbuilt").1, 1);
    assert!(!site.runtime("still-unbuilt").join("SKILL.md").exists());
}

/// RFC-0007:C-RENAME
#[test]
fn a_refused_rename_changes_nothing() {
    let site = built();
    site.write_skill("taken", "# T\n");
    put(&site.skill("folder").join("notes.md"), "no skill");
    put(&site.project().join("elsewhere/z/SKILL.md"), skill_md("z", "# Z\n"));
    symlink(site.project().join("elsewhere/z"), site.skill("linked")).unwrap();
    put(&site.project().join(".claude/skills/mine/SKILL.md"), "mine");
    site.write("broken", "SKILL.md", "---\nname: [\n---\n");
    let before = snapshot(&site.project());
    for (args, code, said) in [
        (["rename", "x", "taken"], "E050", "skill 'taken' already exists"),
        (["rename", "x", "folder"], "E050", "already exists"),
        (["rename", "x", "linked"], "E050", "already exists"),
        (["rename", "x", "x"], "E100", "the skill is already called 'x'"),
        (["rename", "x", "../y"], "E051", "it is a path"),
        (["rename", "x", "a--b"], "E051", "two hyphens in a row"),
        (["rename", "x", "mine"], "E100", "run 'skc undeploy x' first"),
        (["rename", "elsewhere/z", "y"], "E100", "is not in a store"),
        (["rename", "linked", "y"], "E100", "rename the folder it leads to"),
        (["rename", "nothing", "y"], "E001", "nothing"),
        (["rename", "broken", "y"], "E013", ""),
    ] {
        let run = site.skc(args).fails(code);
        assert!(run.err.contains(said), "{args:?}: {}", run.err);
        assert_eq!(snapshot(&site.project()), before, "{args:?}");
    }
}

/// RFC-0007:C-RENAME
#[test]
fn a_skill_whose_name_cannot_be_edited_keeps_its_folder() {
    let site = built();
    let file = site.skill("x").join("SKILL.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let before = (snapshot(&site.skill("x")), fs::read_link(&deployed(&site, "x")[0]).unwrap());
    let run = site.skc(["rename", "x", "y"]).fails("E999");
    assert!(run.err.contains("SKILL.md"), "{}", run.err);
    assert_eq!((snapshot(&site.skill("x")), fs::read_link(&deployed(&site, "x")[0]).unwrap()), before);
    assert!(deployed(&site, "x")[1].join("SKILL.md").is_file() && !is_there(&site.skill("y")));
    assert!(site.skc(["show", "x", "--section", "A"]).ok().out.contains("text"));
}

/// RFC-0007:C-RENAME
#[test]
fn only_the_value_of_the_name_is_edited() {
    let site = Site::new();
    for (name, old, new) in [
        (
            "crlf",
            "---\r\nname: crlf\r\ndescription: d\r\n---\r\nname: crlf\r\n",
            "---\r\nname: new\r\ndescription: d\r\n---\r\nname: crlf\r\n",
        ),
        (
            "mark",
            "\u{feff}---\nname: \"mark\" # here\ndescription: mark\n---\n",
            "\u{feff}---\nname: \"new\" # here\ndescription: mark\n---\n",
        ),
        ("other", "---\ndescription: d\nname: Another Name\n---\n", "---\ndescription: d\nname: new\n---\n"),
        ("no-end", "---\nname: no-end\ndescription: d\n---", "---\nname: new\ndescription: d\n---"),
        ("nameless", "---\ndescription: d\n---\n# N\n", "---\ndescription: d\n---\n# N\n"),
        ("plain", "# No front matter\n", "# No front matter\n"),
        ("same", "---\nname: new\ndescription: d\n---\n", "---\nname: new\ndescription: d\n---\n"),
    ] {
        site.write(name, "SKILL.md", old);
        site.skc(["rename", name, "new"]).ok();
        assert_eq!(fs::read_to_string(site.skill("new").join("SKILL.md")).unwrap(), new, "{name}");
        fs::remove_dir_all(site.skill("new")).unwrap();
    }
    site.skc(["init", "from"]).ok();
    site.skc(["rename", "from", "12"]).ok();
    assert!(fs::read_to_string(site.skill("12").join("SKILL.md")).unwrap().contains("name: \"12\"\n"));
}

/// RFC-0007:C-RENAME, RFC-0007:C-IN-PLACE
#[test]
fn a_skill_in_place_and_a_global_one_are_renamed() {
    let site = Site::without_project();
    put(&site.project().join("skills/near/SKILL.md"), skill_md("near", "# N\n"));
    put(&site.home().join(".skillc/skills/far/SKILL.md"), skill_md("far", "# F\n"));
    site.skc(["init", "--in-place"]).ok();
    for (name, base, store) in [("near", site.project(), "skills"), ("far", site.home(), ".skillc/skills")] {
        site.skc(["build", name]).ok();
        site.skc(["rename", name, "new"]).ok();
        let link = base.join(".claude/skills/new");
        assert!(base.join(store).join("new/SKILL.md").is_file() && link.join("SKILL.md").is_file(), "{name}");
        assert!(
            !is_there(&base.join(".claude/skills").join(name)) && !is_there(&base.join(store).join(name))
        );
        assert!(base.join(".skillc/runtime/new/SKILL.md").is_file(), "{name}");
        site.skc(["rename", "new", name]).ok();
    }
    // Whether a name is taken depends on the scope of the skill.
    site.skc(["rename", "near", "far"]).ok();
    assert!(site.project().join("skills/far/SKILL.md").is_file());
    assert!(site.home().join(".skillc/skills/far/SKILL.md").is_file());
}

/// RFC-0007:C-RENAME
#[test]
fn a_skill_that_is_switched_off_stays_off_under_its_new_name() {
    let site = built();
    site.skc(["disable", "x", "--project"]).ok();
    let run = site.skc(["rename", "x", "y"]).ok();
    assert!(
        deployed(&site, "x").iter().chain(&deployed(&site, "y")).all(|place| !is_there(place)),
        "{}",
        run.out
    );
    site.skc(["load", "y"]).fails("E073");
    site.skc(["enable", "y", "--project"]).ok();
    assert!(deployed(&site, "y").iter().all(|place| place.join("SKILL.md").is_file()));
}

/// RFC-0007:C-RENAME
#[test]
fn a_rule_that_names_the_old_name_is_reported() {
    let site = built();
    put(&site.project().join(".skillc/config.toml"), "[permissions]\nconfirm = ['x']\n");
    let run = site.skc(["rename", "x", "y"]).ok();
    assert!(run.err.contains("W059") && run.err.contains("'x' in [permissions] confirm"), "{}", run.err);
}

/// RFC-0007:C-RENAME
#[test]
fn skills_that_mention_the_old_name_are_listed_and_left_alone() {
    let site = built();
    site.write_skill("by-name", "Use $x first.\n");
    site.write_skill("by-path", "# P\n");
    site.write("by-path", "references/a.md", "See [x](../../x/SKILL.md).\n");
    site.write_skill("by-word", "An x is no mention, and $xy is another skill.\n");
    let before = ["by-name", "by-path", "by-word"].map(|name| snapshot(&site.skill(name)));
    let run = site.skc(["rename", "x", "y"]).ok();
    assert!(run.out.contains("still mention 'x': by-name, by-path\n"), "{}", run.out);
    assert_eq!(["by-name", "by-path", "by-word"].map(|name| snapshot(&site.skill(name))), before);
}

/// RFC-0007:C-RENAME
#[test]
fn a_rename_leaves_builds_of_other_skills_alone() {
    let site = built();
    put(&site.home().join(".skillc/skills/y/SKILL.md"), skill_md("y", "# Y\n"));
    site.skc(["build", "y"]).ok();
    site.skc(["build", "x", "--global"]).ok();
    let before = snapshot(&site.project().join(".skillc/skills"));
    assert!(site.skc(["rename", "x", "y"]).fails("E055").err.contains(".skillc/skills/y"));
    assert_eq!(snapshot(&site.project().join(".skillc/skills")), before);
    // The remains of a deleted skill go to the trash.
    fs::remove_dir_all(site.home().join(".skillc/skills/y")).unwrap();
    site.skc(["undeploy", "y"]).ok();
    site.skc(["rename", "x", "y"]).ok();
    assert!(site.skc(["undo", "--list"]).ok().out.contains(".skillc/runtime/y"));
}

/// Asserts that the deployed link, the copy, the source, `show` and `list` are right for a skill.
fn assert_is_whole(site: &Site, name: &str, context: &str) {
    let [link, copy] = deployed(site, name);
    assert_eq!(fs::read_link(link).unwrap(), Path::new("../../.skillc/runtime").join(name), "{context}");
    assert!(copy.symlink_metadata().unwrap().is_dir() && copy.join("SKILL.md").is_file(), "{context}");
    let text = fs::read_to_string(site.skill(name).join("SKILL.md")).unwrap();
    assert!(text.contains(&format!("name: '{name}'   # ours\n")), "{context}: {text}");
    assert!(site.skc(["show", name, "--section", "A"]).ok().out.contains("text"), "{context}");
    let listed = site.skc(["list", "--check-obsolete", "--format", "json"]).ok().json();
    assert_eq!(listed["skills"][0]["status"], "normal", "{context}: {listed}");
    let commands = site.skc(["stats", name, "--group-by", "commands", "--format", "json"]).ok().json();
    assert_eq!(commands["data"]["build"], 2, "{context}: its log came along: {commands}");
}

fn assert_is_nowhere(site: &Site, name: &str, context: &str) {
    let places = deployed(site, name).into_iter().chain([site.skill(name), site.runtime(name)]);
    for place in places {
        assert!(!is_there(&place), "{context}: {}", place.display());
    }
    let records = fs::read_dir(site.home().join(".skillc/journal")).unwrap();
    let mut names = records.map(|entry| entry.unwrap().file_name()).filter(|name| name != "lock");
    assert_eq!(names.next(), None, "{context}: a record is left");
}

/// RFC-0007:C-RENAME
#[test]
fn a_rename_whose_build_fails_is_undone_as_a_whole() {
    let site = built();
    let marker = site.runtime("x").join(".skillc-meta/publish.pending");
    fs::create_dir(&marker).unwrap();
    put(&site.project().join(".skillc/config.toml"), "[permissions]\nconfirm = ['x']\n");
    let source = snapshot(&site.skill("x"));
    let run = site.skc(["rename", "x", "y"]).fails("E999");
    assert_eq!(run.out, "", "no success is printed");
    assert!(!run.err.contains("W059"), "{}", run.err);
    assert_eq!(snapshot(&site.skill("x")), source);
    fs::remove_dir(&marker).unwrap();
    assert_is_whole(&site, "x", "undone");
    assert_is_nowhere(&site, "y", "undone");
    site.skc(["rename", "x", "y"]).ok();
    assert_is_whole(&site, "y", "again");
    assert_is_nowhere(&site, "x", "again");
}

/// RFC-0007:C-RENAME
#[test]
fn a_skill_deployed_outside_the_project_is_deployed_there_again() {
    let site = built();
    let elsewhere = site.root().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    site.skc(["build", "x", "--target", elsewhere.to_str().unwrap()]).ok();
    site.skc(["rename", "x", "y"]).ok();
    assert!(!is_there(&elsewhere.join("x")));
    assert!(elsewhere.join("y/SKILL.md").is_file());
    site.skc(["undeploy", "y"]).ok();
    assert!(!is_there(&elsewhere.join("y")), "it is in the list of what is deployed");
}

/// The record that `rename x y` writes for the skill of `built`.
fn record(site: &Site) -> serde_json::Value {
    let place = |folder: &str, method: &str| {
        let path = site.project().join(folder).join("x");
        serde_json::json!({ "target": "claude", "path": path, "method": method })
    };
    serde_json::json!({
        "place": site.skill("x"), "path": site.skill("x"), "name": "y", "edits_name": true, "front_name": "x",
        "runtimes": [{
            "folder": site.runtime("x"),
            "deployed": [place(".claude/skills", "symlink"), place(".agents/skills", "copy")],
        }],
        "is_shadowed": false, "is_off": false, "switched_off_by": [],
    })
}

/// RFC-0007:C-RENAME
#[test]
fn an_interrupted_rename_is_completed_or_undone_by_the_next_command() {
    for is_moved in [false, true] {
        let site = built();
        put(&site.home().join(".skillc/journal/0123456789abcdef"), record(&site).to_string());
        let [link, copy] = deployed(&site, "x");
        fs::remove_file(link).unwrap();
        let (stays, goes, end) = match is_moved {
            true => {
                fs::remove_dir_all(copy).unwrap();
                let deployments = site.runtime("x").join(".skillc-meta/deployed.json");
                let text = fs::read_to_string(&deployments).unwrap();
                fs::write(
                    &deployments,
                    text.replace("\"places\"", "\"withdrawn\"").replacen('{', "{\"places\":[],", 1),
                )
                .unwrap();
                fs::rename(site.skill("x"), site.skill("y")).unwrap();
                ("y", "x", "is now completed")
            }
            false => ("x", "y", "is now undone"),
        };
        let run = site.skc(["catalog", "--format", "json"]).ok();
        assert!(
            run.err.contains("warning[W044]: the rename of 'x' to 'y' was interrupted, and "),
            "{}",
            run.err
        );
        assert!(run.err.contains(end), "{}", run.err);
        assert_is_whole(&site, stays, end);
        assert_is_nowhere(&site, goes, end);
    }
}

/// RFC-0007:C-RENAME
#[test]
fn a_rename_that_is_killed_leaves_the_old_skill_or_the_new_one() {
    let (mut name, mut other) = ("x", "y");
    let site = built();
    // The first rename is not killed, and shows how long one takes.
    let start = Instant::now();
    site.skc(["rename", name, other]).ok();
    let took = start.elapsed();
    (name, other) = (other, name);
    let (mut settled, mut kills) = (0, 0);
    for share in 1..=number("SKC_KILLS", 12) as u32 {
        let mut rename = site.command(["rename", name, other]).spawn().unwrap();
        // Multiples of the golden ratio are spread evenly.
        std::thread::sleep(took.mul_f64((f64::from(share) * 0.618_033_988_749_895).fract()));
        rename.kill().unwrap();
        kills += u32::from(!rename.wait().unwrap().success());
        let run = site.skc(["list"]).ok();
        settled += u32::from(run.err.contains("W044"));
        assert!(run.err.is_empty() || run.err.contains("W044"), "{}", run.err);
        if is_there(&site.skill(other)) {
            (name, other) = (other, name);
        }
        assert_is_whole(&site, name, &format!("after {share} kills"));
        assert_is_nowhere(&site, other, &format!("after {share} kills"));
    }
    eprintln!("{kills} kills, {settled} renames settled");
}

/// RFC-0007:C-RENAME
#[test]
fn a_second_rename_waits_for_the_first_and_sees_what_it_did() {
    for round in 0..number("SKC_RENAME_PAIRS", 8) {
        let site = built();
        let children = [(), ()].map(|()| site.command(["rename", "x", "y"]).spawn().unwrap());
        let ends = children.map(|child| child.wait_with_output().unwrap());
        let errors: Vec<String> =
            ends.iter().map(|end| String::from_utf8_lossy(&end.stderr).into_owned()).collect();
        let refused = errors.iter().filter(|error| error.starts_with("error[E001]"));
        assert_eq!(refused.count(), 1, "round {round}: {errors:?}");
        assert_is_whole(&site, "y", &format!("round {round}"));
        assert_is_nowhere(&site, "x", &format!("round {round}"));
        site.skc(["undo"]).fails("E053");
    }
}

/// RFC-0007:C-RENAME
#[test]
fn deployments_of_a_deleted_skill_keep_its_name() {
    let site = built();
    site.write_skill("y", "# Y\n\ntext\n");
    site.skc(["build", "y", "--target", "codex"]).ok();
    fs::remove_dir_all(site.skill("y")).unwrap();
    site.skc(["undeploy", "x"]).ok();
    let run = site.skc(["rename", "x", "y"]).fails("E100");
    assert!(run.err.contains("skc undeploy y"), "{}", run.err);
    site.skc(["undeploy", "y"]).ok();
    site.skc(["rename", "x", "y"]).ok();
    assert!(!is_there(&site.project().join(".agents/skills/y")));
}
