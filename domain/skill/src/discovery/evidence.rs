//! What a search of the index says of skills, and how it looked.

use std::collections::HashSet;

/// How skills are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMode {
    /// By the tiers of the skills specification.
    Rule,
    /// By words.
    Lexical,
    /// By meaning.
    Semantic,
    /// By words and meaning.
    Hybrid,
}

impl SearchMode {
    /// Every mode, in the order of tables.
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

    /// Whether it needs a model.
    pub fn has_meaning(self) -> bool {
        matches!(self, Self::Semantic | Self::Hybrid)
    }
}

/// Why a skill is among the results; the earlier, the stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The request is the path of its SKILL.md or of its folder.
    ExactPath,
    /// The request is its name.
    ExactName,
    /// Its name begins with the request.
    Prefix,
    /// Words of the request stand in name or description.
    TokenOverlap,
    /// It holds words of the request.
    Lexical,
    /// It means something near.
    Semantic,
}

impl Reason {
    /// As replies write it.
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

/// What each part of a search says of a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoreParts {
    /// BM25; more is better.
    pub lexical: Option<f64>,
    /// Part of the words of the request that it holds, by their weight, in lexical mode.
    pub coverage: Option<f64>,
    /// Cosine of the vectors, 0 to 1.
    pub semantic: Option<f64>,
}

/// How scores by words are to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LexicalScale {
    /// As a share of the highest that the words of the request could give, 0 to 1.
    Share,
    /// Within one reply only.
    #[default]
    Relative,
}

/// What the index found for a request: ids with their scores, best first.
#[derive(Clone, Debug, Default)]
pub struct Evidence<'a> {
    /// By words: BM25.
    pub lexical: Vec<(&'a str, f64)>,
    /// The part of the words that each holds.
    pub coverage: Vec<(&'a str, f64)>,
    /// By meaning: cosine.
    pub semantic: Vec<(&'a str, f64)>,
    /// Those found by words that have no vector yet: about their meaning nothing is known.
    pub without_vector: HashSet<&'a str>,
    /// Those that hold every word of the request.
    pub with_every_word: HashSet<&'a str>,
    /// How scores by words are to be read.
    pub scale: LexicalScale,
}
