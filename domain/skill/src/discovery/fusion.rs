//! Combines lexical and semantic scores, and defines the score below which no skill fits a request (RFC-0011:C-SCORE).

use crate::discovery::evidence::{Evidence, LexicalScale, Reason, ScoreParts, SearchMode};
use crate::model::SKILLS;

/// Weight of the lexical score in a fused score; the rest is semantic (adr/0027).
const LEXICAL_PART: f64 = 0.4;
/// The share of words when deciding whether a skill fits at all. A request that no skill answers is more likely to
/// share words with some skill than to be close to one in meaning (adr/0049).
const FIT_LEXICAL_PART: f64 = 0.2;
/// The share of the highest possible BM25 score from which words alone are sufficient, for a skill without other
/// evidence.
const LEXICAL_FIT: f64 = 0.15;
/// The BM25 score that is mapped to one half in relative scores, so that they lie between 0 and 1 too.
const LEXICAL_HALF: f64 = 10.0;

/// The coverage that some result of a lexical search must reach, for a request of a few words.
const COVERAGE_FLOOR: f64 = 0.35;
/// The same for a longer request, times the square root of its number of words. Half of a long request mostly describes
/// circumstances that no skill mentions, so a skill needs a smaller part of them, although more words.
const COVERAGE_FLOOR_BY_ROOT: f64 = 0.8;
/// The number of words from which the required coverage falls no further: few of the requests on which it was tuned are
/// longer.
const FLOOR_WORDS_MAX: usize = 16;

#[allow(clippy::cast_precision_loss)] // at most 16
fn coverage_floor(words: usize) -> f64 {
    let words = words.clamp(1, FLOOR_WORDS_MAX) as f64;
    COVERAGE_FLOOR.min(COVERAGE_FLOOR_BY_ROOT / words.sqrt())
}

/// Parameters for combining lexical and semantic scores.
pub struct Fusion {
    relative: Option<(Span, Span)>,
    /// The fit that some result of a hybrid search must reach.
    fit_floor: f64,
}

impl Fusion {
    /// Computes the parameters from the scores that were found.
    pub fn of(evidence: &Evidence<'_>) -> Self {
        let spans = || (Span::of(&evidence.lexical), Span::of(&evidence.semantic));
        let fit_floor = f64::from(evidence.model.unwrap_or(&SKILLS).fit_percent_min) / 100.0;
        Self { relative: (evidence.scale == LexicalScale::Relative).then(spans), fit_floor }
    }

    /// The value that at least one result must reach for a mode to return anything: the coverage of words in lexical
    /// mode, which depends on how many words the request has; the cosine in semantic mode; and in hybrid mode the fit,
    /// which is the score with half the share of words.
    ///
    /// Tuned on requests that no skill of 3,344 answers and on some that one does (RFC-0011:C-SCORE).
    pub fn floor(&self, mode: SearchMode, words: usize) -> f64 {
        match mode {
            SearchMode::Rule => 0.0,
            SearchMode::Lexical => coverage_floor(words),
            SearchMode::Semantic => 0.30,
            SearchMode::Hybrid => self.fit_floor,
        }
    }

    /// The score of a skill and the reason for it; `None` if it has no score.
    pub fn weigh(&self, mode: SearchMode, parts: ScoreParts, is_unknown: bool) -> Option<(Reason, f64)> {
        match mode {
            SearchMode::Rule => None,
            SearchMode::Lexical => Some((Reason::Lexical, self.lexical_alone(parts.lexical?))),
            SearchMode::Semantic => Some((Reason::Semantic, parts.semantic?)),
            SearchMode::Hybrid => self.fuse(parts, is_unknown),
        }
    }

    /// The value that is compared with the floor of a mode: the coverage of words if it is known, otherwise the score;
    /// in hybrid mode both parts, with less weight on words than in the score.
    pub fn fit(&self, mode: SearchMode, score: f64, parts: ScoreParts, is_unknown: bool) -> f64 {
        if mode != SearchMode::Hybrid || self.relative.is_some() {
            return parts.coverage.unwrap_or(score);
        }
        let lexical = parts.lexical.unwrap_or(0.0).clamp(0.0, 1.0);
        let unknown = if is_unknown { self.meaning_of_words(lexical) } else { 0.0 };
        FIT_LEXICAL_PART * lexical + (1.0 - FIT_LEXICAL_PART) * parts.semantic.unwrap_or(unknown)
    }

    fn lexical_alone(&self, score: f64) -> f64 {
        let score = score.max(0.0);
        match self.relative {
            None => score.min(1.0),
            Some(_) => score / (score + LEXICAL_HALF),
        }
    }

    /// A skill that only one method found gets nothing from the other. If its meaning is not known yet, its semantic
    /// score is assumed to equal its lexical one.
    fn fuse(&self, parts: ScoreParts, is_unknown: bool) -> Option<(Reason, f64)> {
        if parts == ScoreParts::default() {
            return None;
        }
        let (lexical, semantic, unknown) = match self.relative {
            Some((words, meaning)) => {
                let lexical = parts.lexical.map_or(0.0, |score| words.place(score));
                (lexical, parts.semantic.map(|score| meaning.place(score)), lexical)
            }
            None => {
                let lexical = parts.lexical.unwrap_or(0.0).clamp(0.0, 1.0);
                (lexical, parts.semantic, self.meaning_of_words(lexical))
            }
        };
        let semantic = semantic.unwrap_or(if is_unknown { unknown } else { 0.0 });
        let (lexical, semantic) = (LEXICAL_PART * lexical, (1.0 - LEXICAL_PART) * semantic);
        let is_lexical = parts.semantic.is_none() || lexical > semantic;
        let reason = if is_lexical { Reason::Lexical } else { Reason::Semantic };
        Some((reason, lexical + semantic))
    }

    /// The assumed cosine of a skill without a vector. It puts the skill's fit as far above the floor as its words are
    /// above the lexical floor.
    fn meaning_of_words(&self, lexical: f64) -> f64 {
        let fit = lexical * self.fit_floor / LEXICAL_FIT;
        ((fit - FIT_LEXICAL_PART * lexical) / (1.0 - FIT_LEXICAL_PART)).min(1.0)
    }
}

/// The range of scores of one method.
#[derive(Clone, Copy)]
struct Span {
    low: f64,
    high: f64,
}

impl Span {
    fn of(found: &[(&str, f64)]) -> Self {
        let scores = || found.iter().map(|(_, score)| *score);
        Self { low: scores().fold(f64::INFINITY, f64::min), high: scores().fold(f64::NEG_INFINITY, f64::max) }
    }

    /// Normalizes a score: 0 for the lowest, 1 for the highest.
    fn place(self, score: f64) -> f64 {
        if self.high <= self.low {
            1.0
        } else {
            ((score - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EmbeddingModel;

    /// RFC-0011:C-SCORE
    #[test]
    fn a_long_request_needs_a_smaller_part_of_its_words() {
        let fusion = Fusion::of(&Evidence::default());
        let floors = [0, 1, 5, 6, 9, 16, 64].map(|words| fusion.floor(SearchMode::Lexical, words));
        assert_eq!(floors[..3], [0.35; 3], "a few words");
        assert!((floors[3] - 0.327).abs() < 1e-3 && (floors[4] - 0.267).abs() < 1e-3, "{floors:?}");
        assert_eq!(floors[5..], [0.2; 2], "no further");
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn the_fit_that_is_needed_is_that_of_the_model() {
        let floor =
            |model| Fusion::of(&Evidence { model, ..Evidence::default() }).floor(SearchMode::Hybrid, 3);
        let floors = [EmbeddingModel::of_id("all-MiniLM-L6-v2@0"), EmbeddingModel::of_id("skills@0"), None];
        assert_eq!(floors.map(floor), [0.25, 0.28, 0.28]);
    }

    const UNSCORED: ScoreParts = ScoreParts { lexical: None, coverage: None, semantic: None };

    /// A fusion of scores that are shares, with a floor of 0.28.
    fn shares() -> Fusion {
        Fusion::of(&Evidence { scale: LexicalScale::Share, ..Evidence::default() })
    }

    /// A fusion of lexical scores from 2 to 6, and of semantic ones from 0.2 to 0.7.
    fn relative() -> Fusion {
        let lexical = vec![("a", 4.0), ("b", 2.0), ("c", 6.0)];
        let semantic = vec![("a", 0.7), ("b", 0.2)];
        Fusion::of(&Evidence { lexical, semantic, scale: LexicalScale::Relative, ..Evidence::default() })
    }

    fn scored(lexical: impl Into<Option<f64>>, semantic: impl Into<Option<f64>>) -> ScoreParts {
        ScoreParts { lexical: lexical.into(), semantic: semantic.into(), ..UNSCORED }
    }

    fn assert_weighs(fusion: &Fusion, mode: SearchMode, parts: ScoreParts, expected: (Reason, f64)) {
        let (reason, score) = fusion.weigh(mode, parts, false).unwrap();
        assert!(reason == expected.0 && (score - expected.1).abs() < 1e-9, "{parts:?}: {reason:?} {score}");
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn each_mode_has_its_own_floor() {
        let floors = SearchMode::ALL.map(|mode| shares().floor(mode, 1));
        assert_eq!(floors, [0.0, 0.35, 0.30, 0.28]);
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn a_mode_scores_only_what_it_searched() {
        use SearchMode::{Hybrid, Lexical, Rule, Semantic};
        let both = scored(0.5, 0.7);
        assert_eq!(shares().weigh(Rule, both, false), None);
        assert_weighs(&shares(), Lexical, both, (Reason::Lexical, 0.5));
        assert_weighs(&shares(), Semantic, both, (Reason::Semantic, 0.7));
        assert_weighs(&shares(), Hybrid, both, (Reason::Semantic, 0.4 * 0.5 + 0.6 * 0.7));
        for (mode, parts) in [(Lexical, scored(None, 0.7)), (Semantic, scored(0.5, None)), (Hybrid, UNSCORED)]
        {
            assert_eq!(shares().weigh(mode, parts, true), None, "{mode:?}");
        }
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn a_score_by_words_is_between_nothing_and_one() {
        for (score, share, relative_score) in [(-1.0, 0.0, 0.0), (0.4, 0.4, 0.4 / 10.4), (10.0, 1.0, 0.5)] {
            assert_weighs(&shares(), SearchMode::Lexical, scored(score, None), (Reason::Lexical, share));
            assert_weighs(
                &relative(),
                SearchMode::Lexical,
                scored(score, None),
                (Reason::Lexical, relative_score),
            );
        }
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn the_reason_of_a_fused_score_is_its_larger_part() {
        for (parts, reason, score) in [
            (scored(1.0, 0.6), Reason::Lexical, 0.76),
            (scored(0.8, 0.6), Reason::Semantic, 0.68),
            (scored(0.3, None), Reason::Lexical, 0.12),
            (scored(0.0, 0.0), Reason::Semantic, 0.0),
            (scored(None, 0.3), Reason::Semantic, 0.18),
            (scored(2.0, 0.6), Reason::Lexical, 0.76),
        ] {
            assert_weighs(&shares(), SearchMode::Hybrid, parts, (reason, score));
        }
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn scores_of_one_reply_are_fused_by_their_place_between_the_lowest_and_the_highest() {
        for (parts, reason, score) in [
            (scored(6.0, 0.7), Reason::Semantic, 1.0),
            (scored(3.0, 0.2), Reason::Lexical, 0.1),
            (scored(2.0, 0.45), Reason::Semantic, 0.3),
            (scored(4.0, None), Reason::Lexical, 0.2),
            (scored(9.0, 0.1), Reason::Lexical, 0.4),
        ] {
            assert_weighs(&relative(), SearchMode::Hybrid, parts, (reason, score));
        }
        let one = Fusion::of(&Evidence { lexical: vec![("a", 4.0)], ..Evidence::default() });
        assert_weighs(&one, SearchMode::Hybrid, scored(4.0, None), (Reason::Lexical, 0.4));
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn a_skill_without_a_vector_is_as_far_above_the_floor_as_its_words() {
        let fit = |lexical: f64| shares().fit(SearchMode::Hybrid, 0.0, scored(lexical, None), true);
        assert!((fit(0.15) - 0.28).abs() < 1e-9 && (fit(0.3) - 0.56).abs() < 1e-9);
        assert!((fit(1.0) - 1.0).abs() < 1e-9, "at most 1");
        let score = |lexical| shares().weigh(SearchMode::Hybrid, scored(lexical, None), true).unwrap().1;
        assert!((score(0.15) - (0.4 * 0.15 + 0.6 * (0.28 - 0.2 * 0.15) / 0.8)).abs() < 1e-9);
        let in_a_team = relative().weigh(SearchMode::Hybrid, scored(4.0, None), true).unwrap();
        assert!((in_a_team.1 - 0.5).abs() < 1e-9, "its meaning counts like its words");
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn a_fit_is_coverage_except_in_a_hybrid_search_where_meaning_counts_most() {
        let parts = ScoreParts { coverage: Some(0.6), ..scored(0.5, 0.3) };
        let fit = |fusion: Fusion, mode, parts| fusion.fit(mode, 0.9, parts, false);
        for (is_fit, expected) in [
            (fit(shares(), SearchMode::Lexical, parts), 0.6),
            (fit(shares(), SearchMode::Semantic, scored(None, 0.3)), 0.9),
            (fit(relative(), SearchMode::Hybrid, parts), 0.6),
            (fit(shares(), SearchMode::Hybrid, parts), 0.2 * 0.5 + 0.8 * 0.3),
            (fit(shares(), SearchMode::Hybrid, scored(7.0, None)), 0.2),
            (fit(shares(), SearchMode::Hybrid, scored(None, 0.3)), 0.24),
        ] {
            assert!((is_fit - expected).abs() < 1e-9, "{is_fit} {expected}");
        }
    }
}
