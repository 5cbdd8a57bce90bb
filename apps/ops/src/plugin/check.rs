//! Checks the manifests of a plugin.

use super::opened::OpenedPlugin;
use super::reply::{PluginReply, client_verdict, finding};
use super::selection::PluginSelection;
use crate::app::App;
use crate::failure::Failure;
use skillc_domain::rule_settings::Severity;
use skillc_lint::plugin::{PLUGIN_CLIENTS, issues};

/// The issues of a plugin's manifests and, with `explains_load`, how each client treats it. Settings and the
/// selection affect what is reported, not what clients do.
///
/// # Errors
/// As for `OpenedPlugin::open`.
pub fn check(
    app: &App,
    given: Option<&str>,
    selection: &PluginSelection,
    explains_load: bool,
) -> Result<PluginReply, Failure> {
    let plugin = OpenedPlugin::open(app, given)?;
    let mut reply = PluginReply::of(&plugin);
    let settings = &app.call.settings.lint;
    plugin.with_view(app, |view| {
        let issues = issues(view, &plugin.source);
        if explains_load {
            reply.clients = PLUGIN_CLIENTS
                .iter()
                .map(|client| client_verdict(client, (client.judge)(view, &issues)))
                .collect();
        }
        let weighed = issues.iter().map(|issue| (issue, issue.rule.severity_in(settings)));
        reply.findings = weighed
            .filter(|(issue, severity)| *severity != Severity::Off && selection.wants(issue.rule))
            .map(|(issue, severity)| finding(issue, severity, view.document(issue.manifest)))
            .collect();
    });
    reply.is_check = true;
    Ok(reply)
}
