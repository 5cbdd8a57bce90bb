//! Headings, the sections that they begin, and the rows that the index stores for a text.

use crate::query::separate_cjk;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// A heading found by a Markdown reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// The text without markup; may be empty.
    pub text: String,
    /// 1-based line on which the heading begins.
    pub line: u32,
    /// Byte offset of the heading in the text.
    pub offset: usize,
}

/// A heading with the lines that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// 1 to 6.
    pub level: u8,
    /// The heading's text.
    pub text: String,
    /// 1-based line of the heading.
    pub start_line: u32,
    /// 1-based line of the next heading of the same or a higher level; one past the last line if there is none.
    pub end_line: u32,
    /// Byte range of the section in its text.
    pub bytes: Range<usize>,
}

/// The sections of a text, in the order of their headings.
///
/// A section ends at the next heading of the same or a higher level, so a parent includes its children. Linear in the
/// number of headings: open sections are kept on a stack of at most six.
pub fn sections(headings: &[Heading], text_bytes: usize, lines: u32) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::with_capacity(headings.len());
    let mut open: Vec<usize> = Vec::new();
    for heading in headings {
        while let Some(last) = open.pop_if(|at| found[*at].level >= heading.level) {
            found[last].end_line = heading.line;
            found[last].bytes.end = heading.offset;
        }
        open.push(found.len());
        found.push(Section {
            level: heading.level,
            text: heading.text.clone(),
            start_line: heading.line,
            end_line: lines + 1,
            bytes: heading.offset..text_bytes,
        });
    }
    found
}

/// A text as it is indexed: with CJK characters separated and the sections' ranges adjusted.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexableText {
    text: String,
    sections: Vec<Section>,
}

impl IndexableText {
    /// Prepares a text for the index; one without CJK characters is kept as it is.
    pub fn new(text: String, mut sections: Vec<Section>) -> Self {
        if let Cow::Owned(separated) = separate_cjk(&text) {
            let moved = moved_starts(&text, &sections);
            let start_of = |at: usize| moved.get(&at).copied().unwrap_or(separated.len());
            for section in &mut sections {
                section.bytes = start_of(section.bytes.start)..start_of(section.bytes.end);
            }
            return Self { text: separated, sections };
        }
        Self { text, sections }
    }

    /// The sections, in the order of their headings.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The rows: heading and text.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &str)> {
        rows(&self.sections, &self.text)
    }
}

/// The new offsets of sections after separators were inserted. A section begins a line, so there is no separator at
/// its edge.
fn moved_starts(text: &str, sections: &[Section]) -> BTreeMap<usize, usize> {
    let mut moved = BTreeMap::new();
    let (mut from, mut to) = (0, 0);
    for section in sections {
        to += separate_cjk(&text[from..section.bytes.start]).len();
        from = section.bytes.start;
        moved.insert(from, to);
    }
    moved
}

/// The searchable rows of a text: the text before the first heading with the heading `""`, then each section.
///
/// A row is a section's heading and bytes. A first part of only white space is omitted.
pub fn rows<'a>(sections: &'a [Section], text: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let before = &text[..sections.first().map_or(text.len(), |first| first.bytes.start)];
    let opening = (!before.trim().is_empty()).then_some(("", before));
    opening.into_iter().chain(sections.iter().map(|s| (s.text.as_str(), &text[s.bytes.clone()])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn heading(level: u8, line: u32, offset: usize) -> Heading {
        Heading { level, text: format!("h{line}"), line, offset }
    }

    /// RFC-0004:C-FORMATS
    #[test]
    fn a_section_ends_at_the_next_heading_of_equal_or_higher_level() {
        let found =
            sections(&[heading(1, 1, 0), heading(3, 2, 4), heading(2, 3, 8), heading(1, 5, 20)], 30, 6);
        let spans: Vec<_> = found.iter().map(|s| (s.start_line, s.end_line)).collect();
        assert_eq!(spans, [(1, 5), (2, 3), (3, 5), (5, 7)]);
        assert_eq!(found[0].bytes, 0..20);
        assert_eq!(found[3].bytes, 20..30);
    }

    /// RFC-0004:C-FORMATS
    #[test]
    fn text_before_the_first_heading_is_a_row_with_an_empty_section() {
        let text = "intro\n# A\nbody";
        let found = sections(&[heading(1, 2, 6)], text.len(), 3);
        assert_eq!(rows(&found, text).collect::<Vec<_>>(), [("", "intro\n"), ("h2", "# A\nbody")]);
        assert_eq!(rows(&[], " \n").count(), 0);
        assert_eq!(rows(&[], "x").collect::<Vec<_>>(), [("", "x")]);
    }

    /// RFC-0004:C-CJK
    #[test]
    fn sections_of_a_separated_text_hold_the_same_text() {
        let text = "前言\n# 設定\n中文字\n## B\nplain\n# C\n結尾";
        let headings: Vec<_> = [(1, "# 設定"), (2, "## B"), (1, "# C")]
            .into_iter()
            .map(|(level, line)| heading(level, 1, text.find(line).unwrap()))
            .collect();
        let plain = sections(&headings, text.len(), 7);
        let separated = IndexableText::new(text.to_owned(), plain.clone());
        let contents: Vec<_> = separated.rows().map(|(_, content)| content.to_owned()).collect();
        let expected: Vec<_> =
            rows(&plain, text).map(|(_, content)| separate_cjk(content).into_owned()).collect();
        assert_eq!(contents, expected);
    }

    proptest! {
        /// RFC-0004:C-FORMATS
        #[test]
        fn sections_cover_the_file_from_its_first_heading(levels in prop::collection::vec(1u8..=6, 1..40)) {
            let headings: Vec<_> =
                levels.iter().enumerate().map(|(i, l)| heading(*l, i as u32 * 2 + 3, i * 10 + 7)).collect();
            let (bytes, lines) = (levels.len() * 10 + 7, levels.len() as u32 * 2 + 2);
            let found = sections(&headings, bytes, lines);
            for (i, section) in found.iter().enumerate() {
                let next = found[i + 1..].iter().find(|s| s.level <= section.level);
                prop_assert_eq!(section.end_line, next.map_or(lines + 1, |s| s.start_line));
                prop_assert_eq!(section.bytes.end, next.map_or(bytes, |s| s.bytes.start));
                prop_assert!(section.start_line < section.end_line);
            }
            // From the first heading on, each line belongs to a section, so walking from end to start covers all
            // lines.
            let mut at = found[0].start_line;
            for section in &found {
                prop_assert!(section.start_line >= at);
                at = section.start_line;
            }
            prop_assert_eq!(found.iter().map(|s| s.end_line).max(), Some(lines + 1));
        }
    }

    #[test]
    fn a_section_ends_at_the_next_heading_of_its_level_or_above() {
        let heading =
            |level, line| Heading { level, text: level.to_string(), line, offset: line as usize * 10 };
        let headings = [heading(2, 1), heading(3, 2), heading(3, 4), heading(1, 7), heading(2, 9)];
        let found = sections(&headings, 120, 11);
        let ends: Vec<_> =
            found.iter().map(|s| (s.level, s.start_line, s.end_line, s.bytes.clone())).collect();
        let expected = [
            (2, 1, 7, 10..70),
            (3, 2, 4, 20..40),
            (3, 4, 7, 40..70),
            (1, 7, 12, 70..120),
            (2, 9, 12, 90..120),
        ];
        assert_eq!(ends, expected);
        let text = "x".repeat(120);
        assert_eq!(
            rows(&found, &text).map(|(_, row)| row.len()).collect::<Vec<_>>(),
            [10, 60, 20, 30, 50, 30]
        );
        let blank = format!("{}{}", " ".repeat(10), "x".repeat(110));
        assert_eq!(rows(&found, &blank).count(), 5);
    }
}
