//! Reads the headings of a Markdown text.

use crate::body::{Body, EXTENSIONS};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use skillc_domain::document::Document;
use skillc_domain::frontmatter::Opening;
use skillc_domain::section::Heading;
use skillc_domain::text::lines;

/// The headings of a text, its front matter, lines and bytes; positions refer to the whole text.
pub fn document(text: &str, opening: Opening) -> Document {
    let Body { front_matter, start, markdown } = Body::of(text, opening);
    let mut headings = Headings::new(text);
    for (event, range) in Parser::new_ext(&markdown, EXTENSIONS).into_offset_iter() {
        headings.take(&event, start + range.start);
    }
    Document {
        headings: headings.found,
        front_matter,
        lines: lines::count(text.as_bytes()),
        bytes: text.len(),
    }
}

/// Collects headings from parser events.
pub struct Headings<'a> {
    /// The completed headings.
    pub found: Vec<Heading>,
    open: Option<Heading>,
    lines: LineCounter<'a>,
}

impl<'a> Headings<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { found: Vec::new(), open: None, lines: LineCounter { text, at: 0, line: 1 } }
    }

    /// Handles the next event, which begins at this offset of the text.
    pub fn take(&mut self, event: &Event<'_>, offset: usize) {
        match (event, &mut self.open) {
            (Event::Start(Tag::Heading { level, .. }), _) => {
                let (line, offset) = self.lines.start_of(offset);
                self.open = Some(Heading { level: *level as u8, text: String::new(), line, offset });
            }
            (Event::End(TagEnd::Heading(_)), _) => self.found.extend(self.open.take().map(trimmed)),
            (Event::Text(part) | Event::Code(part), Some(heading)) => heading.text.push_str(part),
            (Event::SoftBreak | Event::HardBreak, Some(heading)) => heading.text.push(' '),
            _ => {}
        }
    }
}

fn trimmed(heading: Heading) -> Heading {
    Heading { text: heading.text.trim().to_owned(), ..heading }
}

/// Counts lines incrementally, so that each byte is read once.
struct LineCounter<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl LineCounter<'_> {
    /// The 1-based line of an offset and the offset of its start; offsets must ascend.
    fn start_of(&mut self, offset: usize) -> (u32, usize) {
        let passed = &self.text[self.at..offset];
        let breaks = lines::breaks(passed.as_bytes());
        self.line = self.line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        self.at = passed.rfind(['\n', '\r']).map_or(self.at, |newline| self.at + newline + 1);
        (self.line, self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn document(text: &str) -> Document {
        super::document(text, Opening::Either)
    }

    /// Compares the headings of a text, each formatted as `level text @line`.
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> =
            document(text).headings.iter().map(|h| format!("{} {} @{}", h.level, h.text, h.line)).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    /// RFC-0004:C-FORMATS
    #[test]
    fn atx_and_setext_headings_are_headings() {
        check("# a\n###### f ##\n####### g\n#h\n#\n", &["1 a @1", "6 f @2", "1  @5"]);
        check("a\n===\nb\n---\n\nc\n\n---\n", &["1 a @1", "2 b @3"]);
        check("one\ntwo\n===\n", &["1 one two @1"]);
        check("[r]: /url\none\n===\n", &["1 one @2"]);
        check("> # q\n\n- # l\n  m\n  -\n1. - ## n\n", &["1 q @1", "1 l @3", "2 m @4", "2 n @6"]);
    }

    /// RFC-0004:C-FORMATS
    #[test]
    fn a_heading_inside_a_code_block_is_not_a_section() {
        check("```\n# a\n```\n~~~~\n# b\n~~~\nc\n===\n~~~~\n\n    # d\n\n\t# e\n", &[]);
        check("`````\n```\n# a\n", &[]);
        check("<!--\n# a\n-->\n<div>\n# b\n</div>\n\n<pre>\n\n# c\n</pre>\n\n# d\n", &["1 d @13"]);
        check("---\n# a\nname: x\n---\n# b\n", &["1 b @5"]);
        check("| # a |\n\n| b |\n|---|\n| # c |\n---\n# d\n", &["1 d @7"]);
        check("\\# a\n\n<!-- b\n\n# c", &[]);
    }

    /// L5, RFC-0004:C-FORMATS
    #[test]
    fn a_first_thematic_break_begins_no_front_matter() {
        for (text, expected) in [
            ("---\n# a\n\ntext\n---\n# b\n", vec!["1 a @2", "2 text @4", "1 b @6"]),
            ("---\ntext: [x\n---\n# b\n", vec!["2 text: [x @2", "1 b @4"]),
            ("---\n# only a comment\n---\n", vec!["1 only a comment @2"]),
            ("---\n- a: b\n\n---\n# b\n", vec!["1 b @5"]),
            ("---\r\n# a\r\n", vec!["1 a @2"]),
            ("---\n# a\n[r]: /u\n---\n", vec!["1 a @2"]),
            ("---\n\n---\n# b\n", vec!["1 b @4"]),
            ("\u{feff}---\n# a\n---\n# b\n", vec!["1 a @2", "1 b @4"]),
        ] {
            check(text, &expected);
        }
        let long = format!("---\n# a\n{}---\n# b\n", "k: v\n".repeat(20_000));
        assert_eq!(document(&long).headings.len(), 3, "a mapping beyond the size of any front matter");
        let found = super::document("---\n# a\n---\n# b\n", Opening::FrontMatter).headings;
        assert_eq!(found.len(), 1, "SKILL.md has front matter, though it be broken");
    }

    /// RFC-0004:C-FORMATS
    #[test]
    fn inline_markup_in_a_heading_is_reduced_to_its_text() {
        check(
            "# *a* __b__ `c  d` [e](u) ![f *g*](u) ~~h~~ <b>i</b> &amp; \\* <http://x.y> j  \n",
            &["1 a b c  d e f g h i & * http://x.y j @1"],
        );
        check("*a*  \nb\\\nc\n===\n", &["1 a b c @1"]);
        check("# Use {#id} :smile: a_b_c 日本語 🦀", &["1 Use {#id} :smile: a_b_c 日本語 🦀 @1"]);
    }

    /// RFC-0001:C-INPUT
    #[test]
    fn a_byte_order_mark_and_crlf_are_accepted() {
        check("\u{feff}# a\r\nb\r\n---\r\n", &["1 a @1", "2 b @2"]);
        check("\u{feff}---\r\nname: x\r\n---\r\n\r\n# a\r\n", &["1 a @5"]);
        let found = document("\u{feff}# a\r\nb\r\n---\r\n");
        assert_eq!(found.headings[1].offset, "\u{feff}# a\r\n".len());
        assert_eq!((found.lines, found.bytes), (3, 16));
    }

    #[test]
    fn a_heading_is_placed_at_the_start_of_its_line() {
        let text = "x\n   # a\n> # b\n- c\n  ===\n";
        let found = document(text).headings;
        let starts: Vec<_> = found.iter().map(|h| text[h.offset..].lines().next().unwrap()).collect();
        assert_eq!(starts, ["   # a", "> # b", "- c"]);
        assert_eq!(document("\u{feff}# a\n").headings[0].offset, 0);
    }

    /// L4, RFC-0004:C-FORMATS
    #[test]
    fn a_lone_carriage_return_ends_a_line() {
        let found = document("# a\r# b\r\n# c");
        let places: Vec<_> = found.headings.iter().map(|h| (h.line, h.offset)).collect();
        assert_eq!(places, [(1, 0), (2, 4), (3, 9)]);
    }

    /// RFC-0004:C-FORMATS
    #[test]
    fn hostile_nesting_is_parsed() {
        for text in [
            "[".repeat(20_000),
            ">".repeat(20_000) + " # a",
            "- ".repeat(2_000) + "# a",
            "`".repeat(20_000),
            "- ".repeat(20_000) + &"\na".repeat(20_000),
            "a\n===\n".repeat(2_000),
            "*a _b ".repeat(2_000),
            "![".repeat(5_000),
            "<!--".repeat(5_000),
        ] {
            let found = document(&text);
            assert_eq!(found.bytes, text.len());
        }
    }

    proptest! {
        /// RFC-0004:C-FORMATS
        #[test]
        fn headings_stand_in_order_at_starts_of_their_lines(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "# ", "\n", "\r\n", "\r", "a", "---", "===", "> ", "- ", "    ", "\t", "```", "<div>", "|", "`",
                    "*", "[", "](u)", "é", "\u{feff}", "\0", "\\", "&amp;", "~~", "1. ", "[a]: /u",
                ]),
                0..60,
            ),
        ) {
            let text = parts.concat();
            let found = document(&text);
            let mut before = None;
            for heading in &found.headings {
                prop_assert!(before < Some(heading.offset));
                before = Some(heading.offset);
                let head = &text[..heading.offset];
                prop_assert_eq!(heading.line as usize, 1 + lines::breaks(head.as_bytes()));
                let is_line_start = head.is_empty() || head.ends_with(['\n', '\r']);
                prop_assert!(is_line_start);
                prop_assert_eq!(heading.text.trim(), &heading.text);
            }
        }
    }
}
