//! RFC-0001:C-FILES, RFC-0002:C-DIR: readers of a built skill find its scripts and assets.

use super::stub;
use crate::site::{Site, put, skill_md};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A built skill with a script that reads an asset beside it, and a reference.
fn site() -> Site {
    let site = Site::new();
    site.write_skill("x", "# Top\n\nRun `sh scripts/say.sh`.\n");
    site.write("x", "references/a.md", "# A\n");
    site.write("x", "scripts/say.sh", "cat \"$(dirname \"$0\")/../assets/word\"\n");
    site.write("x", "assets/word", "first");
    site.skc(["build", "x"]).ok();
    site
}

fn say(folder: &Path) -> String {
    let done = Command::new("sh").arg("scripts/say.sh").current_dir(folder).output().unwrap();
    String::from_utf8(done.stdout).unwrap()
}

/// RFC-0001:C-FILES
#[cfg(unix)]
#[test]
fn a_script_runs_from_the_deployed_folder_as_from_the_source() {
    let site = site();
    let deployed = site.project().join(".claude/skills/x");
    assert_eq!(say(&deployed), "first");
    site.write("x", "assets/word", "edited");
    assert_eq!(say(&deployed), "edited", "a link is never out of date");
    assert!(!deployed.join("references").exists(), "text is read by the gateway");
    let moved = site.root().join("moved");
    fs::rename(site.project(), &moved).unwrap();
    assert_eq!(say(&moved.join(".skillc/runtime/x")), "edited");
}

/// RFC-0001:C-FILES
#[cfg(unix)]
#[test]
fn links_beside_the_stub_follow_the_source() {
    let site = site();
    put(&site.runtime("x").join("mine/file"), "mine");
    site.write("x", "mine/data.json", "{}");
    site.write("x", "run.py", "");
    fs::remove_dir_all(site.skill("x").join("scripts")).unwrap();
    site.skc(["build", "x"]).ok();
    let names =
        fs::read_dir(site.runtime("x")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert_eq!(names, [".skillc-meta", "SKILL.md", "assets", "mine", "run.py"]);
    assert!(site.runtime("x").join("mine/file").is_file(), "what is no link is left alone");
    fs::remove_file(site.runtime("x").join("run.py")).unwrap();
    site.skc(["build", "x"]).ok();
    assert!(
        site.runtime("x").join("run.py").is_file(),
        "a build of an unchanged skill puts a lost link back"
    );
}

/// RFC-0001:C-FILES, RFC-0002:C-DIR
#[test]
fn the_reader_of_a_copy_finds_the_scripts_by_the_base_directory() {
    let site = site();
    site.skc(["build", "x", "--copy"]).ok();
    assert!(stub(&site, "x").contains("`skc sources x` (scripts, assets)."));
    let run = site.skc(["sources", "x"]).ok();
    assert_eq!(say(&site.project().join(&run.base_directories[0])), "first");
}

/// RFC-0002:C-DIR
#[test]
fn every_answer_of_a_skills_text_names_the_base_directory_once() {
    let site = site();
    let source = site.skill("x").to_string_lossy().into_owned();
    for args in
        [&["show", "x", "-s", "Top"][..], &["open", "x", "SKILL.md"], &["outline", "x"], &["sources", "x"]]
    {
        let run = site.skc(args).ok();
        assert_eq!(run.base_directories, [".skillc/skills/x"], "{args:?}");
        assert!(!run.out.contains(&source), "{args:?}: {}", run.out);
        let json: Value = site.skc([args, &["--format", "json"]].concat()).ok().json();
        assert_eq!(json["dir"], source, "{args:?}");
    }
    let load = site.skc(["load", "x", "--format", "json"]).ok().json();
    assert_eq!(load["dir"], source);
    assert_eq!(load["text"].as_str().unwrap().matches("Base directory: ").count(), 1);
}

/// RFC-0001:C-OUTPUT
#[test]
fn a_build_names_what_the_catalog_will_refuse() {
    let site = Site::new();
    let long = "Use when testing. ".repeat(60);
    site.write("x", "SKILL.md", format!("---\nname: x\ndescription: {}\n---\n# X\n", long.trim()));
    let told = site.skc(["build", "x"]).ok().err;
    let wanted = "warning[W042]: 'x' is built, but catalog, find and load leave it out: description has 1079 characters";
    assert!(told.contains(wanted), "{told}");
    let catalog = site.skc(["catalog", "--format", "json"]).ok().json();
    assert!(catalog["errors"].to_string().contains("1079 characters"), "{catalog}");
    put(&site.project().join(".skillc/config.toml"), "[discovery]\nlenient = true\n");
    assert_eq!(site.skc(["build", "x"]).ok().err, "");
}

/// RFC-0001:C-OUTPUT
#[test]
fn a_build_says_that_load_or_the_catalog_will_refuse_a_file_for_its_size() {
    let site = Site::new();
    for (bytes, warnings) in [(1_500_000, &["W043"][..]), (4_500_000, &["W042", "W043"])] {
        site.write("x", "SKILL.md", skill_md("x", &format!("# X\n\n{}\n", "word ".repeat(bytes / 5))));
        let err = site.skc(["build", "x"]).ok().err;
        for code in ["W042", "W043"] {
            assert_eq!(err.contains(code), warnings.contains(&code), "{bytes}: {err}");
        }
    }
    site.skc(["load", "x"]).fails("E082");
}
