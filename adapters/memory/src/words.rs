//! Splits texts and queries into words, and finds phrases.
//!
//! Similar to FTS5's `unicode61`, but without stemming and without removing accents: a word is a run of letters and
//! digits in lower case, or one CJK character.

use skillc_domain::query::{Query, separate_cjk};
use std::ops::Range;

/// A text prepared for searching.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    /// The text with separated CJK characters.
    pub(crate) text: String,
    /// Each word in lower case, with its byte range.
    pub(crate) words: Vec<(String, Range<usize>)>,
}

impl Words {
    pub(crate) fn of(text: &str) -> Self {
        let text = separate_cjk(text).into_owned();
        let words = runs(&text).map(|bytes| (text[bytes.clone()].to_lowercase(), bytes)).collect();
        Self { text, words }
    }

    /// The positions of a phrase, as indexes of its first word.
    pub(crate) fn places(&self, phrase: &[String]) -> Vec<usize> {
        let begins_at =
            |at: &usize| self.words[*at..].iter().map(|(word, _)| word).zip(phrase).all(|(a, b)| a == b);
        let last = (self.words.len() + 1).saturating_sub(phrase.len());
        (0..last).filter(begins_at).collect()
    }
}

/// The words of a text, in lower case.
pub(crate) fn words_of<C: FromIterator<String>>(text: &str) -> C {
    Words::of(text).words.into_iter().map(|(word, _)| word).collect()
}

/// The words of a query, each as a phrase. Punctuation alone yields none.
pub(crate) fn phrases(query: &Query) -> Vec<Vec<String>> {
    query.words().map(words_of::<Vec<_>>).filter(|phrase| !phrase.is_empty()).collect()
}

/// The runs of letters and digits in a text, as byte ranges.
fn runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()).map(|run| {
        let start = run.as_ptr().addr() - text.as_ptr().addr();
        start..start + run.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<String> {
        words_of(text)
    }

    #[test]
    fn a_word_is_a_run_of_letters_and_digits_and_a_cjk_character_is_one() {
        assert_eq!(cut("Don't use v2_x, ÄPFEL!"), ["don", "t", "use", "v2", "x", "äpfel"]);
        assert_eq!(cut("API設定。"), ["api", "設", "定"]);
        let words = Words::of("a, bc");
        assert_eq!(words.words[1].1, 3..5);
    }

    #[test]
    fn a_phrase_stands_where_its_words_are_adjacent() {
        let words = Words::of("a b a b b");
        let phrase = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words.places(&phrase("a b")), [0, 2]);
        assert_eq!(words.places(&phrase("b")), [1, 3, 4]);
        assert_eq!(words.places(&phrase("a a")), [0usize; 0]);
        assert_eq!(Words::of("").places(&phrase("a")), [0usize; 0]);
    }
}
