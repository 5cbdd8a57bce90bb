//! Queries a skill index, and ranks the matches.

use skillc_domain::discovery::find::{Evidence, LexicalScale, Ranked, SearchMode, by_evidence, by_rule};
use skillc_domain::discovery::skill::CatalogSkill;
use skillc_domain::discovery::words::words;
use skillc_domain::limits::{FIND_CANDIDATES, FIND_SCORED_BY_WORDS};
use skillc_domain::model::EmbeddingModel;
use skillc_ports::skill_index::Candidates;
use skillc_ports::{PortError, ScoredSkill, SkillIndex};
use std::collections::HashSet;

/// A request for skills.
pub struct FindQuery<'a> {
    /// A task, or the name or path of a skill.
    pub text: &'a str,
    /// The ranking mode.
    pub mode: SearchMode,
}

/// The embedding of a query.
#[derive(Clone, Copy)]
pub struct QueryVector<'a> {
    /// Id of its model.
    pub model: &'a str,
    /// `limits::EMBEDDING_DIMENSIONS` × `f32`, of length one.
    pub vector: &'a [f32],
    /// Whether every skill has a vector of this model, so that missing ones need not be searched for.
    pub all_have_vectors: bool,
}

/// Skills that the index found for a query, by id.
#[derive(Default)]
pub(super) struct Matches {
    /// Lexical matches, best first.
    pub(super) lexical: Vec<ScoredSkill>,
    /// Semantic matches, best first.
    pub(super) semantic: Vec<ScoredSkill>,
    /// Lexical matches without a vector of the model.
    pub(super) without_vector: Vec<String>,
    /// How to read the lexical scores.
    pub(super) scale: LexicalScale,
    /// The model of the semantic scores, if it is one of ours.
    pub(super) model: Option<&'static EmbeddingModel>,
}

/// The skills that match a query, best first.
///
/// # Errors
/// Errors of the index.
pub async fn find<'a>(
    index: &dyn SkillIndex,
    skills: &'a [CatalogSkill],
    query: &FindQuery<'_>,
    vector: Option<QueryVector<'_>>,
) -> Result<Vec<Ranked<'a>>, PortError> {
    let candidates = ids(skills);
    let lexical = by_words(index, Some(&candidates), query, FIND_SCORED_BY_WORDS).await?;
    let vector = vector.filter(|_| query.mode.has_meaning());
    let matches = with_meaning(index, Some(&candidates), lexical, vector).await?;
    Ok(with_both_scores(index, matches, vector).await?.rank(query, skills))
}

/// The lexical matches, if the mode uses words; at most `scored` of them if meaning is added. Needs no vector.
///
/// # Errors
/// Errors of the index.
pub(super) async fn by_words(
    index: &dyn SkillIndex,
    candidates: Candidates<'_>,
    query: &FindQuery<'_>,
    scored: usize,
) -> Result<Vec<ScoredSkill>, PortError> {
    let words = words(query.text);
    match query.mode {
        SearchMode::Lexical => index.lexical(&words, FIND_CANDIDATES, candidates).await,
        SearchMode::Hybrid => index.lexical_beside_meaning(&words, scored, candidates).await,
        SearchMode::Rule | SearchMode::Semantic => Ok(Vec::new()),
    }
}

/// Adds the semantic matches.
///
/// # Errors
/// Errors of the index.
pub(super) async fn with_meaning(
    index: &dyn SkillIndex,
    candidates: Candidates<'_>,
    lexical: Vec<ScoredSkill>,
    vector: Option<QueryVector<'_>>,
) -> Result<Matches, PortError> {
    let mut matches = Matches { lexical, ..Matches::default() };
    let Some(QueryVector { model, vector, all_have_vectors }) = vector else {
        matches.lexical.truncate(FIND_CANDIDATES);
        return Ok(matches);
    };
    matches.semantic = index.semantic(model, vector, FIND_CANDIDATES, candidates).await?;
    matches.keep_contributed();
    if !all_have_vectors {
        let by_words: HashSet<&str> = matches.lexical.iter().map(|skill| skill.id.as_str()).collect();
        let unembedded = index.without_vector(model, by_words.len(), Some(&by_words)).await?;
        matches.without_vector = unembedded.into_iter().map(|skill| skill.id).collect();
    }
    Ok(matches)
}

/// Like [`with_meaning`], and adds the similarity of the skills that only words contribute. The index must return
/// lexical scores as shares, as that of this machine does.
///
/// # Errors
/// Errors of the index.
pub(super) async fn with_both_scores(
    index: &dyn SkillIndex,
    mut matches: Matches,
    vector: Option<QueryVector<'_>>,
) -> Result<Matches, PortError> {
    if let Some(QueryVector { model, vector, .. }) = vector {
        let similar = index.similarities(model, vector, &matches.found_by_words_alone()).await?;
        matches.semantic.extend(similar);
    }
    let model = vector.and_then(|vector| EmbeddingModel::of_id(vector.model));
    Ok(Matches { scale: LexicalScale::Share, model, ..matches })
}

impl Matches {
    /// Drops the lexical scores of skills that neither words nor meaning contribute. A score without its other part
    /// would have another meaning.
    fn keep_contributed(&mut self) {
        let by_meaning: HashSet<&str> = self.semantic.iter().map(|skill| skill.id.as_str()).collect();
        let lexical = std::mem::take(&mut self.lexical).into_iter().enumerate();
        let contributed =
            lexical.filter(|(at, skill)| *at < FIND_CANDIDATES || by_meaning.contains(skill.id.as_str()));
        self.lexical = contributed.map(|(_, skill)| skill).collect();
    }

    /// The ids of the skills that only words contribute.
    fn found_by_words_alone(&self) -> HashSet<&str> {
        let by_meaning: HashSet<&str> = self.semantic.iter().map(|skill| skill.id.as_str()).collect();
        let by_words = self.lexical.iter().map(|skill| skill.id.as_str());
        by_words.filter(|id| !by_meaning.contains(id)).collect()
    }

    /// Ranks the matches among these skills, best first.
    pub(super) fn rank<'a>(&self, query: &FindQuery<'_>, skills: &'a [CatalogSkill]) -> Vec<Ranked<'a>> {
        if query.mode == SearchMode::Rule {
            return by_rule(query.text, skills.iter());
        }
        let full = self.lexical.iter().filter(|skill| skill.has_every_word);
        let evidence = Evidence {
            lexical: scores(&self.lexical),
            coverage: self
                .lexical
                .iter()
                .filter_map(|skill| Some((skill.id.as_str(), skill.coverage?)))
                .collect(),
            semantic: scores(&self.semantic),
            without_vector: self.without_vector.iter().map(String::as_str).collect(),
            with_every_word: full.map(|skill| skill.id.as_str()).collect(),
            scale: self.scale,
            model: self.model,
        };
        by_evidence(query.text, query.mode, skills.iter(), &evidence)
    }
}

/// The ids of skills.
pub(super) fn ids(skills: &[CatalogSkill]) -> HashSet<&str> {
    skills.iter().map(|skill| skill.id.as_str()).collect()
}

fn scores(found: &[ScoredSkill]) -> Vec<(&str, f64)> {
    found.iter().map(|skill| (skill.id.as_str(), skill.score)).collect()
}
