//! `[plugin]`, completed from the existing manifests.

use crate::app::App;
use crate::failure::Failure;
use crate::settings_file::{Whose, change, file};
use skillc_domain::fault::Fault;
use skillc_domain::json::JsonNode;
use skillc_domain::plugin::{PluginManifest, PluginSettings};
use skillc_lint::plugin::{DocumentState, ManifestDocument};
use skillc_ports::SettingsTarget;

/// Adds the existing manifests to the settings, unless they already request some.
pub(super) fn complete(mut settings: PluginSettings, documents: &[ManifestDocument]) -> PluginSettings {
    if settings.manifests.is_empty() {
        let mut words: Vec<String> =
            documents.iter().map(|document| document.manifest.word().to_owned()).collect();
        words.dedup();
        settings.manifests = words;
    }
    settings
}

/// The text of a field in the first manifest that has it; marketplaces have names of their own.
pub(super) fn adopted(documents: &[ManifestDocument], key: &str) -> Option<String> {
    documents.iter().find_map(|document| match (&document.state, document.manifest) {
        (_, PluginManifest::Marketplace | PluginManifest::Mcp) => None,
        (DocumentState::Parsed(root), _) => root.get(key).and_then(JsonNode::text).map(str::to_owned),
        _ => None,
    })
}

/// Sets a setting in the project's configuration.
///
/// # Errors
/// E100 for a value that it does not accept, E105 if the file cannot be written.
pub(super) fn set(app: &App, key: &str, value: &str) -> Result<(), Failure> {
    let path = file(app, Whose::Project)?;
    let target = SettingsTarget { path: &path, home: &app.call.places.home, is_users: false };
    let refused = |_| Fault::invalid_option(format!("the project cannot set '{key}' to '{value}'"));
    let assignment = app.ports.settings_editor.assignment(&target, key, value).map_err(refused)?;
    change(app, Whose::Project, &assignment).map(drop)
}
