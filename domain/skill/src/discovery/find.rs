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
mod tests {
    use super::*;
    use crate::discovery::skill::{Location, SkillScope};

    #[test]
    fn words_that_a_name_or_description_shares_with_the_request_count_once() {
        let skill = CatalogSkill::sample("pdf-merge", "Merges PDF files; a PDF tool.", "/r/pdf-merge");
        let score = |words: &[&str]| overlap(&words.iter().copied().collect(), &skill).map(|found| found.1);
        assert_eq!(score(&["pdf", "merge"]), Some(OVERLAP_MAX));
        assert_eq!(score(&["pdf", "split"]), Some(OVERLAP_MAX / 2.0));
        assert_eq!(score(&["pd", "split"]), None, "parts of words do not count");
        assert_eq!(meaning_text("pdf-merge_all", "Merges."), "pdf merge all: Merges.");
    }

    fn skill(name: &str, scope: SkillScope) -> CatalogSkill {
        let skill = CatalogSkill::sample(name, &format!("Describes {name}."), &format!("/r/{name}"));
        CatalogSkill { id: name.to_owned(), scope, ..skill }
    }

    fn of_repository(names: &[&str]) -> Vec<CatalogSkill> {
        names.iter().map(|name| skill(name, SkillScope::Repo)).collect()
    }

    /// Each result as its name and reason.
    fn told(ranked: &[Ranked<'_>]) -> Vec<String> {
        ranked.iter().map(|found| format!("{} {}", found.skill.name, found.reason.word())).collect()
    }

    /// RFC-0011:C-RULES
    #[test]
    fn a_path_comes_before_a_name_that_before_its_start_and_that_before_words() {
        let skills = of_repository(&["release", "release-notes", "notes", "Pack-Release"]);
        let ranked = |request: &str| by_rule(request, skills.iter());
        for (request, expected) in [
            ("release", vec!["release exact_name", "release-notes prefix", "Pack-Release token_overlap"]),
            (" $RELEASE ", vec!["release exact_name", "release-notes prefix", "Pack-Release token_overlap"]),
            (
                "pack-release",
                vec!["Pack-Release exact_name", "release token_overlap", "release-notes token_overlap"],
            ),
            ("/r/notes", vec!["notes exact_path", "release-notes token_overlap"]),
            ("/r/notes/SKILL.md", vec!["notes exact_path", "release-notes token_overlap"]),
            ("r/notes", vec!["notes token_overlap", "release-notes token_overlap"]),
            ("weather", vec![]),
            (" ", vec![]),
            ("$", vec![]),
        ] {
            assert_eq!(told(&ranked(request)), expected, "{request}");
        }
        let scores: Vec<f64> = ranked("release").iter().map(|found| found.score).collect();
        assert_eq!(scores, [0.9, 0.8, 0.7]);
        assert!((ranked("/r/notes")[0].score - 1.0).abs() < 1e-12);
    }

    /// RFC-0011:C-RULES
    #[test]
    fn a_path_of_any_location_is_that_of_the_skill() {
        let location = |path: &str| Location {
            path: path.into(),
            scope: SkillScope::User,
            root: String::new(),
            is_stub: false,
        };
        let mut linked = skill("a", SkillScope::Repo);
        linked.locations = vec![location("/u/x/SKILL.md"), location("/u/y/SKILL.md")];
        for request in ["/u/x", "/u/y/SKILL.md", "/r/a"] {
            assert_eq!(told(&by_rule(request, [&linked].into_iter())), ["a exact_path"], "{request}");
        }
        assert!(by_rule("/u/z", [&linked].into_iter()).is_empty());
    }

    /// RFC-0011:C-RULES
    #[test]
    fn more_words_score_higher_and_ties_are_ordered_by_scope_and_path() {
        let skills = [
            skill("b-one", SkillScope::Repo),
            skill("a-one", SkillScope::User),
            skill("c-one-two", SkillScope::User),
            skill("a-one", SkillScope::Repo),
        ];
        let ranked = by_rule("one two", skills.iter());
        let order: Vec<_> =
            ranked.iter().map(|found| (&*found.skill.name, found.skill.scope.word())).collect();
        assert_eq!(order, [("c-one-two", "user"), ("a-one", "repo"), ("b-one", "repo"), ("a-one", "user")]);
        assert_eq!(ranked.iter().map(|found| found.score).collect::<Vec<_>>(), [0.7, 0.35, 0.35, 0.35]);
    }

    fn evidence<'a>(lexical: &[(&'a str, f64)]) -> Evidence<'a> {
        let scale = LexicalScale::Share;
        Evidence { lexical: lexical.to_vec(), coverage: lexical.to_vec(), scale, ..Evidence::default() }
    }

    fn lexical(request: &str, skills: &[CatalogSkill], evidence: &Evidence<'_>) -> Vec<String> {
        told(&by_evidence(request, SearchMode::Lexical, skills.iter(), evidence))
    }

    /// RFC-0011:C-RULES
    #[test]
    fn what_a_request_names_comes_first_and_the_start_of_a_name_only_for_one_word() {
        let skills = of_repository(&["release", "release notes of x", "other"]);
        let found = evidence(&[("other", 0.9), ("release notes of x", 0.5)]);
        let expected = ["release exact_name", "release notes of x prefix", "other lexical"];
        assert_eq!(lexical("release", &skills, &found), expected);
        let several = ["other lexical", "release notes of x lexical"];
        assert_eq!(lexical("release notes", &skills, &found), several);
        let parts = by_evidence("release", SearchMode::Lexical, skills.iter(), &found)[1].parts;
        assert_eq!(parts, ScoreParts { lexical: Some(0.5), coverage: Some(0.5), semantic: None });
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn nothing_is_a_result_if_none_reaches_the_floor_and_else_what_reaches_half_of_it() {
        let skills = of_repository(&["a", "b", "c"]);
        let names = |lexical_scores: &[(&str, f64)]| lexical("x y", &skills, &evidence(lexical_scores));
        assert!(names(&[("a", 0.349), ("b", 0.3)]).is_empty());
        assert_eq!(names(&[("a", 0.35), ("b", 0.175), ("c", 0.174)]), ["a lexical", "b lexical"]);
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn a_skill_that_is_named_or_has_every_word_is_a_result_at_any_score() {
        let skills = of_repository(&["a", "b", "c"]);
        let with_every_word = ["b"].into_iter().collect();
        let found = Evidence { with_every_word, ..evidence(&[("b", 0.01), ("c", 0.01)]) };
        assert_eq!(lexical("x y", &skills, &found), ["b lexical"]);
        let far = evidence(&[("a", 0.01), ("b", 0.01), ("c", 0.9)]);
        assert_eq!(lexical("a", &skills, &far), ["a exact_name", "c lexical"]);
        let named_alone = evidence(&[("a", 0.9), ("b", 0.3)]);
        assert_eq!(lexical("a", &skills, &named_alone), ["a exact_name"], "its score is not that of another");
        let skills = of_repository(&["ab", "b"]);
        let named_alone = evidence(&[("ab", 0.9), ("b", 0.3)]);
        assert_eq!(lexical("a", &skills, &named_alone), ["ab prefix"]);
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn results_of_a_team_are_not_compared_with_a_floor() {
        let skills = of_repository(&["a", "b"]);
        let found = Evidence { scale: LexicalScale::Relative, ..evidence(&[("a", 0.01), ("b", 0.02)]) };
        assert_eq!(lexical("x y", &skills, &found), ["b lexical", "a lexical"]);
    }

    /// RFC-0011:C-SCORE
    #[test]
    fn a_skill_without_a_vector_is_compared_by_its_words() {
        let skills = of_repository(&["a", "b"]);
        let scores = evidence(&[("a", 0.2), ("b", 0.2)]);
        let found = Evidence { without_vector: ["a"].into_iter().collect(), ..scores };
        let ranked = by_evidence("x y", SearchMode::Hybrid, skills.iter(), &found);
        assert_eq!(told(&ranked), ["a lexical"], "the meaning of the other is far");
        let semantic = Evidence { semantic: vec![("b", 0.31), ("a", 0.14)], ..evidence(&[]) };
        let ranked = by_evidence("x y", SearchMode::Semantic, skills.iter(), &semantic);
        assert_eq!(told(&ranked), ["b semantic"]);
    }

    /// RFC-0011:C-FIND
    #[test]
    fn a_request_is_about_an_invalid_skill_if_it_names_it_or_all_its_words_are_there() {
        let error = LoadError {
            name: "PDF-Merge".into(),
            description: "Joins documents.".into(),
            ..LoadError::new("/r/folder/SKILL.md".into(), "is bad")
        };
        for (request, is_meant) in [
            ("pdf", true),
            ("$pdf-merge", true),
            ("pdf-merge-x", false),
            ("fold", true),
            ("/r/folder", true),
            ("/r/folder/SKILL.md", true),
            ("/r", false),
            ("merge", false),
            ("documents", false),
            ("joins documents", true),
            ("merge the documents", true),
            ("merge pictures", false),
            ("pdf-merge now", false),
            ("", false),
            ("$", false),
        ] {
            assert_eq!(is_about(request, &error), is_meant, "{request}");
        }
    }
}
