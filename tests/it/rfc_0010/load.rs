//! RFC-0010:C-LOAD and C-REF: the text that enters a context.

use super::scene::{configure, repo, text, user, write};
use crate::mcp::logged;
use crate::site::{Site, put, skill_md};
use serde_json::Value;
use std::fs;

fn load(site: &Site, what: &str) -> Value {
    site.skc(["load", what, "--format", "json"]).ok().json()
}

/// Skills specification 13.5. RFC-0010:C-LOAD
#[test]
fn a_loaded_skill_brings_its_whole_text_its_folder_and_its_files() {
    let site = Site::new();
    let dir = repo(&site, "review");
    let file = write(&dir, "# Review\n\nA & B <b>c</b>\n");
    put(&dir.join("references/list.md"), "1\n");
    put(&dir.join("scripts/run.sh"), "2\n");
    put(&dir.join(".hidden/x"), "3\n");
    let run = site.skc(["load", "review"]).ok();
    let (content, dir_text) = (fs::read_to_string(&file).unwrap(), text(&dir));
    let expected = format!(
        "<skill_context name=\"review\" path=\"{dir_text}/SKILL.md\">\n{content}\n\
         Base directory: file://{dir_text}/\nRelative paths in this skill are resolved from this directory.\n\
         <skill_files>\n<file>{dir_text}/references/list.md</file>\n<file>{dir_text}/scripts/run.sh</file>\n\
         </skill_files>\n</skill_context>\n"
    );
    assert_eq!(run.out, expected);
    let json = load(&site, "review");
    assert_eq!((json["text"].as_str().unwrap(), json["path"].as_str().unwrap()), (&*expected, &*text(&file)));
    assert_eq!((json["name"].as_str(), json["dir"].as_str()), (Some("review"), Some(&*dir_text)));
    assert_eq!((&json["suppressed"], &json["files_truncated"]), (&false.into(), &false.into()));
    let id = json["skill_id"].as_str().unwrap();
    assert!(id.len() == 16 && json["ref"].as_str().unwrap().starts_with(&format!("skill:{id}@")));
    assert!(json["mtime_ms"].as_i64().unwrap() > 1_700_000_000_000);
    assert_eq!(run.err, format!("ref {}\n", json["ref"].as_str().unwrap()));
}

/// RFC-0010:C-LOAD
#[test]
fn a_skill_is_named_by_its_name_its_file_its_folder_or_a_place_of_it() {
    let site = Site::new();
    let file = write(&repo(&site, "review"), "# Review\n");
    write(&user(&site, "notes"), "# Notes\n");
    std::os::unix::fs::symlink(repo(&site, "review"), user(&site, "linked")).unwrap();
    let relative = ".agents/skills/review";
    for what in
        ["review", relative, &format!("{relative}/SKILL.md"), &text(&file), &text(&user(&site, "linked"))]
    {
        assert_eq!(load(&site, what)["path"], text(&file), "{what}");
    }
    assert_eq!(load(&site, "notes")["name"], "notes");
    assert_eq!(load(&site, "~/.agents/skills/notes")["name"], "notes");
    let both = site.skc(["load", "notes", "--path", relative, "--format", "json"]).ok().json();
    assert_eq!(both["name"], "review", "a path comes before a name");
    for odd in [&["load"][..], &["load", ""], &["load", "--ref", "x"], &["load", "a", "--ref", "b"]] {
        site.skc(odd).fails("E100");
    }
}

/// A stub leads to its source. RFC-0010:C-LOAD
#[test]
fn the_stub_of_a_skill_loads_its_source() {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n\nThe whole text.\n");
    site.skc(["build", "demo"]).ok();
    let stub = site.project().join(".claude/skills/demo");
    assert!(stub.join("SKILL.md").is_file());
    for what in ["demo", &text(&stub), &text(&stub.join("SKILL.md"))] {
        let json = load(&site, what);
        assert_eq!(json["path"], text(&site.skill("demo").join("SKILL.md")), "{what}");
        assert!(json["text"].as_str().unwrap().contains("The whole text."), "{what}");
    }
}

/// Skills specification 13.3. RFC-0010:C-LOAD
#[test]
fn a_name_that_several_skills_have_is_ambiguous_and_its_paths_are_listed() {
    let site = Site::new();
    let paths = [write(&repo(&site, "twin"), "# A\n"), write(&user(&site, "twin"), "# B\n")];
    let refused = site.skc(["load", "twin"]).fails("E070");
    assert_eq!(refused.out, "");
    for path in &paths {
        assert!(refused.err.lines().any(|line| line == format!("  - {}", text(path))), "{}", refused.err);
        assert_eq!(load(&site, &text(path))["path"], text(path));
    }
}

/// RFC-0010:C-LOAD
#[test]
fn only_what_the_catalog_knows_is_loaded() {
    let site = Site::new();
    write(&repo(&site, "release"), "# R\n");
    let outside = write(&site.root().join("elsewhere/other"), "# Secret\n");
    for what in [
        &text(&outside),
        "/etc/passwd",
        "/",
        "../elsewhere/other",
        "release/../../../etc/passwd",
        "./x\u{1b}[2J",
    ] {
        let refused = site.skc(["load", what]).fails("E071");
        assert!(refused.out.is_empty() && !refused.err.contains('\u{1b}'), "{what}");
    }
    let near = site.skc(["load", "relase"]).fails("E071");
    assert!(near.err.contains("  - release"), "{}", near.err);
    site.skc(["load", &"x".repeat(100_000)]).fails("E071");
    configure(&site, &format!("[discovery]\nroots = ['{}']\n", text(&site.root().join("elsewhere"))));
    assert_eq!(load(&site, "other")["path"], text(&outside), "a configured root is one");
}

/// RFC-0010:C-LOAD
#[test]
fn the_skill_that_ships_with_the_program_can_be_loaded() {
    let json = load(&Site::new(), "using-skc");
    assert!(json["text"].as_str().unwrap().contains("name: using-skc"));
    assert_eq!(json["name"], "using-skc");
}

/// Decision 33. RFC-0010:C-LOAD
#[test]
fn a_load_is_logged_with_the_version_that_was_read() {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n");
    let reference = load(&site, "demo")["ref"].as_str().unwrap().to_owned();
    configure(&site, "[skills]\ndisabled = ['demo']\n");
    site.skc(["load", "demo"]).fails("E073");
    let events = logged(&site, "demo");
    let commands: Vec<&str> = events.iter().map(|event| event.command.as_str()).collect();
    assert_eq!(commands, ["load", "load"]);
    assert_eq!((events[0].target.as_deref(), events[0].file.as_deref()), (Some("demo"), Some("SKILL.md")));
    assert!(reference.ends_with(events[0].args["version"].as_str().unwrap()));
    assert!(events[1].error.as_deref().unwrap().starts_with("error[E073]"));
}

/// Skills specification 13.8. RFC-0010:C-REF
#[test]
fn a_reference_gives_the_same_bytes_in_a_new_process() {
    let site = Site::new();
    let file = write(&repo(&site, "review"), "# Review\n\nFirst.\n");
    let first = site.skc(["load", "review", "--format", "json"]).ok().json();
    let reference = first["ref"].as_str().unwrap();
    let again = |vars: &[(&str, &str)]| site.skc_with(vars, ["load", "--ref", reference, "--format", "json"]);
    assert_eq!(again(&[]).ok().json(), first);
    let session = [("SKC_RUN_ID", "one")];
    for _ in 0..2 {
        assert_eq!(again(&session).ok().json(), first, "who asks by a reference lost the text");
    }
    // The old content is restored with new modification times.
    fs::write(&file, fs::read(&file).unwrap()).unwrap();
    assert_eq!(again(&[]).ok().json()["text"], first["text"]);
}

/// RFC-0010:C-REF
#[test]
fn a_reference_to_a_text_that_changed_or_went_is_a_fault() {
    let site = Site::new();
    let file = write(&repo(&site, "review"), "# Review\n");
    let reference = load(&site, "review")["ref"].as_str().unwrap().to_owned();
    fs::write(&file, skill_md("review", "# Revied\n")).unwrap();
    assert!(site.skc(["load", "--ref", &reference]).fails("E075").out.is_empty());
    fs::write(&file, skill_md("review", "# Review\n")).unwrap();
    site.skc(["load", "--ref", &reference]).ok();
    fs::remove_dir_all(repo(&site, "review")).unwrap();
    site.skc(["load", "--ref", &reference]).fails("E075");
}
