//! Compares `skc sources` with a plain walk of the folder and a brute-force pattern matcher.
//!
//! `SKC_PATTERNS` sets the number of patterns (60), `SKC_PATTERN_SEED` the seed (1).

use crate::random::{Random, number};
use crate::site::Site;
use serde_json::Value;
use std::collections::BTreeSet;
use walkdir::WalkDir;

const NAMES: &[&str] = &["a", "ab", "b", "abc", "A", "x-y", "é", "設定", "a.b", "[a]", "a*b", "1", "q?"];
const PATTERNS: &[&str] = &[
    "*", "?", "**", "/", "a", "b", "c", "*.md", "[a-c]", "[!a]", ".md", ".", "**/", "é", "設", "-", "x",
    "[[]", "A",
];

/// Whether a pattern matches a path. It tries every length for each star.
fn fits(pattern: &[char], path: &[char]) -> bool {
    match pattern {
        [] => path.is_empty(),
        ['*', '*', '/', rest @ ..] => {
            fits(rest, path) || (0..path.len()).any(|at| path[at] == '/' && fits(rest, &path[at + 1..]))
        }
        ['*', '*'] => true,
        ['*', rest @ ..] => (0..=path.len()).any(|length| fits(rest, &path[length..])),
        ['?', rest @ ..] => !path.is_empty() && fits(rest, &path[1..]),
        ['[', rest @ ..] => {
            let Some((set, behind)) = set(rest) else { return false };
            path.first().is_some_and(|c| set.holds(*c)) && fits(behind, &path[1..])
        }
        [c, rest @ ..] => path.first() == Some(c) && fits(rest, &path[1..]),
    }
}

struct Set<'a> {
    is_negated: bool,
    members: &'a [char],
}

impl Set<'_> {
    fn holds(&self, c: char) -> bool {
        let is_in = match self.members {
            [from, '-', to] => (*from..=*to).contains(&c),
            members => members.contains(&c),
        };
        is_in != self.is_negated
    }
}

/// Parses the character set after a `[`; returns it and the rest of the pattern.
fn set(pattern: &[char]) -> Option<(Set<'_>, &[char])> {
    let is_negated = pattern.first() == Some(&'!');
    let pattern = if is_negated { &pattern[1..] } else { pattern };
    // A closing bracket in the first position is a member of the set.
    let end = pattern.iter().skip(1).position(|c| *c == ']')? + 1;
    Some((Set { is_negated, members: &pattern[..end] }, &pattern[end + 1..]))
}

fn scene(random: &mut Random) -> Site {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n");
    for _ in 0..60 {
        let folders: Vec<&str> = (0..random.below(4)).map(|_| random.word(NAMES)).collect();
        let file = format!("{}.{}", random.word(NAMES), random.word(&["md", "txt", "py"]));
        let path = folders.into_iter().map(|folder| format!("{folder}_/")).collect::<String>() + &file;
        site.write("demo", &path, "x\n");
    }
    site
}

/// The files that `skc sources` lists for a skill, page by page.
fn listed(site: &Site, more: &[&str]) -> Option<BTreeSet<String>> {
    let run =
        site.skc([&["sources", "demo", "--depth", "9", "--limit", "1000", "-o", "json"], more].concat());
    if run.status != 0 {
        return None;
    }
    let reply = run.json();
    assert!(reply["next_cursor"].is_null(), "{reply}");
    let entries = reply["entries"].as_array().unwrap().iter();
    let files = entries.filter(|entry| entry["type"] == "file");
    Some(files.map(|entry: &Value| entry["path"].as_str().unwrap().to_owned()).collect())
}

/// RFC-0002:C-SOURCES
#[test]
fn sources_lists_what_a_walk_finds_and_a_pattern_fits() {
    let seed = number("SKC_PATTERN_SEED", 1);
    let mut random = Random::new(seed);
    let site = scene(&mut random);
    let walk = WalkDir::new(site.skill("demo"))
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file());
    let relative = |entry: walkdir::DirEntry| {
        entry.path().strip_prefix(site.skill("demo")).unwrap().to_str().unwrap().to_owned()
    };
    let all: BTreeSet<String> = walk.map(relative).collect();
    assert_eq!(listed(&site, &[]).unwrap(), all);
    let (mut matches, mut refused) = (0, 0);
    for _ in 0..number("SKC_PATTERNS", 60) {
        let pattern: String = (0..=random.below(4)).map(|_| random.word(PATTERNS)).collect();
        let Some(found) = listed(&site, &["--pattern", &pattern]) else {
            refused += 1;
            continue;
        };
        let chars: Vec<char> = pattern.chars().collect();
        let is_hit = |path: &str| {
            let name = path.rsplit('/').next().unwrap();
            [path, name].iter().any(|text| fits(&chars, &text.chars().collect::<Vec<_>>()))
        };
        let expected: BTreeSet<String> = all.iter().filter(|path| is_hit(path)).cloned().collect();
        assert_eq!(found, expected, "seed {seed}: {pattern:?}");
        matches += found.len();
    }
    println!("seed {seed}: {} files, {matches} matches, {refused} patterns refused", all.len());
}
