//! Corrects misspelled words of a request for skills (RFC-0011:C-FIND).

use crate::discovery::words::is_stop_word;
use crate::text::edit_distance::edit_distance;
use std::collections::HashMap;

/// Length in characters from which a word is corrected; shorter ones have too many neighbors.
const CORRECTED_CHARS_MIN: usize = 5;
/// Length in characters from which a word may have two errors.
const TWO_ERRORS_CHARS_MIN: usize = 9;

/// Replaces each word that occurs in none of these texts by the most frequent one with the fewest errors; `None` if no
/// word is replaced. Only words of ASCII letters are, and their first letter counts as right.
pub fn corrected<'a>(request: &str, texts: impl Iterator<Item = &'a str>) -> Option<String> {
    let lower = request.to_lowercase();
    let is_correctable = |word: &str| word.len() >= CORRECTED_CHARS_MIN && !is_stop_word(word);
    if !words(&lower).any(is_correctable) {
        return None;
    }
    let mut known: HashMap<String, usize> = HashMap::new();
    for text in texts {
        for word in self::words(&text.to_lowercase()) {
            *known.entry(word.to_owned()).or_default() += 1;
        }
    }
    let meant = |word: &str| nearest(word, &known).filter(|_| is_correctable(word));
    let corrected = replaced(&lower, meant);
    (corrected != lower).then_some(corrected)
}

/// A text with some of its words replaced.
fn replaced<'a>(text: &str, by: impl Fn(&str) -> Option<&'a str>) -> String {
    let (mut done, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let is_word = first.is_ascii_lowercase();
        let end = rest.find(|c: char| c.is_ascii_lowercase() != is_word).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        done.push_str(by(part).filter(|_| is_word).unwrap_or(part));
        rest = after;
    }
    done
}

/// The runs of ASCII letters of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_lowercase()).filter(|word| !word.is_empty())
}

fn nearest<'a>(word: &str, known: &'a HashMap<String, usize>) -> Option<&'a str> {
    if known.contains_key(word) {
        return None;
    }
    let errors_max = if word.len() < TWO_ERRORS_CHARS_MIN { 1 } else { 2 };
    let is_near_in_length = |other: &str| other.len().abs_diff(word.len()) <= errors_max;
    let near = known.iter().filter(|(other, _)| other.as_bytes()[0] == word.as_bytes()[0]);
    let near = near.filter(|(other, _)| is_near_in_length(other)).filter_map(|(other, count)| {
        let errors = errors(word, other);
        (errors <= errors_max).then_some((errors, usize::MAX - count, other.as_str()))
    });
    near.min().map(|(_, _, other)| other)
}

/// The edit distance, in which two exchanged letters are one error.
fn errors(a: &str, b: &str) -> usize {
    let differing: Vec<usize> =
        a.bytes().zip(b.bytes()).enumerate().filter(|(_, (x, y))| x != y).map(|(at, _)| at).collect();
    let is_exchange =
        |at: usize| a.as_bytes()[at] == b.as_bytes()[at + 1] && a.as_bytes()[at + 1] == b.as_bytes()[at];
    match differing.as_slice() {
        [first, second] if a.len() == b.len() && first + 1 == *second && is_exchange(*first) => 1,
        _ => edit_distance(a, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0011:C-FIND
    #[test]
    fn a_misspelled_word_becomes_one_that_skills_have() {
        let texts =
            ["Writes TypeScript and Django.", "Reviews the security of TypeScript code; handles errors."];
        for (request, expected) in [
            ("typscript errors", Some("typescript errors")),
            ("dajngo securty", Some("django security")),
            ("typscript, in mytypscript", Some("typescript, in mytypscript")),
            ("typescript", None),
            ("rust", None),
            ("the weather tomorrow", None),
            ("cobol mainframe", None),
            ("документация", None),
        ] {
            assert_eq!(corrected(request, texts.into_iter()).as_deref(), expected, "{request}");
        }
    }

    #[test]
    fn of_several_near_words_the_most_frequent_one_with_fewest_errors_is_meant() {
        let texts = ["deploys deploys deploy", "deploying"];
        assert_eq!(corrected("deployz", texts.into_iter()).as_deref(), Some("deploys"));
        assert_eq!(corrected("deployng", texts.into_iter()).as_deref(), Some("deploying"));
    }

    #[test]
    fn a_word_is_corrected_from_five_letters_and_with_two_errors_from_nine() {
        for (written, known, is_corrected) in [
            ("abcd", "abcde", false),
            ("abcdx", "abcde", true),
            ("abcxy", "abcde", false),
            ("abcdefxy", "abcdefgh", false),
            ("abcdefgxy", "abcdefghi", true),
            ("abcdefxyz", "abcdefghi", false),
            ("xbcde", "abcde", false),
            ("abdce", "abcde", true),
            ("about", "abouts", false),
        ] {
            assert_eq!(corrected(written, [known].into_iter()).is_some(), is_corrected, "{written}");
        }
    }

    #[test]
    fn two_exchanged_letters_are_one_error() {
        for (a, b, expected) in [
            ("abcde", "abdce", 1),
            ("abcde", "abcde", 0),
            ("abcde", "adcbe", 2),
            ("abcde", "abxye", 2),
            ("abcde", "abcd", 1),
            ("abcde", "badce", 3),
        ] {
            assert_eq!((errors(a, b), errors(b, a)), (expected, expected), "{a} {b}");
        }
    }
}
