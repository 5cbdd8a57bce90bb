//! Faults for failures of the embedding model.

use crate::app::App;
use crate::failure::Failure;
use skillc_domain::fault::Fault;
use skillc_domain::model::ModelFlaw;
use skillc_ports::models::OtherInstall;
use skillc_ports::{ErrorKind, ModelOrigin, PortError};

/// The fault for a missing vector: E060 without a model, E061 if it is unusable, E110 in a program without embedding.
pub fn unusable(app: &App, error: PortError) -> Failure {
    let fault = match error.kind {
        ErrorKind::NotFound => Fault::ModelMissing {},
        ErrorKind::Unsupported => unsupported(),
        ErrorKind::Corrupt => {
            let path = app.ports.models.folder().to_string_lossy().into_owned();
            Fault::ModelUnusable { path, message: detail(&error) }
        }
        _ => return error.into(),
    };
    Failure::because(fault, error)
}

/// The fault for a failed install: E062 if the files are not the model, E063 if the hub does not answer, E079 if it stops
/// sending, E078 if another install takes too long, E110 in a program without embedding.
pub fn not_installed(app: &App, origin: &ModelOrigin, error: PortError) -> Failure {
    let origin = match origin {
        ModelOrigin::Hub => app.ports.models.hub(),
        ModelOrigin::Disk(path) => path.to_string_lossy().into_owned(),
    };
    if let Some(holder) = other_install(&error) {
        return Failure::because(Fault::ModelBusy { holder }, error);
    }
    let fault = match error.kind {
        ErrorKind::Unreachable => Fault::ModelUnreachable { address: origin },
        ErrorKind::Unsupported => unsupported(),
        ErrorKind::Stalled => Fault::ModelStalled { address: origin },
        ErrorKind::NotFound | ErrorKind::Corrupt | ErrorKind::Invalid | ErrorKind::NotAFile => {
            Fault::ModelNotThere { origin, message: detail(&error) }
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

/// The flaw of the model, otherwise the kind of failure in words.
fn detail(error: &PortError) -> String {
    let flaw = error.source.as_ref().and_then(|source| source.downcast_ref::<ModelFlaw>());
    match (flaw, error.kind) {
        (Some(flaw), _) => flaw.to_string(),
        (None, ErrorKind::Invalid) => "it is neither a folder nor a wheel nor an address".to_owned(),
        (None, _) => error.reason().to_owned(),
    }
}
