//! RFC-0001:C-IMPORT: building a path.

use super::{manifest, snapshot};
use crate::site::{Site, put, skill_md};
use std::fs;
use std::os::unix::fs::symlink;

/// A skill `x` in a folder `away` next to the project.
fn away(site: &Site, body: &str) -> String {
    let folder = site.root().join("away");
    put(&folder.join("SKILL.md"), skill_md("x", body));
    folder.to_string_lossy().into_owned()
}

/// RFC-0001:C-IMPORT
#[test]
fn a_path_inside_a_store_is_built_in_place() {
    let site = Site::new();
    site.write("x", "SKILL.md", skill_md("another", "# X\n"));
    put(&site.home().join(".skillc/skills/mine/SKILL.md"), skill_md("mine", "# M\n"));
    site.skc(["build", "./.skillc/skills/x"]).ok();
    site.skc_in(&site.skill("x"), ["build", "."]).ok();
    site.skc(["build", "../home/.skillc/skills/mine/"]).ok();
    assert_eq!(fs::read_dir(site.project().join(".skillc/skills")).unwrap().count(), 1);
    assert!(site.runtime("x").join("SKILL.md").is_file() && !site.runtime("another").exists());
    assert!(site.home().join(".skillc/runtime/mine/SKILL.md").is_file());
}

/// RFC-0001:C-IMPORT
#[test]
fn a_path_outside_the_stores_is_imported_under_its_name() {
    let site = Site::new();
    let from = away(&site, "# X\n");
    for path in [".hidden", "a/.b/c", "run.sh", ".git/config", "a/.jj/x", ".skillc-meta/manifest.json"] {
        put(&site.root().join("away").join(path), path);
    }
    let before = snapshot(&site.root().join("away"));
    site.skc(["build", &from]).ok();
    let files: Vec<_> = snapshot(&site.skill("x")).into_iter().map(|(path, _)| path).collect();
    assert_eq!(files, [".hidden", "SKILL.md", "a/", "a/.b/", "a/.b/c", "run.sh"]);
    assert_eq!(fs::read(site.skill("x").join("a/.b/c")).unwrap(), b"a/.b/c");
    assert_eq!(snapshot(&site.root().join("away")), before);
    let global = site.home().join(".skillc/skills/x");
    site.skc(["build", "--global", &from]).ok();
    assert!(global.join("SKILL.md").is_file());
    fs::remove_dir_all(&global).unwrap();
    site.skc_in(&site.root(), ["build", "away"]).ok();
    assert!(global.join("SKILL.md").is_file());
}

/// RFC-0001:C-IMPORT
#[test]
fn an_import_with_an_unsafe_name_touches_nothing() {
    let site = Site::new();
    put(&site.project().join(".skillc/victim/SKILL.md"), "kept");
    let folder = away(&site, "");
    for name in ["../victim", "../../victim", "a/b", "..", ".", "/tmp/x", "a\\b", ".hidden", "a\nb"] {
        let text = format!("---\nname: {}\ndescription: d\n---\n", serde_json::to_string(name).unwrap());
        put(&site.root().join("away/SKILL.md"), text);
        for options in [&[][..], &["--force"], &["--global", "--force"]] {
            let before = crate::site::snapshot(&site.root());
            site.skc([&["build", folder.as_str()], options].concat()).fails("E051");
            assert!(crate::site::snapshot(&site.root()) == before, "{name:?} {options:?}");
        }
    }
}

/// RFC-0001:C-IMPORT
#[test]
fn an_import_names_the_skill_that_is_in_its_way() {
    let site = Site::new();
    site.write_skill("x", "# Mine\n");
    let (from, before) = (away(&site, "# Other\n"), snapshot(&site.skill("x")));
    let run = site.skc(["build", &from]).fails("E015");
    assert!(run.err.contains("'x'") && run.err.contains(&*site.skill("x").to_string_lossy()), "{}", run.err);
    assert_eq!(snapshot(&site.skill("x")), before);
    assert!(!site.runtime("x").join("SKILL.md").exists());
    site.write("x", "old.md", "# Old\n");
    site.skc(["build", &from, "--force"]).ok();
    assert_eq!(snapshot(&site.skill("x")), snapshot(&site.root().join("away")));
    assert_eq!(fs::read_dir(site.project().join(".skillc/skills")).unwrap().count(), 1);
}

/// RFC-0001:C-IMPORT
#[test]
fn an_import_with_a_link_that_leads_out_leaves_the_store_alone() {
    let site = Site::new();
    site.write_skill("x", "# Mine\n");
    let (from, before) = (away(&site, "# Other\n"), snapshot(&site.project()));
    symlink("/", site.root().join("away/.out")).unwrap();
    site.skc(["build", &from, "--force"]).fails("E012");
    assert_eq!(snapshot(&site.project()), before);
}

/// RFC-0001:C-IMPORT
#[test]
fn an_import_answers_for_its_path_until_that_changes() {
    let site = Site::new();
    let from = away(&site, "# Top\n\nfirst text\n");
    let show = |path: &str| site.skc(["show", path, "--section", "Top"]);
    let search = |path: &str| site.skc(["search", path, "text"]);
    show(&from).fails("E002");
    site.skc(["build", &from]).ok();
    assert_eq!(manifest(&site, "x")["origin"], from.as_str());
    for path in [from.as_str(), "../away"] {
        assert!(show(path).ok().out.contains("first text"));
        assert!(search(path).ok().out.contains("[SKILL.md]") || search(path).ok().out.contains("SKILL.md"));
    }
    away(&site, "# Top\n\nsecond text\n");
    for run in [show(&from), search(&from)] {
        let err = run.fails("E002").err;
        let command = err.split("run 'skc ").nth(1).unwrap().split('\'').next().unwrap();
        assert!(command.contains(&from), "{err}");
    }
    let err = show(&from).fails("E002").err;
    let command = err.split("run 'skc ").nth(1).unwrap().split('\'').next().unwrap();
    site.skc(command.split(' ')).ok();
    assert!(show(&from).ok().out.contains("second text"));
    assert!(search(&from).ok().out.contains("second"));
    site.write("x", "SKILL.md", skill_md("x", "# Top\n\nthird text\n"));
    show(&from).fails("E002");
}

/// RFC-0001:C-IMPORT
#[test]
fn several_builds_of_one_path_at_once_all_end_with_success() {
    let site = Site::new();
    let folder = site.root().join("elsewhere/x");
    put(&folder.join("SKILL.md"), skill_md("x", "# X\n"));
    let builds: Vec<_> =
        (0..4).map(|_| site.command(["build", folder.to_str().unwrap()]).spawn().unwrap()).collect();
    for build in builds {
        let done = build.wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    assert_eq!(site.skc(["show", "x", "-s", "X"]).ok().out, "# X\n");
}

/// RFC-0001:C-IMPORT
#[test]
fn an_edit_of_the_origin_is_brought_in_by_building_its_path() {
    let site = Site::new();
    let from = away(&site, "# Top\n\nfirst text\n");
    put(&site.root().join("away/references/more.md"), "# More\n");
    let first = site.skc(["build", &from]).ok();
    assert!(first.out.contains(&format!("Import   {from} (copied)")), "{}", first.out);
    assert!(first.out.contains("Source   .skillc/skills/x (project)"), "{}", first.out);
    away(&site, "# Top\n\nsecond text\n");
    let second = site.skc(["build", &from, "--format", "json"]).ok();
    assert_eq!(second.json()["built"][0]["imported"]["change"], "updated");
    assert_eq!(second.err, "");
    assert_eq!(snapshot(&site.skill("x")), snapshot(&site.root().join("away")));
    assert!(site.skc(["show", "x", "--section", "Top"]).ok().out.contains("second text"));
    let third = site.skc(["build", &from, "--format", "json"]).ok().json();
    assert_eq!(third["built"][0]["imported"]["change"], "unchanged");
    site.skc(["undo"]).ok();
    let restored = fs::read_to_string(site.skill("x").join("SKILL.md")).unwrap();
    assert!(restored.contains("first text"), "{restored}");
}

/// RFC-0001:C-IMPORT
#[test]
fn a_skill_that_was_edited_on_both_sides_loses_neither() {
    let site = Site::new();
    let from = away(&site, "# Top\n\nfirst\n");
    put(&site.root().join("away/references/more.md"), "# More\n");
    site.skc(["build", &from]).ok();
    site.write("x", "references/more.md", "# More\n\nedited in the store\n");
    site.skc(["build", "x"]).ok();
    let only_here = site.skc(["build", &from]).fails("E015");
    assert!(only_here.err.contains("by its name, 'x'"), "{}", only_here.err);
    away(&site, "# Top\n\nedited at the origin\n");
    let before = (snapshot(&site.skill("x")), snapshot(&site.root().join("away")));
    let err = site.skc(["build", &from]).fails("E056").err;
    for part in [&from, site.skill("x").to_str().unwrap(), "SKILL.md, references/more.md"] {
        assert!(err.contains(part), "{part}: {err}");
    }
    assert_eq!((snapshot(&site.skill("x")), snapshot(&site.root().join("away"))), before);
    let forced = site.skc(["build", &from, "--force"]).ok();
    assert!(
        forced.err.contains("warning[W041]") && forced.err.contains(".skillc/skills/x"),
        "{}",
        forced.err
    );
    assert_eq!(snapshot(&site.skill("x")), before.1);
    site.skc(["undo"]).ok();
    assert_eq!(snapshot(&site.skill("x")), before.0);
}
