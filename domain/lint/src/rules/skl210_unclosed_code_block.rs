//! SKL210: code blocks that never end.

use crate::cut_sample::{CutSample, opening_fence, opens_another};
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};
use crate::one_line::one_line;
use skillc_domain::markup::{CodeBlock, Markup, Region, RegionKind};
use skillc_domain::text::lines;
use std::collections::BTreeMap;
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
          as an example. A block that holds another one and has the same fences ends where the inner one does, and a fence that ends \
          code without an opening fence begins a block itself.",
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
    let (blocks, samples) = (&markup.code_blocks[..], &view.file.cut_samples[..]);
    let hidden = hidden_fences(text, markup);
    for fence in hidden.values() {
        let message = format!("this fence opens no code block, since no empty line is between it and '{}': text further down is read as code", one_line(fence.tag));
        let finding = report.at(fence.span.clone(), message);
        // An agent that reads the text as it is written sees the block.
        finding.tier(Tier::Style).hint("leave an empty line between the tag and the fence");
    }
    if samples.is_empty() && blocks.iter().all(|block| block.is_closed) {
        return;
    }
    let ends = ends(samples);
    let unopened = unopened(text, blocks, &ends);
    // A hidden fence swaps code and text down to the next block with a language, which only a fence in the text opens.
    let is_whole = |block: &&CodeBlock| block.is_fenced && block.is_closed && !block.info.is_empty();
    let whole: Vec<usize> = blocks.iter().filter(is_whole).map(|block| block.span.start).collect();
    let is_explained = |opening: &Range<usize>| {
        let above = hidden.range(..=opening.start).next_back().map(|(start, _)| *start);
        above.is_some_and(|start| {
            whole.partition_point(|at| *at <= start) == whole.partition_point(|at| *at < opening.start)
        })
    };
    for block in unopened.values() {
        let message = "no fence opens the code that this one ends: above it, code is read as text, and below it, text as code";
        let opening = opening_fence(text, block);
        if !is_explained(&opening) {
            report.at(opening, message).hint("write the opening fence above the code");
        }
    }
    let is_cut = |sample: &&CutSample| sample.has_end && !unopened.contains_key(&sample.opening.start);
    for sample in samples.iter().filter(is_cut).filter(|sample| !is_explained(&sample.opening)) {
        cut_at(text, sample.opening.clone(), sample.end, report);
    }
    let is_unclosed = |block: &&CodeBlock| block.is_fenced && !block.is_closed && !ends.contains_key(&block.span.start);
    for block in blocks.iter().filter(is_unclosed) {
        let opening = opening_fence(text, block);
        match ended_within(text, blocks, &ends, block) {
            _ if is_explained(&opening) => {}
            Some(outer) if is_explained(&opening_fence(text, outer)) => {}
            Some(outer) => cut_at(text, opening_fence(text, outer), outer.span.end, report),
            None if unopened.contains_key(&opening.start) => {}
            None if is_last(text, &opening) => {
                let finding = report.at(opening, "nothing follows this fence, so it opens nothing");
                finding.tier(Tier::Style).hint("remove it");
            }
            None => {
                let is_short = !block.info.is_empty() && is_short_end(text, &opening);
                let finding = report.at(opening, "code block is not closed");
                if is_short {
                    finding.tier(Tier::Style);
                }
            }
        }
    }
}

/// An opening fence that an HTML tag above it hides: up to the next empty line, everything is HTML.
struct HiddenFence<'t> {
    span: Range<usize>,
    tag: &'t str,
}

/// The hidden fences, by the start of the fence that was meant to end the block and opens one instead.
fn hidden_fences<'t>(text: &'t str, markup: &Markup) -> BTreeMap<usize, HiddenFence<'t>> {
    let html = markup.regions.iter().filter(|region| region.kind == RegionKind::Html);
    let unpaired = html.filter_map(|region| Some((region, unpaired_fence(text, &region.span)?)));
    let unpaired: Vec<(&Region, Range<usize>)> = unpaired.collect();
    if unpaired.is_empty() {
        return BTreeMap::new();
    }
    let fenced: Vec<&CodeBlock> = markup.code_blocks.iter().filter(|block| block.is_fenced).collect();
    let pair = |(region, fence): (&Region, Range<usize>)| {
        let mut above = text[region.span.start..fence.start].lines().rev().map(str::trim);
        let tag = above.find(|line| line.starts_with('<'))?;
        let ending = fenced.get(fenced.partition_point(|block| block.span.start < region.span.end))?;
        ending.info.is_empty().then(|| (opening_fence(text, ending).start, HiddenFence { span: fence, tag }))
    };
    unpaired.into_iter().filter_map(pair).collect()
}

/// The last fence in a range that opens a block there without ending it.
fn unpaired_fence(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let (mut open, mut at) = (None, range.start);
    for line in text[range.clone()].split_inclusive('\n') {
        let fence = line.trim();
        if fence.starts_with("```") || fence.starts_with("~~~") {
            let start = at + (line.len() - line.trim_start().len());
            open = if open.is_none() { Some(start..start + fence.len()) } else { None };
        }
        at += line.len();
    }
    open
}

/// Reports a block that a fence inside it ended too early, just before `end`.
fn cut_at(text: &str, opening: Range<usize>, end: usize, report: &mut Report<'_>) {
    let line = lines::count(text.get(..end).unwrap_or_default().trim_end().as_bytes());
    let written = text.get(opening.clone()).unwrap_or_default();
    if written.trim_start_matches(['`', '~']).is_empty() {
        // Whether this fence or one above it is wrong cannot be told without a language.
        let message = format!("the fences from here to line {line} do not pair: text is read as code and code as text");
        report.at(opening, message).hint("check which of them opens a block, and which ends one");
        return;
    }
    let message = format!("the fence on line {line} ends this code block too early: below it, text is read as code and code as text");
    report.at(opening, message).hint("give the fences of this block one backtick more than those inside it");
}

/// Whether nothing but blank space follows a fence.
fn is_last(text: &str, fence: &Range<usize>) -> bool {
    text.get(fence.end..).is_some_and(|rest| rest.trim().is_empty())
}

/// Number of lines at the end of a file that an unclosed block may contain without any harm.
const LAST_LINES_MAX: usize = 8;

/// Whether only a few lines follow an opening fence, without a heading: below one with a language, they are the code.
fn is_short_end(text: &str, fence: &Range<usize>) -> bool {
    let rest = text.get(fence.end..).unwrap_or_default().trim();
    rest.lines().take(LAST_LINES_MAX + 1).count() <= LAST_LINES_MAX
        && !rest.lines().any(|line| line.starts_with("##") || line.trim().is_empty())
}

/// For the start of each block whose opening fence was meant to end a sample, the start of that sample's fence.
fn ends(samples: &[CutSample]) -> BTreeMap<usize, usize> {
    samples.iter().filter(|sample| sample.has_end).map(|sample| (sample.rest_end, sample.opening.start)).collect()
}

/// The block before an unclosed one, if a fence meant for a block inside it closed it. If the opening fence of that
/// block was meant to end a sample, all fences after it pair again.
fn ended_within<'a>(
    text: &str,
    blocks: &'a [CodeBlock],
    ends: &BTreeMap<usize, usize>,
    unclosed: &CodeBlock,
) -> Option<&'a CodeBlock> {
    let at = blocks.partition_point(|block| block.span.start < unclosed.span.start);
    let outer = blocks[..at].iter().rev().find(|block| opens_another(text, block));
    outer.filter(|block| !ends.contains_key(&block.span.start) && !is_bare_below_code(text, block))
}

/// The blocks whose opening fence was meant to end the code above it, which no fence opens, by the start of that fence:
/// bare ones that never end or contain the opening fence of the next block.
fn unopened<'a>(
    text: &str,
    blocks: &'a [CodeBlock],
    ends: &BTreeMap<usize, usize>,
) -> BTreeMap<usize, &'a CodeBlock> {
    let mut found = BTreeMap::new();
    for block in blocks.iter().filter(|block| is_bare_below_code(text, block)) {
        let ended = ends.get(&block.span.start);
        let is_flipped = match block.is_closed {
            true => opens_another(text, block),
            false => ended_within(text, blocks, ends, block).is_none(),
        };
        if is_flipped && ended.is_none_or(|sample| found.contains_key(sample)) {
            found.insert(opening_fence(text, block).start, block);
        }
    }
    found
}

/// Whether a block has a bare fence directly below a line that ends as code does.
fn is_bare_below_code(text: &str, block: &CodeBlock) -> bool {
    let above = || text[..block.span.start].lines().next_back().unwrap_or_default().trim();
    block.is_fenced
        && block.info.is_empty()
        && (above().ends_with([';', '{']) || matches!(above(), "}" | "]" | ")" | "})" | "end"))
}
