//! RFC-0002:C-OPEN.

use crate::site::{Run, Site, put};
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;

fn skill() -> Site {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site
}

fn open(site: &Site, path: &str) -> Run {
    site.skc(["open", "x", path])
}

/// RFC-0002:C-OPEN
#[test]
fn open_returns_the_bytes_as_they_are() {
    let site = skill();
    let all: Vec<u8> = (0..=255).collect();
    for (path, bytes) in
        [("data.bin", all.as_slice()), ("dos.md", b"\xef\xbb\xbf# X\r\n\r\nno end"), ("empty.py", b"")]
    {
        site.write("x", path, bytes);
        assert_eq!(open(&site, path).ok().bytes, bytes, "{path}");
    }
}

/// RFC-0002:C-OPEN
#[test]
fn open_refuses_absolute_paths_and_every_way_out() {
    let site = skill();
    put(&site.project().join(".skillc/skills/secret/a.md"), "secret");
    symlink("../secret", site.skill("x").join("out")).unwrap();
    symlink("../secret/a.md", site.skill("x").join("out.md")).unwrap();
    symlink("../nothing", site.skill("x").join("gone.md")).unwrap();
    let inside = site.skill("x").join("SKILL.md").to_string_lossy().into_owned();
    for path in [
        "..",
        "../secret/a.md",
        "../nothing",
        "a/../../nothing",
        "/etc/passwd",
        "/nothing",
        &inside,
        "out/a.md",
        "out/nothing.md",
        "out.md",
        "gone.md",
    ] {
        let run = open(&site, path).fails("E012");
        assert!(run.err.contains(&format!("'{path}'")) && run.out.is_empty(), "{}", run.err);
    }
}

/// RFC-0002:C-OPEN
#[test]
fn a_missing_path_or_a_folder_is_file_not_found() {
    let site = skill();
    fs::create_dir(site.skill("x").join("references")).unwrap();
    symlink("nothing", site.skill("x").join("dangling.md")).unwrap();
    for path in
        ["nothing.md", "no/such/file", "references", "references/", ".", "", "SKILL.md/x", "dangling.md"]
    {
        open(&site, path).fails("E021");
    }
}

/// RFC-0002:C-OPEN
#[test]
fn a_hidden_file_is_opened_by_its_path() {
    let site = skill();
    site.write("x", ".hidden/.env", "KEY=1\n");
    assert_eq!(open(&site, ".hidden/.env").ok().out, "KEY=1\n");
}

/// RFC-0002:C-OPEN
#[test]
fn open_as_json_encodes_bytes_that_are_not_text() {
    let site = skill();
    site.write("x", "a/text.md", "# Ünï\n");
    site.write("x", "data.bin", b"\xff\x00\x01");
    let reply = |path: &str| site.skc(["open", "x", path, "--format", "json"]).ok().json();
    let expected = |path: &str, content: &str, encoding: &str, tokens: u32| json!({"dir": site.skill("x"), "path": path, "content": content, "encoding": encoding, "truncated_lines": 0, "tokens": tokens});
    assert_eq!(reply("./a/text.md"), expected("a/text.md", "# Ünï\n", "utf-8", 2));
    assert_eq!(reply("data.bin"), expected("data.bin", "/wAB", "base64", 1));
}

/// RFC-0002:C-OPEN
#[test]
fn a_file_too_large_to_return_is_refused() {
    let site = Site::built("x", "# X\n");
    let limit = skillc_domain::limits::OPEN_BYTES_MAX;
    let file = std::fs::File::create(site.skill("x").join("big.bin")).unwrap();
    file.set_len(limit + 1).unwrap();
    let run = site.skc(["open", "x", "big.bin", "--max-lines", "1"]).fails("E023");
    assert!(run.err.contains(&limit.to_string()), "{}", run.err);
}

/// RFC-0002:C-OPEN
#[test]
fn every_part_of_a_file_that_is_no_text_has_one_encoding() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.write("x", "data.bin", b"plain\nline\n\xff\xfe\nplain again\n");
    let (mut cursor, mut parts) = (None::<String>, 0);
    loop {
        let mut line = vec!["open", "x", "data.bin", "--max-lines", "1", "-o", "json"];
        if let Some(cursor) = &cursor {
            line.extend(["--cursor", cursor]);
        }
        let reply = site.skc(line).json();
        assert_eq!(reply["encoding"], "base64", "{reply}");
        parts += 1;
        match reply["next_cursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => break,
        }
    }
    assert_eq!(parts, 4);
}
