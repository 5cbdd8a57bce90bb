//! RFC-0015:C-CHECK, C-WORDS and C-SAFE: why a receiver would refuse an archive.

use super::forged::{ForgedEntry, SKILL_MD, archive, beside_skill_md, entry};
use crate::site::{Run, Site, finish, program, put};
use skillc_archive::ZipArchives;
use skillc_domain::archive::ArchiveMember;
use skillc_ports::Archives;
use std::fs;
use std::process::Command;

fn check(site: &Site, bytes: &[u8], more: &[&str]) -> Run {
    fs::write(site.project().join("their.zip"), bytes).unwrap();
    site.skc([&["pack", "--check", "their.zip"], more].concat())
}

fn member(name: &str, bytes: impl Into<Vec<u8>>) -> ArchiveMember {
    ArchiveMember { name: name.to_owned(), bytes: bytes.into() }
}

fn packed(members: &[ArchiveMember]) -> Vec<u8> {
    ZipArchives.pack(members).unwrap()
}

/// RFC-0015:C-CHECK
#[test]
fn an_archive_is_judged_by_each_receiver_and_fails_if_none_accepts_it() {
    let site = Site::new();
    let in_folder = beside_skill_md(&[entry("demo/a.md", "a")]);
    let run = check(&site, &in_folder, &[]).ok();
    assert!(run.out.starts_with("their.zip: 2 files, "), "{}", run.out);
    for line in [
        "claude.ai accepts it\n",
        "the Claude API accepts it\n",
        "Gemini CLI accepts it\n",
        "a well-known index refuses it: SKILL.md is not at the top of the archive\n",
    ] {
        assert!(run.out.contains(line), "{line} in {}", run.out);
    }
    let run = check(&site, &in_folder, &["--for", "well-known"]).fails("E057");
    assert!(run.err.contains("hint: archive the files of the skill without its folder"), "{}", run.err);
    let at_root = archive(&[entry("SKILL.md", SKILL_MD)]);
    check(&site, &at_root, &["--for", "well-known"]).ok();
    let reply = check(&site, &at_root, &["-o", "json"]).ok().json();
    let accepts: Vec<bool> =
        reply["targets"].as_array().unwrap().iter().map(|target| target["accepts"] == true).collect();
    assert_eq!(accepts, [false, false, true, true]);
    assert_eq!(site.skc(["pack", "--check", "their.zip", "--for", "none"]).status, 1);
}

/// RFC-0015:C-WORDS
#[test]
fn each_error_of_claude_ai_is_predicted_in_its_words() {
    let site = Site::new();
    let many: Vec<ForgedEntry> = (0..200).map(|n| entry(format!("demo/{n}.md"), "")).collect();
    let long = format!("---\nname: demo\ndescription: {}\n---\n", "x".repeat(1025));
    for (bytes, words) in [
        (beside_skill_md(&many), "Zip contains too many files (maximum 200)"),
        (
            beside_skill_md(&[entry("demo/inner/SKILL.md", SKILL_MD)]),
            "Zip must contain exactly one SKILL.md file",
        ),
        (archive(&[entry("demo/a.md", "")]), "Zip must contain exactly one SKILL.md file"),
        (archive(&[entry("up/demo/SKILL.md", SKILL_MD)]), "SKILL.md file must be in the top-level folder"),
        (archive(&[entry("SKILL.md", SKILL_MD)]), "SKILL.md file must be in the top-level folder"),
        (
            archive(&[entry("demo/SKILL.md", long)]),
            "field 'description' in SKILL.md must be at most 1024 characters",
        ),
    ] {
        let run = check(&site, &bytes, &["--for", "claude"]).fails("E057");
        assert!(run.err.contains(&format!("would refuse '{}", site.project().display())), "{}", run.err);
        assert!(run.err.lines().any(|line| line.ends_with(&format!(": {words}"))), "{words} in {}", run.err);
    }
}

/// RFC-0015:C-SAFE
#[test]
fn a_forged_archive_is_refused_with_its_reason() {
    let site = Site::new();
    let with = |entry: ForgedEntry| beside_skill_md(&[entry]);
    let plain = entry("demo/a", "text");
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    let zeros = vec![0; 5 * 1024 * 1024];
    for (bytes, code, reason) in [
        (with(entry("demo/../../a", "")), "E057", "climbs out of the archive"),
        (with(entry("/tmp/a", "")), "E057", "the name is absolute"),
        (with(entry("demo\\a.md", "")), "E057", "the name has a backslash"),
        (with(entry("demo/a:b", "")), "E057", "the name has a colon"),
        (with(entry("demo/a\u{7}b", "")), "E057", "the name has a control character"),
        (with(entry("demo/skill.md", "")), "E057", "are one file on macOS and Windows"),
        (with(entry("demo/SKILL.md", "")), "E057", "the name occurs twice"),
        (with(ForgedEntry { mode: 0o120_777, ..plain.clone() }), "E057", "the entry is a link"),
        (with(ForgedEntry { mode: 0o010_644, ..plain.clone() }), "E057", "the entry is a link"),
        (with(ForgedEntry { flags: 1, ..plain.clone() }), "E057", "the entry is encrypted"),
        (with(ForgedEntry { checksum: Some(7), ..plain.clone() }), "E057", "is damaged"),
        (with(ForgedEntry { local_name: Some(b"demo/b".into()), ..plain.clone() }), "E057", "is damaged"),
        (with(ForgedEntry { declared: Some(u32::MAX - 1), ..plain.clone() }), "E057", "unpacks to more than"),
        (with(ForgedEntry { method: 99, ..plain.clone() }), "E057", "is damaged"),
        (with(ForgedEntry { method: 8, ..plain.clone() }), "E057", "is damaged"),
        (with(entry(format!("demo/{}", "d/".repeat(70)), "")), "E057", "too many folders deep"),
        (packed(&[member("demo/SKILL.md", SKILL_MD), member("demo/a", zeros)]), "E057", "a hundred times"),
        (cut(with(plain)), "E058", "it is truncated"),
        (b"no archive".to_vec(), "E058", "it is not a zip archive"),
        (Vec::new(), "E058", "it is not a zip archive"),
        (archive(&[]), "E057", "exactly one SKILL.md"),
    ] {
        let run = check(&site, &bytes, &[]).fails(code);
        assert!(run.err.contains(reason), "{reason} in {}", run.err);
    }
    let inner = with(entry("demo/a.zip", beside_skill_md(&[])));
    let run = check(&site, &inner, &["--for", "claude"]).ok();
    assert!(run.out.contains("claude.ai may refuse it: the file is an archive"), "{}", run.out);
    assert!(!run.out.contains("claude.ai accepts it"), "{}", run.out);
}

/// RFC-0015:C-SAFE
#[test]
fn an_archive_that_is_cut_anywhere_is_never_accepted() {
    let whole = packed(&[member("demo/SKILL.md", SKILL_MD), member("demo/a.md", "text\n".repeat(50))]);
    for length in 0..whole.len() {
        let bytes = whole[..length].to_vec();
        let Ok(found) = ZipArchives.inspect(Box::new(std::io::Cursor::new(bytes))) else { continue };
        // The comment at the end may be truncated without a flaw.
        assert!(!found.listing.flaws.is_empty() || length >= whole.len() - 16, "{length}");
    }
}

/// RFC-0015:C-SAFE
#[test]
fn a_path_that_is_no_file_is_refused() {
    let site = Site::new();
    fs::create_dir(site.project().join("folder")).unwrap();
    assert!(Command::new("mkfifo").arg(site.project().join("pipe")).status().unwrap().success());
    for path in ["folder", "pipe", "missing", "/dev/zero"] {
        site.skc(["pack", "--check", path]).fails("E058");
    }
}

/// Runs the program and returns the run and its peak memory in KiB.
fn measured(site: &Site, line: &[&str]) -> (Run, u64) {
    const PROGRAM: &str = "import resource, subprocess, sys\n\
                           done = subprocess.run(sys.argv[1:])\n\
                           print('\\nKiB', resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n\
                           sys.exit(done.returncode)\n";
    let mut command = site.command(line);
    let arguments: Vec<_> = command.get_args().map(std::ffi::OsStr::to_owned).collect();
    let mut python = Command::new("python3");
    python.args(["-u", "-c", PROGRAM]).arg(program()).args(arguments).current_dir(site.project());
    python.env("SKILLC_HOME", site.home()).env("HOME", site.home());
    python.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped());
    python.stderr(std::process::Stdio::piped());
    command = python;
    let run = finish(command);
    let kib = run.out.rsplit("KiB ").next().unwrap().trim().parse().unwrap();
    (run, kib)
}

/// RFC-0015:C-SAFE
#[test]
fn the_worst_archives_take_at_most_64_mib() {
    let site = Site::new();
    let names: Vec<ArchiveMember> = (0..65_536).map(|n| member(&format!("demo/{n}"), "")).collect();
    let empty_directories = b"PK\x05\x06".repeat(1_000_000);
    let headers = [b"PK\x01\x02".repeat(8_000_000), archive(&[entry("demo/SKILL.md", SKILL_MD)])].concat();
    let stored =
        |bytes| beside_skill_md(&[ForgedEntry { checksum: Some(7), ..entry("demo/a", vec![1; bytes]) }]);
    for (name, bytes, reason) in [
        ("entries", packed(&names), "the archive has 65536 entries"),
        ("large", stored(70_000_000), "unpacks to more than 67108864 bytes"),
        ("just not large", stored(60_000_000), "is damaged"),
        ("bomb", packed(&[member("demo/a", vec![0; 60_000_000])]), "a hundred times"),
        ("signatures", empty_directories, "it is not a zip archive"),
        ("headers", headers, ""),
    ] {
        put(&site.project().join("worst.zip"), &bytes);
        let (run, kib) = measured(&site, &["pack", "--check", "worst.zip"]);
        assert!(run.err.contains(reason), "{name}: {}", run.err);
        assert!(kib <= 64 * 1024, "{name}: {kib} KiB");
    }
}
