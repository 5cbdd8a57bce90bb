//! The results that a search of the index returns for skills, and the search modes.

use crate::model::EmbeddingModel;
use std::collections::HashSet;

/// The search mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMode {
    /// By the ranking tiers of the skills specification.
    Rule,
    /// By words.
    Lexical,
    /// By meaning, with embeddings.
    Semantic,
    /// By words and by meaning.
    Hybrid,
}

impl SearchMode {
    /// Every mode, in the order used in tables.
    pub const ALL: [Self; 4] = [Self::Rule, Self::Lexical, Self::Semantic, Self::Hybrid];

    /// `rule`, `lexical`, `semantic` or `hybrid`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Lexical => "lexical",
            Self::Semantic => "semantic",
            Self::Hybrid => "hybrid",
        }
    }

    /// Whether the mode needs an embedding model.
    pub fn has_meaning(self) -> bool {
        matches!(self, Self::Semantic | Self::Hybrid)
    }
}

/// Why a skill is among the results, strongest reason first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The request is the path of its SKILL.md or of its folder.
    ExactPath,
    /// The request is the skill's name.
    ExactName,
    /// The skill's name begins with the request.
    Prefix,
    /// Its name or description contains words of the request.
    TokenOverlap,
    /// Its text contains words of the request.
    Lexical,
    /// Its meaning is close to that of the request.
    Semantic,
}

impl Reason {
    /// The word used in replies.
    pub fn word(self) -> &'static str {
        match self {
            Self::ExactPath => "exact_path",
            Self::ExactName => "exact_name",
            Self::Prefix => "prefix",
            Self::TokenOverlap => "token_overlap",
            Self::Lexical => "lexical",
            Self::Semantic => "semantic",
        }
    }
}

/// A skill's scores by each search method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoreParts {
    /// BM25 score; higher is better.
    pub lexical: Option<f64>,
    /// Weighted share of the request's words that the skill contains, in lexical mode.
    pub coverage: Option<f64>,
    /// Cosine similarity of the vectors, 0 to 1.
    pub semantic: Option<f64>,
}

/// What lexical scores can be compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LexicalScale {
    /// A share of the highest score that the words of the request could reach, 0 to 1.
    Share,
    /// Comparable within one reply only.
    #[default]
    Relative,
}

/// What the index found for a request: ids with their scores, best first.
#[derive(Clone, Debug, Default)]
pub struct Evidence<'a> {
    /// The lexical matches with their BM25 scores.
    pub lexical: Vec<(&'a str, f64)>,
    /// The share of the request's words that each skill contains.
    pub coverage: Vec<(&'a str, f64)>,
    /// Semantic matches: cosine similarities.
    pub semantic: Vec<(&'a str, f64)>,
    /// Lexical matches that have no vector yet, so that nothing is known about their meaning.
    pub without_vector: HashSet<&'a str>,
    /// Skills that contain every word of the request.
    pub with_every_word: HashSet<&'a str>,
    /// How to read the lexical scores.
    pub scale: LexicalScale,
    /// The model of the semantic scores, if it is one of ours.
    pub model: Option<&'static EmbeddingModel>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0011:C-FIND
    #[test]
    fn modes_and_reasons_have_the_words_of_replies() {
        assert_eq!(SearchMode::ALL.map(SearchMode::word), ["rule", "lexical", "semantic", "hybrid"]);
        use Reason::{ExactName, ExactPath, Lexical, Prefix, Semantic, TokenOverlap};
        let reasons = [ExactPath, ExactName, Prefix, TokenOverlap, Lexical, Semantic];
        let words = ["exact_path", "exact_name", "prefix", "token_overlap", "lexical", "semantic"];
        assert_eq!(reasons.map(Reason::word), words);
        assert!(reasons.is_sorted(), "the strongest comes first");
    }

    /// RFC-0011:C-FIND
    #[test]
    fn a_mode_by_meaning_needs_a_model() {
        assert_eq!(SearchMode::ALL.map(SearchMode::has_meaning), [false, false, true, true]);
    }
}
