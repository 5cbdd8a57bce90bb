//! The strategy of a search for skills.

use crate::app::App;
use crate::failure::Failure;
use crate::model::{embedder, unusable};
use skillc_domain::discovery::find::SearchMode;
use skillc_ports::{Embedder, PortError};
use std::sync::Arc;

/// The search mode, and the embedding model if the mode needs one.
pub struct Strategy {
    /// The ranking mode.
    pub mode: SearchMode,
    /// The model; `None` if the mode needs none.
    pub model: Option<MeaningModel>,
    /// Why the model cannot be used, if the search fell back to words.
    pub model_error: Option<PortError>,
}

/// A usable model. A search takes its id and its vectors from the same embedder, even if another model is installed
/// in the meantime.
#[derive(Clone)]
pub struct MeaningModel {
    /// Its id, as indexes store it.
    pub id: String,
    /// Computes its vectors.
    pub embedder: Arc<dyn Embedder>,
}

impl MeaningModel {
    /// The model of this embedder.
    ///
    /// # Errors
    /// Those of `Embedder::model`.
    pub fn of(embedder: Arc<dyn Embedder>) -> Result<Self, PortError> {
        Ok(Self { id: embedder.model()?.to_string(), embedder })
    }
}

impl Strategy {
    /// The requested mode; by default words and meaning, or words only if there is no usable model.
    ///
    /// # Errors
    /// E060, E061 or E064 if the requested mode needs a model and there is no usable one.
    pub fn choose(app: &App, requested: Option<SearchMode>) -> Result<Self, Failure> {
        let mode = requested.unwrap_or(SearchMode::Hybrid);
        if !mode.has_meaning() {
            return Ok(Self { mode, model: None, model_error: None });
        }
        match MeaningModel::of(embedder(app)) {
            Ok(model) => Ok(Self { mode, model: Some(model), model_error: None }),
            Err(error) if requested.is_none() => Ok(Self::words_alone(error)),
            Err(error) => Err(unusable(app, error)),
        }
    }

    /// The id of the model.
    pub fn model_id(&self) -> Option<&str> {
        self.model.as_ref().map(|model| model.id.as_str())
    }

    /// A strategy by words alone, because the model failed with this error.
    pub(super) fn words_alone(error: PortError) -> Self {
        Self { mode: SearchMode::Lexical, model: None, model_error: Some(error) }
    }
}
