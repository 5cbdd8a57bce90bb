//! RFC-0001:C-DEPLOYMENT: from a runtime to the folders of agents.

use super::{Linkless, deploys, snapshot, stub};
use crate::contract::machines::block_on;
use crate::site::{Site, put, skill_md};
use serde_json::json;
use skillc_domain::config::Settings;
use skillc_domain::places::Places;
use skillc_links::LinkDeployer;
use skillc_ops::verb::build::{Build, BuildReply, BuildRequest};
use skillc_ops::{Answer, Reply, call};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is at a target, and a function that puts it there.
type Scene<T> = (&'static str, fn(&T));

/// The folder of Claude Code in the project.
fn place(site: &Site) -> PathBuf {
    site.project().join(".claude/skills/x")
}

/// RFC-0001:C-DEPLOYMENT
#[test]
fn a_project_skill_is_deployed_into_its_project() {
    let site = Site::built("x", "# X\n");
    assert_eq!(fs::read_link(place(&site)).unwrap(), Path::new("../../.skillc/runtime/x"));
    assert!(!site.home().join(".claude").exists() && !site.home().join(".skillc").exists());
    let inner = site.project().join("src/deep");
    fs::create_dir_all(&inner).unwrap();
    site.skc_in(&inner, ["build", "x", "--target", "cursor"]).ok();
    assert_eq!(
        fs::read_link(site.project().join(".agents/skills/x")).unwrap(),
        Path::new("../../.skillc/runtime/x")
    );
}

/// RFC-0001:C-DEPLOYMENT
#[test]
fn a_global_build_is_deployed_for_the_user() {
    let site = Site::new();
    put(&site.home().join(".skillc/skills/mine/SKILL.md"), skill_md("mine", "# M\n"));
    site.write_skill("x", "# X\n");
    site.skc(["build", "mine"]).ok();
    site.skc(["build", "x", "--global"]).ok();
    for name in ["mine", "x"] {
        let runtime = site.home().join(".skillc/runtime").join(name);
        assert!(runtime.join("SKILL.md").is_file());
        assert_eq!(fs::read_link(site.home().join(".claude/skills").join(name)).unwrap(), runtime);
    }
    assert!(!site.project().join(".claude").exists() && !site.project().join(".skillc/runtime").exists());
}

/// RFC-0001:C-DEPLOYMENT
#[test]
fn a_deployed_copy_has_neither_index_nor_log() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.skc(["build", "x", "--copy"]).ok();
    site.skc(["show", "x", "--section", "X"]).ok();
    site.skc(["build", "x", "--copy"]).ok();
    let names: Vec<_> = crate::site::snapshot(&place(&site)).into_iter().map(|(path, _)| path).collect();
    assert_eq!(names, [".skillc-meta/", ".skillc-meta/manifest.json", "SKILL.md"]);
    assert_eq!(fs::read_to_string(place(&site).join("SKILL.md")).unwrap(), stub(&site, "x"));
}

/// Builds `x` on a file system without links.
fn build_without_links(site: &Site) -> Answer<BuildReply> {
    let places = Places::new(site.home(), site.project(), Some(site.project()));
    let quiet = Arc::new(skillc_ports::progress::Quiet);
    let mut app = skillc::app(places, Settings::default(), Default::default(), quiet);
    Arc::make_mut(&mut app.ports).deployer = Arc::new(Linkless(LinkDeployer));
    let request = BuildRequest { skill: vec!["x".to_owned()], ..BuildRequest::default() };
    block_on(call::<Build>(&app, request))
}

/// RFC-0001:C-DEPLOYMENT
#[test]
fn a_link_that_cannot_be_made_becomes_a_copy_with_a_warning() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    let answer = build_without_links(&site);
    assert!(answer.failures.is_empty(), "{:?}", answer.failures);
    assert_eq!(answer.warnings.iter().map(|warning| warning.code()).collect::<Vec<_>>(), ["W040"]);
    assert_eq!(deploys(&answer.reply.unwrap().json())[0][2], "copy");
    assert!(fs::symlink_metadata(place(&site)).unwrap().is_dir());
    assert_eq!(fs::read_to_string(place(&site).join("SKILL.md")).unwrap(), stub(&site, "x"));
}

/// RFC-0001:C-FILES
#[test]
fn a_link_next_to_the_stub_that_cannot_be_made_is_a_warning() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.write("x", "scripts/run.sh", "");
    let answer = build_without_links(&site);
    assert!(answer.failures.is_empty(), "{:?}", answer.failures);
    assert_eq!(answer.warnings.iter().map(|warning| warning.code()).collect::<Vec<_>>(), ["W046", "W040"]);
    assert!(!site.runtime("x").join("scripts").exists());
    site.skc(["build", "x"]).ok();
    assert!(site.runtime("x").join("scripts/run.sh").is_file(), "the next build tries again");
}

/// RFC-0001:C-DEPLOYMENT
#[test]
fn two_targets_with_one_folder_are_deployed_once() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    let targets = "codex,cursor,github-copilot,./.agents/skills/,.agents//skills,codex";
    let reply = site.skc(["build", "x", "--target", targets, "-o", "json"]).ok().json();
    let at = site.project().join(".agents/skills/x").to_string_lossy().into_owned();
    assert_eq!(deploys(&reply), [["codex", &at, "symlink"]]);
    let shared = &reply["built"][0]["deployed"][0]["shared_with"];
    assert_eq!(*shared, json!(["cursor", "github-copilot", "./.agents/skills/", ".agents//skills"]));
    let text = site.skc(["build", "x", "--target", "codex,cursor,codex"]).ok().out;
    assert!(text.contains("(project, codex, cursor, symlink)"), "{text}");
}

/// RFC-0001:C-DEPLOYMENT
#[test]
fn our_own_entries_at_a_target_are_replaced() {
    let occupy: [Scene<Site>; 4] = [
        ("a link into another runtime", |site| {
            site.write_skill("other", "# O\n");
            site.skc(["build", "other"]).ok();
            symlink(site.runtime("other"), place(site)).unwrap();
        }),
        ("a link that a build made before the project moved", |site| {
            fs::create_dir_all(place(site).parent().unwrap()).unwrap();
            symlink("/no/such/.skillc/runtime/x", place(site)).unwrap();
        }),
        ("a copy", |site| drop(site.skc(["build", "x", "--copy"]).ok())),
        ("an altered copy", |site| {
            site.skc(["build", "x", "--copy"]).ok();
            put(&place(site).join("SKILL.md"), "altered");
        }),
    ];
    for (what, occupy) in occupy {
        let site = Site::new();
        site.write_skill("x", "# X\n");
        occupy(&site);
        site.skc(["build", "x"]).ok();
        assert_eq!(fs::read_link(place(&site)).unwrap(), Path::new("../../.skillc/runtime/x"), "{what}");
        site.skc(["build", "x", "--copy"]).ok();
        assert!(fs::symlink_metadata(place(&site)).unwrap().is_dir(), "{what}");
    }
}

/// RFC-0001:C-DEPLOYMENT
#[test]
fn an_occupied_target_is_left_alone_without_force() {
    let occupy: [Scene<Path>; 5] = [
        ("a file", |place| put(place, "mine")),
        ("a folder", |place| put(&place.join("SKILL.md"), "mine")),
        ("an empty folder", |place| fs::create_dir_all(place).unwrap()),
        ("a link to elsewhere", |place| {
            put(&place.with_file_name("elsewhere").join("SKILL.md"), "mine");
            symlink("elsewhere", place).unwrap();
        }),
        ("a copy of another skill", |place| {
            put(
                &place.join(".skillc-meta/manifest.json"),
                r#"{"skill":"x","version":1,"built_at":"2026-01-01T00:00:00Z","source":"/other/x","source_hash":"0000000000000000000000000000000000000000000000000000000000000000"}"#,
            );
        }),
    ];
    for (what, occupy) in occupy {
        for option in ["--target=claude", "--copy"] {
            let site = Site::new();
            site.write_skill("x", "# X\n");
            occupy(&place(&site));
            let before = snapshot(&site.project().join(".claude"));
            site.skc(["build", "x", option]).fails("E014");
            assert_eq!(snapshot(&site.project().join(".claude")), before, "{what}");
            assert!(!site.runtime("x").join("SKILL.md").exists(), "{what}: nothing is built");
            site.skc(["build", "x", option, "--force"]).ok();
            assert_eq!(
                fs::read_to_string(place(&site).join("SKILL.md")).unwrap(),
                stub(&site, "x"),
                "{what}"
            );
        }
    }
}

/// RFC-0001:C-DEPLOYMENT
#[test]
fn no_deploy_takes_the_place_of_a_source_a_store_or_a_runtime() {
    let site = Site::new();
    let project = site.root().join("x");
    put(&project.join(".skillc/skills/x/SKILL.md"), skill_md("x", "# X\n"));
    symlink("x", site.root().join("alias")).unwrap();
    site.skc_in(&project, ["build", "x", "--target", "./.skillc/../.skillc/runtime"]).fails("E014");
    assert!(!project.join(".skillc/runtime/x/SKILL.md").exists(), "nothing is built");
    site.skc_in(&project, ["build", "x"]).ok();
    let before = snapshot(&project);
    for folder in [
        ".skillc/skills",
        ".skillc/runtime/",
        "./.skillc/runtime/../skills",
        "./.skillc/skills/../runtime",
        "../alias/.skillc/runtime",
        "../alias/.skillc/skills",
        "../",
    ] {
        for options in [&["--force"][..], &["--copy", "--force"], &[]] {
            let args = [&["build", "x", "--target", folder][..], options].concat();
            site.skc_in(&project, args).fails("E014");
            assert!(snapshot(&project) == before, "{folder} {options:?}");
        }
    }
}

/// RFC-0001:C-UNDEPLOY
#[test]
fn a_copy_with_other_files_is_not_replaced() {
    let site = Site::built("x", "# X\n");
    let place = site.project().join(".claude/skills/x");
    fs::remove_file(&place).unwrap();
    site.skc(["build", "x", "--copy"]).ok();
    site.skc(["build", "x", "--copy"]).ok();
    put(&place.join("notes.md"), "mine");
    site.skc(["build", "x"]).fails("E014");
    assert_eq!(fs::read_to_string(place.join("notes.md")).unwrap(), "mine");
    site.skc(["undeploy", "x"]).ok();
    assert_eq!(fs::read_to_string(place.join("notes.md")).unwrap(), "mine", "undeploy leaves it, too");
    assert!(!place.join("SKILL.md").exists());
}

/// RFC-0001:C-DEPLOYMENT
#[test]
fn a_detour_does_not_lead_a_deploy_into_a_store() {
    let site = Site::built("x", "# X\n");
    let global = site.home().join(".skillc/skills");
    put(&global.join("x/SKILL.md"), skill_md("x", "# Other\n"));
    let alias = site.root().join("alias");
    std::os::unix::fs::symlink(&global, &alias).unwrap();
    let detour = format!("{}/.skillc/../.skillc/skills", site.project().display());
    let unmade = format!("{}/none/../.skillc/skills", site.project().display());
    for target in [&alias.display().to_string(), &detour, &unmade] {
        site.skc(["build", "x", "--force", "--target", target]).fails("E014");
    }
    assert!(fs::read_to_string(global.join("x/SKILL.md")).unwrap().contains("# Other"));
    assert!(fs::symlink_metadata(site.skill("x")).unwrap().is_dir());
}

/// RFC-0001:C-DEPLOYMENT
#[test]
fn deployments_before_a_failure_are_recorded() {
    let site = Site::built("x", "# X\n");
    let good = site.root().join("good").display().to_string();
    let run = site.skc(["build", "x", "--target", &format!("{good},/proc/none/a")]);
    assert_eq!(run.status, 1, "{}", run.err);
    site.skc(["undeploy", "x"]).ok();
    assert!(fs::symlink_metadata(site.root().join("good/x")).is_err());
}
