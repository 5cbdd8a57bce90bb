//! RFC-0002:C-SOURCES.

use crate::site::Site;
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;

/// A skill with files in three levels of folders.
fn skill() -> Site {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    for path in ["b/c/d.md", "b/c/e.py", "b/a.md", "B.md", "a.md", "Z/z.txt"] {
        site.write("x", path, "text\n");
    }
    site
}

fn sources(site: &Site, args: &[&str]) -> String {
    site.skc(["sources", "x"].iter().chain(args)).ok().out
}

/// RFC-0002:C-SOURCES
#[test]
fn sources_draws_a_tree_with_folders_first() {
    let expected = "\
x/
├── Z/
│   └── z.txt
├── b/
│   ├── c/
│   │   ├── d.md
│   │   └── e.py
│   └── a.md
├── B.md
├── SKILL.md
└── a.md
";
    assert_eq!(sources(&skill(), &[]), expected);
}

/// RFC-0002:C-SOURCES
#[test]
fn sources_depth_counts_the_files_of_a_closed_folder() {
    let site = skill();
    let one = "x/\n├── Z/ (1 file)\n├── b/ (3 files)\n├── B.md\n├── SKILL.md\n└── a.md\n";
    assert_eq!(sources(&site, &["--depth", "1"]), one);
    let two = sources(&site, &["--depth", "2"]);
    assert!(two.contains("├── Z/\n│   └── z.txt\n"), "{two}");
    assert!(two.contains("├── b/\n│   ├── c/ (2 files)\n│   └── a.md\n"), "{two}");
}

/// RFC-0002:C-SOURCES
#[test]
fn sources_limit_counts_entries() {
    let site = skill();
    assert_eq!(sources(&site, &["--limit", "3"]), "x/\n├── Z/\n│   └── z.txt\n├── b/\n└── ... (7 more)\n");
    assert!(!sources(&site, &["-l", "10"]).contains("more"));
}

/// RFC-0002:C-SOURCES
#[test]
fn sources_pattern_keeps_matching_files() {
    let site = skill();
    assert_eq!(sources(&site, &["--pattern", "*.py"]), "x/\n└── b/\n    └── c/\n        └── e.py\n");
    assert_eq!(sources(&site, &["-p", "b/?.md"]), "x/\n└── b/\n    └── a.md\n");
    assert_eq!(sources(&site, &["-p", "nothing*"]), "x/\nNo file matches 'nothing*'\n");
    assert_eq!(
        sources(&site, &["-p", "*.md", "--depth", "1"]),
        "x/\n├── b/ (2 files)\n├── B.md\n├── SKILL.md\n└── a.md\n"
    );
}

/// RFC-0002:C-SOURCES
#[test]
fn sources_dir_shows_a_subtree() {
    let site = skill();
    assert_eq!(sources(&site, &["--dir", "b/c"]), "x/b/c/\n├── d.md\n└── e.py\n");
    assert_eq!(sources(&site, &["--dir", "./b/", "--depth", "1"]), "x/b/\n├── c/ (2 files)\n└── a.md\n");
}

/// RFC-0002:C-SOURCES
#[test]
fn sources_refuses_a_missing_or_outside_folder() {
    let site = skill();
    fs::create_dir(site.project().join(".skillc/skills/y")).unwrap();
    symlink("../y", site.skill("x").join("out")).unwrap();
    symlink("../nothing", site.skill("x").join("gone")).unwrap();
    for missing in ["nothing", "b/nothing", "SKILL.md", "SKILL.md/x"] {
        site.skc(["sources", "x", "--dir", missing]).fails("E022");
    }
    let inside = site.skill("x").join("b").to_string_lossy().into_owned();
    for outside in ["..", "../y", "../nothing", "/nothing", &inside, "out", "out/nothing", "gone"] {
        site.skc(["sources", "x", "--dir", outside]).fails("E012");
    }
}

/// RFC-0002:C-SOURCES
#[test]
fn sources_as_json_is_a_flat_sorted_list() {
    let site = skill();
    let reply = |args: &[&str]| site.skc(["sources", "x", "--format", "json"].iter().chain(args)).ok().json();
    let (file, folder) = (|path: &str| json!({"path": path, "type": "file"}), "directory");
    let expected = json!({
        "entries": [
            {"path": "Z", "type": folder}, file("Z/z.txt"),
            {"path": "b", "type": folder}, {"path": "b/c", "type": folder, "files": 2}, file("b/a.md"),
            file("B.md"), file("SKILL.md"), file("a.md"),
        ],
        "dir": site.skill("x"), "more": 0, "tokens": 38
    });
    assert_eq!(reply(&["--depth", "2"]), expected);
    let mut cut = reply(&["--limit", "1", "--dir", "b"]);
    assert!(cut.as_object_mut().unwrap().remove("next_cursor").is_some());
    let entries = json!([{"path": "b/c", "type": folder}]);
    assert_eq!(cut, json!({"dir": site.skill("x"), "entries": entries, "more": 3, "tokens": 11}));
}

/// RFC-0002:C-SOURCES
#[test]
fn a_pattern_without_a_match_is_named() {
    assert_eq!(sources(&skill(), &["--pattern", "*.rs"]), "x/\nNo file matches '*.rs'\n");
}
