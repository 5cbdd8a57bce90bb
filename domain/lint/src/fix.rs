//! Edits that fix a finding.

use std::collections::BTreeMap;
use std::ops::Range;

/// Whether a fix may be applied without a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// Readers that could read the file before read the same from it afterwards.
    Safe,
    /// Changes what an agent or a client reads. Applied only with `--unsafe`.
    Unsafe,
}

/// A replacement of one range of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace.
    pub span: Range<usize>,
    /// The replacement.
    pub text: String,
}

/// A fix for a finding, in the finding's own file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Whether an author should review it first.
    pub safety: Safety,
    /// What it does, such as `quote the value`.
    pub title: String,
    /// The edits, in order; they do not touch each other.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// A safe fix with one edit.
    pub fn safe(title: impl Into<String>, span: Range<usize>, text: impl Into<String>) -> Self {
        Self { safety: Safety::Safe, title: title.into(), edits: vec![Edit { span, text: text.into() }] }
    }

    /// An unsafe fix with one edit.
    pub fn risky(title: impl Into<String>, span: Range<usize>, text: impl Into<String>) -> Self {
        Self { safety: Safety::Unsafe, title: title.into(), edits: vec![Edit { span, text: text.into() }] }
    }

    /// Converts the line breaks of the inserted text to those of a text, judged by its first line.
    pub fn end_lines_as(&mut self, text: &str) {
        if text.split_once('\n').is_some_and(|(first, _)| first.ends_with('\r')) {
            for edit in &mut self.edits {
                edit.text = edit.text.replace("\r\n", "\n").replace('\n', "\r\n");
            }
        }
    }
}

/// The result of applying fixes to a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// The new text.
    pub text: String,
    /// Indexes of the fixes that were applied.
    pub made: Vec<usize>,
    /// Replaced ranges of the old text, each with the range of its replacement in the new text; in order.
    moves: Vec<(Range<usize>, Range<usize>)>,
}

impl Applied {
    /// Applies as many fixes as possible, in order of priority.
    ///
    /// A fix that touches one that was already applied is left for the next round. A fix that would cut a character
    /// or lies outside the text is never applied.
    pub fn new(text: &str, fixes: &[&Fix]) -> Self {
        let mut taken: BTreeMap<usize, &Edit> = BTreeMap::new();
        let is_taken = |at: &usize| take(text, &mut taken, &fixes[*at].edits);
        let made = (0..fixes.len()).filter(is_taken).collect();
        let (mut new, mut moves, mut at) = (String::with_capacity(text.len()), Vec::new(), 0);
        for Edit { span, text: inserted } in taken.into_values() {
            new.push_str(&text[at..span.start]);
            moves.push((span.clone(), new.len()..new.len() + inserted.len()));
            new.push_str(inserted);
            at = span.end;
        }
        new.push_str(&text[at..]);
        Self { text: new, made, moves }
    }

    /// The range of the new text that corresponds to a range of the old one, including insertions at its borders.
    pub fn place_of(&self, old: &Range<usize>) -> Range<usize> {
        let before = self
            .moves
            .partition_point(|(gone, _)| gone.end < old.start || (gone.end == old.start && !gone.is_empty()));
        let start = match self.moves.get(before) {
            Some((gone, new)) if gone.start <= old.start => new.start,
            _ => self.shifted(before, old.start),
        };
        let begun = self
            .moves
            .partition_point(|(gone, _)| gone.start < old.end || (gone.start == old.end && gone.is_empty()));
        start..self.shifted(begun, old.end).max(start)
    }

    /// The new offset of a byte after the first `count` edits. A byte inside the last of them moves to its end.
    fn shifted(&self, count: usize, at: usize) -> usize {
        let last = count.checked_sub(1).and_then(|last| self.moves.get(last));
        last.map_or(at, |(gone, new)| new.end + at.saturating_sub(gone.end))
    }
}

/// Takes the edits of one fix, unless one of them touches an edit already taken.
fn take<'a>(text: &str, taken: &mut BTreeMap<usize, &'a Edit>, edits: &'a [Edit]) -> bool {
    for (at, edit) in edits.iter().enumerate() {
        if text.get(edit.span.clone()).is_none() || touches(taken, &edit.span) {
            for made in &edits[..at] {
                taken.remove(&made.span.start);
            }
            return false;
        }
        taken.insert(edit.span.start, edit);
    }
    true
}

/// Whether an edit touches one that was taken. Two edits with the same start do: their order would be a guess.
fn touches(taken: &BTreeMap<usize, &Edit>, span: &Range<usize>) -> bool {
    let is_reached =
        taken.range(..span.start).next_back().is_some_and(|(_, edit)| edit.span.end > span.start);
    is_reached || taken.range(span.start..span.end.max(span.start + 1)).next().is_some()
}

/// Applies fixes; returns the new text and the indexes of the applied fixes, like [`Applied::new`].
pub fn apply(text: &str, fixes: &[&Fix]) -> (String, Vec<usize>) {
    let applied = Applied::new(text, fixes);
    (applied.text, applied.made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fixes_that_touch_wait_for_the_next_round() {
        let (a, b, c) = (Fix::safe("a", 0..1, "x"), Fix::safe("b", 0..2, "y"), Fix::safe("c", 2..2, "z"));
        assert_eq!(apply("12é", &[&a, &b, &c]), ("x2zé".to_owned(), vec![0, 2]));
        assert_eq!(apply("é", &[&Fix::safe("d", 1..2, "")]), ("é".to_owned(), vec![]));
        let edit = |span, text: &str| Edit { span, text: text.to_owned() };
        let cut = Fix { edits: vec![edit(1..2, ""), edit(0..9, "")], ..a.clone() };
        assert_eq!(apply("12", &[&cut, &Fix::safe("e", 1..2, "y")]), ("1y".to_owned(), vec![1]));
    }

    #[test]
    fn a_place_moves_with_the_text_around_it() {
        let (insert, delete) = (Fix::safe("a", 2..2, "++"), Fix::safe("b", 4..6, ""));
        let applied = Applied::new("0123456789", &[&insert, &delete]);
        assert_eq!(applied.text, "01++236789");
        for (old, new) in [
            (0..2, 0..4),
            (0..1, 0..1),
            (2..3, 2..5),
            (3..5, 5..6),
            (4..6, 6..6),
            (6..8, 6..8),
            (9..10, 9..10),
        ] {
            assert_eq!(applied.place_of(&old), new, "{old:?}");
        }
    }

    #[test]
    fn inserted_lines_end_as_those_of_the_file() {
        let mut fix = Fix::safe("a", 0..0, "# x\n\r\n");
        fix.end_lines_as("a\nb\r\n");
        assert_eq!(fix.edits[0].text, "# x\n\r\n");
        fix.end_lines_as("a\r\nb\n");
        assert_eq!(fix.edits[0].text, "# x\r\n\r\n");
    }

    proptest! {
        #[test]
        fn no_edits_make_it_panic(
            text in "[aé\n]{0,8}",
            edits in proptest::collection::vec((0_usize..12, 0_usize..12, "[xü]{0,2}"), 0..6),
            old in (0_usize..12, 0_usize..12),
        ) {
            let edit = |(start, end, text): (usize, usize, String)| Edit { span: start..end, text };
            let edits: Vec<Edit> = edits.into_iter().map(edit).collect();
            let fixes: Vec<Fix> =
                edits.chunks(2).map(|edits| Fix { edits: edits.to_vec(), ..Fix::safe("", 0..0, "") }).collect();
            let applied = Applied::new(&text, &fixes.iter().collect::<Vec<_>>());
            let place = applied.place_of(&(old.0..old.1.max(old.0)));
            prop_assert!(place.start <= place.end);
            prop_assert!(!applied.made.is_empty() || applied.text == text);
        }
    }
}
