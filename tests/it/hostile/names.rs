//! Names.

use super::promptly;
use crate::site::{Site, put, skill_md, snapshot};
use std::fs;

/// Decisions 4 and 23.
#[test]
fn a_file_of_any_utf8_name_is_listed_found_and_read() {
    let long = format!("{}.md", "n".repeat(252));
    let names = [
        "-rf.md",
        "--help.md",
        "a b.md",
        "it's \"quoted\".md",
        "new\nline.md",
        "esc\u{1b}[2J.md",
        "tab\t.md",
        "\u{202e}.md",
        "*?[x].md",
        "%s%n.md",
        "$(x)`y`.md",
        "back\\slash.md",
        "c:d.md",
        "設定/檔.md",
        "😀.md",
        "e\u{301}.md",
        "a.md ",
        "#x?.md",
        "~.md",
        &long,
    ];
    let site = Site::new();
    site.write_skill("demo", "# Top\n");
    for (at, name) in names.iter().enumerate() {
        site.write("demo", name, format!("# Heading{at}\n\nmarmot{at}\n"));
    }
    let built = promptly(&site, ["build", "demo"]).ok();
    assert_eq!(built.err, "");
    for (at, name) in names.iter().enumerate().filter(|(_, name)| name.ends_with(".md")) {
        let found = promptly(&site, ["search", "demo", &format!("marmot{at}"), "-o", "json"]).ok().json();
        assert_eq!(found["results"][0]["file"], **name);
        let (file, section) = (format!("--file={name}"), format!("heading{at}"));
        let shown = promptly(&site, ["show", "demo", "--section", &section, &file]).ok();
        assert!(shown.out.contains(&format!("marmot{at}\n")), "{name:?}");
        let opened = promptly(&site, ["open", "demo", "--", name]).ok();
        assert_eq!(opened.out, format!("# Heading{at}\n\nmarmot{at}\n"));
    }
    let listed = promptly(&site, ["sources", "demo", "-o", "json"]).ok().json();
    let paths: Vec<&str> =
        listed["entries"].as_array().unwrap().iter().map(|e| e["path"].as_str().unwrap()).collect();
    assert!(names.iter().all(|name| paths.contains(name)), "{paths:?}");
    let stub = fs::read_to_string(site.runtime("demo").join("SKILL.md")).unwrap();
    assert!(!stub.contains('\u{1b}') && stub.lines().count() <= 100, "{stub}");
}

/// Decision 4: whatever the name of a folder in the store, a build only uses its own paths.
#[test]
fn a_skill_folder_of_any_name_is_built_in_its_own_places_or_refused() {
    let site = Site::new();
    for name in ["-rf", "a b", "it's", "設定", "x:y", "new\nline", "CON", "a\\..\\b", "...", "e\u{1b}[2J"] {
        put(&site.skill(name).join("SKILL.md"), skill_md("x", "# Top\n"));
    }
    let before = snapshot(&site.project().join(".skillc/skills"));
    promptly(&site, ["list"]).ok();
    promptly(&site, ["build", "--all"]);
    promptly(&site, ["build", "--", "-rf"]).ok();
    for odd in ["...", "x:y", "new\nline", "a\\..\\b"] {
        promptly(&site, ["build", &format!("./.skillc/skills/{odd}")]).fails("E051");
    }
    assert_eq!(snapshot(&site.project().join(".skillc/skills")), before);
    let root = site.root();
    let mut made: Vec<String> =
        fs::read_dir(&root).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    made.sort();
    assert_eq!(made, ["home", "project"]);
    let mut made: Vec<String> = fs::read_dir(site.project())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    made.sort();
    assert_eq!(made, [".claude", ".skillc"]);
}

/// Decision 4: an argument that is not a name is looked up as a path and nowhere else.
#[test]
fn an_argument_that_is_no_name_reaches_no_runtime_and_no_log() {
    let site = Site::built("demo", "# Top\n");
    put(&site.project().join(".skillc/victim/SKILL.md"), "no skill");
    let before = snapshot(&site.root());
    let long = "x".repeat(5_000);
    for name in
        ["", ".", "..", "../victim", "demo/../../victim", "/", "\n", "~root", "~/", "demo\u{202e}", &long]
    {
        for line in [["outline", name], ["build", name], ["undeploy", name], ["sources", name]] {
            let run = promptly(&site, line);
            assert_eq!((run.status, run.out.as_str()), (1, ""), "{line:?}");
            let is_told = ["E001", "E010", "E011", "E051"].iter().any(|code| run.err.contains(code));
            assert!(is_told, "{line:?}: {}", run.err);
        }
    }
    assert_eq!(snapshot(&site.root()), before);
}

/// A system that ignores case opens a skill by any spelling; one that knows case has no such folder. Run it with
/// `TMPDIR` on both. RFC-0007:C-RESOLUTION
#[test]
fn a_name_in_another_case_is_the_name_of_no_skill() {
    let site = Site::new();
    site.write_skill("demo", "# Top\n");
    site.skc(["build", "demo"]).ok();
    let before = snapshot(&site.project());
    for command in [
        &["build", "DEMO"][..],
        &["show", "Demo", "--section", "Top"],
        &["rename", "DEMO", "other"],
        &["remove", "Demo"],
        &["build", ".skillc/skills/Demo"],
        &["disable", "DEMO"],
    ] {
        let refused = site.skc(command);
        assert_eq!(refused.status, 1, "{command:?}: {}{}", refused.out, refused.err);
        let is_unknown = refused.err.contains("error[E001]") || refused.err.contains("error[E071]");
        assert!(is_unknown, "{command:?}: {}", refused.err);
        assert_eq!(snapshot(&site.project()), before, "{command:?}");
    }
    let other = site.root().join("download/other");
    put(&other.join("skill.md"), skill_md("other", "# Other\n"));
    let refused = site.skc(["build", "../download/other"]);
    assert!(refused.err.contains("error[E010]"), "{}", refused.err);
    site.skc(["rename", "demo", "renamed"]).ok();
    assert!(site.project().join(".claude/skills/renamed").exists());
}
