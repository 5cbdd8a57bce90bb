//! RFC-0007:C-RESOLUTION.

use crate::site::{Run, Site, put, skill_md};
use std::fs;
use std::path::Path;

/// Writes a skill whose heading says where it is.
fn skill_at(folder: &Path, heading: &str) {
    put(&folder.join("SKILL.md"), skill_md("x", &format!("# {heading}\n")));
}

fn global(site: &Site, name: &str) -> std::path::PathBuf {
    site.home().join(".skillc/skills").join(name)
}

#[track_caller]
fn found(run: Run, heading: &str) {
    assert_eq!(run.ok().out, format!("SKILL.md\n  # {heading}\n"));
}

/// RFC-0007:C-RESOLUTION
#[test]
fn a_path_comes_first_then_the_project_then_the_global_store() {
    let site = Site::new();
    skill_at(&global(&site, "x"), "global");
    found(site.skc(["outline", "x"]), "global");
    skill_at(&site.skill("x"), "project");
    found(site.skc(["outline", "x"]), "project");
    skill_at(&site.project().join("x"), "path");
    found(site.skc(["outline", "x"]), "path");
    let absolute = site.project().join("x").to_string_lossy().into_owned();
    found(site.skc(["outline", &absolute]), "path");
    found(site.skc_in(&site.home(), ["outline", "../project/x"]), "path");
    found(site.skc_in(&site.home(), ["outline", "x"]), "global");
}

/// RFC-0007:C-RESOLUTION
#[test]
fn a_folder_without_skill_md_is_passed_over() {
    let site = Site::new();
    fs::create_dir(site.project().join("x")).unwrap();
    site.skc(["outline", "x"]).fails("E010");
    fs::create_dir(site.skill("x")).unwrap();
    fs::create_dir(site.skill("y")).unwrap();
    site.skc(["outline", "x"]).fails("E010");
    site.skc(["outline", "y"]).fails("E010");
    skill_at(&global(&site, "x"), "global");
    found(site.skc(["outline", "x"]), "global");
    for nothing in ["z", "./z", "../project/z", ""] {
        site.skc(["outline", nothing]).fails("E001");
    }
    put(&site.project().join("file"), "no folder");
    site.skc(["outline", "file"]).fails("E001");
}

/// RFC-0007:C-RESOLUTION
#[test]
fn the_project_is_found_from_a_folder_below() {
    let site = Site::without_project();
    skill_at(&site.skill("x"), "outer");
    let below = site.project().join("a/b/c");
    fs::create_dir_all(&below).unwrap();
    found(site.skc_in(&below, ["outline", "x"]), "outer");
    put(&site.project().join("a/.skillc/config.toml"), "");
    site.skc_in(&below, ["outline", "x"]).fails("E001");
    skill_at(&site.project().join("a/b/.skillc/skills/x"), "nearest");
    found(site.skc_in(&below, ["outline", "x"]), "nearest");
}

/// RFC-0007:C-RESOLUTION
#[test]
fn a_folder_of_logs_and_the_home_are_no_projects() {
    let site = Site::new();
    skill_at(&site.skill("x"), "project");
    let logs = site.project().join("a");
    fs::create_dir_all(logs.join(".skillc/logs/x")).unwrap();
    found(site.skc_in(&logs, ["outline", "x"]), "project");
    skill_at(&global(&site, "y"), "home");
    let below_home = site.home().join("work");
    fs::create_dir(&below_home).unwrap();
    let reply = site.skc_in(&below_home, ["list", "--format", "json"]).ok().json();
    assert_eq!((&reply["total"], &reply["skills"][0]["scope"]), (&1.into(), &"global".into()));
}

/// RFC-0007:C-RESOLUTION
#[test]
fn a_name_never_leads_out_of_the_store() {
    let site = Site::new();
    skill_at(&site.project().join(".skillc/x"), "beside the store");
    skill_at(&site.home().join(".skillc/x"), "beside the store");
    skill_at(&site.skill("deep/x"), "below a skill");
    for name in ["../x", "./../x", "deep/x", "deep/../../x", "..", "."] {
        let run = site.skc(["outline", name]);
        assert_eq!((run.status, run.out.as_str()), (1, ""), "{name}");
        assert!(run.err.starts_with("error[E001]: ") || run.err.starts_with("error[E010]: "), "{}", run.err);
    }
    site.skc(["outline", "../x"]).fails("E001");
}

/// RFC-0007:C-RESOLUTION
#[test]
fn a_runtime_is_no_source() {
    let site = Site::built("x", "# X\n");
    fs::remove_dir_all(site.skill("x")).unwrap();
    assert!(site.runtime("x").join("SKILL.md").is_file());
    assert!(site.project().join(".claude/skills/x/SKILL.md").is_file());
    site.skc(["outline", "x"]).fails("E001");
    site.skc(["show", "x", "--section", "X"]).fails("E001");
    skill_at(&site.home().join(".claude/skills/y"), "an agent's");
    site.skc(["outline", "y"]).fails("E001");
    assert_eq!(site.skc(["list", "-o", "json"]).ok().json()["total"], 0);
}

/// RFC-0007:C-RESOLUTION
#[test]
fn the_manifest_decides_between_two_runtimes() {
    let site = Site::new();
    skill_at(&site.skill("x"), "X");
    let runtime =
        |site: &Site| site.skc(["list", "-o", "json"]).ok().json()["skills"][0]["runtime_path"].clone();
    let global = site.home().join(".skillc/runtime/x");
    let show = ["show", "x", "--section", "X"];
    site.skc(["build", "x", "--global"]).ok();
    assert_eq!(runtime(&site), serde_json::json!(global), "the project has none");
    site.skc(show).ok();
    // A project that was copied together with its runtime, so the manifest names the source in the original place.
    let manifest = site.runtime("x").join(".skillc-meta/manifest.json");
    let elsewhere = fs::read_to_string(global.join(".skillc-meta/manifest.json")).unwrap();
    let elsewhere = elsewhere.replace(site.skill("x").to_str().unwrap(), "/elsewhere/x");
    put(&manifest, &elsewhere);
    assert_eq!(runtime(&site), serde_json::json!(global));
    site.skc(show).ok();
    site.skc(["build", "x"]).ok();
    fs::write(global.join(".skillc-meta/manifest.json"), &elsewhere).unwrap();
    assert_eq!(runtime(&site), serde_json::json!(site.runtime("x")));
    fs::remove_dir_all(global).unwrap();
    site.skc(show).ok();
}

/// RFC-0007:C-RESOLUTION
#[test]
fn the_runtime_that_agrees_with_its_source_answers() {
    let site = Site::built("x", "# X\n\nfirst\n");
    let show = ["show", "x", "--section", "X"];
    site.skc(["build", "x", "--global"]).ok();
    site.write_skill("x", "# X\n\nsecond\n");
    site.skc(["build", "x", "--global"]).ok();
    assert!(site.skc(show).ok().out.contains("second"));
    site.write_skill("x", "# X\n\nfirst\n");
    assert!(site.skc(show).ok().out.contains("first"), "the project's own agrees again");
}

/// RFC-0007:C-RESOLUTION
#[test]
fn every_command_takes_the_same_copy_of_a_name() {
    let site = Site::new();
    for (store, body) in [
        (site.home().join(".skillc/skills"), "# Global\ntext of global\n"),
        (site.project().join("skills"), "# Place\ntext of place\n"),
    ] {
        put(&store.join("x/SKILL.md"), skill_md("x", body));
    }
    put(&site.project().join(".skillc/config.toml"), "[sources]\nroots = ['skills']\n");
    let own = site.project().join("skills/x");
    let built = site.skc(["build", "x", "--format", "json"]).ok().json();
    assert_eq!(built["built"][0]["source"], own.to_str().unwrap());
    for (arguments, expected) in [
        (&["outline", "x"][..], "Place"),
        (&["show", "x", "--section", "Place"], "text of place"),
        (&["open", "x", "SKILL.md"], "text of place"),
        (&["search", "x", "text"], "place"),
        (&["list", "--scope", "project", "-v"], "skills/x"),
    ] {
        let run = site.skc(arguments).ok();
        assert!(run.out.contains(expected) && !run.out.contains("global\n"), "{arguments:?}: {}", run.out);
    }
    let lint = site.skc(["lint", "x", "--format", "json"]).ok();
    assert!(lint.out.contains("skills/x") && !lint.out.contains("home/.skillc"), "{}", lint.out);
    let cleared = site.skc(["undeploy", "x"]).ok();
    assert!(cleared.out.contains("Removed .claude/skills/x"), "{}", cleared.out);
}

/// RFC-0007:C-RESOLUTION
#[test]
fn a_skill_md_stands_for_its_skill() {
    let site = Site::built("x", "# X\n\nText.\n");
    let found = site.skc(["find", "x", "-o", "json"]).ok().json()["results"][0]["path"].clone();
    for path in [found.as_str().unwrap(), ".skillc/skills/x/SKILL.md"] {
        let replies = [
            site.skc(["outline", path]),
            site.skc(["show", path, "-s", "X"]),
            site.skc(["search", path, "text"]),
            site.skc(["open", path, "SKILL.md"]),
            site.skc(["sources", path]),
        ];
        replies.into_iter().for_each(|run| drop(run.ok()));
    }
    site.skc(["outline", ".skillc/skills/y/SKILL.md"]).fails("E001");
}

/// RFC-0007:C-RESOLUTION
#[test]
fn the_path_of_a_deployed_skill_stands_for_its_source() {
    let long = "Text.\n".repeat(3_000);
    let site = Site::built("demo", &format!("# Demo\n\n## Usage\n\n{long}\n### Details\n\nText.\n"));
    site.skc(["build", "demo", "-t", "cursor", "--copy"]).ok();
    for deployed in [".claude/skills/demo", ".claude/skills/demo/SKILL.md", ".agents/skills/demo"] {
        let outline = site.skc(["outline", deployed]).ok();
        assert!(outline.out.contains("### Details"), "{deployed}: {}", outline.out);
        site.skc(["show", deployed, "-s", "Details"]).ok();
        let again = site.skc(["build", deployed]).ok();
        assert!(again.out.starts_with("Unchanged demo") && !again.out.contains("Import"), "{}", again.out);
    }
    let linted = site.skc(["lint", ".claude/skills/demo"]).ok();
    assert!(linted.err.contains("skipping compiled skill 'demo'"), "{}", linted.err);
    site.skc(["remove", ".claude/skills/demo"]).fails("E100");
}

/// RFC-0007:C-RESOLUTION
#[test]
fn a_deployed_copy_of_a_clone_leads_to_no_source_outside() {
    let site = Site::built("demo", "# Demo\n\nText.\n");
    let secret = site.home().join("secret");
    put(&secret.join("SKILL.md"), skill_md("secret", "# Hidden\n\nSecret.\n"));
    let copy = site.project().join("vendor/demo");
    let runtime = site.project().join(".skillc/runtime/demo");
    let manifest = fs::read_to_string(runtime.join(".skillc-meta/manifest.json")).unwrap();
    let own = site.skill("demo");
    let forged = manifest.replace(&*own.to_string_lossy(), &secret.to_string_lossy());
    assert_ne!(forged, manifest);
    put(&copy.join(".skillc-meta/manifest.json"), forged);
    put(&copy.join("SKILL.md"), skill_md("demo", "# Copied\n"));
    let outline = site.skc(["outline", "vendor/demo"]).ok().out;
    assert!(outline.contains("# Copied") && !outline.contains("Hidden"), "{outline}");
}
