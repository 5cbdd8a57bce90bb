//! A text gathered from pieces of another, since a quote or a list writes its marks between the lines of what it holds.

use std::borrow::Cow;
use std::ops::Range;

/// Pieces of a text, in order.
#[derive(Default)]
pub struct Gathered {
    pieces: Vec<Piece>,
    bytes: usize,
}

struct Piece {
    /// Where it stands in the gathered text.
    at: usize,
    /// Where it came from.
    from: Range<usize>,
}

impl Gathered {
    /// Adds a piece of the text that begins behind those before; what touches the last one, but for the CR of a line
    /// break, becomes part of it.
    pub fn push(&mut self, text: &str, from: Range<usize>) {
        match self.pieces.last_mut().filter(|last| matches!(&text[last.from.end..from.start], "" | "\r")) {
            Some(last) => {
                self.bytes += from.end - last.from.end;
                last.from.end = from.end;
            }
            None => {
                let at = self.bytes;
                self.bytes += from.len();
                self.pieces.push(Piece { at, from });
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

    /// Where a range of the gathered text, which is not empty, came from, with all that lay between its pieces.
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
        let mut lines = Gathered::default();
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
        let mut lines = Gathered::default();
        for from in [0..1, 2..5, 5..6] {
            lines.push(text, from);
        }
        assert!(matches!(lines.text(text), Cow::Borrowed("a\r\nb\nc")));
        assert_eq!(Gathered::default().text(text), "");
    }
}
