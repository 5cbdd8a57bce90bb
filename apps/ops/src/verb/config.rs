//! `skc config` (RFC-0009:C-SHOW, C-SET, C-EDIT).

use crate::app::App;
use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line, plain, table};
use crate::run::Run;
use crate::settings_file::{Whose, change, create_to_edit, file};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::limits::SETTINGS_BYTES_MAX;
use skillc_domain::suggest::{list, nearest};
use skillc_ports::{SettingRefusal, SettingsTarget};
use std::path::{Path, PathBuf};

/// What to do with the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ConfigAction {
    /// Show one setting, or those of one section.
    Get,
    /// Set one setting, and change no other byte of the file.
    Set,
    /// Open the file in your editor.
    Edit,
}

/// Show every setting, its value and where it came from.
#[derive(Debug, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(about = "Show every setting, its value and where it came from, or change one")]
#[serde(deny_unknown_fields)]
pub struct ConfigRequest {
    /// The action [default: show every setting].
    #[arg(value_enum)]
    pub action: Option<ConfigAction>,
    /// With get and set: the setting, such as `search.tokenizer`.
    #[arg(value_name = "KEY")]
    pub key: Option<String>,
    /// With set: its value; items of a list are separated by commas.
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    pub value: Option<String>,
    /// Change your own configuration instead of the project's.
    #[arg(short, long)]
    #[serde(default)]
    pub global: bool,
}

/// A setting.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ConfigSetting {
    /// Dotted key, such as `search.tokenizer`.
    pub key: String,
    /// Its value.
    pub value: String,
    /// `default`, the environment variable, or the file.
    pub origin: String,
}

/// A configuration file that was to be changed.
#[derive(Debug, Serialize)]
pub struct ChangedConfig {
    /// The setting that was changed; none after an edit by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Its path.
    pub file: PathBuf,
    /// Whether it was changed.
    pub changed: bool,
}

/// The settings, or the file that was changed.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ConfigReply {
    /// In the order of the reference.
    pub settings: Vec<ConfigSetting>,
    /// The change, which no tool can make.
    #[serde(flatten)]
    #[schemars(skip)]
    pub changed: Option<ChangedConfig>,
}

const HOW_TO_SET: &str = "skc config set KEY VALUE, such as: skc config set index.on_stale rebuild";
const SET_FOR_YOU: &str = "add '--global' to set it for you";
const ALL_SETTINGS: &str = "run 'skc config' to list the settings";

/// Implements `skc config`.
pub struct Config;

impl Operation for Config {
    const NAME: &'static str = "config";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = true;
    const IS_ABOUT_NO_SKILL: bool = true;
    const EXAMPLES: &'static str = "skc config\nskc config --format json\nskc config get index.on_stale\nskc config set index.on_stale rebuild\n\
                                    skc config set skills.disabled old-notes,drafts --global\nskc config edit --global";
    const COMMAND_LINE_ONLY: &'static [&'static str] = &["action", "key", "value", "global"];
    type Request = ConfigRequest;
    type Reply = ConfigReply;

    async fn run(run: &mut Run<'_>, request: ConfigRequest) -> Result<ConfigReply, Failure> {
        let app = run.app;
        let Some(action) = request.action else {
            return match request.global {
                true => Err(Fault::invalid_option("only 'set' and 'edit' take '--global'").into()),
                false => Ok(shown(app)),
            };
        };
        if action == ConfigAction::Get {
            return one_shown(app, &request);
        }
        if app.call.is_agent() {
            // It could remove restrictions on itself.
            return Err(Fault::invalid_option("an agent may not change the configuration").into());
        }
        let whose = match request.global || file(app, Whose::Project).is_err() {
            true => Whose::User,
            false => Whose::Project,
        };
        let changed = match (action, request.key, request.value) {
            (ConfigAction::Set, Some(key), Some(value)) => set(app, whose, key, &value)?,
            (ConfigAction::Set, ..) => {
                let message = "'skc config set' needs a setting and its value";
                return Err(Fault::refused_option(message, HOW_TO_SET).into());
            }
            (_, None, None) => edit(app, whose)?,
            _ => return Err(Fault::invalid_option("'skc config edit' takes no setting").into()),
        };
        Ok(ConfigReply { settings: Vec::new(), changed: Some(changed) })
    }
}

fn shown(app: &App) -> ConfigReply {
    let setting = |origin: &skillc_domain::config::SettingOrigin| ConfigSetting {
        key: origin.key.clone(),
        value: origin.value.clone(),
        origin: origin.origin.clone(),
    };
    ConfigReply { settings: app.call.settings.origins.iter().map(setting).collect(), changed: None }
}

/// The settings of `skc config get KEY`: the one of this name, or those of this section.
fn one_shown(app: &App, request: &ConfigRequest) -> Result<ConfigReply, Failure> {
    let (Some(key), None, false) = (&request.key, &request.value, request.global) else {
        let message = "'skc config get' takes one setting and nothing else";
        return Err(Fault::refused_option(message, "run 'skc config' to show every setting").into());
    };
    let is_asked_for = |setting: &ConfigSetting| match setting.key.strip_prefix(key.as_str()) {
        Some(rest) => rest.is_empty() || rest.starts_with('.'),
        None => false,
    };
    let mut reply = shown(app);
    let known: Vec<String> = reply.settings.iter().map(|setting| setting.key.clone()).collect();
    reply.settings.retain(is_asked_for);
    if reply.settings.is_empty() {
        let similar = list(nearest(key, known.iter().map(String::as_str)));
        let fault = Fault::unknown_option(format!("no setting is called '{key}'"), similar);
        return Err(fault.or_advise(ALL_SETTINGS).into());
    }
    Ok(reply)
}

fn set(app: &App, whose: Whose, key: String, value: &str) -> Result<ChangedConfig, Failure> {
    let file = file(app, whose)?;
    let target = SettingsTarget { path: &file, home: &app.call.places.home, is_users: whose == Whose::User };
    let assignment = app.ports.settings_editor.assignment(&target, &key, value);
    let assignment = assignment.map_err(|refusal| refused(&key, value, refusal))?;
    let changed = change(app, whose, &assignment)?;
    Ok(ChangedConfig { key: Some(key), file, changed })
}

/// E100 for a setting that a file does not accept.
fn refused(key: &str, value: &str, refusal: SettingRefusal) -> Fault {
    match refusal {
        SettingRefusal::Unknown(suggestions) => {
            Fault::unknown_option(format!("no setting is called '{key}'"), suggestions)
                .or_advise(ALL_SETTINGS)
        }
        SettingRefusal::Invalid(values) => {
            Fault::invalid_option(format!("'{key}' must be {values}, got '{value}'"))
        }
        SettingRefusal::NotInProject => {
            Fault::refused_option(format!("a project may not set '{key}'"), SET_FOR_YOU)
        }
        SettingRefusal::Outside => {
            let message = format!("'{key}' of a project must be inside the project, got '{value}'");
            Fault::refused_option(message, SET_FOR_YOU)
        }
    }
}

fn edit(app: &App, whose: Whose) -> Result<ChangedConfig, Failure> {
    let file = file(app, whose)?;
    let Some(editor) = &app.ports.text_editor else {
        let message = format!("no editor is set to open '{}'", file.display());
        return Err(Fault::refused_option(message, "set VISUAL or EDITOR to one").into());
    };
    create_to_edit(app, whose, &file)?;
    let content = || app.ports.named.read(&file, SETTINGS_BYTES_MAX).ok();
    let before = content();
    editor.edit(&file).map_err(|error| {
        let message = "the editor failed".to_owned();
        Failure::because(Fault::SettingsUnchanged { path: file.clone(), message }, error)
    })?;
    let changed = content() != before;
    Ok(ChangedConfig { key: None, file, changed })
}

impl Render for ConfigReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if let Some(changed) = &self.changed {
            return line(out, changed_line(view, changed));
        }
        let origin = |s: &ConfigSetting| match Path::new(&s.origin).is_absolute() {
            true => view.path(Path::new(&s.origin)),
            false => plain(&s.origin),
        };
        let row = |s: &ConfigSetting| vec![plain(&s.key), plain(&s.value), view.faint(origin(s))];
        line(
            out,
            table(view, &["SETTING", "VALUE", "FROM"], &self.settings.iter().map(row).collect::<Vec<_>>()),
        );
    }
}

fn changed_line(view: &View, ChangedConfig { key, file, changed }: &ChangedConfig) -> String {
    let file = view.path(file);
    match (key, changed) {
        (Some(key), true) => format!("{} {} in {file}", view.good("Set"), plain(key)),
        (Some(key), false) => format!("{} already has this value in {file}", plain(key)),
        (None, true) => format!("{} {file}", view.good("Changed")),
        (None, false) => format!("{file} is unchanged"),
    }
}
