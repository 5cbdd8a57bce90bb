//! A parsed text: what a document reader gives back.

use crate::frontmatter::{FrontMatterSpan, find_front_matter};
use crate::section::{Heading, Section, sections};
use crate::text::lines;

/// A text with its headings.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// In order; none from code fences, HTML blocks or front matter.
    pub headings: Vec<Heading>,
    /// Where the front matter stands.
    pub front_matter: FrontMatterSpan,
    /// Lines of the whole text.
    pub lines: u32,
    /// Bytes of the whole text.
    pub bytes: usize,
}

impl Document {
    /// A document without headings, such as plain text.
    pub fn plain(text: &str) -> Self {
        Self {
            headings: Vec::new(),
            front_matter: find_front_matter(text),
            lines: lines::count(text.as_bytes()),
            bytes: text.len(),
        }
    }

    /// The sections that the headings open.
    pub fn sections(&self) -> Vec<Section> {
        sections(&self.headings, self.bytes, self.lines)
    }

    /// The text of the first H1, if it says anything.
    pub fn title(&self) -> Option<&str> {
        self.headings.iter().find(|h| h.level == 1 && !h.text.is_empty()).map(|h| h.text.as_str())
    }
}
