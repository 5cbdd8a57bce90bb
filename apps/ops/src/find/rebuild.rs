//! Bringing the skill index up to date (RFC-0011:C-REBUILD).

use super::SearchError;
use super::embedding::embed_missing;
use super::matches::ids;
use super::refresh::refresh;
use crate::app::App;
use crate::cache::RecentCache;
use skillc_domain::discovery::skill::{CatalogSkill, SkillCatalog};
use skillc_ports::{SkillIndex, SkillIndexVersion};
use std::sync::Arc;
use std::time::Duration;

/// How long a rebuild may embed skills that have no vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddingTime {
    /// Not at all: no model is used.
    Never,
    /// Until this time has passed; a step that has begun is finished.
    AtMost(Duration),
    /// Until every skill has a vector.
    Unlimited,
}

/// What a rebuild did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rebuilt {
    /// Skills whose words were indexed, because they are new or have changed.
    pub indexed: usize,
    /// Skills that still have no vector of the model; 0 if no model is used.
    pub without_vector: usize,
}

/// Brings an index up to date with skills of the catalog: indexes the words of new and changed ones, removes skills whose file
/// is gone, and embeds those without a vector. Unchanged skills are neither read nor embedded.
///
/// # Errors
/// Those of the index and of the model; everything indexed until then stays.
pub async fn rebuild_skill_index(
    app: &App,
    index: &dyn SkillIndex,
    skills: &[CatalogSkill],
    time: EmbeddingTime,
) -> Result<Rebuilt, SearchError> {
    let indexed = refresh(app, index, skills).await.map_err(SearchError::Index)?;
    let time = match time {
        EmbeddingTime::Never => return Ok(Rebuilt { indexed, without_vector: 0 }),
        EmbeddingTime::AtMost(time) => Some(time),
        EmbeddingTime::Unlimited => None,
    };
    let done =
        embed_missing(index, app.ports.embedder.as_ref(), &ids(skills), time, app.call.progress.as_ref())
            .await?;
    Ok(Rebuilt { indexed, without_vector: done.missing })
}

/// The last state of the skill index that lacked nothing of a catalog.
pub type CompleteIndexes = RecentCache<CompleteIndex, (), 1>;

/// A state of the skill index that has the words of all skills of a catalog, and their vectors of a model.
pub struct CompleteIndex {
    /// Compared by address: an unchanged catalog is the same `Arc`.
    pub(super) catalog: Arc<SkillCatalog>,
    pub(super) version: SkillIndexVersion,
    /// `None` if vectors may be missing.
    pub(super) model: Option<String>,
}

impl CompleteIndex {
    /// Whether the index, in this version, lacks nothing that a search of a catalog needs.
    pub(super) fn is(
        &self,
        catalog: &Arc<SkillCatalog>,
        version: SkillIndexVersion,
        model: Option<&str>,
    ) -> bool {
        Arc::ptr_eq(&self.catalog, catalog)
            && self.version == version
            && (model.is_none() || self.model.as_deref() == model)
    }
}
