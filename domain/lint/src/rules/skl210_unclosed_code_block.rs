//! SKL210: code blocks that never end.

use crate::cut_sample::{opening_fence, opens_another};
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
          as an example. A block that holds another one and has the same fences ends where the inner one does.",
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
    let samples = &view.file.cut_samples;
    for sample in samples.iter().filter(|sample| sample.has_end) {
        cut_at(text, sample.opening.clone(), sample.end, report);
    }
    let is_end = |block: &CodeBlock| samples.iter().any(|sample| sample.has_end && sample.rest_end == block.span.start);
    for block in markup.code_blocks.iter().filter(|block| block.is_fenced && !block.is_closed && !is_end(block)) {
        match ended_within(text, &markup.code_blocks, block) {
            Some(outer) => cut_at(text, opening_fence(text, outer), outer.span.end, report),
            None => _ = report.at(opening_fence(text, block), "code block is not closed"),
        }
    }
}

/// Reports a block that a fence inside it ended too early, just before `end`.
fn cut_at(text: &str, opening: Range<usize>, end: usize, report: &mut Report<'_>) {
    let line = lines::count(text.get(..end).unwrap_or_default().trim_end().as_bytes());
    let message = format!("the fence on line {line} ends this code block too early: below it, text is read as code and code as text");
    report.at(opening, message).hint("give the fences of this block one backtick more than those inside it");
}

/// The block before an unclosed one, if a fence meant for a block inside it closed it.
fn ended_within<'a>(text: &str, blocks: &'a [CodeBlock], unclosed: &CodeBlock) -> Option<&'a CodeBlock> {
    let at = blocks.partition_point(|block| block.span.start < unclosed.span.start);
    blocks[..at].iter().rev().find(|block| opens_another(text, block))
}
