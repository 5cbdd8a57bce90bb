//! Paths of a user's project in the text around another path.

use crate::path_words::path_words;
use skillc_domain::path::RelPath;

/// Folders that projects have at their root, and skills do not.
const FOLDERS: &[&str] = &["docs/", "src/", "test/", "tests/"];
/// Files that describe a project.
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "Makefile",
    "build.gradle",
    "go.mod",
    "manifest.json",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "setup.py",
    "tsconfig.json",
];
/// Number of bytes that are considered on each side.
const NEAR_BYTES: usize = 800;

/// Whether the paragraph or list around an offset names, in backticks, a part of a project that the skill lacks.
pub fn names_project(text: &str, at: usize, has: impl Fn(&RelPath) -> bool) -> bool {
    let code = around(text, at).split('`').skip(1).step_by(2);
    code.flat_map(path_words)
        .any(|word| is_of_project(word) && RelPath::parse(word).is_ok_and(|path| !has(&path)))
}

fn is_of_project(word: &str) -> bool {
    let word = word.strip_prefix("./").unwrap_or(word);
    MANIFESTS.contains(&word) || FOLDERS.iter().any(|folder| word.starts_with(folder))
}

/// The text around an offset up to the next blank lines.
fn around(text: &str, at: usize) -> &str {
    let near =
        text.ceil_char_boundary(at.saturating_sub(NEAR_BYTES))..text.floor_char_boundary(at + NEAR_BYTES);
    let is_blank = |line: &&str| line.trim().is_empty();
    let after = text[at..near.end]
        .split_inclusive('\n')
        .take_while(|line| !is_blank(line))
        .map(str::len)
        .sum::<usize>();
    let before = text[near.start..at]
        .split_inclusive('\n')
        .rev()
        .take_while(|line| !is_blank(line))
        .map(str::len)
        .sum::<usize>();
    &text[at - before..at + after]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_named_in_the_same_paragraph_or_list() {
        let has = |path: &RelPath| path.as_str() == "docs/own.md";
        for (text, expected) in [
            ("Run `scripts/X.py`, then `tests/test_a.py`.", true),
            ("1. Run `python scripts/X.py`.\n2. Change `pyproject.toml`.", true),
            ("Run `scripts/X.py`.\n\nSee `tests/test_a.py`.", false),
            ("Run `scripts/X.py`, then read `docs/own.md`.", false),
            ("Run `scripts/X.py` as tests/ say.", false),
            ("Run `scripts/X.py` on `latest/src/a`.", false),
        ] {
            assert_eq!(names_project(text, text.find('X').unwrap(), has), expected, "{text}");
        }
    }
}
