//! Samples of Markdown that a fence within them cuts in two.
//!
//! A code block ends at the first bare fence that is long enough. An author who shows Markdown with code blocks in it,
//! and gives both the same fences, ends the sample at the end of its first inner block: the rest counts as text, and
//! the fence that was meant to end the sample opens another block.

use skillc_domain::markup::{CodeBlock, Markup};
use std::ops::Range;

/// A sample that ends too early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutSample {
    /// Range of its opening fence.
    pub opening: Range<usize>,
    /// End of the fence that closed it.
    pub end: usize,
    /// End of its rest: the start of the fence that was meant to close it, otherwise of the next block.
    pub rest_end: usize,
    /// Whether the fence meant to close it was found.
    pub has_end: bool,
}

impl CutSample {
    /// Whether a position is in the part of the sample that counts as text.
    fn has_rest_at(&self, at: usize) -> bool {
        (self.end..self.rest_end).contains(&at)
    }
}

/// The samples of a file that a fence within them cut in two, in order.
pub fn cut_samples(text: &str, markup: &Markup) -> Vec<CutSample> {
    let mut found = Vec::new();
    let mut open: Option<CutSample> = None;
    for (at, block) in markup.code_blocks.iter().enumerate().filter(|(_, block)| block.is_fenced) {
        if !may_be_cut(block) {
            continue;
        }
        let inner = openings_within(text, block);
        let ends_one = block.info.is_empty() && (!inner.is_empty() || !block.is_closed);
        // A fence that ends a sample leaves one opening less for the fence that closes this block.
        let (opening, is_cut) = match open.take_if(|_| ends_one) {
            Some(ended) => {
                found.push(CutSample { rest_end: block.span.start, has_end: true, ..ended });
                (inner.first().cloned(), inner.len() > 1)
            }
            None => (Some(opening_fence(text, block)), !inner.is_empty()),
        };
        if let Some(opening) = opening.filter(|_| is_cut && block.is_closed) {
            let next = markup.code_blocks.get(at + 1).map_or(text.len(), |next| next.span.start);
            let end = block.span.end;
            found.extend(open.replace(CutSample { opening, end, rest_end: next, has_end: false }));
        }
    }
    found.extend(open);
    found
}

/// Whether a position is in the rest of a sample.
pub fn is_in_rest(samples: &[CutSample], at: usize) -> bool {
    let next = samples.partition_point(|sample| sample.end <= at);
    next.checked_sub(1).is_some_and(|last| samples[last].has_rest_at(at))
}

/// Number of characters of the shortest fence.
const SHORTEST: usize = 3;

/// Whether a block can be a sample that contains other blocks: it is Markdown, plain text or markup, or has no language.
/// A sample of a skill is often called YAML, for its front matter.
fn may_be_cut(block: &CodeBlock) -> bool {
    matches!(
        block.info.split([' ', '{']).next(),
        Some("" | "markdown" | "md" | "mdx" | "text" | "txt" | "yaml" | "yml" | "xml" | "html")
    )
}

/// The fences in a block that were meant to open another one: with a language, and at least as long as the block's own
/// fence, or, in a block with a language, shorter and without a fence that ends their block.
fn openings_within(text: &str, block: &CodeBlock) -> Vec<Range<usize>> {
    let Some(written) = text.get(block.span.clone()) else { return Vec::new() };
    let mut lines = written.split_inclusive('\n');
    let Some(first) = lines.next() else { return Vec::new() };
    let opening = first.trim_start();
    let fence_len = opening.bytes().take_while(|byte| opening.as_bytes().first() == Some(byte)).count();
    let Some(fence) =
        opening.get(..fence_len).filter(|fence| fence.starts_with(['`', '~']) && fence.len() >= SHORTEST)
    else {
        return Vec::new();
    };
    // Most blocks hold no further fence but the one that ends them.
    let mut at = block.span.start + first.len();
    let behind = &written[first.len()..];
    if behind.find(&fence[..SHORTEST]).is_none_or(|found| !behind[found..].trim_end().contains('\n')) {
        return Vec::new();
    }
    let (mut found, mut shorter) = (Vec::new(), None);
    for line in lines {
        let inner = line.trim();
        let info = inner.trim_start_matches(['`', '~']);
        let is_opening = info.starts_with(|c: char| c.is_ascii_alphabetic()) && !info.contains('`');
        let start = at + (line.len() - line.trim_start().len());
        if inner.starts_with(fence) {
            found.extend(is_opening.then(|| start..start + inner.len()));
        } else if inner.starts_with(&fence[..SHORTEST]) {
            shorter = is_opening.then(|| start..start + inner.len());
        }
        at += line.len();
    }
    found.extend(shorter.filter(|_| block.is_closed && !block.info.is_empty()));
    found
}

/// Range of a block's opening fence, without surrounding spaces.
pub fn opening_fence(text: &str, block: &CodeBlock) -> Range<usize> {
    let first = text.get(block.span.clone()).and_then(|text| text.lines().next()).unwrap_or_default();
    let start = block.span.start + (first.len() - first.trim_start().len());
    start..block.span.start + first.trim_end().len()
}

/// Whether a closed block contains a fence that was meant to open another one.
pub fn opens_another(text: &str, block: &CodeBlock) -> bool {
    block.is_fenced && block.is_closed && !openings_within(text, block).is_empty()
}
