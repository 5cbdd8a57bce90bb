//! Parses queries, and separates runs of CJK characters so that any two adjacent ones can be found.

use crate::fault::Fault;
use crate::limits::{QUERY_BYTES_MAX, SEARCH_LIMIT_MAX};
use crate::text::case_fold::fold;
use crate::text::invisible::is_unseen;
use std::collections::HashSet;

/// Inserted between CJK characters in indexed text. Tokenizers do not treat it as part of a word, it is invisible,
/// and it is removed from every snippet.
pub const CJK_SEPARATOR: char = '\u{200b}';

/// A query with at least one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    text: String,
}

impl Query {
    /// Parses a query; NUL bytes count as white space.
    ///
    /// # Errors
    /// E004 if only ASCII white space is left, E100 if it is longer than `QUERY_BYTES_MAX`.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        if text.len() > QUERY_BYTES_MAX {
            let message =
                format!("the query has {} bytes, at most {QUERY_BYTES_MAX} are allowed", text.len());
            return Err(Fault::invalid_option(message));
        }
        let query = Self { text: text.to_owned() };
        if query.words().next().is_none() { Err(Fault::EmptyQuery {}) } else { Ok(query) }
    }

    /// Parses a request for skills, which must contain something that can occur in a name or sentence.
    ///
    /// # Errors
    /// Those of `parse`, and E004 if it consists of white space, punctuation and invisible characters of any script.
    pub fn for_skills(text: &str) -> Result<Self, Fault> {
        let query = Self::parse(text)?;
        if text.chars().any(says_something) { Ok(query) } else { Err(Fault::EmptyQuery {}) }
    }

    /// The query as given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a heading equals the query, regardless of case and white space.
    pub fn is_heading(&self, heading: &str) -> bool {
        fold(heading).split_whitespace().eq(fold(&self.text).replace('\0', " ").split_whitespace())
    }

    /// Its words, split at ASCII white space only (RFC-0004:C-QUERY-SYNTAX), without duplicates regardless of case.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let mut seen = HashSet::new();
        let words = self.text.split([' ', '\t', '\n', '\r', '\0']).filter(|word| !word.is_empty());
        words.filter(move |word| seen.insert(fold(word)))
    }
}

/// Whether a character is a letter, a digit or a symbol such as an emoji, rather than white space, a control
/// character or punctuation.
fn says_something(c: char) -> bool {
    let is_blank = c.is_whitespace() || c.is_control() || is_unseen(c);
    let is_punctuation = c.is_ascii_punctuation()
        || matches!(u32::from(c), 0x00A0..=0x00BF | 0x00D7 | 0x00F7 | 0x2000..=0x206F | 0x2E00..=0x2E7F
            | 0x3000..=0x3004 | 0x3008..=0x3020 | 0x3030 | 0x303D..=0x303F | 0x30FB | 0xFE00..=0xFE6F
            | 0xFF00..=0xFF0F | 0xFF1A..=0xFF20 | 0xFF3B..=0xFF40 | 0xFF5B..=0xFF65);
    c.is_alphanumeric() || !(is_blank || is_punctuation)
}

/// Where the words of a query occur in a section, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchTier {
    /// The heading equals the query.
    SameHeading,
    /// The heading contains every word.
    InHeading,
    /// The text contains the words next to each other, in the order of the query.
    Phrase,
    /// The words occur anywhere in path, heading and text.
    Anywhere,
}

impl MatchTier {
    /// The score of a section: its BM25 plus the best BM25 of the search for each lower tier, so that results are
    /// sorted by score.
    pub fn score(self, bm25: f64, best_bm25: f64) -> f64 {
        bm25 + best_bm25 * f64::from(Self::Anywhere as u8 - self as u8)
    }
}

/// Validates a requested number of results.
///
/// # Errors
/// E100 if it is 0 or above `SEARCH_LIMIT_MAX`.
pub fn search_limit(asked: u32) -> Result<u32, Fault> {
    if (1..=SEARCH_LIMIT_MAX).contains(&asked) {
        return Ok(asked);
    }
    Err(Fault::invalid_argument("limit", format!("must be from 1 to {SEARCH_LIMIT_MAX}, got {asked}")))
}

/// Whether a character belongs to a script that is written without spaces between words: Han, Hiragana, Katakana,
/// Hangul, with their extensions and half-width forms.
pub fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x11FF | 0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3031..=0x3035 | 0x3038..=0x303C
        | 0x3041..=0x3096 | 0x3099..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x3105..=0x312F | 0x3131..=0x318E
        | 0x31A0..=0x31BF | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xA960..=0xA97C
        | 0xAC00..=0xD7FB | 0xF900..=0xFAFF | 0xFF66..=0xFFDC | 0x1AFF0..=0x1B16F | 0x20000..=0x3FFFD)
}

/// Inserts a separator on each side of every CJK character that touches a letter, a digit or another CJK character.
///
/// Text without such characters is returned unchanged, without a copy.
pub fn separate_cjk(text: &str) -> std::borrow::Cow<'_, str> {
    // Checking for ASCII is fast, and most text is ASCII. The rest mostly contains dashes, arrows and emoji, whose
    // bytes distinguish them from CJK.
    if text.is_ascii() || !may_hold_cjk(text) || !text.chars().any(is_cjk) {
        return text.into();
    }
    let mut cut = String::with_capacity(text.len() * 2);
    let mut previous = ' ';
    for c in text.chars() {
        if (is_cjk(c) && is_wordish(previous)) || (is_cjk(previous) && is_wordish(c)) {
            cut.push(CJK_SEPARATOR);
        }
        cut.push(c);
        previous = c;
    }
    cut.into()
}

/// Whether any two adjacent bytes could begin a character for which `is_cjk` holds, or one close to it.
fn may_hold_cjk(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| {
        matches!((pair[0], pair[1]), (0xE1, 0x84..=0x87) | (0xE2, 0xBA..) | (0xE3..=0xED, _)
            | (0xEF, 0xA4..=0xAB | 0xBD..) | (0xF0, 0x9A..=0x9B | 0xA0..) | (0xF1.., _))
    })
}

fn is_wordish(c: char) -> bool {
    c.is_alphanumeric() || is_cjk(c)
}

/// Removes the separators from a snippet, for display.
pub fn join_cjk(snippet: &str) -> String {
    snippet.replace(CJK_SEPARATOR, "")
}

/// A file name as it is indexed: with separators, unless the name itself contains one.
pub fn separate_name(name: &str) -> std::borrow::Cow<'_, str> {
    if name.contains(CJK_SEPARATOR) { name.into() } else { separate_cjk(name) }
}

/// The original of an indexed file name.
pub fn join_name(indexed: String) -> String {
    let joined = join_cjk(&indexed);
    if separate_cjk(&joined) == indexed { joined } else { indexed }
}

/// A section that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Path of its file, relative to the skill's root.
    pub file: String,
    /// The heading; empty for text before the first one and for plain text.
    pub section: String,
    /// Text around the matches, which are enclosed in `[MATCH]` and `[/MATCH]`.
    pub snippet: String,
    /// BM25, negated so that higher is better.
    pub score: f64,
    /// 1-based line of the heading; `None` for text before the first one and for plain text.
    pub line: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_section_of_a_tier_is_above_the_best_of_the_next() {
        let best = -7.5;
        let tiers = [MatchTier::SameHeading, MatchTier::InHeading, MatchTier::Phrase, MatchTier::Anywhere];
        for pair in tiers.windows(2) {
            assert!(pair[0].score(0.0, best) <= pair[1].score(best, best), "{pair:?}");
        }
        assert_eq!(MatchTier::Anywhere.score(best, best), best);
    }

    /// RFC-0004:C-QUERY-SYNTAX
    #[test]
    fn no_character_of_cjk_is_passed_over() {
        let passed_over = |c: &char| is_cjk(*c) && !may_hold_cjk(&c.to_string());
        assert_eq!(('\0'..=char::MAX).find(passed_over), None);
        assert!(!may_hold_cjk("plain — “text” → with ✅ ⚠️ and 🚀"));
    }

    /// RFC-0004:C-QUERY-SYNTAX
    #[test]
    fn an_empty_query_is_refused() {
        for text in ["", "  ", "\t\r\n", "\0"] {
            assert_eq!(Query::parse(text), Err(Fault::EmptyQuery {}), "{text:?}");
        }
        assert!(Query::parse(&"x".repeat(QUERY_BYTES_MAX + 1)).is_err());
        assert!(Query::parse("\u{3000}").is_ok(), "only ASCII white space is blank");
    }

    /// RFC-0004:C-CJK
    #[test]
    fn runs_of_cjk_are_cut_into_characters() {
        let shown = |text| separate_cjk(text).replace(CJK_SEPARATOR, "|");
        assert_eq!(shown("使用設定檔。ok"), "使|用|設|定|檔。ok");
        assert_eq!(shown("API設定v2"), "API|設|定|v2");
        assert_eq!(shown("テスト 한국어"), "テ|ス|ト 한|국|어");
        assert!(matches!(separate_cjk("plain — ünïcode 😀"), std::borrow::Cow::Borrowed(_)));
        assert_eq!(join_cjk(&separate_cjk("使用設定檔")), "使用設定檔");
        for name in ["說明/設定.md", "a.md", "odd\u{200b}name設定.md"] {
            assert_eq!(join_name(separate_name(name).into_owned()), name);
        }
    }

    #[test]
    fn a_limit_has_a_range() {
        assert!(search_limit(0).is_err() && search_limit(1001).is_err());
        assert_eq!(search_limit(10), Ok(10));
    }

    /// RFC-0004:C-QUERY-SYNTAX
    #[test]
    fn a_query_has_at_most_sixteen_kib_and_its_words_once() {
        assert!(Query::parse(&"a".repeat(16 * 1024)).is_ok());
        assert_eq!(Query::parse(&"a".repeat(16 * 1024 + 1)).unwrap_err().code(), "E100");
        let query = Query::parse(" Two\0words two\tWORDS ").unwrap();
        assert_eq!(query.words().collect::<Vec<_>>(), ["Two", "words"]);
        assert_eq!(query.text(), " Two\0words two\tWORDS ");
    }

    /// RFC-0004:C-SEARCH
    #[test]
    fn a_heading_equals_a_query_regardless_of_case_and_spaces() {
        let query = Query::parse("Set\0 UP ").unwrap();
        for (heading, is_same) in
            [("set up", true), (" SET  up", true), ("setup", false), ("set up now", false)]
        {
            assert_eq!(query.is_heading(heading), is_same, "{heading}");
        }
    }

    /// RFC-0011:C-FIND
    #[test]
    fn a_request_for_skills_says_something_beyond_punctuation() {
        for good in ["a", "7", "é", "日", "- x", "🙂", "+é", "∑"] {
            assert!(Query::for_skills(good).is_ok(), "{good}");
        }
        for empty in [" ", "-", "?!", "\u{a0}", "\u{200b}", "\u{2026}", "。", "\u{7}", "« »", "×", "\u{ff1f}"]
        {
            assert_eq!(Query::for_skills(empty).unwrap_err().code(), "E004", "{empty:?}");
        }
    }

    /// RFC-0004:C-SEARCH
    #[test]
    fn results_of_a_better_tier_score_higher_and_a_limit_is_from_1_to_1000() {
        use MatchTier::{Anywhere, InHeading, Phrase, SameHeading};
        let scores = [SameHeading, InHeading, Phrase, Anywhere].map(|tier| tier.score(1.0, 4.0));
        assert_eq!(scores, [13.0, 9.0, 5.0, 1.0]);
        assert_eq!((search_limit(1).ok(), search_limit(1_000).ok()), (Some(1), Some(1_000)));
        assert!(search_limit(0).is_err() && search_limit(1_001).is_err());
    }
}
