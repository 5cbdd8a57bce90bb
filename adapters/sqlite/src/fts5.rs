//! Queries in the language of FTS5, in which nothing in a word is syntax.

use skillc_domain::query::{Query, separate_cjk};

/// Every word of the query must occur.
pub fn every_word(query: &Query) -> String {
    phrases(query).join(" ")
}

/// One word of the query is enough.
pub fn any_word(query: &Query) -> String {
    phrases(query).join(" OR ")
}

/// Each word as a quoted phrase. One with CJK characters becomes a phrase of its characters, which keeps them adjacent.
fn phrases(query: &Query) -> Vec<String> {
    query.words().map(|word| format!("\"{}\"", separate_cjk(word).replace('"', "\"\""))).collect()
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
