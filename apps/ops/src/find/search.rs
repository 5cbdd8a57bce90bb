//! Searches the skills of this machine with what is available: the index on disk or one in memory, with or without a
//! model.

use super::background::embed_in_background;
use super::complete_indexes::CompleteIndex;
use super::matches::{FindQuery, QueryVector, by_words, ids, with_both_scores, with_meaning};
use super::rebuild::{EmbeddingTime, rebuild_skill_index};
use super::strategy::MeaningModel;
use super::{SearchError, Strategy};
use crate::app::App;
use crate::context::Caller;
use crate::failure::Failure;
use crate::run::Run;
use skillc_domain::discovery::find::{Ranked, SearchMode};
use skillc_domain::discovery::skill::{CatalogSkill, SkillCatalog};
use skillc_domain::fault::Warning;
use skillc_domain::limits::{FIND_EMBED_MS, FIND_SCORED_BY_WORDS, FIND_UNKNOWN_MEANING_PERCENT_MAX};
use skillc_domain::query::Query;
use skillc_ports::{ErrorKind, PortError, SkillIndex};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// A search that is reading the catalog while its query is being embedded, which takes longest.
pub struct PendingSearch {
    strategy: Strategy,
    vector: Option<PendingVector>,
}

impl PendingSearch {
    /// Starts a search in the requested mode, or in the best available one.
    ///
    /// # Errors
    /// E060, E061 or E064 if the requested mode needs a model and there is no usable one.
    pub fn start(app: &App, query: &Query, mode: Option<SearchMode>) -> Result<Self, Failure> {
        let strategy = Strategy::choose(app, mode)?;
        let vector = strategy.model.as_ref().map(|model| start_embedding(model, query, mode));
        Ok(Self { strategy, vector })
    }
}

/// What to search for, and where.
pub struct CatalogSearch<'a, 's> {
    /// The words to search for and, in a semantic search, the text to embed.
    pub query: &'a Query,
    /// The requested mode; `None` for the best available one.
    pub mode: Option<SearchMode>,
    /// The skills to search.
    pub catalog: &'s Arc<SkillCatalog>,
    /// Whether to embed all skills first, however long that takes.
    pub waits_for_vectors: bool,
}

/// The result of a search.
pub struct SearchOutcome<'s> {
    /// The mode and model that were used.
    pub strategy: Strategy,
    /// All matches, best first.
    pub found: Vec<Ranked<'s>>,
    /// Number of skills that have no vector yet.
    pub without_vector: usize,
}

/// Searches the machine's index or, if that cannot be used, an index in memory. If the model turns out to be
/// unusable, searches by words alone, unless the requested mode needs the model.
///
/// # Errors
/// Errors of a requested model, and of an index in memory.
pub async fn search<'s>(
    run: &mut Run<'_>,
    pending: PendingSearch,
    request: &CatalogSearch<'_, 's>,
) -> Result<SearchOutcome<'s>, Failure> {
    let app = run.app;
    let PendingSearch { mut strategy, mut vector } = pending;
    let mut index = app.ports.skill_index.clone();
    let mut is_on_disk = true;
    loop {
        let search = Search { app, strategy: &strategy, request };
        match search.run(&index, vector.take()).await {
            Ok(AttemptOutcome { mode, found, without_vector }) => {
                return Ok(SearchOutcome { strategy: Strategy { mode, ..strategy }, found, without_vector });
            }
            Err(SearchError::Index(error)) if is_on_disk => {
                run.warn(index_warning(app, &error));
                index = app.ports.skill_indexes.open(None);
                is_on_disk = false;
            }
            Err(SearchError::Model(error)) if request.mode.is_none() && strategy.model.is_some() => {
                strategy = Strategy::words_alone(error);
            }
            Err(error) => return Err(error.failure(app)),
        }
    }
}

/// What one attempt found.
struct AttemptOutcome<'s> {
    /// The mode that ranked: the strategy's, or words alone while too many skills have no vector.
    mode: SearchMode,
    found: Vec<Ranked<'s>>,
    without_vector: usize,
}

/// One attempt at a search, in one index with one strategy.
struct Search<'a, 's> {
    app: &'a App,
    strategy: &'a Strategy,
    request: &'a CatalogSearch<'a, 's>,
}

impl<'s> Search<'_, 's> {
    /// Updates the index and queries it while the query is being embedded.
    async fn run(
        &self,
        index: &Arc<dyn SkillIndex>,
        vector: Option<PendingVector>,
    ) -> Result<AttemptOutcome<'s>, SearchError> {
        let Self { strategy, request, .. } = self;
        let started = |model| vector.unwrap_or_else(|| start_embedding(model, request.query, request.mode));
        let vector = strategy.model.as_ref().map(started);
        let without_vector = match strategy.mode {
            SearchMode::Rule => 0,
            _ => self.complete(index).await?,
        };
        let mode = self.mode(without_vector);
        let query = FindQuery { text: request.query.text(), mode };
        let candidates = ids(self.skills());
        let lexical = by_words(index.as_ref(), Some(&candidates), &query, FIND_SCORED_BY_WORDS).await;
        let lexical = lexical.map_err(SearchError::Index)?;
        let vector = vector.filter(|_| mode.has_meaning());
        let vector = vector.map(finish_embedding).transpose().map_err(SearchError::Model)?;
        let vector = strategy.model_id().zip(vector.as_deref()).map(|(model, vector)| QueryVector {
            model,
            vector,
            all_have_vectors: without_vector == 0,
        });
        let matches = with_meaning(index.as_ref(), Some(&candidates), lexical, vector).await;
        let matches = with_both_scores(index.as_ref(), matches.map_err(SearchError::Index)?, vector).await;
        let matches = matches.map_err(SearchError::Index)?;
        Ok(AttemptOutcome { mode, found: matches.rank(&query, self.skills()), without_vector })
    }

    /// The mode that ranks: words alone, unless a mode was requested, while too many skills have no vector.
    fn mode(&self, without_vector: usize) -> SearchMode {
        let is_unknown = without_vector * 100 > self.skills().len() * FIND_UNKNOWN_MEANING_PERCENT_MAX;
        match self.request.mode {
            None if is_unknown => SearchMode::Lexical,
            _ => self.strategy.mode,
        }
    }

    /// Updates the index from the catalog, unless neither has changed since the last call. Returns the number of
    /// skills that have no vector yet.
    async fn complete(&self, index: &Arc<dyn SkillIndex>) -> Result<usize, SearchError> {
        let (app, catalog, model) = (self.app, self.request.catalog, self.strategy.model_id());
        let before = index.version().await.map_err(SearchError::Index)?;
        let is_complete =
            |version| app.state.complete_indexes.get(|known| known.is(catalog, version, model)).is_some();
        if before.is_some_and(is_complete) {
            return Ok(0);
        }
        let rebuilt = rebuild_skill_index(app, index.as_ref(), self.skills(), self.embedding()).await?;
        if let Some(model) = &self.strategy.model
            && rebuilt.without_vector > 0
            && self.is_server()
        {
            let skills = ids(self.skills()).into_iter().map(str::to_owned).collect();
            embed_in_background(app, index, model, skills);
        }
        // If another process changes the index in the meantime, the next call notices.
        let after = index.version().await.map_err(SearchError::Index)?;
        if let Some(version) = after.filter(|_| after == before && rebuilt.without_vector == 0) {
            let model = model.map(str::to_owned);
            app.state.complete_indexes.insert(CompleteIndex { catalog: catalog.clone(), version, model }, ());
        }
        Ok(rebuilt.without_vector)
    }

    /// How long to embed missing vectors: a person waits briefly, while a server computes them between calls.
    fn embedding(&self) -> Option<(&MeaningModel, EmbeddingTime)> {
        let time = match self.is_server() {
            _ if self.request.waits_for_vectors => EmbeddingTime::Unlimited,
            true => EmbeddingTime::AtMost(Duration::ZERO),
            false => EmbeddingTime::AtMost(Duration::from_millis(FIND_EMBED_MS)),
        };
        Some((self.strategy.model.as_ref()?, time))
    }

    fn is_server(&self) -> bool {
        matches!(self.app.call.caller, Caller::Agent(_))
    }

    fn skills(&self) -> &'s [CatalogSkill] {
        &self.request.catalog.skills
    }
}

/// The embedding of a query, computed by a thread of its own.
type PendingVector = JoinHandle<Result<Vec<f32>, PortError>>;

/// Starts to embed the query. Fails with `Invalid` if the model does not understand its words, unless the mode was
/// requested.
fn start_embedding(model: &MeaningModel, query: &Query, mode: Option<SearchMode>) -> PendingVector {
    let (embedder, text) = (model.embedder.clone(), query.text().to_owned());
    std::thread::spawn(move || {
        if mode.is_none() && !embedder.reads(&text)? {
            return Err(PortError::new(ErrorKind::Invalid, "embed words that the model does not know"));
        }
        embedder.embed(&text)
    })
}

fn finish_embedding(vector: PendingVector) -> Result<Vec<f32>, PortError> {
    vector.join().map_err(|_| PortError::new(ErrorKind::Failed, "embed the query"))?
}

fn index_warning(app: &App, error: &PortError) -> Warning {
    let message = error.reason().to_owned();
    Warning::SkillIndexUnusable { path: app.call.places.discovery(), message }
}
