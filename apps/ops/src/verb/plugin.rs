//! `skc plugin` (RFC-0015:C-PLUGIN).

use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::plugin::{PluginReply, PluginSelection, PluginStart, check, init, sync};
use crate::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;

/// What to do with the manifests of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PluginAction {
    /// Describe the plugin in the project's config.toml, and write the manifests that are missing.
    Init,
    /// Report what clients refuse or ignore, and where manifests differ from the plugin; exit with status 1 for
    /// errors.
    Check,
    /// Update what has changed in the manifests, and leave the rest as it is.
    Sync,
}

/// Publish skills as a plugin: manifests for several clients, kept in sync from one source.
///
/// The source is the skills and the section plugin of the project's config.toml: name, version, description, author,
/// homepage, repository, license, keywords, manifests and mcp.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PluginRequest {
    /// The action.
    #[arg(value_enum)]
    pub action: PluginAction,
    /// With check: the folder of the plugin [default: the project].
    #[arg(value_name = "DIR")]
    pub folder: Option<String>,
    /// With init: the manifests, separated by commas: agent-plugins, claude, marketplace, codex, gemini [default: all but codex].
    #[arg(long = "for", value_name = "LIST", value_delimiter = ',')]
    #[serde(default)]
    pub r#for: Vec<String>,
    /// With init: the plugin's name [default: that of a manifest or of the folder].
    #[arg(long)]
    pub name: Option<String>,
    /// With check: show for each client whether it loads the plugin, and why not.
    #[arg(long)]
    #[serde(default)]
    pub explain_load: bool,
    /// With check: report only these: rules, prefixes of their ids, or effects (refused, part-dropped, ignored, advice, drift).
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    #[serde(default)]
    pub select: Vec<String>,
    /// With check: do not report these.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    #[serde(default)]
    pub ignore: Vec<String>,
    /// With init: replace manifests that have other content; they go to the trash.
    #[arg(long)]
    #[serde(default)]
    pub force: bool,
}

/// Implements `skc plugin`.
pub struct Plugin;

impl Operation for Plugin {
    const NAME: &'static str = "plugin";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc plugin init\nskc plugin init --for agent-plugins,claude --name my-tools\n\
                                    skc plugin check\nskc plugin check ./downloads/tools --explain-load\nskc plugin check --ignore PLG305,advice\n\
                                    skc config set plugin.version 1.1.0 && skc plugin sync";
    type Request = PluginRequest;
    type Reply = PluginReply;

    async fn run(run: &mut Run<'_>, request: PluginRequest) -> Result<PluginReply, Failure> {
        let PluginRequest { action, folder, r#for, name, explain_load, select, ignore, force } = request;
        let is_init = action == PluginAction::Init;
        if !is_init && (!r#for.is_empty() || name.is_some() || force) {
            return Err(
                Fault::invalid_option("only 'skc plugin init' takes --for, --name and --force").into()
            );
        }
        let is_for_check = folder.is_some() || explain_load || !select.is_empty() || !ignore.is_empty();
        if action != PluginAction::Check && is_for_check {
            let message = "only 'skc plugin check' takes a folder, --explain-load, --select and --ignore";
            return Err(Fault::invalid_option(message).into());
        }
        match action {
            PluginAction::Init => {
                init(run, &PluginStart { manifests: &r#for, name: name.as_deref(), is_forced: force })
            }
            PluginAction::Check => {
                let selection = PluginSelection::new(select, ignore)?;
                check(run.app, folder.as_deref(), &selection, explain_load)
            }
            PluginAction::Sync => sync(run),
        }
    }
}
