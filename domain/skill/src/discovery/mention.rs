//! Mentions of skills in a text: `$name`, `[$name](path)`, and paths of a SKILL.md (RFC-0010:C-MENTIONS).
//!
//! The text alone decides what is a mention, except for names that could be shell variables: those count only if a
//! skill has that name. Linear in the text.

use crate::discovery::skill::CatalogSkill;
use crate::limits::{MENTION_PATH_BYTES_MAX, SKILL_NAME_CHARS_MAX};
use crate::text::lines;
use std::collections::{BTreeMap, BTreeSet};

/// The end of the path of a skill's file.
const SKILL_FILE: &str = "/SKILL.md";

/// The form of a mention in a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MentionForm {
    /// `$name`.
    Name(String),
    /// A path. It takes precedence over the name in the same link.
    Path(String),
}

/// A mention, and the skills it may refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The name or path as written.
    pub written: MentionForm,
    /// 1-based line of the first occurrence.
    pub line: u32,
    /// Indexes in the catalog of the skills it may refer to: none if unknown, several if ambiguous.
    pub candidates: Vec<usize>,
}

/// The mentions in a text, in order and without duplicates. `at_path` returns the skill at a path.
///
/// If several skills share the mentioned name, it refers to the one whose path the text also mentions, provided there
/// is exactly one.
pub fn mentions(
    text: &str,
    skills: &[CatalogSkill],
    at_path: &dyn Fn(&str) -> Option<usize>,
) -> Vec<Mention> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, skill) in skills.iter().enumerate() {
        by_name.entry(&skill.name).or_default().push(at);
    }
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (written, line) in written(text, &|name| by_name.contains_key(name)) {
        if !seen.insert(written.clone()) {
            continue;
        }
        let candidates = match &written {
            MentionForm::Path(path) => at_path(path).into_iter().collect(),
            MentionForm::Name(name) => by_name.get(name.as_str()).cloned().unwrap_or_default(),
        };
        found.push(Mention { written, line, candidates });
    }
    settle(&mut found);
    found
}

/// Whether a text mentions a skill: as `$name`, or by a path to its folder such as `../name` or `skills/name`.
pub fn mentions_skill(text: &str, name: &str) -> bool {
    let is_name = |(form, _): &(MentionForm, u32)| matches!(form, MentionForm::Name(found) if found == name);
    let is_path = |before: &str| {
        let path = format!("{before}/{name}");
        text.match_indices(&path).any(|(at, _)| ends_name(&text[at + path.len()..]))
    };
    ["..", "skills"].into_iter().any(is_path) || written(text, &|known| known == name).iter().any(is_name)
}

/// Whether a folder's name ends before this text, rather than continuing as a longer name or as a file's.
fn ends_name(rest: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let is_extension = rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(is_part));
    !rest.starts_with(is_part) && !is_extension
}

/// Resolves ambiguous names by the paths in the same text.
fn settle(found: &mut [Mention]) {
    let by_path: BTreeSet<usize> = found
        .iter()
        .filter(|mention| matches!(mention.written, MentionForm::Path(_)))
        .flat_map(|mention| mention.candidates.iter().copied())
        .collect();
    for mention in found.iter_mut().filter(|mention| mention.candidates.len() > 1) {
        let mut given = mention.candidates.iter().filter(|at| by_path.contains(at));
        if let (Some(one), None) = (given.next().copied(), given.next()) {
            mention.candidates = vec![one];
        }
    }
}

/// Mentions with their lines; code fences are skipped, since `$` begins a variable there.
fn written(text: &str, is_skill: &dyn Fn(&str) -> bool) -> Vec<(MentionForm, u32)> {
    let mut found = Vec::new();
    let mut fence: Option<(u8, usize)> = None;
    for (at, line) in lines::split_text(text).enumerate() {
        let line = line.trim_end_matches(['\n', '\r']);
        let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
        match (fence, marker(line)) {
            (None, Some((sign, length, _))) => fence = Some((sign, length)),
            (Some((sign, least)), Some((closing, length, is_bare))) => {
                if sign == closing && length >= least && is_bare {
                    fence = None;
                }
            }
            (Some(_), None) => {}
            (None, None) => in_line(line, is_skill, |mention| found.push((mention, number))),
        }
    }
    found
}

/// The character of a code fence, its length, and whether nothing follows it.
fn marker(line: &str) -> Option<(u8, usize, bool)> {
    let bare = line.trim_start_matches(' ');
    let sign = *bare.as_bytes().first().filter(|sign| matches!(sign, b'`' | b'~'))?;
    let length = bare.bytes().take_while(|byte| *byte == sign).count();
    let rest = &bare[length..];
    let is_fence = line.len() - bare.len() <= 3 && length >= 3 && !(sign == b'`' && rest.contains('`'));
    is_fence.then(|| (sign, length, rest.trim().is_empty()))
}

fn in_line(line: &str, is_skill: &dyn Fn(&str) -> bool, mut found: impl FnMut(MentionForm)) {
    let mut done = 0;
    for (at, sign) in line.char_indices() {
        if at < done {
            continue;
        }
        match sign {
            '$' => {
                let name = name_at(line, at);
                done = at + 1 + name.len();
                let Some(path) = linked(line, at, done) else {
                    if is_mention(line, at, name, is_skill) {
                        found(MentionForm::Name(name.to_owned()));
                    }
                    continue;
                };
                if !name.is_empty() {
                    done += path.len() + 2;
                    found(MentionForm::Path(path.to_owned()));
                }
            }
            _ if starts_word(line, at) => {
                let word = line[at..].split(char::is_whitespace).next().unwrap_or_default();
                if let Some(path) = path_in(word) {
                    done = at + word.len();
                    found(MentionForm::Path(path.to_owned()));
                }
            }
            _ => {}
        }
    }
}

/// The name after the `$` at a position: letters, digits, `-` and `_`, not ending with `-` or `_`.
fn name_at(line: &str, at: usize) -> &str {
    let rest = &line[at + 1..];
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').unwrap_or(rest.len());
    rest[..end].trim_end_matches(['-', '_'])
}

/// The path of `[$name](path)`, if the name from `at` to `end` is in such a link.
fn linked(line: &str, at: usize, end: usize) -> Option<&str> {
    let rest = line[..at].ends_with('[').then(|| line[end..].strip_prefix("]("))??;
    let near = &rest[..rest.floor_char_boundary(MENTION_PATH_BYTES_MAX)];
    near.find(')').map(|close| near[..close].trim()).filter(|path| !path.is_empty())
}

/// Whether `$` and a name are a mention. The `$` must not follow an ASCII letter or digit, `_`, `$` or `\`; letters
/// of other scripts are allowed, since Chinese has no spaces. A name that no skill has must be valid and begin with a
/// letter, unlike `$PATH`, `$1` and `$my_var`.
fn is_mention(line: &str, at: usize, name: &str, is_skill: &dyn Fn(&str) -> bool) -> bool {
    let before = line[..at].chars().next_back();
    if name.is_empty() || before.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '$' | '\\' | '_')) {
        return false;
    }
    is_skill(name) || could_be_a_name(name)
}

fn could_be_a_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    name.len() <= SKILL_NAME_CHARS_MAX
        && name.chars().all(is_plain)
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.contains("--")
}

fn starts_word(line: &str, at: usize) -> bool {
    line[..at].chars().next_back().is_none_or(char::is_whitespace)
        && !line[at..].starts_with(char::is_whitespace)
}

/// The path of a SKILL.md in a word, with quotes, brackets and punctuation around it removed.
fn path_in(word: &str) -> Option<&str> {
    if word.len() > MENTION_PATH_BYTES_MAX {
        return None;
    }
    let inner = word.trim_start_matches(['"', '\'', '`', '(', '<', '[', '@']);
    let end = inner.rfind(SKILL_FILE)? + SKILL_FILE.len();
    let is_end = inner[end..].chars().all(|c| !c.is_alphanumeric() && !matches!(c, '/' | '_' | '-'));
    (is_end && !inner[..end].contains("](")).then(|| &inner[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn skill(name: &str, dir: &str) -> CatalogSkill {
        CatalogSkill::sample(name, "", dir)
    }

    fn skills() -> Vec<CatalogSkill> {
        vec![
            skill("release", "/r/release"),
            skill("twin", "/r/twin"),
            skill("twin", "/u/twin"),
            skill("DEPLOY", "/r/DEPLOY"),
        ]
    }

    /// Formats each mention as `name:1,2`.
    fn told(text: &str) -> Vec<String> {
        let skills = skills();
        let at_path = |path: &str| skills.iter().position(|skill| skill.path.to_string_lossy() == path);
        let shown = |mention: Mention| {
            let (MentionForm::Name(what) | MentionForm::Path(what)) = &mention.written;
            let places: Vec<String> = mention.candidates.iter().map(usize::to_string).collect();
            format!("{what}:{}", places.join(","))
        };
        mentions(text, &skills, &at_path).into_iter().map(shown).collect()
    }

    /// RFC-0010:C-MENTIONS
    #[test]
    fn a_mention_is_a_dollar_and_a_name_with_nothing_of_a_word_before_it() {
        for (text, expected) in [
            ("use $release, then ($release).", vec!["release:0"]),
            ("`$release` \"$release\" *$release*", vec!["release:0"]),
            ("$release- and $release_", vec!["release:0"]),
            ("US$release a$$release \\$release x_$release", vec![]),
            ("$twin", vec!["twin:1,2"]),
            ("$nothing-here", vec!["nothing-here:"]),
            ("$release-notes", vec!["release-notes:"]),
            ("$DEPLOY $PATH $HOME $my_var $1 $100 ${x} $(y) $ $- $a--b $Release", vec!["DEPLOY:3"]),
            ("用$release", vec!["release:0"]),
            ("“$release”", vec!["release:0"]),
            ("", vec![]),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
        assert_eq!(told(&format!("${}", "a".repeat(65))), Vec::<String>::new());
    }

    /// RFC-0007:C-RENAME
    #[test]
    fn a_skill_is_mentioned_by_its_name_or_by_a_path_to_its_folder() {
        for text in [
            "Use $my-old.",
            "[it]($my-old)",
            "See [it](../my-old/SKILL.md).",
            "`../../my-old/scripts/x.py`",
            "in ../my-old.",
            "~/.claude/skills/my-old",
        ] {
            assert!(mentions_skill(text, "my-old"), "{text}");
        }
        for text in [
            "my-old",
            "$my-older",
            "$my-old-one",
            "../my-old-one",
            "../my-old.md",
            "docs/my-old",
            "```\n$my-old\n```",
        ] {
            assert!(!mentions_skill(text, "my-old"), "{text}");
        }
    }

    /// RFC-0010:C-MENTIONS
    #[test]
    fn a_path_comes_before_the_name_beside_it_and_settles_names_that_several_have() {
        for (text, expected) in [
            ("[$twin](/u/twin/SKILL.md)", vec!["/u/twin/SKILL.md:2"]),
            ("[$release](/no/SKILL.md)", vec!["/no/SKILL.md:"]),
            ("$twin as in [$twin](/u/twin/SKILL.md)", vec!["twin:2", "/u/twin/SKILL.md:2"]),
            ("read '/r/twin/SKILL.md', then $twin.", vec!["/r/twin/SKILL.md:1", "twin:1"]),
            ("/r/twin/SKILL.md and /u/twin/SKILL.md: $twin", {
                vec!["/r/twin/SKILL.md:1", "/u/twin/SKILL.md:2", "twin:1,2"]
            }),
            ("[$release](/no/SKILL.md) $twin", vec!["/no/SKILL.md:", "twin:1,2"]),
            ("[$release](/no $b)", vec!["/no $b:"]),
            ("[$release]()", vec!["release:0"]),
            ("[$release](/r/release/SKILL.md", vec!["release:0"]),
            ("/r/release/SKILL.md.bak /r/release/SKILL.md/x SKILL.md", vec![]),
            ("[see](/r/release/SKILL.md)", vec![]),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    /// RFC-0010:C-MENTIONS
    #[test]
    fn code_between_fences_mentions_nothing() {
        assert_eq!(told("```sh\necho $release\n```\n$twin"), ["twin:1,2"]);
        assert_eq!(told("~~~~\n$release\n~~~\n$release\n~~~~~ \n$twin"), ["twin:1,2"]);
        assert_eq!(told("```\n$release"), Vec::<String>::new(), "one that is not closed goes to the end");
        assert_eq!(told("```$release``` is no fence"), ["release:0"]);
        assert_eq!(told("    ```\n$release"), ["release:0"], "nor is one that is indented like code");
    }

    #[test]
    fn each_mention_is_listed_once_with_its_first_line() {
        let skills = skills();
        let found = mentions("\n$twin\r\n$release $twin", &skills, &|_| None);
        let lines: Vec<u32> = found.iter().map(|mention| mention.line).collect();
        assert_eq!(lines, [2, 3]);
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(text in "([$\\[\\]()/`~\\\\_ \n-]|\\$release|é|SKILL\\.md|[a-z]){0,60}") {
            let _ = told(&text);
        }
    }
}
