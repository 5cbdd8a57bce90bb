//! Checks the pages for people against the repository: diffs still apply, and figures are those of the program.

use crate::site::Site;
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The text that a hunk of a unified diff expects to find.
fn expected_by(hunk: &str) -> String {
    let lines = hunk.lines().skip(1).filter(|line| !line.starts_with('+'));
    lines.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect()
}

/// Hunks of a page's diffs that no longer apply, each with its file.
fn stale_hunks(page: &str) -> Vec<String> {
    let diffs = page.split("```diff\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    let files = diffs.flat_map(|diff| diff.split("--- a/").skip(1));
    files
        .flat_map(|part| {
            let name = part.lines().next().unwrap_or_default();
            let text = fs::read_to_string(repository().join(name)).unwrap_or_default();
            let hunks = part.split("\n@@").skip(1).map(expected_by);
            let stale = hunks.filter(move |expected| !text.contains(expected.as_str()));
            stale.map(move |expected| format!("{name} has no\n{expected}"))
        })
        .collect()
}

#[test]
fn the_shipped_skill_lists_every_command() {
    let files = skillc::SHIPPED_SKILL.iter().filter(|(path, _)| *path == "SKILL.md");
    let text: String = files.map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect();
    let command = skillc::full_command();
    let names = command.get_subcommands().filter(|command| !command.is_hide_set()).map(|c| c.get_name());
    let is_missing = |name: &&str| {
        !text.lines().any(|line| line.starts_with('|') && line.contains(&format!("`skc {name}")))
    };
    let missing: Vec<_> = names.filter(is_missing).collect();
    assert!(missing.is_empty(), "'All commands at a glance' lacks {missing:?}");
}

#[test]
fn the_diffs_of_the_walk_throughs_apply() {
    for page in ["docs/add-a-verb.md", "docs/add-a-rule.md"] {
        let text = fs::read_to_string(repository().join(page)).unwrap();
        assert!(text.contains("```diff\n"), "{page} shows a diff");
        let stale = stale_hunks(&text);
        assert!(stale.is_empty(), "{page}: {}", stale.join("\n"));
    }
}

#[test]
fn a_hunk_expects_its_unchanged_and_removed_lines() {
    assert_eq!(expected_by(" -1,2 +1,3 @@\n one\n-two\n+three\n"), "one\ntwo\n");
}

#[test]
fn the_readme_gives_the_sizes_of_the_shipped_skill_and_of_its_stub() {
    let site = Site::new();
    for (path, bytes) in skillc::SHIPPED_SKILL {
        site.write("using-skc", path, bytes);
    }
    site.skc(["build", "using-skc"]).ok();
    let source: usize = skillc::SHIPPED_SKILL.iter().map(|(_, bytes)| bytes.len()).sum();
    let stub = fs::metadata(site.runtime("using-skc").join("SKILL.md")).unwrap().len();
    let readme = fs::read_to_string(repository().join("README.md")).unwrap().replace('\n', " ");
    let tenths = (stub + 50) / 100;
    for figure in [
        format!("about {} KB of text in {} files", (source + 500) / 1000, skillc::SHIPPED_SKILL.len()),
        format!("about {}.{} KB", tenths / 10, tenths % 10),
    ] {
        assert!(readme.contains(&figure), "the README does not say '{figure}'");
    }
}

/// Code spans of a page, without its code blocks.
fn code_spans(page: &str) -> Vec<String> {
    let prose: Vec<&str> = page.split("```").step_by(2).collect();
    prose.iter().flat_map(|part| part.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// Whether a code span of the form `path.rs` or `path.rs:function` refers to something that exists; any other span is
/// fine.
fn exists(span: &str) -> bool {
    let (path, function) = span.split_once(".rs:").map_or((span, None), |(path, name)| (path, Some(name)));
    let is_path = function.is_some() || (path.ends_with(".rs") && path.contains('/'));
    if !is_path || path.contains(['<', '{', ' ', '*']) {
        return true;
    }
    let file = repository().join(path).with_extension("rs");
    fs::read_to_string(file).is_ok_and(|text| {
        function.is_none_or(|name| {
            let last = name.rsplit("::").next().unwrap_or_default();
            text.contains(&format!("fn {last}(")) || text.contains(&format!("fn {last}<"))
        })
    })
}

#[test]
fn files_and_functions_that_pages_name_exist() {
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] {
        let text = fs::read_to_string(repository().join(page)).unwrap();
        let missing: Vec<String> = code_spans(&text).into_iter().filter(|span| !exists(span)).collect();
        assert!(missing.is_empty(), "{page} names what does not exist: {missing:?}");
    }
}
