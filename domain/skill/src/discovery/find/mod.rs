//! Ranks the skills that match a request: by the tiers of the skills specification, or by fusing lexical and semantic
//! scores (RFC-0011).

pub use crate::discovery::evidence::{Evidence, LexicalScale, Reason, ScoreParts, SearchMode};
use crate::discovery::fusion::Fusion;
use crate::discovery::place::means_skill_at;
use crate::discovery::skill::{CatalogSkill, LoadError};
use crate::discovery::words::words;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// A skill among the results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked<'a> {
    /// The skill.
    pub skill: &'a CatalogSkill,
    /// 0 to 1; higher is better. Comparable between requests unless the lexical scale is relative.
    pub score: f64,
    /// The strongest reason.
    pub reason: Reason,
    /// The scores of each method.
    pub parts: ScoreParts,
}

/// Scores of the tiers in rule mode. Word overlap scores below the last one.
const TIERS: [f64; 3] = [1.0, 0.9, 0.8];
/// Score in rule mode of a skill that contains every word of the request.
const OVERLAP_MAX: f64 = 0.7;

/// Orders results by score, then repo before user, then by path.
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

/// Ranks skills by what the index found, best first. Skills that the request names come before all others.
pub fn by_evidence<'a>(
    request: &str,
    mode: SearchMode,
    skills: impl Iterator<Item = &'a CatalogSkill>,
    evidence: &Evidence<'_>,
) -> Vec<Ranked<'a>> {
    let asked = RequestText::new(request);
    let parts = parts(evidence);
    let fusion = Fusion::of(evidence);
    let mut found: Vec<_> = skills
        .filter_map(|skill| {
            let parts = parts.get(skill.id.as_str()).copied().unwrap_or_default();
            let named =
                asked.tier(skill).filter(|(reason, _)| *reason != Reason::Prefix || asked.is_one_word);
            let is_unknown = evidence.without_vector.contains(skill.id.as_str());
            let (reason, score) = named.or_else(|| fusion.weigh(mode, parts, is_unknown))?;
            Some(Ranked { skill, score, reason, parts })
        })
        .collect();
    if evidence.scale == LexicalScale::Share {
        let floor = fusion.floor(mode, words(request).len());
        leave_out_what_does_not_fit(&mut found, mode, evidence, (&fusion, floor));
    }
    found.sort_by(order);
    found
}

/// Removes results that do not fit the request. If no result is named by the request and none reaches the mode's
/// floor, all are removed; otherwise those below half of the floor. Lexical results are compared by coverage, since
/// BM25 measures how often a word occurs and not how much of the request a skill is about. A skill that contains
/// every word of the request always stays.
fn leave_out_what_does_not_fit(
    found: &mut Vec<Ranked<'_>>,
    mode: SearchMode,
    evidence: &Evidence<'_>,
    (fusion, floor): (&Fusion, f64),
) {
    let is_sure = |ranked: &Ranked<'_>| {
        ranked.reason <= Reason::Prefix || evidence.with_every_word.contains(ranked.skill.id.as_str())
    };
    let is_unknown = |ranked: &Ranked<'_>| evidence.without_vector.contains(ranked.skill.id.as_str());
    let fit = |ranked: &Ranked<'_>| fusion.fit(mode, ranked.score, ranked.parts, is_unknown(ranked));
    let has_fit = found.iter().any(|ranked| ranked.reason > Reason::Prefix && fit(ranked) >= floor);
    let least = if has_fit { floor / 2.0 } else { f64::INFINITY };
    found.retain(|ranked| is_sure(ranked) || fit(ranked) >= least);
}

/// Whether a request means a skill that failed validation: it is the skill's path, its name or the start of it, or
/// the name and description contain all of its words.
pub fn is_about(request: &str, error: &LoadError) -> bool {
    let asked = RequestText::new(request);
    let starts = |name: &str| lower(name).starts_with(&asked.lower);
    let is_named = !asked.text.is_empty() && (starts(&error.name) || starts(&error.name_of_place()));
    if means_skill_at(Path::new(asked.text), &error.path) || is_named && asked.is_one_word {
        return true;
    }
    let text = format!("{} {}", error.name, error.description).to_lowercase();
    let held: HashSet<&str> = tokens(&text).collect();
    let requested = words(request);
    let is_said = |word: &String| held.contains(word.as_str());
    requested.len() >= WORDS_ABOUT_MIN && requested.iter().all(is_said)
}

/// A request needs at least this many words to mean an invalid skill by its description; a single word occurs in too
/// many.
const WORDS_ABOUT_MIN: usize = 2;

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

    /// The tier that a skill reaches by its path or name, and its score.
    fn tier(&self, skill: &CatalogSkill) -> Option<(Reason, f64)> {
        if self.text.is_empty() {
            return None;
        }
        let asked = Path::new(self.text);
        let is_at = |file: &Path| means_skill_at(asked, file);
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

/// A name in lower case; borrowed if it already is, as most are.
fn lower(name: &str) -> Cow<'_, str> {
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { name.into() } else { name.to_lowercase().into() }
}

/// How many words of the request occur in the skill's name or description.
fn overlap(words: &HashSet<&str>, skill: &CatalogSkill) -> Option<(Reason, f64)> {
    let text = format!("{} {}", skill.name, skill.description).to_lowercase();
    let held: HashSet<&str> = tokens(&text).filter(|word| words.contains(word)).collect();
    let share = part(held.len(), words.len());
    (!held.is_empty()).then_some((Reason::TokenOverlap, OVERLAP_MAX * share))
}

/// Splits a text into runs of letters and digits.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|token| !token.is_empty())
}

/// The ratio of two counts.
#[allow(clippy::cast_precision_loss)] // both are far below 2^52
fn part(count: usize, of: usize) -> f64 {
    count as f64 / of.max(1) as f64
}

fn parts<'e>(evidence: &Evidence<'e>) -> HashMap<&'e str, ScoreParts> {
    let mut parts: HashMap<&str, ScoreParts> = HashMap::new();
    for (id, score) in &evidence.lexical {
        parts.entry(id).or_default().lexical = Some(*score);
    }
    for (id, coverage) in &evidence.coverage {
        parts.entry(id).or_default().coverage = Some(*coverage);
    }
    for (id, score) in &evidence.semantic {
        parts.entry(id).or_default().semantic = Some(*score);
    }
    parts
}

/// The text that is embedded for a skill: its name as words, and its description.
pub fn meaning_text(name: &str, description: &str) -> String {
    format!("{}: {description}", name.replace(['-', '_'], " "))
}

#[cfg(test)]
mod tests;
