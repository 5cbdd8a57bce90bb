//! Vectors of skills that have none yet.

use super::SearchError;
use skillc_domain::discovery::find::meaning_text;
use skillc_ports::{Embedder, Progress, SkillIndex, SkillVector};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Texts that are embedded and written in one step: a step is lost when the process is ended, and costs one write.
const STEP_SKILLS: usize = 16;

/// How far making vectors came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Embedding {
    /// Vectors that were made.
    pub made: usize,
    /// Skills that still have none.
    pub missing: usize,
}

/// Makes vectors for the skills among these that have none, for as long as `time` allows; without a bound, all of them.
///
/// What was made stays when the process is ended; two processes may make the same vector, and one is kept.
///
/// # Errors
/// Those of the index and of the embedder.
pub async fn embed_missing(
    index: &dyn SkillIndex,
    embedder: &dyn Embedder,
    among: &HashSet<&str>,
    time: Option<Duration>,
    progress: &dyn Progress,
) -> Result<Embedding, SearchError> {
    let begun = Instant::now();
    let model = embedder.model().map_err(SearchError::Model)?.to_string();
    let missing = index.without_vector(&model, usize::MAX, Some(among)).await;
    let missing = missing.map_err(SearchError::Index)?;
    if missing.is_empty() {
        return Ok(Embedding::default());
    }
    progress.begin("reading what skills mean", missing.len() as u64);
    let mut made = 0;
    for step in missing.chunks(STEP_SKILLS) {
        if time.is_some_and(|time| begun.elapsed() >= time) {
            break;
        }
        let texts: Vec<String> =
            step.iter().map(|skill| meaning_text(&skill.name, &skill.description)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = embedder.embed_all(&texts).map_err(SearchError::Model)?;
        let of_skills = step.iter().zip(vectors);
        let vectors: Vec<SkillVector> = of_skills
            .map(|(skill, vector)| SkillVector { id: skill.id.clone(), meaning: skill.meaning, vector })
            .collect();
        index.put_vectors(&model, &vectors).await.map_err(SearchError::Index)?;
        progress.advance(step.len() as u64);
        made += step.len();
    }
    progress.end();
    Ok(Embedding { made, missing: missing.len() - made })
}
