//! Where the text of a skill says when to use it, which its description does not (SKL108).

use crate::FileView;

/// What headings and lines begin with, in lower case, that say when to use a skill.
const BEGINNINGS: &[&str] = &[
    "use when",
    "use this skill",
    "use the skill",
    "use for",
    "use it when",
    "use this when",
    "when a user",
    "when asked",
    "when the user",
    "when to use",
    "when this skill",
    "when to activate",
    "when to trigger",
    "when to invoke",
    "trigger:",
    "triggers:",
];
/// Headings that say so on their own.
const HEADINGS: &[&str] = &["activation", "trigger", "triggers", "trigger conditions", "use cases", "when"];
/// What a line contains that says so.
const PHRASES: &[&str] = &[
    "use this skill when",
    "use this skill for",
    "use this skill if",
    "use the skill when",
    "invoke this skill when",
];

/// The number of the first line after the front matter that says when to use the skill, outside code.
pub fn line_that_says_when(view: &FileView<'_>) -> Option<usize> {
    let (text, markup) = view.skill_md()?;
    let start = markup.body_start();
    let above = text.get(..start)?.lines().count();
    let mut is_code = false;
    text.get(start..)?
        .lines()
        .position(|line| {
            is_code ^= line.trim_start().starts_with("```");
            !is_code && says_when(line)
        })
        .map(|at| above + at + 1)
}

fn says_when(line: &str) -> bool {
    let lower = line.to_lowercase();
    let words = lower.trim_start_matches(|c: char| !c.is_alphabetic());
    let is_heading = line.starts_with('#');
    BEGINNINGS.iter().any(|beginning| words.starts_with(beginning))
        || is_heading && HEADINGS.contains(&words.trim_end_matches(|c: char| !c.is_alphabetic()))
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
            ("## Usage", false),
            ("When the user asks for minutes:", true),
            ("When the build fails, run it again.", false),
            ("", false),
        ] {
            assert_eq!(says_when(line), expected, "{line}");
        }
    }
}
