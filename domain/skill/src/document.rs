//! A parsed text, as a document reader returns it.

use crate::frontmatter::{FrontMatterSpan, find_front_matter};
use crate::section::{Heading, Section, sections};
use crate::text::lines;

/// A text with its headings.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// In document order, without those in code fences, HTML blocks and front matter.
    pub headings: Vec<Heading>,
    /// The position of the front matter.
    pub front_matter: FrontMatterSpan,
    /// Lines of the whole text.
    pub lines: u32,
    /// Bytes of the whole text.
    pub bytes: usize,
}

impl Document {
    /// A document without headings, for plain text.
    pub fn plain(text: &str) -> Self {
        Self {
            headings: Vec::new(),
            front_matter: find_front_matter(text),
            lines: lines::count(text.as_bytes()),
            bytes: text.len(),
        }
    }

    /// Divides the text into sections at its headings.
    pub fn sections(&self) -> Vec<Section> {
        sections(&self.headings, self.bytes, self.lines)
    }

    /// The text of the first H1, unless it is empty.
    pub fn title(&self) -> Option<&str> {
        self.headings.iter().find(|h| h.level == 1 && !h.text.is_empty()).map(|h| h.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0004:C-FORMATS
    #[test]
    fn a_plain_text_is_one_section_without_a_heading() {
        let document = Document::plain("---\na: b\n---\n# no heading\nend");
        assert_eq!((document.headings.len(), document.lines, document.bytes), (0, 5, 29));
        assert_eq!(document.front_matter, FrontMatterSpan::Block { yaml: (4, 9), end: 13 });
        assert_eq!(document.sections(), sections(&[], 29, 5));
        assert_eq!(document.title(), None);
    }

    #[test]
    fn the_title_is_the_first_heading_of_level_one_with_a_text() {
        let heading = |level, text: &str| Heading { level, text: text.into(), line: 1, offset: 0 };
        let headings = vec![heading(2, "Two"), heading(1, ""), heading(1, "One"), heading(1, "Other")];
        let document = Document { headings, ..Document::plain("") };
        assert_eq!(document.title(), Some("One"));
    }
}
