//! Ranks the skills that match a request: by the tiers of the skills specification, or by fusing lexical and semantic
//! scores (RFC-0011).

use crate::discovery::skill::CatalogSkill;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The ranking method of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMode {
    /// The tiers of the skills specification.
    Rule,
    /// Lexical: by words.
    Lexical,
    /// Semantic: by meaning.
    Semantic,
    /// Lexical and semantic.
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

    /// Whether the mode needs an embedding model.
    pub fn has_meaning(self) -> bool {
        matches!(self, Self::Semantic | Self::Hybrid)
    }
}

/// Why a skill is among the results; stronger reasons come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The request is the path of its SKILL.md or folder.
    ExactPath,
    /// The request is its name.
    ExactName,
    /// Its name begins with the request.
    Prefix,
    /// Its name or description contains words of the request.
    TokenOverlap,
    /// Its text contains words of the request.
    Lexical,
    /// Its meaning is similar.
    Semantic,
}

impl Reason {
    /// The word in replies.
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

/// The scores of one skill by each method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoreParts {
    /// BM25; more is better.
    pub lexical: Option<f64>,
    /// Cosine of the vectors, 0 to 1.
    pub semantic: Option<f64>,
}

/// A ranked skill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked<'a> {
    /// The skill.
    pub skill: &'a CatalogSkill,
    /// 0 to 1; more is better. Comparable only within one answer.
    pub score: f64,
    /// The strongest reason.
    pub reason: Reason,
    /// The scores by each method.
    pub parts: ScoreParts,
}

/// The results of the index for a request: ids with scores, best first.
#[derive(Clone, Debug, Default)]
pub struct Evidence<'a> {
    /// Lexical results, by BM25.
    pub lexical: Vec<(&'a str, f64)>,
    /// Semantic results, by cosine.
    pub semantic: Vec<(&'a str, f64)>,
    /// Lexical results without a vector, whose semantic score is unknown.
    pub without_vector: HashSet<&'a str>,
}

/// Weight of the lexical score in a fusion; the rest is the semantic score (adr/0027).
const LEXICAL_PART: f64 = 0.4;
/// BM25 that maps to one half, so that lexical scores lie between 0 and 1.
const LEXICAL_HALF: f64 = 10.0;
/// Scores of the tiers in rule mode; word overlap uses the range below the last.
const TIERS: [f64; 3] = [1.0, 0.9, 0.8];
/// In rule mode, the score of a skill that has every word of a request.
const OVERLAP_MAX: f64 = 0.7;

/// The order of results: by score, then repo before user, then by path.
pub fn order(a: &Ranked<'_>, b: &Ranked<'_>) -> Ordering {
    let tier = |ranked: &Ranked<'_>| ranked.reason.min(Reason::TokenOverlap);
    tier(a)
        .cmp(&tier(b))
        .then_with(|| b.score.total_cmp(&a.score))
        .then_with(|| a.skill.scope.cmp(&b.skill.scope))
        .then_with(|| a.skill.path.cmp(&b.skill.path))
}

/// Ranks skills by the tiers of the specification (5.5), best first.
pub fn by_rule<'a>(request: &str, skills: impl Iterator<Item = &'a CatalogSkill>) -> Vec<Ranked<'a>> {
    let asked = RequestText::new(request);
    let words: HashSet<&str> = tokens(&asked.lower).collect();
    let mut found: Vec<_> = skills
        .filter_map(|skill| {
            let (reason, score) = asked.tier(skill).or_else(|| overlap(&words, skill))?;
            Some(Ranked { skill, score, reason, parts: ScoreParts::default() })
        })
        .collect();
    found.sort_by(order);
    found
}

/// Ranks skills by the results of the index, best first; skills that the request names come before all others.
pub fn by_evidence<'a>(
    request: &str,
    mode: SearchMode,
    skills: impl Iterator<Item = &'a CatalogSkill>,
    evidence: &Evidence<'_>,
) -> Vec<Ranked<'a>> {
    let asked = RequestText::new(request);
    let parts = parts(evidence);
    let scale = Scale::new(evidence);
    let mut found: Vec<_> = skills
        .filter_map(|skill| {
            let parts = parts.get(skill.id.as_str()).copied().unwrap_or_default();
            let named =
                asked.tier(skill).filter(|(reason, _)| *reason != Reason::Prefix || asked.is_one_word);
            let is_unknown = evidence.without_vector.contains(skill.id.as_str());
            let (reason, score) = named.or_else(|| scale.weigh(mode, parts, is_unknown))?;
            Some(Ranked { skill, score, reason, parts })
        })
        .collect();
    found.sort_by(order);
    found
}

/// A request, normalized for comparison with names and paths.
struct RequestText<'a> {
    text: &'a str,
    lower: String,
    is_one_word: bool,
}

impl<'a> RequestText<'a> {
    fn new(request: &'a str) -> Self {
        let text = request.trim();
        let text = text.strip_prefix('$').unwrap_or(text);
        Self { text, lower: text.to_lowercase(), is_one_word: !text.contains(char::is_whitespace) }
    }

    /// The tier of a skill by its path or name, and its score.
    fn tier(&self, skill: &CatalogSkill) -> Option<(Reason, f64)> {
        if self.text.is_empty() {
            return None;
        }
        let asked = Path::new(self.text);
        let is_at = |path: &Path| path == asked || path.parent() == Some(asked);
        let is_path =
            asked.has_root() && (is_at(&skill.path) || skill.locations.iter().any(|l| is_at(&l.path)));
        if is_path {
            return Some((Reason::ExactPath, TIERS[0]));
        }
        let name = lower(&skill.name);
        if name == self.lower {
            return Some((Reason::ExactName, TIERS[1]));
        }
        name.starts_with(&self.lower).then_some((Reason::Prefix, TIERS[2]))
    }
}

/// A name in lower case; most are already.
fn lower(name: &str) -> Cow<'_, str> {
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { name.into() } else { name.to_lowercase().into() }
}

/// The number of words of the request in name or description.
fn overlap(words: &HashSet<&str>, skill: &CatalogSkill) -> Option<(Reason, f64)> {
    let text = format!("{} {}", skill.name, skill.description).to_lowercase();
    let held: HashSet<&str> = tokens(&text).filter(|word| words.contains(word)).collect();
    let share = part(held.len(), words.len());
    (!held.is_empty()).then_some((Reason::TokenOverlap, OVERLAP_MAX * share))
}

/// Runs of letters and digits.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|token| !token.is_empty())
}

/// A ratio of two counts.
#[allow(clippy::cast_precision_loss)] // both are far below 2^52
fn part(count: usize, of: usize) -> f64 {
    count as f64 / of.max(1) as f64
}

fn parts<'e>(evidence: &Evidence<'e>) -> HashMap<&'e str, ScoreParts> {
    let mut parts: HashMap<&str, ScoreParts> = HashMap::new();
    for (id, score) in &evidence.lexical {
        parts.entry(id).or_default().lexical = Some(*score);
    }
    for (id, score) in &evidence.semantic {
        parts.entry(id).or_default().semantic = Some(*score);
    }
    parts
}

/// The range of the scores of one method.
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

    /// Maps the lowest score to 0 and the highest to 1.
    fn place(self, score: f64) -> f64 {
        if self.high <= self.low {
            1.0
        } else {
            ((score - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
        }
    }
}

/// Normalizes lexical and semantic scores, each by its lowest and highest result.
struct Scale {
    lexical: Span,
    semantic: Span,
}

impl Scale {
    fn new(evidence: &Evidence<'_>) -> Self {
        Self { lexical: Span::of(&evidence.lexical), semantic: Span::of(&evidence.semantic) }
    }

    fn weigh(&self, mode: SearchMode, parts: ScoreParts, is_unknown: bool) -> Option<(Reason, f64)> {
        match mode {
            SearchMode::Rule => None,
            SearchMode::Lexical => Some((Reason::Lexical, bounded(parts.lexical?))),
            SearchMode::Semantic => Some((Reason::Semantic, parts.semantic?)),
            SearchMode::Hybrid => self.fuse(parts, is_unknown),
        }
    }

    /// A skill found by one method only scores 0 by the other. If its vector is missing, its lexical score is used for
    /// both.
    fn fuse(&self, parts: ScoreParts, is_unknown: bool) -> Option<(Reason, f64)> {
        if parts == ScoreParts::default() {
            return None;
        }
        let lexical = parts.lexical.map_or(0.0, |score| self.lexical.place(score));
        let unknown = if is_unknown { lexical } else { 0.0 };
        let semantic = parts.semantic.map_or(unknown, |score| self.semantic.place(score));
        let (lexical, semantic) = (LEXICAL_PART * lexical, (1.0 - LEXICAL_PART) * semantic);
        let is_lexical = parts.semantic.is_none() || lexical > semantic;
        let reason = if is_lexical { Reason::Lexical } else { Reason::Semantic };
        Some((reason, lexical + semantic))
    }
}

/// Maps BM25 to 0 to 1.
fn bounded(score: f64) -> f64 {
    let score = score.max(0.0);
    score / (score + LEXICAL_HALF)
}

/// The text that is embedded for a skill: its name as words, and its description.
pub fn meaning_text(name: &str, description: &str) -> String {
    format!("{}: {description}", name.replace(['-', '_'], " "))
}
