//! Texts about a rule: its page, `skc explain`, and reports.

use crate::rule::{Example, Origin, Rule, Severity};
use crate::security::evidence;

/// Number of lines of an example's file that are shown in full: more than any example needs, except those about size.
const LINES_MAX: usize = 40;
/// Number of lines that are shown of a longer file.
const LINES_SHOWN: usize = 20;
/// Number of characters of a line that are shown: the width of a page of code.
const CHARS_MAX: usize = 120;
/// The beginning of an escaped character.
const ESCAPE: &str = "\\u{";

/// The rule's origin, as a phrase.
pub fn origin(rule: &Rule) -> String {
    match rule.origin {
        Origin::Clause(clause) => clause.to_owned(),
        Origin::Specification(part) => format!("Agent Skills specification: {part}"),
        Origin::Client(client, source) => format!("{client}: {source}"),
        Origin::Field(source) => source.to_owned(),
    }
}

/// The rule's reason and advice, in one paragraph.
pub fn help(rule: &Rule) -> String {
    format!("{} {} Origin: {}.", rule.why, rule.fix, origin(rule))
}

/// The first bad example, each file with its path.
pub fn bad_example(rule: &Rule) -> Option<String> {
    rule.bad.first().map(indented)
}

/// The first good example, each file with its path.
pub fn good_example(rule: &Rule) -> Option<String> {
    rule.good.first().map(indented)
}

fn indented(example: &Example) -> String {
    let one = |(path, text)| [vec![path], lines(text)].concat().join("\n    ");
    files(example).map(one).collect::<Vec<_>>().join("\n")
}

/// The files of an example: paths including the skill's folder, and texts.
fn files(example: &Example) -> impl Iterator<Item = (String, &'static str)> {
    let folder = example.folder;
    let path = move |path: &str| if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") };
    example.files.iter().map(move |(at, text)| (path(at), *text))
}

/// The lines of a text for display: invisible characters escaped, long lines and long texts truncated.
fn lines(text: &str) -> Vec<String> {
    let all: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').collect();
    let count = if all.len() > LINES_MAX { LINES_SHOWN } else { all.len() };
    let mut lines: Vec<String> = all[..count].iter().map(|line| visible(line)).collect();
    if count < all.len() {
        lines.push(format!("… ({} more lines)", all.len() - count));
    }
    lines
}

fn visible(line: &str) -> String {
    let is_hidden = |c: char| c != '\t' && !c.is_ascii_graphic() && c != ' ' && c.escape_debug().count() > 1;
    let shown = |c: char| if is_hidden(c) { c.escape_unicode().to_string() } else { c.to_string() };
    let cut: String = line.chars().take(CHARS_MAX).map(shown).collect();
    match line.chars().count().saturating_sub(CHARS_MAX) {
        0 => cut,
        more => format!("{cut}… ({more} more characters)"),
    }
}

/// The Markdown page of a rule.
pub fn page(rule: &Rule) -> String {
    let default = match rule.severity {
        Severity::Off => "off until a setting turns it on",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let mut page = format!(
        "# {} {}\n\nTier: {}. Severity: {default}. Origin: {}.\n\n{}\n\n## What to do\n\n{}\n",
        rule.id,
        rule.name,
        rule.tier.word(),
        origin(rule).trim_end_matches('.'),
        rule.why,
        rule.fix
    );
    if let Some(evidence) = evidence::of(rule.id) {
        page += &format!(
            "\n## Risk and confidence\n\nRisk to {}.\n\nHigh confidence: {} Other findings are shown with `--distrust` only.\n",
            evidence.risk, evidence.certain
        );
    }
    if !rule.params.is_empty() {
        page += "\n## Settings\n\n| Name | Default | Meaning |\n|---|---|---|\n";
        for param in rule.params {
            page += &format!("| `{}` | {} | {} |\n", param.name, param.default, cell(param.meaning));
        }
    }
    for (title, example) in [("Found", rule.bad.first()), ("Not found", rule.good.first())] {
        page += &example.map(|example| blocks(title, example)).unwrap_or_default();
    }
    page
}

/// An example's files as code blocks.
fn blocks(title: &str, example: &Example) -> String {
    let mut blocks = format!("\n## {title}\n");
    for (path, text) in files(example) {
        let lines = lines(text);
        let fence = "`".repeat(lines.iter().map(|line| longest_run(line)).max().unwrap_or(0).max(2) + 1);
        let language = path.rsplit_once('.').map_or("text", |(_, extension)| extension);
        blocks += &format!("\n`{path}`:\n\n{fence}{language}\n{}\n{fence}\n", lines.join("\n"));
        if lines.iter().any(|line| line.contains(ESCAPE)) && !text.contains(ESCAPE) {
            blocks += "\n`\\u{…}` stands for a character that cannot be seen.\n";
        }
    }
    blocks
}

/// Length of the longest run of backticks in a line.
fn longest_run(line: &str) -> usize {
    line.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The table of all rules, in Markdown.
pub fn rule_table(rules: &[&Rule]) -> String {
    let mut table = "| Rule | Name | Tier | Default | Origin |\n|---|---|---|---|---|\n".to_owned();
    for rule in rules {
        let Rule { id, name, severity, tier, .. } = rule;
        let (default, origin) = (severity.setting(), cell(&origin(rule)));
        table += &format!("| [{id}](rules/{id}.md) | {name} | {} | {default} | {origin} |\n", tier.word());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_text_is_shown_and_long_text_is_cut() {
        assert_eq!(visible("a\u{200b}b\tü 中\u{feff}\r"), "a\\u{200b}b\tü 中\\u{feff}\\u{d}");
        assert_eq!(visible(&"é".repeat(CHARS_MAX + 7)), "é".repeat(CHARS_MAX) + "… (7 more characters)");
        assert_eq!(lines("a\n\n"), ["a", ""]);
        let long = lines(&"x\n".repeat(LINES_MAX + 1));
        assert_eq!((long.len(), long.last().unwrap().as_str()), (LINES_SHOWN + 1, "… (21 more lines)"));
    }

    #[test]
    fn a_fence_is_longer_than_those_in_the_example() {
        let example = Example::new(&[("a.md", "````\nx `` y\n````\n")]);
        assert_eq!(blocks("T", &example), "\n## T\n\n`demo/a.md`:\n\n`````md\n````\nx `` y\n````\n`````\n");
        assert_eq!(indented(&example), "demo/a.md\n    ````\n    x `` y\n    ````");
    }
}
