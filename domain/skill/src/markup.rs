//! The structure of a Markdown text, for rules about documents.
//!
//! All ranges are bytes of the whole text, front matter included.

use crate::frontmatter::FrontMatterSpan;
use crate::section::Heading;
use std::ops::Range;

/// The elements of a Markdown text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Markup {
    /// As in [`crate::document::Document`].
    pub headings: Vec<Heading>,
    /// Links and images of every kind, in document order.
    pub links: Vec<Link>,
    /// Fenced and indented code, in document order.
    pub code_blocks: Vec<CodeBlock>,
    /// Reference definitions, `[label]: target "title"`, used or not, in document order. If a label is defined twice,
    /// only the first, effective definition is included.
    pub definitions: Vec<Definition>,
    /// Undefined labels used as `[text][label]` or `[label][]`.
    pub missing_labels: Vec<(String, Range<usize>)>,
    /// Parts of the text that are not prose, in document order and without nesting.
    pub regions: Vec<Region>,
    /// Position of the front matter.
    pub front_matter: FrontMatterSpan,
    /// Number of lines of the whole text.
    pub lines: u32,
}

/// The syntax of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// `[text](target)`.
    Inline,
    /// `[text][label]`, `[label][]` or `[label]`.
    Reference,
    /// `<https://example.com>`.
    Autolink,
    /// `![text](target)` or `![text][label]`.
    Image,
    /// An `href` or `src` in HTML.
    Html,
}

/// A link or an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The syntax.
    pub kind: LinkKind,
    /// The target, with entities and backslash escapes resolved; `%20` and the like are kept.
    pub target: String,
    /// The visible text, without markup. For an image the alternative text; empty for HTML.
    pub text: String,
    /// The title; empty if there is none.
    pub title: String,
    /// Range of the whole link; for HTML, of the tag.
    pub span: Range<usize>,
    /// Range of the target, if the link contains it literally.
    pub target_span: Option<Range<usize>>,
}

/// Code on lines of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBlock {
    /// The text after the opening fence, trimmed; empty for indented code.
    pub info: String,
    /// Range of the whole block with its fences, from the start of its first line.
    pub span: Range<usize>,
    /// Whether it is fenced rather than indented.
    pub is_fenced: bool,
    /// Whether the closing fence exists; true for indented code.
    pub is_closed: bool,
}

/// A reference definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The label as written.
    pub label: String,
    /// The target.
    pub target: String,
    /// The title; empty if there is none.
    pub title: String,
    /// Range of the whole definition.
    pub span: Range<usize>,
}

/// The kind of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// A fenced or indented code block, including the fences.
    CodeBlock,
    /// Code within a line, including the backticks.
    InlineCode,
    /// An HTML comment, including `<!--` and `-->`.
    Comment,
    /// Any other HTML.
    Html,
}

/// A part of the text that is not prose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// What the region contains.
    pub kind: RegionKind,
    /// Byte range.
    pub span: Range<usize>,
}

impl Markup {
    /// The kind of region at an offset; `None` in prose and front matter.
    pub fn region_at(&self, offset: usize) -> Option<RegionKind> {
        self.region_around(offset).map(|region| region.kind)
    }

    /// The comment at an offset.
    pub fn comment_at(&self, offset: usize) -> Option<&Range<usize>> {
        self.region_around(offset)
            .filter(|region| region.kind == RegionKind::Comment)
            .map(|region| &region.span)
    }

    fn region_around(&self, offset: usize) -> Option<&Region> {
        let at = self.regions.partition_point(|region| region.span.end <= offset);
        self.regions.get(at).filter(|region| region.span.start <= offset)
    }

    /// Byte offset at which the text after the front matter begins.
    pub fn body_start(&self) -> usize {
        match self.front_matter {
            FrontMatterSpan::Block { end, .. } => end,
            FrontMatterSpan::None | FrontMatterSpan::Unclosed => 0,
        }
    }

    /// The comments, in document order.
    pub fn comments(&self) -> impl Iterator<Item = &Range<usize>> {
        self.regions.iter().filter(|region| region.kind == RegionKind::Comment).map(|region| &region.span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_in_the_region_from_its_first_byte_to_its_last() {
        let region = |kind, span| Region { kind, span };
        let regions = vec![region(RegionKind::InlineCode, 2..4), region(RegionKind::Comment, 6..9)];
        let markup = Markup { regions, ..Markup::default() };
        let kinds: Vec<_> = (1..10).map(|at| markup.region_at(at)).collect();
        let (code, comment) = (Some(RegionKind::InlineCode), Some(RegionKind::Comment));
        assert_eq!(kinds, [None, code, code, None, None, comment, comment, comment, None]);
        assert_eq!((markup.comment_at(2), markup.comment_at(6)), (None, Some(&(6..9))));
        assert_eq!(markup.comments().count(), 1);
    }

    #[test]
    fn the_body_begins_after_the_front_matter() {
        let start = |front_matter| Markup { front_matter, ..Markup::default() }.body_start();
        assert_eq!(start(FrontMatterSpan::Block { yaml: (4, 8), end: 12 }), 12);
        assert_eq!((start(FrontMatterSpan::None), start(FrontMatterSpan::Unclosed)), (0, 0));
    }
}
