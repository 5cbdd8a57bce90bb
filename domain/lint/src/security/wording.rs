//! Splits a text into words and what separates them.

use std::ops::Range;

/// A word in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word in lower case, with plain apostrophes.
    pub text: String,
    /// Byte range in the text.
    pub span: Range<usize>,
    /// What separates it from the previous word.
    pub after: Break,
}

/// What separates two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Break {
    /// Spaces and markup.
    None,
    /// A comma, dash or bracket.
    Clause,
    /// The end of a sentence, list item or table cell.
    Sentence,
}

/// The words of a part of a text.
pub fn words(text: &str, part: Range<usize>) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let (mut start, mut last_end) = (None, part.start);
    let is_letter = |c: char| c.is_alphanumeric() || c == '\'' || c == '’';
    let inside = text.get(part.clone()).unwrap_or_default();
    for (at, c) in inside.char_indices().map(|(at, c)| (part.start + at, Some(c))).chain([(part.end, None)]) {
        match (start, c.is_some_and(is_letter)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                let after = if words.is_empty() { Break::Sentence } else { separator(&text[last_end..from]) };
                let span = bare(text, from..at);
                words.push(Word { text: text[span.clone()].to_lowercase().replace('’', "'"), span, after });
                (start, last_end) = (None, at);
            }
            _ => {}
        }
    }
    words.retain(|word| !word.text.is_empty());
    words
}

/// A word without surrounding quotation marks. The same characters inside a word are apostrophes.
fn bare(text: &str, word: Range<usize>) -> Range<usize> {
    let is_mark = |c: char| c == '\'' || c == '’';
    let tail = text[word.clone()].trim_start_matches(is_mark);
    let start = word.end - tail.len();
    start..start + tail.trim_end_matches(is_mark).len()
}

fn separator(between: &str) -> Break {
    let is_end = |c: char| matches!(c, '!' | '?' | ';' | '|' | '。' | '！' | '？');
    if between.contains(is_end) || has_full_stop(between) || is_new_block(between) {
        return Break::Sentence;
    }
    let is_pause = |c: char| matches!(c, ',' | ':' | '：' | '(' | ')' | '—' | '–' | '"' | '“' | '”' | '`');
    if between.contains(is_pause) || between.contains(" - ") { Break::Clause } else { Break::None }
}

fn has_full_stop(between: &str) -> bool {
    let behind = between
        .split_once('.')
        .map(|(_, behind)| behind.trim_start_matches(['"', '\'', ')', '*', '_', '”', '`']));
    behind.is_some_and(|behind| behind.starts_with(char::is_whitespace))
}

/// Whether the text between two words contains a blank line, or a line that begins a list item or heading.
fn is_new_block(between: &str) -> bool {
    let mut lines = between.split('\n').skip(1).map(str::trim).peekable();
    let mut is_new = false;
    while let Some(line) = lines.next() {
        is_new |=
            (line.is_empty() && lines.peek().is_some()) || line.starts_with(['-', '+', '#']) || line == "*";
    }
    is_new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_what_stands_before_them() {
        let text = "Don’t go, *now*: v1.2 it’s\n> on. E.g.\n\n- next";
        let found: Vec<_> =
            words(text, 0..text.len()).into_iter().map(|word| (word.text, word.after)).collect();
        let expected = [
            ("don't", Break::Sentence),
            ("go", Break::None),
            ("now", Break::Clause),
            ("v1", Break::Clause),
            ("2", Break::None),
            ("it's", Break::None),
            ("on", Break::None),
            ("e", Break::Sentence),
            ("g", Break::None),
            ("next", Break::Sentence),
        ];
        assert_eq!(found, expected.map(|(word, after)| (word.to_owned(), after)));
    }
}
