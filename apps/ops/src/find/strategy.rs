//! The strategy of a search for skills.

use crate::app::App;
use crate::failure::Failure;
use crate::model::unusable;
use skillc_domain::discovery::find::SearchMode;
use skillc_ports::PortError;

/// The search mode, and the embedding model if the mode needs one.
pub struct Strategy {
    /// The ranking mode.
    pub mode: SearchMode,
    /// Id of the model; `None` if the mode needs none.
    pub model: Option<String>,
    /// Why the model cannot be used, if the search fell back to words.
    pub model_error: Option<PortError>,
}

impl Strategy {
    /// The requested mode; by default words and meaning, or words only if there is no usable model.
    ///
    /// # Errors
    /// E060 or E061 if a mode was requested that needs a model, and there is no usable one.
    pub fn choose(app: &App, requested: Option<SearchMode>) -> Result<Self, Failure> {
        let mode = requested.unwrap_or(SearchMode::Hybrid);
        if !mode.has_meaning() {
            return Ok(Self { mode, model: None, model_error: None });
        }
        match app.ports.embedder.model() {
            Ok(model) => Ok(Self { mode, model: Some(model.to_string()), model_error: None }),
            Err(error) if requested.is_none() => Ok(Self::words_alone(error)),
            Err(error) => Err(unusable(app, error)),
        }
    }

    /// Words only, because the model failed with this error.
    pub(super) fn words_alone(error: PortError) -> Self {
        Self { mode: SearchMode::Lexical, model: None, model_error: Some(error) }
    }
}
