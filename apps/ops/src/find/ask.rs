//! Asking the index for the skills that answer a request.

use skillc_domain::discovery::find::{Evidence, Mode, Ranked, by_evidence, by_rule};
use skillc_domain::discovery::skill::CatalogSkill;
use skillc_domain::discovery::words::words;
use skillc_domain::limits::FIND_CANDIDATES;
use skillc_ports::{PortError, ScoredSkill, SkillIndex};
use std::collections::HashSet;

/// What is asked.
pub struct Asked<'a> {
    /// The request.
    pub request: &'a str,
    /// How skills are looked for.
    pub mode: Mode,
}

/// What a request means.
#[derive(Clone, Copy)]
pub struct Meaning<'a> {
    /// The model.
    pub model: &'a str,
    /// The request's vector of it.
    pub vector: &'a [f32],
    /// Whether every skill has one too.
    pub is_of_all: bool,
}

/// All skills that were found, best first.
pub type Found<'a> = Vec<Ranked<'a>>;

/// The skills that answer a request, best first, of those given.
///
/// # Errors
/// Those of the index.
pub async fn find<'a>(
    index: &dyn SkillIndex,
    skills: &'a [CatalogSkill],
    asked: &Asked<'_>,
    meaning: Option<Meaning<'_>>,
) -> Result<Found<'a>, PortError> {
    let among = ids(skills);
    let lexical = by_words(index, &among, asked).await?;
    rank(index, skills, &among, asked, &lexical, meaning).await
}

/// The skills among these that hold words of a request, as far as the mode asks for them. No vector is needed for it.
///
/// # Errors
/// Those of the index.
pub async fn by_words(
    index: &dyn SkillIndex,
    among: &HashSet<&str>,
    asked: &Asked<'_>,
) -> Result<Vec<ScoredSkill>, PortError> {
    let words = words(asked.request);
    match asked.mode {
        Mode::Lexical => index.lexical(&words, FIND_CANDIDATES, Some(among)).await,
        Mode::Hybrid => index.lexical_beside_meaning(&words, FIND_CANDIDATES, Some(among)).await,
        Mode::Rule | Mode::Semantic => Ok(Vec::new()),
    }
}

/// The same skills with those that are near in meaning, best first.
///
/// # Errors
/// Those of the index.
pub async fn rank<'a>(
    index: &dyn SkillIndex,
    skills: &'a [CatalogSkill],
    among: &HashSet<&str>,
    asked: &Asked<'_>,
    lexical: &[ScoredSkill],
    meaning: Option<Meaning<'_>>,
) -> Result<Found<'a>, PortError> {
    if asked.mode == Mode::Rule {
        return Ok(by_rule(asked.request, skills.iter()));
    }
    let (mut semantic, mut unknown) = (Vec::new(), Vec::new());
    if let Some(Meaning { model, vector, is_of_all }) = meaning.filter(|_| asked.mode.has_meaning()) {
        semantic = index.semantic(model, vector, FIND_CANDIDATES, Some(among)).await?;
        if !is_of_all {
            let by_words: HashSet<&str> = lexical.iter().map(|near| near.id.as_str()).collect();
            unknown = index.without_vector(model, FIND_CANDIDATES, Some(&by_words)).await?;
        }
    }
    let evidence = Evidence {
        lexical: scores(lexical),
        semantic: scores(&semantic),
        without_vector: unknown.iter().map(|skill| skill.id.as_str()).collect(),
    };
    Ok(by_evidence(asked.request, asked.mode, skills.iter(), &evidence))
}

/// The ids of skills.
pub fn ids(skills: &[CatalogSkill]) -> HashSet<&str> {
    skills.iter().map(|skill| skill.id.as_str()).collect()
}

fn scores(found: &[ScoredSkill]) -> Vec<(&str, f64)> {
    found.iter().map(|near| (near.id.as_str(), near.score)).collect()
}
