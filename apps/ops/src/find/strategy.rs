//! How a search looks for skills.

use crate::app::App;
use crate::failure::Failure;
use crate::model::unusable;
use skillc_domain::discovery::find::SearchMode;
use skillc_ports::PortError;

/// The search mode, and the embedding model if the mode needs one.
pub struct Strategy {
    /// Words, meaning, or both.
    pub mode: SearchMode,
    /// Id of the model; `None` if the mode needs none.
    pub model: Option<String>,
    /// Why the model cannot be used, if that is the reason for a search by words alone.
    pub model_error: Option<PortError>,
}

impl Strategy {
    /// The requested mode; without one, words and meaning, or words alone if there is no usable model.
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

    /// By words alone, because of this failure of the model.
    pub(super) fn words_alone(error: PortError) -> Self {
        Self { mode: SearchMode::Lexical, model: None, model_error: Some(error) }
    }
}
