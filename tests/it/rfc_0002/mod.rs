//! RFC-0002: reading the content of a skill in pieces.

mod cursor;
mod open;
mod outline;
mod show;
mod sources;

use crate::site::{Site, put, skill_md};
use std::fs;
use std::path::PathBuf;

/// RFC-0002:C-ERRORS
#[test]
fn a_failed_read_writes_nothing_to_stdout() {
    let site = Site::built("x", "# X\n");
    site.write_skill("unbuilt", "# U\n");
    fs::create_dir(site.skill("empty")).unwrap();
    put(&site.home().join(".skillc/skills/foreign/SKILL.md"), skill_md("foreign", "# F\n"));
    site.skc(["build", "foreign"]).ok();
    let meta = site.home().join(".skillc/runtime/foreign/.skillc-meta");
    let mut files = fs::read_dir(meta).unwrap().map(|entry| entry.unwrap().path());
    let is_index =
        |path: &PathBuf| path.to_string_lossy().contains("/search-") && path.extension().unwrap() == "db";
    let index = files.find(is_index).unwrap();
    let db = rusqlite::Connection::open(index).unwrap();
    db.execute("UPDATE index_meta SET value = '/elsewhere' WHERE key = 'skill_path'", []).unwrap();
    for (line, code) in [
        ("outline nothing", "E001"),
        ("outline empty", "E010"),
        ("show unbuilt --section U", "E002"),
        ("show foreign --section F", "E003"),
        ("show x --section X --file ../y", "E012"),
        ("open x ../y", "E012"),
        ("sources x --dir ../y", "E012"),
        ("show x --section Y", "E020"),
        ("show x --section X --file y", "E021"),
        ("open x y", "E021"),
        ("sources x --dir y", "E022"),
        ("outline x --level 7", "E100"),
        ("open x", "E100"),
    ] {
        for format in ["text", "json"] {
            let run = site.skc(line.split(' ').chain(["--format", format])).fails(code);
            assert_eq!(run.out, "", "{line}");
        }
    }
}
