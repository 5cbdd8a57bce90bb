//! SKL306: links with an undefined label.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::cut_sample::is_in_rest;
use crate::one_line::one_line;
use crate::{FileView, Report};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL306",
    name: "undefined-label",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Field("markdownlint MD052 (https://github.com/DavidAnson/markdownlint)"),
    why: "Readers see literal brackets, and the file does not contain the target that the link was meant to have.",
    fix: "Define the label, as in '[label]: path/to/file.md', or write the target after the text.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "See [the site][site]. Take results[0][1] or matrix [i][j]; tick [ ][x].\n\n[site]: https://example.com/\n"
        ),
    )])],
    bad: &[Example::new(&[("SKILL.md", crate::skill_md!("See [the site][site] or [the manual][].\n"))])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown() else { return };
    for (label, span) in &markup.missing_labels {
        if is_meant(text, span) && !is_in_rest(&view.file.cut_samples, span.start) {
            let finding = report.at(span.clone(), format!("label is not defined: '{}'", one_line(label)));
            if is_of_documentation(text, span, label) {
                finding.tier(Tier::Style).hint("a generator of documentation may link it; an agent sees the text as it is");
            }
        }
    }
}

/// Whether a label is a name in code, which mkdocstrings and the like link: "[`Table`][acme.table.Table]".
fn is_of_documentation(text: &str, span: &Range<usize>, label: &str) -> bool {
    text.get(span.clone()).is_some_and(|written| written.starts_with("[`"))
        && label.contains('.')
        && label.chars().all(|c| c.is_alphanumeric() || "._".contains(c))
}

/// Whether brackets were meant as a link: their text contains a word, and they do not index anything.
fn is_meant(text: &str, span: &Range<usize>) -> bool {
    let Some(written) = text.get(span.clone()) else { return false };
    let shown = written.trim_start_matches(['!', '[']).split(']').next().unwrap_or_default();
    let has_word = shown.chars().filter(|c| c.is_alphabetic()).take(2).count() == 2;
    let is_code = shown.contains(['"', '\'', '$', '=', '{', '|', '<']) || shown.starts_with(['-', '.', '*']);
    let indexes = text[..span.start].ends_with(|c: char| c.is_alphanumeric() || "_])}".contains(c));
    let is_indexed = text[span.end..].starts_with('[');
    // A regular expression: a class of characters, or brackets followed by a quantifier.
    let is_expression = written.contains("A-Z") || written.contains("a-z") || text[span.end..].starts_with(['+', '*', '?']);
    has_word && !is_code && !indexes && !is_indexed && !is_expression
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_that_index_are_no_link() {
        for (text, span, expected) in [
            ("see [the site][x]", 4..17, true),
            ("see [日本語][]", 4..17, true),
            ("results[ab][0]", 7..14, false),
            ("[\"ab\"][0]", 0..9, false),
            ("[1][2]", 0..6, false),
            ("[ab][cd][ef]", 0..8, false),
            ("[--flag][x]", 0..11, false),
            ("[A-Za-z][A-Za-z0-9]", 0..19, false),
            ("[abc][abc01]+", 0..12, false),
        ] {
            assert_eq!(is_meant(text, &span), expected, "{text}");
        }
    }
}
