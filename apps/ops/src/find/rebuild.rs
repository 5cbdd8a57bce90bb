//! Updates the skill index (RFC-0011:C-REBUILD).

use super::SearchError;
use super::embedding::embed_missing;
use super::matches::ids;
use super::refresh::refresh;
use super::strategy::MeaningModel;
use crate::app::App;
use skillc_domain::discovery::skill::CatalogSkill;
use skillc_ports::SkillIndex;
use std::time::Duration;

/// How long an update may embed skills that have no vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddingTime {
    /// Until this time has passed; a step that has begun is completed.
    AtMost(Duration),
    /// Until every skill has a vector.
    Unlimited,
}

/// What an update did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rebuilt {
    /// Number of skills whose words were indexed because they are new or have changed.
    pub indexed: usize,
    /// Number of skills that still have no vector of the model; 0 if no model is used.
    pub without_vector: usize,
}

/// Updates an index with the skills of the catalog: indexes the words of new and changed skills, removes skills whose
/// file no longer exists, and embeds those without a vector of the model, if one is used. Unchanged skills are neither
/// read nor embedded.
///
/// # Errors
/// Errors of the index and the model; skills indexed until then stay indexed.
pub async fn rebuild_skill_index(
    app: &App,
    index: &dyn SkillIndex,
    skills: &[CatalogSkill],
    embedding: Option<(&MeaningModel, EmbeddingTime)>,
) -> Result<Rebuilt, SearchError> {
    let indexed = refresh(app, index, skills).await.map_err(SearchError::Index)?;
    let Some((model, time)) = embedding else { return Ok(Rebuilt { indexed, without_vector: 0 }) };
    let time = match time {
        EmbeddingTime::AtMost(time) => Some(time),
        EmbeddingTime::Unlimited => None,
    };
    let done = embed_missing(index, model, &ids(skills), time, app.call.progress.as_ref()).await?;
    Ok(Rebuilt { indexed, without_vector: done.missing })
}
