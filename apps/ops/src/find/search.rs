//! Searching the skills of this machine, with what there is: a index that can be kept or not, a model or none.

use super::{Asked, Found, Meaning, SearchError, by_words, embed_beside, embed_missing, ids, rank, refresh};
use crate::app::App;
use crate::context::Caller;
use crate::failure::Failure;
use crate::model::unusable;
use crate::run::Run;
use skillc_domain::discovery::find::Mode;
use skillc_domain::discovery::skill::{CatalogSkill, SkillCatalog};
use skillc_domain::fault::Warning;
use skillc_domain::limits::FIND_EMBED_MS;
use skillc_domain::query::Query;
use skillc_ports::{ErrorKind, PortError, SkillIndex};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// How is looked, and with which model.
pub struct Way {
    /// By what.
    pub mode: Mode,
    /// The model, where meaning counts.
    pub model: Option<String>,
    /// Why meaning does not count although it might have.
    pub without: Option<PortError>,
}

impl Way {
    /// The mode asked for; without one, words and meaning, or words alone where there is no model.
    ///
    /// # Errors
    /// E060 or E061 where meaning was asked for and there is no model that can be used.
    pub fn choose(app: &App, asked: Option<Mode>) -> Result<Self, Failure> {
        let mode = asked.unwrap_or(Mode::Hybrid);
        if !mode.has_meaning() {
            return Ok(Self { mode, model: None, without: None });
        }
        match app.ports.embedder.model() {
            Ok(model) => Ok(Self { mode, model: Some(model.to_string()), without: None }),
            Err(error) if asked.is_none() => Ok(Self::without(error)),
            Err(error) => Err(unusable(app, error)),
        }
    }

    /// By words alone.
    fn without(error: PortError) -> Self {
        Self { mode: Mode::Lexical, model: None, without: Some(error) }
    }
}

/// A search that has begun: the model, which takes longest, works already.
pub struct Begun {
    way: Way,
    vector: Option<Embedded>,
}

impl Begun {
    /// Begins to look for a request, in a mode or the best there is.
    ///
    /// # Errors
    /// E060 or E061 where meaning was asked for and there is no model that can be used.
    pub fn new(app: &App, query: &Query, mode: Option<Mode>) -> Result<Self, Failure> {
        let way = Way::choose(app, mode)?;
        let vector = way.model.as_ref().map(|_| begin_embedding(app, query));
        Ok(Self { way, vector })
    }
}

/// What is looked for, and where.
pub struct SearchAsk<'a, 's> {
    /// The request.
    pub query: &'a Query,
    /// How; `None` for the best there is.
    pub mode: Option<Mode>,
    /// Candidates which skills.
    pub catalog: &'s Arc<SkillCatalog>,
    /// Whether all vectors are made first, however long it takes.
    pub is_patient: bool,
}

/// What was found.
pub struct Answer<'s> {
    /// How was looked.
    pub way: Way,
    /// All that was found, best first.
    pub found: Found<'s>,
    /// Skills that have no vector yet.
    pub without_vector: usize,
}

/// Looks for skills in the index of the machine; where that cannot be used, in one in memory; and where a model turns
/// out to be of no use, by words alone, unless meaning was asked for.
///
/// # Errors
/// Those of a model where meaning was asked for, and of a index in memory.
pub async fn search<'s>(
    run: &mut Run<'_>,
    begun: Begun,
    ask: &SearchAsk<'_, 's>,
) -> Result<Answer<'s>, Failure> {
    let app = run.app;
    let Begun { mut way, mut vector } = begun;
    let mut index = app.ports.skill_index.clone();
    let mut is_kept = true;
    loop {
        let search = Search { app, way: &way, ask };
        match search.run(&index, vector.take()).await {
            Ok((found, without_vector)) => return Ok(Answer { way, found, without_vector }),
            Err(SearchError::Index(error)) if is_kept => {
                run.warn(not_kept(app, &error));
                index = app.ports.skill_indexes.open(None);
                is_kept = false;
            }
            Err(SearchError::Model(error)) if ask.mode.is_none() && way.model.is_some() => {
                way = Way::without(error);
            }
            Err(trouble) => return Err(trouble.failure(app)),
        }
    }
}

/// One search of the catalog.
struct Search<'a, 's> {
    app: &'a App,
    way: &'a Way,
    ask: &'a SearchAsk<'a, 's>,
}

impl<'s> Search<'_, 's> {
    /// Brings a index up to date and asks it; how many skills have no vector yet besides. The model works beside all that
    /// needs no vector of the request.
    async fn run(
        &self,
        index: &Arc<dyn SkillIndex>,
        vector: Option<Embedded>,
    ) -> Result<(Found<'s>, usize), SearchError> {
        let has_model = self.way.model.is_some();
        let vector = has_model.then(|| vector.unwrap_or_else(|| begin_embedding(self.app, self.ask.query)));
        let without_vector = match self.way.mode {
            Mode::Rule => 0,
            _ => self.complete(index).await?,
        };
        let (skills, asked) = (self.skills(), Asked { request: self.ask.query.text(), mode: self.way.mode });
        let among = ids(skills);
        let lexical = by_words(index.as_ref(), &among, &asked).await.map_err(SearchError::Index)?;
        let vector = vector.map(embedded).transpose().map_err(SearchError::Model)?;
        let of_model = self.way.model.as_deref().zip(vector.as_deref());
        let is_of_all = without_vector == 0;
        let meaning = of_model.map(|(model, vector)| Meaning { model, vector, is_of_all });
        let found = rank(index.as_ref(), skills, &among, &asked, &lexical, meaning).await;
        Ok((found.map_err(SearchError::Index)?, without_vector))
    }

    /// Brings a index up to the catalog, unless it was and neither has changed since; how many skills have no vector
    /// yet.
    async fn complete(&self, index: &Arc<dyn SkillIndex>) -> Result<usize, SearchError> {
        let (catalog, model) = (self.ask.catalog, self.way.model.as_deref());
        let memo = &self.app.state.directory_memo;
        let before = index.version().await.map_err(SearchError::Index)?;
        if before.is_some_and(|version| memo.is_complete(catalog, version, model)) {
            return Ok(0);
        }
        refresh(self.app, index.as_ref(), self.skills()).await.map_err(SearchError::Index)?;
        let without_vector = match model {
            Some(_) => self.embed_skills(index).await?,
            None => 0,
        };
        // What has changed meanwhile, by whomever, is looked at by the next call.
        let after = index.version().await.map_err(SearchError::Index)?;
        if let Some(version) = after.filter(|_| after == before && without_vector == 0) {
            memo.keep(catalog, version, model);
        }
        Ok(without_vector)
    }

    fn skills(&self) -> &'s [CatalogSkill] {
        &self.ask.catalog.skills
    }

    /// Makes vectors as long as one can wait for them; a server goes on beside its calls.
    async fn embed_skills(&self, index: &Arc<dyn SkillIndex>) -> Result<usize, SearchError> {
        let app = self.app;
        let ids = ids(self.skills());
        let is_server = matches!(app.call.caller, Caller::Agent(_));
        let time_ms = if is_server { 0 } else { FIND_EMBED_MS };
        let time = (!self.ask.is_patient).then_some(Duration::from_millis(time_ms));
        let (embedder, progress) = (app.ports.embedder.as_ref(), app.call.progress.as_ref());
        let done = embed_missing(index.as_ref(), embedder, &ids, time, progress).await?;
        if done.missing > 0 && is_server {
            embed_beside(app, index, ids.into_iter().map(str::to_owned).collect());
        }
        Ok(done.missing)
    }
}

/// A vector that is being made.
type Embedded = JoinHandle<Result<Vec<f32>, PortError>>;

fn begin_embedding(app: &App, query: &Query) -> Embedded {
    let (embedder, text) = (app.ports.embedder.clone(), query.text().to_owned());
    std::thread::spawn(move || embedder.embed(&text))
}

fn embedded(vector: Embedded) -> Result<Vec<f32>, PortError> {
    vector.join().map_err(|_| PortError::new(ErrorKind::Failed, "embed the query"))?
}

fn not_kept(app: &App, error: &PortError) -> Warning {
    let message = error.reason().to_owned();
    Warning::DirectoryNotKept { path: app.call.places.discovery().to_string_lossy().into_owned(), message }
}
