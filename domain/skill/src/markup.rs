//! A Markdown text taken apart: what rules about documents look at.
//!
//! All ranges are bytes of the whole text, front matter included.

use crate::frontmatter::FrontMatterSpan;
use crate::section::Heading;
use std::ops::Range;

/// What a Markdown text holds besides words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Markup {
    /// As in [`crate::document::Document`].
    pub headings: Vec<Heading>,
    /// Links and images of every kind, in the order of the text.
    pub links: Vec<Link>,
    /// Fenced and indented code, in the order of the text.
    pub code_blocks: Vec<CodeBlock>,
    /// Reference definitions, `[label]: target "title"`, used or not, in the order of the text; of a label that stands
    /// twice the first counts, and only that one is here.
    pub definitions: Vec<Definition>,
    /// Uses of a label that nothing defines, of the forms `[text][label]` and `[label][]`.
    pub missing_labels: Vec<(String, Range<usize>)>,
    /// Parts of the text that are no prose, in the order of the text, none within another.
    pub regions: Vec<Region>,
    /// Where the front matter stands.
    pub front_matter: FrontMatterSpan,
    /// Lines of the whole text.
    pub lines: u32,
}

/// How a link is written.
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
    /// How it is written.
    pub kind: LinkKind,
    /// Where it leads, with entities and backslash escapes resolved; `%20` and the like are kept.
    pub target: String,
    /// What is shown, without markup; of an image its alternative text; empty for HTML.
    pub text: String,
    /// The title; empty for none.
    pub title: String,
    /// The whole link. For HTML: the tag.
    pub span: Range<usize>,
    /// The target as it is written, where it stands inside the link literally.
    pub target_span: Option<Range<usize>>,
}

/// Code that stands on lines of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBlock {
    /// What follows the opening fence, trimmed; empty for indented code.
    pub info: String,
    /// The whole block with its fences, from the start of its first line.
    pub span: Range<usize>,
    /// Whether it stands between fences.
    pub is_fenced: bool,
    /// Whether the closing fence is there; true for indented code.
    pub is_closed: bool,
}

/// A reference definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The label as written.
    pub label: String,
    /// Where it leads.
    pub target: String,
    /// The title; empty for none.
    pub title: String,
    /// The whole definition.
    pub span: Range<usize>,
}

/// What kind of text stands in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// A fenced or indented code block, fences included.
    CodeBlock,
    /// Code within a line, backticks included.
    InlineCode,
    /// An HTML comment, `<!--` and `-->` included.
    Comment,
    /// Any other HTML.
    Html,
}

/// A part of the text that is no prose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// What it is.
    pub kind: RegionKind,
    /// Where.
    pub span: Range<usize>,
}

impl Markup {
    /// The kind of region that an offset lies in; `None` in prose and in front matter.
    pub fn region_at(&self, offset: usize) -> Option<RegionKind> {
        self.region_around(offset).map(|region| region.kind)
    }

    /// The comment that an offset lies in.
    pub fn comment_at(&self, offset: usize) -> Option<&Range<usize>> {
        self.region_around(offset)
            .filter(|region| region.kind == RegionKind::Comment)
            .map(|region| &region.span)
    }

    fn region_around(&self, offset: usize) -> Option<&Region> {
        let at = self.regions.partition_point(|region| region.span.end <= offset);
        self.regions.get(at).filter(|region| region.span.start <= offset)
    }

    /// Where the text after the front matter begins.
    pub fn body_start(&self) -> usize {
        match self.front_matter {
            FrontMatterSpan::Block { end, .. } => end,
            FrontMatterSpan::None | FrontMatterSpan::Unclosed => 0,
        }
    }

    /// The comments, in order.
    pub fn comments(&self) -> impl Iterator<Item = &Range<usize>> {
        self.regions.iter().filter(|region| region.kind == RegionKind::Comment).map(|region| &region.span)
    }
}
