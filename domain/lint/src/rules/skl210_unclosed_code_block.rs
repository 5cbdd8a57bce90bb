//! SKL210: code blocks that never end.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

/// The rule.
pub static RULE: Rule = Rule {
    id: "SKL210",
    name: "unclosed-code-block",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Field(
        "CommonMark 0.31.2, 4.5: an unclosed fence takes in everything up to the end of what holds it",
    ),
    why: "Everything that follows counts as code: its headings and links are lost, and an agent reads instructions \
          as an example.",
    fix: "Close the block with a fence of the same character, at least as long and with nothing after it.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("````md\n```sh\nls\n```\n````\n"))])],
    bad: &[Example::new(&[("SKILL.md", crate::skill_md!("```sh\nls\n\nText that should stand outside.\n"))])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown() else { return };
    for block in markup.code_blocks.iter().filter(|block| block.is_fenced && !block.is_closed) {
        let first = text.get(block.span.clone()).and_then(|text| text.lines().next()).unwrap_or_default();
        let start = block.span.start + (first.len() - first.trim_start().len());
        report.at(start..block.span.start + first.trim_end().len(), "code block is not closed");
    }
}
