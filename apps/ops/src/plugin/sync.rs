//! Updates the manifests of a plugin without changing anything else in them.

use super::opened::{OpenedPlugin, path_state};
use super::reply::{PluginManifestState, PluginReply};
use crate::app::App;
use crate::failure::Failure;
use crate::run::Run;
use skillc_domain::fault::Fault;
use skillc_domain::json::{JsonFlaw, line_and_column};
use skillc_lint::plugin::{DocumentState, ManifestDocument, differences};
use skillc_ports::WriteOptions;
use std::path::Path;

/// Edits each existing manifest that is requested. Nothing is written if one of them cannot be edited.
///
/// # Errors
/// E059 for a manifest that is not JSON, E100 outside a project or without `[plugin]`, E018, E999.
pub fn sync(run: &mut Run<'_>) -> Result<PluginReply, Failure> {
    let app = run.app;
    let plugin = OpenedPlugin::open(app, None)?;
    if plugin.source.settings.name.is_none() {
        let advice = "run 'skc plugin init' to describe the plugin in .skillc/config.toml";
        return Err(Fault::refused_option("[plugin] has no name", advice).into());
    }
    let mut reply = PluginReply::of(&plugin);
    let mut edited = Vec::new();
    for document in &plugin.documents {
        let is_asked_for = plugin.source.asks_for(document.manifest);
        if let Some(edit) = edit(app, &plugin, document).transpose().filter(|_| is_asked_for) {
            let (new, changes) = edit?;
            reply.set_state(document.manifest, "updated", changes);
            edited.push((document, new));
        }
    }
    for (document, new) in edited {
        write(app, &plugin.root, document, &new)?;
    }
    Ok(reply)
}

/// The new text of a manifest, and its changes; `None` if it is up to date.
fn edit(
    app: &App,
    plugin: &OpenedPlugin,
    document: &ManifestDocument,
) -> Result<Option<(String, Vec<String>)>, Fault> {
    let path = plugin.root.join(document.manifest.path());
    let unchanged = |message: String| unchanged(&path, message);
    let root = match &document.state {
        DocumentState::Parsed(root) => root,
        DocumentState::Broken(flaw) => return Err(unchanged(shown(&document.text, flaw))),
        DocumentState::Unreadable(reason) => return Err(unchanged(reason.clone())),
        DocumentState::Misplaced(what) => return Err(unchanged(format!("it {what}"))),
    };
    let look = |inner: &str| path_state(app, &plugin.root, inner);
    let found = differences(&plugin.source, document.manifest, root, &look);
    if found.is_empty() {
        return Ok(None);
    }
    let (edits, changes): (Vec<_>, Vec<_>) =
        found.into_iter().map(|difference| (difference.edit, difference.message)).unzip();
    let new = app.ports.json.edited(&document.text, &edits);
    let new = new.map_err(|flaw| unchanged(shown(&document.text, &flaw)))?;
    Ok(Some((new, changes)))
}

fn shown(text: &str, flaw: &JsonFlaw) -> String {
    let (line, column) = line_and_column(text, flaw.at);
    format!("it is not JSON: {} at line {line}, column {column}", flaw.message)
}

/// E059 for a manifest that cannot be edited.
fn unchanged(path: &Path, message: String) -> Fault {
    Fault::PluginManifestUnchanged {
        path: path.to_path_buf(),
        message,
        advice: "fix it, or replace it with 'skc plugin init --force', which moves it to the trash"
            .to_owned(),
    }
}

/// Replaces a manifest, provided that its text has not changed since it was read.
fn write(app: &App, root: &Path, document: &ManifestDocument, new: &str) -> Result<(), Failure> {
    let is_as_read = |now: &[u8]| now == document.text.as_bytes();
    let options = WriteOptions { root: Some(root), follows: false, may_replace: &is_as_read };
    Ok(app.ports.named.write(&root.join(document.manifest.path()), new.as_bytes(), &options)?)
}

impl PluginReply {
    /// Records what was done to a manifest.
    fn set_state(
        &mut self,
        manifest: skillc_domain::plugin::PluginManifest,
        state: &'static str,
        changes: Vec<String>,
    ) {
        let entry = self.manifests.iter_mut().find(|entry| entry.path == manifest.path());
        if let Some(PluginManifestState { state: now, changes: noted, .. }) = entry {
            *now = state;
            *noted = changes;
        }
    }
}
