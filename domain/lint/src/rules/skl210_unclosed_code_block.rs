//! SKL210: code blocks that never end.

use crate::followed_links::opens_another;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};
use skillc_domain::markup::CodeBlock;
use skillc_domain::text::lines;
use std::ops::Range;

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
    fix: "Close the block with a fence of the same character, at least as long and with nothing after it. A block that \
          holds other blocks needs longer fences than they have.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("````md\n```sh\nls\n```\n````\n"))])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("```sh\nls\n\nText that should stand outside.\n"))]),
        Example::new(&[(
            "SKILL.md",
            crate::skill_md!("```markdown\n# Report\n\n```sh\nls\n```\n\nText of the report.\n\n```\n\nText below.\n"),
        )]),
    ],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown() else { return };
    for block in markup.code_blocks.iter().filter(|block| block.is_fenced && !block.is_closed) {
        if let Some((opening, line)) = ended_within(text, &markup.code_blocks, block) {
            let message = format!("code block is ended by line {line}, within it: all below counts as code");
            report.at(opening, message).hint("write the fences around it with one backtick more than those within it have");
            continue;
        }
        report.at(opening_fence(text, block), "code block is not closed");
    }
}

/// Range of a block's opening fence, without surrounding spaces.
pub fn opening_fence(text: &str, block: &CodeBlock) -> Range<usize> {
    let first = text.get(block.span.clone()).and_then(|text| text.lines().next()).unwrap_or_default();
    let start = block.span.start + (first.len() - first.trim_start().len());
    start..block.span.start + first.trim_end().len()
}

/// The opening fence of the block before an unclosed one, if a fence meant for a block inside it closed it, and the
/// line of that fence.
fn ended_within(text: &str, blocks: &[CodeBlock], unclosed: &CodeBlock) -> Option<(Range<usize>, u32)> {
    let at = blocks.partition_point(|block| block.span.start < unclosed.span.start);
    let outer = blocks[..at].iter().rev().find(|block| opens_another(text, block))?;
    let written = text.get(outer.span.clone())?;
    let last = outer.span.start + written.trim_end().len();
    Some((opening_fence(text, outer), lines::count(text.get(..last)?.as_bytes())))
}
