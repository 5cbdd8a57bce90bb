//! Checks the manifests of a plugin.

use super::opened::OpenedPlugin;
use super::reply::{PluginReply, client_verdict, finding};
use crate::app::App;
use crate::failure::Failure;
use skillc_lint::plugin::{PLUGIN_CLIENTS, issues};

/// What is wrong with the manifests of a plugin, and with `explains_load` what each client makes of it.
///
/// # Errors
/// As for `OpenedPlugin::open`.
pub fn check(app: &App, given: Option<&str>, explains_load: bool) -> Result<PluginReply, Failure> {
    let plugin = OpenedPlugin::open(app, given)?;
    let mut reply = PluginReply::of(&plugin);
    plugin.with_view(app, |view| {
        let issues = issues(view, &plugin.source);
        if explains_load {
            reply.clients = PLUGIN_CLIENTS
                .iter()
                .map(|client| client_verdict(client, (client.judge)(view, &issues)))
                .collect();
        }
        reply.findings = issues.iter().map(|issue| finding(issue, view.document(issue.manifest))).collect();
    });
    reply.is_check = true;
    Ok(reply)
}
