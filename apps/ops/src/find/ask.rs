//! Asking the directory for the skills that answer a request.

use skillc_domain::discovery::find::{Evidence, Mode, Ranked, by_evidence, by_rule};
use skillc_domain::discovery::skill::CatalogueSkill;
use skillc_domain::discovery::words::words;
use skillc_domain::limits::FIND_CANDIDATES;
use skillc_ports::{Among, Nearby, PortError, SkillDirectory};
use std::collections::HashSet;

/// What is asked.
pub struct Asked<'a> {
    /// The request.
    pub request: &'a str,
    /// How skills are looked for.
    pub mode: Mode,
    /// The request's vector and its model, where the mode needs them.
    pub meaning: Option<(&'a str, &'a [f32])>,
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
) -> Result<Found<'a>, PortError> {
    if asked.mode == Mode::Rule {
        return Ok(by_rule(asked.request, skills.iter()));
    }
    let ids: HashSet<&str> = skills.iter().map(|skill| skill.id.as_str()).collect();
    let among: Among<'_> = Some(&ids);
    let words = words(asked.request);
    let lexical = match asked.mode {
        Mode::Lexical => directory.lexical(&words, FIND_CANDIDATES, among).await?,
        Mode::Hybrid => directory.lexical_beside_meaning(&words, FIND_CANDIDATES, among).await?,
        Mode::Rule | Mode::Semantic => Vec::new(),
    };
    let (mut semantic, mut unknown) = (Vec::new(), Vec::new());
    if let Some((model, vector)) = asked.meaning.filter(|_| asked.mode.has_meaning()) {
        semantic = directory.semantic(model, vector, FIND_CANDIDATES, among).await?;
        let by_words: HashSet<&str> = lexical.iter().map(|near| near.id.as_str()).collect();
        unknown = directory.without_vector(model, FIND_CANDIDATES, Some(&by_words)).await?;
    }
    let evidence = Evidence {
        lexical: scores(&lexical),
        semantic: scores(&semantic),
        without_vector: unknown.iter().map(|skill| skill.id.as_str()).collect(),
    };
    Ok(by_evidence(asked.request, asked.mode, skills.iter(), &evidence))
}

fn scores(found: &[Nearby]) -> Vec<(&str, f64)> {
    found.iter().map(|near| (near.id.as_str(), near.score)).collect()
}
