//! RFC-0007:C-FILES: every command sees the same files.

use super::without_permission;
use crate::site::{Run, Site, finish, put};
use skillc_domain::limits::TEXT_BYTES_MAX;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// The lines of stderr that begin with a code.
fn warnings<'a>(run: &'a Run, code: &str) -> Vec<&'a str> {
    let label = format!("warning[{code}]: ");
    run.err.lines().filter_map(|line| line.strip_prefix(&label)).collect()
}

/// RFC-0007:C-FILES
#[test]
fn a_hidden_file_is_in_no_listing_no_index_and_no_hash() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.write("x", ".draft.md", "# Draft\nxylophone\n");
    site.write("x", ".notes/a.md", "# Notes\nxylophone\n");
    site.skc(["build", "x"]).ok();
    assert_eq!(site.skc(["outline", "x"]).ok().out, "SKILL.md\n  # X\n");
    assert_eq!(site.skc(["sources", "x"]).ok().out, "x/\n└── SKILL.md\n");
    assert_eq!(
        site.skc(["search", "x", "xylophone", "-o", "json"]).ok().json()["results"],
        serde_json::json!([])
    );
    site.skc(["show", "x", "--section", "Draft"]).fails("E020");
    site.write("x", ".more.md", "# More\n");
    fs::remove_file(site.skill("x").join(".draft.md")).unwrap();
    site.skc(["show", "x", "--section", "X"]).ok();
    let obsolete = site.skc(["list", "--status", "obsolete", "-o", "json"]).ok().json();
    assert_eq!(obsolete["filtered"], 0);
}

/// RFC-0007:C-FILES
#[test]
fn every_reader_follows_a_link_inside_once() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.write("x", "real/a.md", "# Linked\nxylophone\n");
    for (to, at) in
        [("real", "other"), ("real/a.md", "b.md"), ("..", "real/up"), ("loop", "loop"), (".", "self")]
    {
        symlink(to, site.skill("x").join(at)).unwrap();
    }
    site.skc(["build", "x"]).ok();
    let tree = "x/\n├── other/\n│   └── a.md\n├── real/\n│   └── a.md\n├── SKILL.md\n└── b.md\n";
    assert_eq!(site.skc(["sources", "x"]).ok().out, tree);
    let outline = site.skc(["outline", "x"]).ok().out;
    assert_eq!(outline.matches("# Linked").count(), 3, "{outline}");
    site.skc(["show", "x", "--section", "Linked", "--file", "other/a.md"]).ok();
    assert_eq!(site.skc(["open", "x", "b.md"]).ok().out, "# Linked\nxylophone\n");
    let found = site.skc(["search", "x", "xylophone", "-o", "json"]).ok().json();
    assert_eq!(found["results"].as_array().unwrap().len(), 3);
}

/// A built skill in which this path was replaced by a link to a place outside, which contains the word "xylophone".
fn planted(path: &str) -> Site {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.write("x", "references/a.md", "# A\n");
    site.skc(["build", "x"]).ok();
    let outside = site.root().join("outside");
    fs::rename(site.skill("x").join(path), &outside).unwrap();
    let secret = "---\nname: x\ndescription: xylophone\n---\n# A\n# Secret Xylophone\n";
    put(&if outside.is_dir() { outside.join("a.md") } else { outside.clone() }, secret);
    symlink(outside, site.skill("x").join(path)).unwrap();
    site
}

/// RFC-0007:C-FILES
#[test]
fn no_command_follows_a_link_planted_after_the_build() {
    for (path, file) in
        [("references/a.md", "references/a.md"), ("references", "references/a.md"), ("SKILL.md", "SKILL.md")]
    {
        let site = planted(path);
        for line in [
            "outline x",
            "sources x",
            "open x references/a.md",
            "open x SKILL.md",
            "show x --section Secret",
            "show x --section A",
            "search x secret",
            "list --check-obsolete",
            "build x",
            "build x --copy --force",
            "undeploy x",
        ] {
            let run = site.skc(line.split(' '));
            let said = (run.out + &run.err).to_lowercase();
            assert!(!said.contains("xylophone"), "{line}: {said}");
        }
        site.skc(["build", "x"]).fails("E012");
        site.skc(["open", "x", file]).fails("E012");
        let stub = fs::read_to_string(site.runtime("x").join("SKILL.md")).unwrap();
        assert!(!stub.contains("xylophone"), "{stub}");
    }
}

/// RFC-0007:C-FILES
#[test]
fn a_file_or_name_that_is_not_utf8_is_skipped_with_a_warning() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.write("x", "latin.md", b"# Caf\xe9\n");
    site.write("x", "latin.txt", b"caf\xe9 xylophone\n");
    site.write("x", "data.bin", b"\xff");
    put(&site.skill("x").join(OsStr::from_bytes(b"n\xff.md")), "# Unnameable\n");
    let run = site.skc(["build", "x"]).ok();
    let not_text = ["skipped 'latin.md': not UTF-8 text", "skipped 'latin.txt': not UTF-8 text"];
    assert_eq!(warnings(&run, "W020"), not_text);
    assert_eq!(warnings(&run, "W021"), ["skipped 'n\u{fffd}.md': file name is not UTF-8"]);
    site.skc(["show", "x", "--section", "X"]).ok();
    let run = site.skc(["outline", "x"]).ok();
    assert_eq!(run.out, "SKILL.md\n  # X\n");
    assert_eq!(warnings(&run, "W020"), not_text[..1]);
    assert_eq!(warnings(&run, "W021").len(), 1);
    let run = site.skc(["sources", "x"]).ok();
    assert_eq!(run.out, "x/\n├── SKILL.md\n├── data.bin\n├── latin.md\n└── latin.txt\n");
    assert_eq!(warnings(&run, "W021").len(), 1);
}

/// RFC-0007:C-FILES
#[test]
fn a_file_too_large_or_unreadable_is_skipped_with_a_warning() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    let large = site.write("x", "large.md", "# Large\n");
    fs::File::options().write(true).open(large).unwrap().set_len(TEXT_BYTES_MAX + 1).unwrap();
    let message = format!("skipped 'large.md': larger than {TEXT_BYTES_MAX} bytes");
    for line in [["build", "x"], ["outline", "x"]] {
        assert_eq!(warnings(&site.skc(line).ok(), "W022"), [message.as_str()]);
    }
    site.skc(["show", "x", "--section", "X"]).ok();
    fs::remove_file(site.skill("x").join("large.md")).unwrap();

    bury(&site.skill("x"));
    let run = site.skc(["build", "x"]).ok();
    assert!(matches!(warnings(&run, "W023")[..], [one] if one.ends_with("': path too long")), "{}", run.err);
    fs::remove_dir_all(site.skill("x").join("d".repeat(200))).unwrap();

    let closed = site.write("x", "closed.md", "# Closed\n");
    let run = without_permission(&site, &closed, 0o000, &["build", "x"]).ok();
    let refused = warnings(&run, "W023");
    assert!(
        matches!(refused[..], [one] if one.starts_with("skipped 'closed.md': permission denied")),
        "{}",
        run.err
    );
    let run = without_permission(&site, &closed, 0o000, &["outline", "x"]).ok();
    assert_eq!((run.out.as_str(), warnings(&run, "W023").len()), ("SKILL.md\n  # X\n", 1), "{}", run.err);
}

/// Creates a file so deep in a folder that its path is longer than the system allows.
fn bury(folder: &Path) {
    let chain = vec!["d".repeat(200); 12].join("/");
    fs::create_dir_all(folder.join(&chain)).unwrap();
    put(&folder.join("lower").join(&chain).join("deep.md"), "# Deep\n");
    fs::rename(folder.join("lower"), folder.join(&chain).join("lower")).unwrap();
}

/// RFC-0007:C-FILES
#[test]
fn no_command_waits_for_a_pipe_or_reads_a_folder_called_md() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.write("x", "folder.md/inner.md", "# Inner\n");
    let pipe = site.skill("x").join("pipe.md");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    symlink("pipe.md", site.skill("x").join("to-pipe.txt")).unwrap();
    let _socket = UnixListener::bind(site.skill("x").join("socket.md")).unwrap();
    let headings = "SKILL.md\n  # X\nfolder.md/inner.md\n  # Inner\n";
    assert_eq!(in_time(&site, "build x").status, 0);
    assert_eq!(in_time(&site, "outline x").ok().out, headings);
    assert_eq!(in_time(&site, "sources x").ok().out, "x/\n├── folder.md/\n│   └── inner.md\n└── SKILL.md\n");
    in_time(&site, "search x inner").ok();
    in_time(&site, "show x --section Inner").ok();
    in_time(&site, "list --check-obsolete").ok();
    for path in ["pipe.md", "to-pipe.txt", "socket.md", "folder.md"] {
        in_time(&site, &format!("open x {path}")).fails("E021");
    }
    fs::remove_file(site.skill("x").join("SKILL.md")).unwrap();
    fs::rename(&pipe, site.skill("x").join("SKILL.md")).unwrap();
    in_time(&site, "build x").fails("E010");
}

/// Runs a command line that must not block.
#[track_caller]
fn in_time(site: &Site, line: &str) -> Run {
    let mut command = site.command(line.split(' '));
    command.stdin(Stdio::null());
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(finish(command)));
    receiver.recv_timeout(Duration::from_secs(30)).unwrap_or_else(|_| panic!("'{line}' waits"))
}
