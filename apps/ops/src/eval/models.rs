//! The models that an evaluation compares.

use crate::app::App;
use crate::failure::Failure;
use crate::find::MeaningModel;
use crate::model::{model_in_use, not_there, unusable_model};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::model::{EmbeddingModel, MINILM, MODELS, SKILLS};
use skillc_ports::{ErrorKind, PortError};

/// A model to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
pub enum EvalModel {
    /// Every installed one.
    #[value(name = "all")]
    #[serde(rename = "all")]
    All,
    /// The default.
    #[value(name = "all-MiniLM-L6-v2")]
    #[serde(rename = "all-MiniLM-L6-v2")]
    AllMiniLmL6V2,
    /// The one trained on requests for skills.
    #[value(name = "skills")]
    #[serde(rename = "skills")]
    Skills,
}

/// The models to measure, with their names: the named ones, which must be installed; otherwise those that are.
///
/// # Errors
/// E061 or E064 for a named model that cannot be used.
pub fn models(app: &App, names: &[EvalModel]) -> Result<Vec<(&'static str, MeaningModel)>, Failure> {
    if names.is_empty() {
        let model = model_in_use(app);
        return Ok(installed(MeaningModel::of(app.ports.embedders.of(model)))?
            .map(|found| (model.name, found))
            .into_iter()
            .collect());
    }
    let mut models = Vec::new();
    for model in MODELS.iter().copied() {
        let is_named = names.iter().any(|name| name.is_it(model));
        if !is_named && !names.contains(&EvalModel::All) {
            continue;
        }
        let found = MeaningModel::of(app.ports.embedders.of(model));
        match found {
            Ok(found) => models.push((model.name, found)),
            Err(error) if !is_named && error.kind == ErrorKind::NotFound => {}
            Err(error) if error.kind == ErrorKind::NotFound => {
                return Err(Failure::because(not_there(model), error));
            }
            Err(error) => return Err(unusable_model(app, model, error)),
        }
    }
    Ok(models)
}

/// A usable model; none if it is missing or damaged.
fn installed(found: Result<MeaningModel, PortError>) -> Result<Option<MeaningModel>, Failure> {
    match found {
        Ok(model) => Ok(Some(model)),
        Err(error) if matches!(error.kind, ErrorKind::NotFound | ErrorKind::Corrupt) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

impl EvalModel {
    fn is_it(self, model: &EmbeddingModel) -> bool {
        match self {
            Self::All => false,
            Self::AllMiniLmL6V2 => *model == MINILM,
            Self::Skills => *model == SKILLS,
        }
    }
}
