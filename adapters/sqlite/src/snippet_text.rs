//! Selects the part of a long text from which a snippet is built. Ignores stemming, since the index decides which
//! words match.

use skillc_domain::limits::{SNIPPET_PIECE_BYTES, SNIPPET_PLACES_MAX};
use skillc_domain::query::{Query, is_cjk, separate_cjk};
use std::collections::HashSet;
use std::ops::Range;
use std::str::Chars;

/// The first letters of a query's words, for counting the positions in a text at which one of them may begin.
///
/// Words that `unicode61` and `porter` treat as equal have equal first letters here, so that no match is missed.
#[derive(Debug)]
pub struct Beginnings {
    /// The first two folded letters of each word; the second is NUL if only the first is certain.
    pairs: HashSet<(char, char)>,
    /// ASCII letters that begin a word.
    firsts: [bool; 128],
    /// Whether a word begins with a character that the tokenizer may change or drop; then every word counts.
    is_any: bool,
}

impl Beginnings {
    /// Collects the first letters of a query.
    pub fn of(query: &Query) -> Self {
        let mut beginnings = Self { pairs: HashSet::new(), firsts: [false; 128], is_any: false };
        for word in query.words() {
            let word = separate_cjk(word);
            let word = word.trim_start_matches(|c: char| !c.is_alphanumeric() && !is_letter(c));
            let mut letters = word.chars();
            let Some(first) = letters.next() else { continue };
            let second = letters.next().filter(|c| is_letter(*c));
            beginnings.is_any |= !is_sure(first) || second.is_some_and(|second| !is_sure(second));
            let second = second.filter(|_| !may_be_one_letter(word)).map_or('\0', folded_second);
            if let Some(known) = beginnings.firsts.get_mut(folded(first) as usize) {
                *known = true;
            }
            beginnings.pairs.insert((folded(first), second));
        }
        beginnings
    }

    /// Whether a text has more than `SNIPPET_PLACES_MAX` such positions.
    pub fn are_many(&self, text: &str) -> bool {
        let (mut before, mut count) = (' ', 0);
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            count += usize::from(!before.is_ascii_alphanumeric() && self.may_begin(c, &rest));
            if count > SNIPPET_PLACES_MAX {
                return true;
            }
            before = c;
        }
        false
    }

    fn may_begin(&self, first: char, rest: &Chars<'_>) -> bool {
        if first.is_ascii() && !self.is_any && !self.firsts[first.to_ascii_lowercase() as usize] {
            return false;
        }
        if self.is_any || may_be_another(first) {
            return first.is_alphanumeric() || is_letter(first);
        }
        let second = rest.clone().next().unwrap_or(' ');
        let first = folded(first);
        may_be_another(second)
            || self.pairs.contains(&(first, folded_second(second)))
            || self.pairs.contains(&(first, '\0'))
    }
}

/// Whether the tokenizer certainly keeps a character as this single letter.
fn is_sure(c: char) -> bool {
    c.is_ascii() || (!may_be_another(c) && (c.is_lowercase() || c.is_uppercase() || is_cjk(c)))
}

/// Whether a character is an accented letter, a combining accent, or a symbol that represents a letter.
fn may_be_another(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{36f}' | '\u{1e00}'..='\u{2e7f}')
}

/// Whether `porter` may reduce a word to one letter, as it does `eds`.
fn may_be_one_letter(word: &str) -> bool {
    let end = word.get(1..word.len().min(5)).unwrap_or_default().to_ascii_lowercase();
    end.starts_with("ed") || end.starts_with("ing")
}

fn folded(c: char) -> char {
    let upper = c.to_uppercase().next().unwrap_or(c);
    upper.to_lowercase().next().unwrap_or(upper)
}

/// Folds the second letter of a word: `porter` changes a final `y` to `i`.
fn folded_second(c: char) -> char {
    match folded(c) {
        'y' => 'i',
        c => c,
    }
}

/// Splits a text into pieces of about `SNIPPET_PIECE_BYTES` of letters, or of `bytes_min` if that is more. They begin
/// and end between words, and each repeats the last `overlap` words of the previous one.
pub fn pieces(text: &str, overlap: usize, bytes_min: usize) -> impl Iterator<Item = Range<usize>> {
    let (mut words, mut recent) = (words(text), Vec::new());
    let full = bytes_min.max(SNIPPET_PIECE_BYTES);
    let (mut start, mut is_over) = (0, false);
    std::iter::from_fn(move || {
        let mut letters = 0;
        while letters < full && !is_over {
            match words.next() {
                Some(word) => {
                    letters += word.len() + 1;
                    recent.push(word);
                }
                None => is_over = true,
            }
        }
        if letters == 0 {
            return None;
        }
        let next = words.clone().next().map_or(text.len(), |word| word.start);
        let piece = start..next;
        recent.drain(..recent.len() - overlap.min(recent.len()));
        start = recent.first().map_or(next, |word| word.start);
        Some(piece)
    })
}

/// The largest number of tokens into which one word of the query is split.
pub fn longest_phrase(query: &Query) -> usize {
    let count = |word: &str| words(&separate_cjk(word)).count();
    query.words().map(count).max().unwrap_or(0)
}

/// The first words of a text, with `...` if there are more.
pub fn beginning(text: &str, words_max: usize) -> String {
    match words(text).nth(words_max) {
        Some(next) => text[..next.start].trim_end().to_owned() + "...",
        None => text.to_owned(),
    }
}

/// Runs of letters; one longer than a piece is split.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + Clone {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_letter)?;
        let run = text[start..].find(|c| !is_letter(c)).map_or(text.len(), |end| start + end);
        at = text.floor_char_boundary(run.min(start + SNIPPET_PIECE_BYTES));
        Some(start..at)
    })
}

/// Whether a character is part of a word, approximately as for `unicode61`: letters, digits and combining marks.
/// Symbols do not count, though some are letters in Unicode.
fn is_letter(c: char) -> bool {
    match c {
        '\0'..='\u{7f}' => c.is_ascii_alphanumeric(),
        '\u{300}'..='\u{36f}' | '\u{e000}'..='\u{f8ff}' => true,
        '\u{2000}'..='\u{2e7f}' => false,
        _ => c.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_many(query: &str, text: &str) -> bool {
        Beginnings::of(&Query::parse(query).unwrap()).are_many(text)
    }

    /// D7
    #[test]
    fn places_are_many_where_words_begin_as_those_of_the_query() {
        assert!(are_many("configure", &"Configuring ".repeat(300)));
        assert!(!are_many("configure", &"Configuring ".repeat(200)));
        assert!(!are_many("configure", &"case reconfigure ".repeat(3_000)));
        assert!(are_many("other a", &"(a) ".repeat(300)));
        assert!(are_many("設定", &"設\u{200b}定".repeat(300)));
        for (query, text) in [("éa", "ea "), ("ea", "éa "), ("ПРИ", "при "), ("wo", "ⓐwo"), ("-- a--", "a ")]
        {
            assert!(are_many(query, &text.repeat(300)), "{query} in {text}");
        }
        assert!(!are_many("!!! \"\"", &"a ".repeat(300)));
    }

    /// D7
    #[test]
    fn pieces_are_the_text_with_words_repeated() {
        let text = format!("  {}.", "some words, ".repeat(1_000));
        let plain: Vec<_> = pieces(&text, 0, 0).collect();
        assert_eq!(plain.iter().map(|piece| &text[piece.clone()]).collect::<String>(), text);
        assert!(plain.iter().all(|piece| piece.len() < 2 * SNIPPET_PIECE_BYTES));
        let lapping: Vec<_> = pieces(&text, 2, 0).collect();
        assert!(lapping.windows(2).all(|pair| text[pair[1].start..pair[0].end].trim() == "some words,"
            || text[pair[1].start..pair[0].end].trim() == "words, some"));
        assert_eq!(pieces(&text, 0, 1 << 20).count(), 1);
        assert_eq!((pieces("", 0, 0).count(), pieces(" .", 0, 0).count()), (0, 0));
        assert_eq!(pieces(&"é".repeat(5_000), 3, 0).last().map(|piece| piece.end), Some(10_000));
    }

    #[test]
    fn a_phrase_has_the_words_of_the_longest_word() {
        let words = |query: &str| longest_phrase(&Query::parse(query).unwrap());
        assert_eq!((words("one"), words("a foo-bar.baz"), words("設定檔"), words("!!")), (1, 3, 3, 0));
    }

    #[test]
    fn a_beginning_has_so_many_words() {
        let check = |text, words, expected| assert_eq!(beginning(text, words), expected);
        check("(a, b) c", 2, "(a, b)...");
        check("(a, b) c", 3, "(a, b) c");
        check(" .", 1, " .");
    }
}
