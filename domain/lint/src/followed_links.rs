//! The links in a file that a reader is expected to follow.

use crate::view::LintFile;
use skillc_domain::markup::{CodeBlock, Link, LinkKind, Markup};

/// The links of a file, without autolinks, which are URLs even without a scheme, and without those in the rest of a
/// sample that was cut in two by a fence within it.
pub fn followed_links(file: &LintFile) -> impl Iterator<Item = &Link> {
    let parts = file.text.as_deref().zip(file.markup.as_ref());
    parts.into_iter().flat_map(|(text, markup)| {
        let is_followed = move |link: &&Link| {
            link.kind != LinkKind::Autolink && !is_rest_of_sample(text, markup, link.span.start)
        };
        markup.links.iter().filter(is_followed)
    })
}

/// Whether a position is in the rest of such a sample: the block before it is Markdown or has no language, and was
/// closed by a fence meant for a block inside it.
fn is_rest_of_sample(text: &str, markup: &Markup, at: usize) -> bool {
    let next = markup.code_blocks.partition_point(|block| block.span.end <= at);
    let before = next.checked_sub(1).map(|last| &markup.code_blocks[last]);
    let is_markdown = |block: &&CodeBlock| {
        matches!(block.info.split([' ', '{']).next(), Some("" | "markdown" | "md" | "mdx"))
    };
    before.filter(is_markdown).is_some_and(|block| opens_another(text, block))
}

/// Whether a closed block contains an opening fence of its own kind.
pub fn opens_another(text: &str, block: &CodeBlock) -> bool {
    let mut lines = text.get(block.span.clone()).unwrap_or_default().lines().map(str::trim);
    let Some(fence) = lines.next().and_then(|first| first.get(..3)) else { return false };
    let is_opening = |line: &str| {
        let info = line.trim_start_matches(['`', '~']);
        line.starts_with(fence) && info.starts_with(|c: char| c.is_ascii_alphabetic()) && !info.contains('`')
    };
    block.is_fenced && block.is_closed && lines.any(is_opening)
}
