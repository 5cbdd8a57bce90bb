//! Embeds skills that have no vector yet.

use super::SearchError;
use super::strategy::MeaningModel;
use skillc_domain::discovery::find::meaning_text;
use skillc_ports::{Progress, SkillIndex, SkillVector};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Number of texts that are embedded and written in one step. If the process ends, the current step is lost.
const STEP_SKILLS: usize = 16;
/// The same without a time limit: all processors wait at the end of a step, which longer steps make rarer.
const LONG_STEP_SKILLS: usize = 128;

/// The progress of [`embed_missing`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmbeddingProgress {
    /// Number of skills embedded by this call.
    pub embedded: usize,
    /// Number of skills that still have no vector.
    pub missing: usize,
}

/// Embeds the candidates that have no vector, until `time` has passed, or all of them without a limit.
///
/// Completed steps remain if the process ends. Two processes may embed the same skill; one vector is stored.
///
/// # Errors
/// Errors of the index and of the embedder.
pub async fn embed_missing(
    index: &dyn SkillIndex,
    model: &MeaningModel,
    candidates: &HashSet<&str>,
    time: Option<Duration>,
    progress: &dyn Progress,
) -> Result<EmbeddingProgress, SearchError> {
    let begun = Instant::now();
    let missing = index.without_vector(&model.id, usize::MAX, Some(candidates)).await;
    let missing = missing.map_err(SearchError::Index)?;
    if missing.is_empty() {
        return Ok(EmbeddingProgress::default());
    }
    progress.begin("embedding skills", missing.len() as u64);
    let mut embedded = 0;
    let step_skills = if time.is_some() { STEP_SKILLS } else { LONG_STEP_SKILLS };
    for step in missing.chunks(step_skills) {
        if time.is_some_and(|time| begun.elapsed() >= time) {
            break;
        }
        let texts: Vec<String> =
            step.iter().map(|skill| meaning_text(&skill.name, &skill.description)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = model.embedder.embed_all(&texts).map_err(SearchError::Model)?;
        let of_skills = step.iter().zip(vectors);
        let vectors: Vec<SkillVector> = of_skills
            .map(|(skill, vector)| SkillVector { id: skill.id.clone(), meaning: skill.meaning, vector })
            .collect();
        index.put_vectors(&model.id, &vectors).await.map_err(SearchError::Index)?;
        progress.advance(step.len() as u64);
        embedded += step.len();
    }
    progress.end();
    Ok(EmbeddingProgress { embedded, missing: missing.len() - embedded })
}
