//! FTS5 queries, built so that nothing in a word is syntax.

use skillc_domain::query::{Query, separate_cjk};

/// A query that every word must match.
pub fn every_word(query: &Query) -> String {
    phrases(query).join(" ")
}

/// A query that any word may match.
pub fn any_word(query: &Query) -> String {
    phrases(query).join(" OR ")
}

/// A query that every word must match in the heading.
pub fn in_heading(query: &Query) -> String {
    format!("section : ({})", every_word(query))
}

/// A query for the words next to each other in the text; `None` for a single word, and for more words than a phrase
/// has.
pub fn in_text(query: &Query) -> Option<String> {
    let words: Vec<_> = query.words().take(PHRASE_WORDS_MAX + 1).collect();
    (2..=PHRASE_WORDS_MAX).contains(&words.len()).then(|| format!("content : {}", phrase(&words.join(" "))))
}

/// Maximum number of words that are searched for as a phrase.
const PHRASE_WORDS_MAX: usize = 32;

/// Each word as a quoted phrase. A word with CJK characters becomes a phrase of its characters, so that they must be
/// adjacent.
fn phrases(query: &Query) -> Vec<String> {
    query.words().map(phrase).collect()
}

fn phrase(text: &str) -> String {
    format!("\"{}\"", separate_cjk(text).replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0004:C-QUERY-SYNTAX
    #[test]
    fn each_word_becomes_a_quoted_phrase() {
        let fts5 = |text| every_word(&Query::parse(text).unwrap());
        assert_eq!(fts5("configure authentication"), r#""configure" "authentication""#);
        assert_eq!(fts5("my \"special\" app"), r#""my" """special""" "app""#);
        assert_eq!(fts5("a\tb\r\nc\u{a0}d"), "\"a\" \"b\" \"c\u{a0}d\"");
        assert_eq!(fts5("b a B a"), r#""b" "a""#, "a word counts once");
        assert_eq!(fts5("NEAR(a b) OR -c*"), r#""NEAR(a" "b)" "OR" "-c*""#);
        assert_eq!(any_word(&Query::parse("a b").unwrap()), r#""a" OR "b""#);
    }
}
