//! RFC-0015:C-PACK, C-ARCHIVE and C-OUTPUT: archives that skc makes.

use crate::site::{Run, Site, finish, put, skill_md, snapshot};
use skillc_lint::pack::PACK_TARGETS;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

/// A skill with files of each kind.
fn scene() -> Site {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n\nRun [it](scripts/run.sh); read [more](references/größe.md).\n");
    site.write("demo", "scripts/run.sh", "#!/bin/sh\necho done\n");
    site.write("demo", "references/größe.md", "# Größe\n");
    site
}

fn bytes(site: &Site, name: &str) -> Vec<u8> {
    fs::read(site.project().join(name)).unwrap()
}

/// RFC-0015:C-ARCHIVE
#[test]
fn a_skill_has_the_same_archive_for_every_umask_owner_time_and_place() {
    let mut archives = Vec::new();
    for (umask, mode, owner, time) in [
        ("022", 0o644, 0, "200001010000"),
        ("077", 0o600, 1234, "202612312359"),
        ("000", 0o777, 7, "198001010000"),
    ] {
        let site = scene();
        for file in ["SKILL.md", "scripts/run.sh", "references/größe.md"] {
            let file = site.skill("demo").join(file);
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            assert!(Command::new("touch").args(["-t", time]).arg(&file).status().unwrap().success());
            // Only root may change the owner of a file.
            let _ = std::os::unix::fs::chown(&file, Some(owner), Some(owner));
        }
        let mut command = site.command(["pack", "demo"]);
        let line = format!("umask {umask}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).arg(command.get_program()).args(command.get_args());
        shell.current_dir(site.project()).env("SKILLC_HOME", site.home()).env("TZ", "Pacific/Apia");
        shell.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command = shell;
        finish(command).ok();
        archives.push(bytes(&site, "demo.skill"));
    }
    assert!(archives.windows(2).all(|pair| pair[0] == pair[1]));
}

/// RFC-0015:C-PACK
#[test]
fn omitted_files_are_listed_with_the_reason() {
    let site = scene();
    for (path, text) in [
        (".env", "SECRET=1"),
        (".hidden/a.md", ""),
        ("scripts/__pycache__/run.pyc", ""),
        ("node_modules/x/index.js", ""),
        ("node_modules/.bin/x", ""),
        ("evals/evals.json", "{}"),
        ("fixtures/a.txt", ""),
        ("film.mp4", ""),
    ] {
        site.write("demo", path, text);
    }
    let before = snapshot(&site.skill("demo"));
    let line = ["pack", "demo", "--exclude", "fixtures", "--exclude", "*.mp4", "-o", "json"];
    let reply = site.skc(line).ok().json();
    let left_out: Vec<String> = reply["left_out"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{} {}", one["path"].as_str().unwrap(), one["reason"].as_str().unwrap()))
        .collect();
    assert_eq!(
        left_out,
        [
            "evals/ tests of the skill",
            "film.mp4 excluded",
            "fixtures/ excluded",
            "node_modules/ installed packages",
            "scripts/__pycache__/ a cache",
            ".env hidden",
            ".hidden/ hidden",
        ]
    );
    assert_eq!(reply["archives"][0]["files"], 3);
    let text = site.skc(["pack", "demo"]).ok().out;
    assert!(text.contains("Left out:\n  evals/ (tests of the skill, 1 file)\n"), "{text}");
    assert_eq!(snapshot(&site.skill("demo")), before, "the source stays");
}

/// RFC-0015:C-PACK
#[test]
fn the_reply_has_size_count_and_digest_of_the_file() {
    let site = scene();
    let reply = site.skc(["pack", "demo", "-o", "json"]).ok().json();
    let archive = &reply["archives"][0];
    let sum = Command::new("sha256sum").arg(site.project().join("demo.skill")).output().unwrap();
    let sum = String::from_utf8(sum.stdout).unwrap();
    assert_eq!(archive["sha256"].as_str(), sum.split(' ').next());
    assert_eq!(archive["bytes"], bytes(&site, "demo.skill").len());
    assert_eq!(archive["files"], 3);
    let text = site.skc(["pack", "demo"]).ok().out;
    assert!(text.contains("sha256 ") && text.contains("3 files"), "{text}");
}

/// RFC-0015:C-PACK
#[test]
fn nothing_is_written_for_a_store_that_would_refuse_it() {
    let site = scene();
    (0..200).for_each(|n| drop(site.write("demo", &format!("fixtures/{n}.txt"), "")));
    let run = site.skc(["pack", "demo"]).fails("E057");
    assert!(run.err.contains("Zip contains too many files (maximum 200)"), "{}", run.err);
    assert!(
        run.err.contains("hint: it has 203; leave out, for example, demo/fixtures/ (200 files)"),
        "{}",
        run.err
    );
    assert!(!site.project().join("demo.skill").exists());
    site.skc(["pack", "demo", "--exclude", "fixtures"]).ok();
    // The API has no such limit.
    site.skc(["pack", "demo", "--for", "api"]).ok();
    site.skc(["pack", "demo", "--for", "all"]).fails("E057");
    assert!(!site.project().join("demo.well-known.zip").exists());
    site.write("Bad", "SKILL.md", skill_md("bad", ""));
    site.skc(["pack", "Bad"]).ok();
    let run = site.skc(["pack", "Bad", "--for", "api"]).fails("E057");
    assert!(run.err.contains("the folder is 'Bad', and the name is 'bad'"), "{}", run.err);
}

/// RFC-0015:C-PACK
#[test]
fn each_receiver_gets_an_archive_that_it_accepts() {
    let site = scene();
    for target in PACK_TARGETS {
        let name = format!("demo{}", target.suffix);
        site.skc(["pack", "demo", "--for", target.id, "--force"]).ok();
        site.skc(["pack", "--check", &name, "--for", target.id]).ok();
    }
    let before = ["demo.skill", "demo.well-known.zip"].map(|name| bytes(&site, name));
    let out = site.skc(["pack", "demo", "--for", "all"]).ok().out;
    assert!(out.contains("Packed demo for claude.ai, the Claude API, Gemini CLI: demo.skill\n"), "{out}");
    assert_eq!(["demo.skill", "demo.well-known.zip"].map(|name| bytes(&site, name)), before);
}

/// RFC-0015:C-PACK
#[test]
fn a_link_inside_is_packed_as_a_file_and_one_that_leaves_is_refused() {
    let site = scene();
    symlink("größe.md", site.skill("demo").join("references/size.md")).unwrap();
    assert_eq!(site.skc(["pack", "demo", "-o", "json"]).ok().json()["archives"][0]["files"], 4);
    site.skc(["pack", "--check", "demo.skill", "--for", "claude"]).ok();
    put(&site.project().join("secret"), "marmot");
    symlink("../../../secret", site.skill("demo").join("out")).unwrap();
    let before = bytes(&site, "demo.skill");
    site.skc(["pack", "demo"]).fails("E012");
    assert_eq!(bytes(&site, "demo.skill"), before);
}

/// RFC-0015:C-PACK
#[test]
fn names_that_other_systems_cannot_hold_are_refused() {
    for (names, reason) in [
        (&["a\\b.md"][..], "the name has a backslash: 'demo/a\\b.md'"),
        (&["a:b.md"], "the name has a colon"),
        (&["a\u{1b}[2Jb.md"], "the name has a control character"),
        (&["A.md", "a.md"], "'demo/A.md' and 'demo/a.md' are one file"),
        (&["inner/SKILL.md"], "Zip must contain exactly one SKILL.md file"),
    ] {
        let site = scene();
        names.iter().for_each(|name| drop(site.write("demo", name, "")));
        let run = site.skc(["pack", "demo"]).fails("E057");
        assert!(run.err.contains(reason), "{reason} in {}", run.err);
        assert!(!run.err.contains('\u{1b}'));
    }
}

fn output(site: &Site, file: &str, more: &[&str]) -> Run {
    site.skc([&["pack", "demo", "--output", file], more].concat())
}

/// RFC-0015:C-OUTPUT
#[test]
fn only_an_archive_that_skc_made_is_replaced() {
    let site = scene();
    put(&site.project().join("mine.zip"), "mine");
    output(&site, "mine.zip", &[]).fails("E052");
    assert_eq!(bytes(&site, "mine.zip"), b"mine");
    output(&site, "mine.zip", &["--force"]).ok();
    let first = bytes(&site, "mine.zip");
    site.write_skill("demo", "# Changed\n");
    output(&site, "mine.zip", &[]).ok();
    assert_ne!(bytes(&site, "mine.zip"), first);
    output(&site, "missing/x.zip", &[]).fails("E999");
}

/// RFC-0015:C-OUTPUT
#[test]
fn the_output_is_neither_in_the_skill_nor_behind_a_link_that_leads_out() {
    let site = scene();
    output(&site, ".skillc/skills/demo/x.zip", &[]).fails("E100");
    let run = site.skc_in(&site.skill("demo"), ["pack", "."]).fails("E100");
    assert!(run.err.contains("name another file with --output"), "{}", run.err);
    symlink(site.home(), site.project().join("away")).unwrap();
    output(&site, "away/x.zip", &[]).fails("E018");
    output(&site, "x.zip", &["--for", "all"]).fails("E100");
    assert!(
        fs::read_dir(site.home()).unwrap().all(|entry| {
            Path::new(&entry.unwrap().file_name()).extension().is_none_or(|end| end != "zip")
        })
    );
}

/// RFC-0015:C-TARGETS
#[test]
fn the_table_of_receivers_is_that_of_the_program() {
    let rfc =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../rfc/0015-packing.md")).unwrap();
    let words = rfc.split_whitespace().collect::<Vec<_>>().join(" ");
    for target in PACK_TARGETS {
        let number =
            |number: Option<u64>| number.map_or("none known".to_owned(), |number| number.to_string());
        let (files, bytes) = (number(target.files_max.map(|max| max as u64)), number(target.bytes_max));
        let row = format!("| `{}` | {} | {files} | {bytes} |", target.id, target.label);
        assert!(rfc.lines().any(|line| line.starts_with(&row)), "no row: {row}");
        assert!(words.contains(target.source), "{}", target.source);
    }
}
