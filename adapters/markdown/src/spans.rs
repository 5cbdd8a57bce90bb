//! Computes byte ranges of YAML nodes from the spans of parser events.

use granit_parser::{Event, ScalarStyle, Span, StructureStyle};
use std::ops::Range;

/// Converts spans to ranges, event by event.
pub struct Spans<'a> {
    yaml: &'a str,
    /// Offset of the YAML in the file.
    start: usize,
    /// The end of the last scalar, alias or bracket.
    behind: usize,
    /// For each open collection, whether it is a mapping.
    open: Vec<bool>,
}

impl<'a> Spans<'a> {
    pub fn new(yaml: &'a str, start: usize) -> Self {
        Self { yaml, start, behind: 0, open: Vec::new() }
    }

    /// The range of an event in the file; empty for the start and end of collections without brackets and for omitted
    /// values.
    pub fn of(&mut self, event: &Event<'_>, span: Span) -> Range<usize> {
        // The parser always reports bytes when it reads from a string.
        let reported = span.byte_range().unwrap_or_default();
        let range = match event {
            Event::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded, ..) => self.block_scalar(reported),
            Event::SequenceStart(StructureStyle::Block, ..) => self.list_start(reported),
            _ => reported,
        };
        match event {
            Event::SequenceStart(..) => self.open.push(false),
            Event::MappingStart(..) => self.open.push(true),
            Event::SequenceEnd | Event::MappingEnd => drop(self.open.pop()),
            _ => {}
        }
        if !range.is_empty() {
            self.behind = range.end;
        }
        range.start + self.start..range.end + self.start
    }

    /// Extends the reported range back to the `|` or `>` and ends it with the last line that is not blank.
    fn block_scalar(&self, reported: Range<usize>) -> Range<usize> {
        let ahead = self.yaml.get(self.behind..reported.end).unwrap_or_default();
        let start =
            alone(ahead, |byte| matches!(byte, b'|' | b'>')).map_or(reported.start, |at| self.behind + at);
        let scalar = self.yaml.get(start..reported.end).unwrap_or_default();
        let shown = scalar.trim_end().len();
        let end = scalar[shown..].find(['\n', '\r']).map_or(scalar.len(), |at| shown + at);
        start..start + end
    }

    /// The first hyphen of a list. For a list no deeper than its key, the parser reports only what follows the hyphen;
    /// that cannot happen to a list within a list.
    fn list_start(&self, reported: Range<usize>) -> Range<usize> {
        if self.open.last() != Some(&true) {
            return reported;
        }
        let ahead = self.yaml.get(self.behind..reported.start).unwrap_or_default();
        let start = alone(ahead, |byte| byte == b'-').map_or(reported.start, |at| self.behind + at);
        start..start
    }
}

/// The first mark that follows white space outside comments; marks within tags and anchors follow a letter.
fn alone(text: &str, is_mark: impl Fn(u8) -> bool) -> Option<usize> {
    let (mut is_apart, mut is_comment) = (true, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_mark(byte) && is_apart && !is_comment => return Some(at),
            b'#' if is_apart => is_comment = true,
            b'\n' | b'\r' => is_comment = false,
            _ => {}
        }
        is_apart = byte.is_ascii_whitespace();
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::yaml;
    use proptest::prelude::*;
    use skillc_domain::frontmatter::{Node, Value};

    /// Every node with the text at its span, in document order.
    fn shown(text: &str) -> Vec<&str> {
        let front = yaml::front_matter(text).unwrap().unwrap();
        let mut found = Vec::new();
        front
            .fields
            .iter()
            .for_each(|(key, value)| [key, value].iter().for_each(|n| gather(n, text, &mut found)));
        found
    }

    fn gather<'a>(node: &Node, text: &'a str, found: &mut Vec<&'a str>) {
        found.push(&text[node.span.clone()]);
        match &node.value {
            Value::Null | Value::Scalar { .. } => {}
            Value::List(items) => items.iter().for_each(|item| gather(item, text, found)),
            Value::Map(fields) => {
                fields
                    .iter()
                    .for_each(|(key, value)| [key, value].iter().for_each(|n| gather(n, text, found)));
            }
        }
    }

    fn check(yaml: &str, expected: &[&str]) {
        assert_eq!(shown(&format!("---\n{yaml}\n---\nbody")), expected, "{yaml}");
    }

    #[test]
    fn the_span_of_a_scalar_is_what_was_written_with_its_quotes() {
        check("é日: ü 🦀 # c\nb : 'é''s'", &["é日", "ü 🦀", "b", "'é''s'"]);
        check(
            "a: \"é\\n\"\nb: one\n  twö\n\nc: 'x\n\n  y'",
            &["a", "\"é\\n\"", "b", "one\n  twö", "c", "'x\n\n  y'"],
        );
        check("a: &x !!str é\nb:\nc: ~\nd:   # é\n", &["a", "é", "b", "", "c", "~", "d", ""]);
    }

    #[test]
    fn the_span_of_a_block_reaches_from_its_mark_to_its_last_line() {
        check(
            "é: |\n  x é\n   y  \n\n\nb: >2- # | c\n\n    z",
            &["é", "|\n  x é\n   y  ", "b", ">2- # | c\n\n    z"],
        );
        check("a: # | >\n  !!str\n  |+\n  x\n\nb: &x|y |\n  x\n # c\n", &["a", "|+\n  x", "b", "|\n  x"]);
        check("a: |\nb: >-\n\n\"| # c\": |", &["a", "|", "b", ">-", "\"| # c\"", "|"]);
        check(
            "? |\n  k\n: - |\n    v\n  - - >\n     w",
            &["|\n  k", "- |\n    v\n  - - >\n     w", "|\n    v", "- >\n     w", ">\n     w"],
        );
    }

    #[test]
    fn the_span_of_a_collection_is_all_of_it() {
        check(
            "a: [é, {b: c}, ]\nd: {e: , f}",
            &["a", "[é, {b: c}, ]", "é", "{b: c}", "b", "c", "d", "{e: , f}", "e", "", "f", ""],
        );
        check(
            "é:\n  b: 1 # x\n  c:\n  - 'd'\n  -\n\n# y\ng: h",
            &["é", "b: 1 # x\n  c:\n  - 'd'\n  -", "b", "1", "c", "- 'd'\n  -", "'d'", "", "g", "h"],
        );
    }

    #[test]
    fn a_list_no_deeper_than_its_key_begins_with_its_hyphen() {
        check("a: # - x\n- é\n- b", &["a", "- é\n- b", "é", "b"]);
        check("a: &-\n-\n- - b", &["a", "-\n- - b", "", "- b", "b"]);
        check(
            "a:\n- - b\n  - - c\n? - d\n: - - e",
            &["a", "- - b\n  - - c", "- b\n  - - c", "b", "- c", "c", "- d", "d", "- - e", "- e", "e"],
        );
    }

    #[test]
    fn the_span_of_an_alias_is_the_alias() {
        check("a: &x [é]\nb: *x\n*x : c", &["a", "[é]", "é", "b", "*x", "é", "*x", "é", "c"]);
    }

    #[test]
    fn spans_count_a_byte_order_mark_and_carriage_returns() {
        assert_eq!(
            shown("\u{feff}---\r\nname: é\r\nd: >\r\n  ü\r\n  b\r\n\r\ne: [\"ü\",\r\n 2]\r\n---\r\n"),
            ["name", "é", "d", ">\r\n  ü\r\n  b", "e", "[\"ü\",\r\n 2]", "\"ü\"", "2",]
        );
    }

    proptest! {
        #[test]
        fn spans_lie_within_the_front_matter_and_on_characters(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "é: ", "\n", "\r\n", "\n  ", "- ", "? ", "[", "]", "{", "}", ",", "'", "\"", "|", "| ", ">-",
                    "&a ", "*a ", "!t ", "#", " #", "日", "b: ", "c: |\n  ", "~", "\u{2028}", "\u{feff}",
                ]),
                0..40,
            ),
        ) {
            let text = format!("---\n{}\n---\n", parts.concat());
            if let Ok(Some(_)) = yaml::front_matter(&text) {
                shown(&text);
            }
        }
    }
}
