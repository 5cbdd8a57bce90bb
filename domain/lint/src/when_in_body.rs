//! Where the text of a skill says when to use it, which its description does not (SKL108).

use crate::FileView;

/// What headings and lines begin with, in lower case, that say when to use a skill.
const BEGINNINGS: &[&str] = &[
    "use this skill",
    "use the skill",
    "when this skill applies",
    "when this skill should",
    "when to use this",
    "when to use the",
    "when to use:",
    "when to activate",
    "when to trigger",
    "when to invoke",
    "trigger:",
    "triggers:",
];
/// The same in the introduction, since further below they are about a step.
const BEGINNINGS_OF_INTRODUCTION: &[&str] =
    &["use for", "use it when", "use this when", "use when", "when a user", "when asked", "when the user"];
/// Headings that say so on their own.
const HEADINGS: &[&str] = &[
    "activation",
    "trigger",
    "triggers",
    "trigger conditions",
    "use cases",
    "use when",
    "when",
    "when to use",
];
/// What a line contains that says so.
const PHRASES: &[&str] = &[
    "use this skill when",
    "use this skill for",
    "use this skill if",
    "use the skill when",
    "invoke this skill when",
];
/// Number of lines after the front matter that may be an introduction.
const INTRODUCTION_LINES: usize = 12;

/// The number of the first line after the front matter that says when to use the skill, outside code.
pub fn line_that_says_when(view: &FileView<'_>) -> Option<usize> {
    let (text, markup) = view.skill_md()?;
    let start = markup.body_start();
    let above = text.get(..start)?.lines().count();
    let mut is_code = false;
    let mut lines = text.get(start..)?.lines().enumerate();
    let found = lines.find(|(at, line)| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code && says_when(line, *at < INTRODUCTION_LINES)
    });
    found.map(|(at, _)| above + at + 1)
}

fn says_when(line: &str, is_introduction: bool) -> bool {
    let lower = line.to_lowercase();
    let words = lower.trim_start_matches(|c: char| !c.is_alphabetic());
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| words.starts_with(beginning));
    let heading = words.trim_end_matches(|c: char| !c.is_alphabetic());
    begins(BEGINNINGS)
        || is_introduction && begins(BEGINNINGS_OF_INTRODUCTION)
        || line.starts_with('#') && HEADINGS.contains(&heading)
        || PHRASES.iter().any(|phrase| lower.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::says_when;

    #[test]
    fn a_heading_or_a_line_says_when() {
        for (line, expected) in [
            ("## When to use", true),
            ("## 1. When to Use This Skill", true),
            ("**When to use:** a folder with work in it", true),
            ("- Use when a table is missing", true),
            ("In short, use this skill when a build fails.", true),
            ("## Triggers", true),
            ("Triggers fire at night", false),
            ("## When to use which path", false),
            ("## Usage", false),
            ("When the user asks for minutes:", true),
            ("When the build fails, run it again.", false),
            ("", false),
        ] {
            assert_eq!(says_when(line, true), expected, "{line}");
        }
        assert!(!says_when("Use when a table is missing", false));
    }
}
