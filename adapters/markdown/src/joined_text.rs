//! Joins the pieces of a text that the marks of a quote or list separate, and maps offsets back.

use std::borrow::Cow;
use std::ops::Range;

/// Pieces of a text in order.
#[derive(Default)]
pub struct JoinedText {
    pieces: Vec<TextPiece>,
    bytes: usize,
}

struct TextPiece {
    /// Offset in the joined text.
    at: usize,
    /// Range in the source.
    from: Range<usize>,
}

impl JoinedText {
    /// Appends a later piece of the source. It extends the last piece if only the CR of a line break separates them.
    pub fn push(&mut self, text: &str, from: Range<usize>) {
        match self.pieces.last_mut().filter(|last| matches!(&text[last.from.end..from.start], "" | "\r")) {
            Some(last) => {
                self.bytes += from.end - last.from.end;
                last.from.end = from.end;
            }
            None => {
                let at = self.bytes;
                self.bytes += from.len();
                self.pieces.push(TextPiece { at, from });
            }
        }
    }

    /// The pieces as one text.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match &self.pieces[..] {
            [] => Cow::Borrowed(""),
            [whole] => Cow::Borrowed(&text[whole.from.clone()]),
            pieces => pieces.iter().map(|piece| &text[piece.from.clone()]).collect(),
        }
    }

    /// Maps a non-empty range of the joined text to the source, including what lies between its pieces.
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        self.source_of(range.start)..self.source_of(range.end.saturating_sub(1)) + 1
    }

    fn source_of(&self, offset: usize) -> usize {
        let behind = self.pieces.partition_point(|piece| piece.at <= offset);
        self.pieces[..behind].last().map_or(offset, |piece| piece.from.start + (offset - piece.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_that_was_gathered_leads_back_to_its_source() {
        let text = "> <a\r\n> é\n> b>";
        let mut lines = JoinedText::default();
        for from in [2..4, 5..6, 8..11, 13..15] {
            lines.push(text, from);
        }
        let gathered = lines.text(text);
        assert_eq!(gathered, "<a\r\né\nb>");
        let source = |part: &str| {
            let at = gathered.find(part).unwrap();
            &text[lines.source(at..at + part.len())]
        };
        assert_eq!((source("<a"), source("é"), source("é\nb"), source("b>")), ("<a", "é", "é\n> b", "b>"));
        assert_eq!(source(&gathered), "<a\r\n> é\n> b>");
    }

    #[test]
    fn pieces_that_touch_are_not_copied() {
        let text = "a\r\nb\nc";
        let mut lines = JoinedText::default();
        for from in [0..1, 2..5, 5..6] {
            lines.push(text, from);
        }
        assert!(matches!(lines.text(text), Cow::Borrowed("a\r\nb\nc")));
        assert_eq!(JoinedText::default().text(text), "");
    }
}
