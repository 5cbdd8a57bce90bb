//! RFC-0001:C-OUTPUT, C-MANIFEST and C-ERRORS: what a build writes, and says.

use super::{deploys, manifest, snapshot};
use crate::site::{Site, put, skill_md};
use serde_json::Value;
use std::os::unix::fs::symlink;

/// RFC-0001:C-OUTPUT
#[test]
fn the_runtime_holds_stub_manifest_and_index_only() {
    let site = Site::built("x", "# X\n");
    site.write("x", "references/a.md", "# A\n");
    site.write("x", "run.sh", "true\n");
    site.skc(["build", "x"]).ok();
    let index = site.index("x").file_name().unwrap().to_string_lossy().into_owned();
    let names: Vec<_> = snapshot(&site.runtime("x")).into_iter().map(|(path, _)| path).collect();
    assert_eq!(
        names,
        [
            ".skillc-meta/",
            ".skillc-meta/deployed.json",
            ".skillc-meta/manifest.json",
            &format!(".skillc-meta/{index}"),
            "SKILL.md",
            "run.sh"
        ]
    );
    assert!(site.runtime("x").join("run.sh").is_symlink());
}

/// RFC-0001:C-OUTPUT
#[test]
fn a_build_names_source_runtime_and_deploys() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    let reply = site.skc(["build", "x", "--target", "claude,cursor", "-o", "json"]).ok().json();
    let built = &reply["built"][0];
    let path = |key: &str| built[key].as_str().unwrap().to_owned();
    assert_eq!((path("source"), path("source_scope")), (text(&site.skill("x")), "project".into()));
    assert_eq!((path("runtime"), path("scope")), (text(&site.runtime("x")), "project".into()));
    let at = |folder: &str| text(&site.project().join(folder).join("x"));
    assert_eq!(
        deploys(&reply),
        [["claude", &at(".claude/skills"), "symlink"], ["cursor", &at(".agents/skills"), "symlink"]]
    );
    let told = site.skc(["build", "x", "--global", "--copy"]).ok().out;
    let row = |what: &str| told.lines().find(|line| line.trim_start().starts_with(what)).unwrap();
    assert!(row("Source").ends_with("(project)"), "{told}");
    assert!(row("Runtime").contains(".skillc/runtime/x") && row("Runtime").ends_with("(global)"), "{told}");
    assert!(row("Deploy").contains(".claude/skills/x"), "{told}");
    assert!(row("Deploy").ends_with("(global, claude-code, copy)"), "{told}");
}

/// RFC-0001:C-OUTPUT
#[test]
fn build_all_builds_every_skill_it_can() {
    let site = Site::new();
    site.skc(["build", "--all"]).fails("E017");
    site.write("no-skill", "notes.md", "");
    site.skc(["build", "--all"]).fails("E017");
    for name in ["a", "c"] {
        site.write_skill(name, "# Top\n");
    }
    site.write("b", "SKILL.md", "# no front matter\n");
    let run = site.skc(["build", "--all", "-o", "json"]).fails("E011");
    let names = |list: &str| -> Vec<String> {
        let list = run.json()[list].as_array().unwrap().clone();
        list.iter().map(|one| one["skill"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!((names("built"), names("failed")), (vec!["a".into(), "c".into()], vec!["b".into()]));
    let failed = &run.json()["failed"][0];
    assert_eq!(failed["code"], "E011");
    assert!(
        failed["hint"].as_str().unwrap().contains("'name: …'"),
        "the diagnostic that an agent gets: {failed}"
    );
    assert!(site.runtime("a").join("SKILL.md").is_file() && site.runtime("c").join("SKILL.md").is_file());
}

/// RFC-0001:C-OUTPUT
#[test]
fn build_all_takes_the_global_store_on_request_and_outside_a_project() {
    let site = Site::new();
    site.write_skill("local", "# L\n");
    put(&site.home().join(".skillc/skills/mine/SKILL.md"), skill_md("mine", "# M\n"));
    let skills = |reply: Value| -> Vec<String> {
        let built = reply["built"].as_array().unwrap().clone();
        built.iter().map(|one| one["skill"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(skills(site.skc(["build", "--all", "-o", "json"]).ok().json()), ["local"]);
    assert_eq!(skills(site.skc(["build", "--all", "--global", "-o", "json"]).ok().json()), ["mine"]);
    assert_eq!(skills(site.skc_in(&site.root(), ["build", "--all", "-o", "json"]).ok().json()), ["mine"]);
}

/// RFC-0001:C-MANIFEST
#[test]
fn the_manifest_names_skill_version_time_and_hash() {
    let site = Site::built("x", "# X\n");
    let manifest = manifest(&site, "x");
    assert_eq!(manifest["skill"], "x");
    assert!(manifest["version"].is_u64());
    let time = manifest["built_at"].as_str().unwrap().to_owned();
    let shape: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(shape, "0000-00-00T00:00:00Z");
    let hash = manifest["source_hash"].as_str().unwrap();
    assert!(hash.len() == 64 && hash.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f')), "{hash}");
}

/// RFC-0001:C-MANIFEST
#[test]
fn the_source_hash_is_the_hash_of_sorted_path_and_hash_lines() {
    let site = Site::new();
    site.write("x", "SKILL.md", "---\nname: x\ndescription: d\n---\n");
    site.write("x", "a.md", "# A\n");
    site.write("x", "a/b.md", "# B\n");
    site.write("x", "B.bin", [0, 255]);
    site.write("x", "ä.txt", "");
    site.write("x", ".hidden", "does not count");
    site.skc(["build", "x"]).ok();
    // printf '%s\0%s\n' path sha256 … for B.bin SKILL.md a.md a/b.md ä.txt, piped into sha256sum.
    assert_eq!(
        manifest(&site, "x")["source_hash"],
        "df3ea7a2292bac4a36a6375ad9674f9883959771a9febac625ca1de0dfab2c6d"
    );
}

/// The code of an error, a function that provokes it, and the options of the command.
type Refusal = (&'static str, fn(&Site), &'static [&'static str]);

/// RFC-0001:C-ERRORS
#[test]
fn a_failed_build_changes_nothing() {
    let spoil: [Refusal; 6] = [
        ("E011", |site| drop(site.write("x", "SKILL.md", "# no front matter\n")), &[]),
        ("E013", |site| drop(site.write("x", "SKILL.md", "---\nname: [\n---\n")), &[]),
        ("E012", |site| symlink("/", site.skill("x").join("out")).unwrap(), &[]),
        (
            "E014",
            |site| put(&site.project().join(".agents/skills/x/mine"), "kept"),
            &["--target", "claude,codex"],
        ),
        ("E014", |site| put(&site.project().join("file"), "kept"), &["--target", "claude,./file/skills"]),
        ("E100", |_| {}, &["--target", "claude,no-such-agent"]),
    ];
    for (code, spoil, options) in spoil {
        let site = Site::new();
        site.write_skill("x", "# Old\n");
        site.skc(["build", "x", "--target", "claude,cursor,./copies"]).ok();
        site.skc(["build", "x", "--target", "./copies", "--copy"]).ok();
        site.write_skill("x", "# New\n");
        if code == "E014" {
            std::fs::remove_file(site.project().join(".agents/skills/x")).unwrap();
        }
        spoil(&site);
        let before = snapshot(&site.project());
        site.skc([&["build", "x"][..], options].concat()).fails(code);
        assert!(snapshot(&site.project()) == before, "{code} {options:?}");
    }
}

fn text(path: &std::path::Path) -> String {
    path.to_string_lossy().into_owned()
}
