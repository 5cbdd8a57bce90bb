//! Asking the directory for the skills that answer a request.

use skillc_domain::discovery::find::{Evidence, Mode, Ranked, by_evidence, by_rule};
use skillc_domain::discovery::skill::CatalogueSkill;
use skillc_domain::discovery::words::words;
use skillc_domain::limits::FIND_CANDIDATES;
use skillc_ports::{Nearby, PortError, SkillDirectory};
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
/// Those of the directory.
pub async fn find<'a>(
    directory: &dyn SkillDirectory,
    skills: &'a [CatalogueSkill],
    asked: &Asked<'_>,
    meaning: Option<Meaning<'_>>,
) -> Result<Found<'a>, PortError> {
    let among = ids(skills);
    let lexical = by_words(directory, &among, asked).await?;
    rank(directory, skills, &among, asked, &lexical, meaning).await
}

/// The skills among these that hold words of a request, as far as the mode asks for them. No vector is needed for it.
///
/// # Errors
/// Those of the directory.
pub async fn by_words(
    directory: &dyn SkillDirectory,
    among: &HashSet<&str>,
    asked: &Asked<'_>,
) -> Result<Vec<Nearby>, PortError> {
    let words = words(asked.request);
    match asked.mode {
        Mode::Lexical => directory.lexical(&words, FIND_CANDIDATES, Some(among)).await,
        Mode::Hybrid => directory.lexical_beside_meaning(&words, FIND_CANDIDATES, Some(among)).await,
        Mode::Rule | Mode::Semantic => Ok(Vec::new()),
    }
}

/// The same skills with those that are near in meaning, best first.
///
/// # Errors
/// Those of the directory.
pub async fn rank<'a>(
    directory: &dyn SkillDirectory,
    skills: &'a [CatalogueSkill],
    among: &HashSet<&str>,
    asked: &Asked<'_>,
    lexical: &[Nearby],
    meaning: Option<Meaning<'_>>,
) -> Result<Found<'a>, PortError> {
    if asked.mode == Mode::Rule {
        return Ok(by_rule(asked.request, skills.iter()));
    }
    let (mut semantic, mut unknown) = (Vec::new(), Vec::new());
    if let Some(Meaning { model, vector, is_of_all }) = meaning.filter(|_| asked.mode.has_meaning()) {
        semantic = directory.semantic(model, vector, FIND_CANDIDATES, Some(among)).await?;
        if !is_of_all {
            let by_words: HashSet<&str> = lexical.iter().map(|near| near.id.as_str()).collect();
            unknown = directory.without_vector(model, FIND_CANDIDATES, Some(&by_words)).await?;
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
pub fn ids(skills: &[CatalogueSkill]) -> HashSet<&str> {
    skills.iter().map(|skill| skill.id.as_str()).collect()
}

fn scores(found: &[Nearby]) -> Vec<(&str, f64)> {
    found.iter().map(|near| (near.id.as_str(), near.score)).collect()
}
