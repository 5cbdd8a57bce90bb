//! Reads a plugin from disk: its manifests, its skills, and what its paths lead to.

use super::settings::complete;
use super::skills::skills;
use crate::app::App;
use crate::failure::Failure;
use crate::resolve::typed;
use skillc_domain::fault::Fault;
use skillc_domain::limits::PLUGIN_MANIFEST_BYTES_MAX;
use skillc_domain::plugin::{PluginManifest, PluginSettings};
use skillc_lint::plugin::{
    DocumentState, ManifestDocument, PathState, PluginSkill, PluginSource, PluginView,
};
use skillc_ports::ErrorKind;
use std::path::{Path, PathBuf};

/// A plugin that was read.
pub struct OpenedPlugin {
    /// Its folder, canonical.
    pub root: PathBuf,
    /// The existing manifests.
    pub documents: Vec<ManifestDocument>,
    /// Its skills.
    pub skills: Vec<PluginSkill>,
    /// What its manifests should contain.
    pub source: PluginSource,
    folder: String,
}

impl OpenedPlugin {
    /// Reads the plugin in a folder: by default the project, otherwise the working directory. Only the project's
    /// plugin has `[plugin]`.
    ///
    /// # Errors
    /// E100 if it is not a folder; errors of the stores.
    pub fn open(app: &App, given: Option<&str>) -> Result<Self, Failure> {
        let places = &app.call.places;
        let default = || places.project.clone().unwrap_or_else(|| places.cwd.clone());
        let root = given.map_or_else(default, |given| typed(app, given));
        if !app.ports.stores.is_folder(&root) {
            return Err(Fault::invalid_option(format!("'{}' is not a folder", root.display())).into());
        }
        let root = app.ports.stores.real_path(&root);
        let is_project = places.project.as_ref().is_some_and(|project| *project == root);
        let settings = if is_project { app.call.settings.plugin.clone() } else { PluginSettings::default() };
        let documents: Vec<ManifestDocument> =
            PluginManifest::ALL.into_iter().filter_map(|manifest| read(app, &root, manifest)).collect();
        let (folders, skills) = skills(app, &root, is_project)?.into_iter().unzip();
        let source = PluginSource { settings: complete(settings, &documents), skills: folders };
        let folder = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { root, documents, skills, source, folder })
    }

    /// Calls `look_at` with the view that is checked.
    pub fn with_view<T>(&self, app: &App, look_at: impl FnOnce(&PluginView<'_>) -> T) -> T {
        let look = |path: &str| path_state(app, &self.root, path);
        look_at(&PluginView {
            folder: &self.folder,
            documents: &self.documents,
            skills: &self.skills,
            look: &look,
        })
    }

    /// The name of its folder.
    pub fn folder(&self) -> &str {
        &self.folder
    }
}

/// What a path in a plugin leads to, with links resolved.
pub(super) fn path_state(app: &App, root: &Path, path: &str) -> PathState {
    let stores = &app.ports.stores;
    let path = root.join(path);
    if !stores.real_path(&path).starts_with(root) {
        PathState::Outside
    } else if stores.is_file(&path) {
        PathState::File
    } else if stores.is_folder(&path) {
        PathState::Folder
    } else {
        PathState::Missing
    }
}

/// A manifest, if it exists.
fn read(app: &App, root: &Path, manifest: PluginManifest) -> Option<ManifestDocument> {
    let document = |text: String, state| Some(ManifestDocument { manifest, text, state });
    let path = root.join(manifest.path());
    if !app.ports.stores.real_path(&path).starts_with(root) {
        return document(String::new(), DocumentState::Misplaced("leads out of the plugin"));
    }
    let bytes = match app.ports.named.read(&path, PLUGIN_MANIFEST_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind == ErrorKind::NotFound => return None,
        Err(error) => {
            let state = match error.kind {
                ErrorKind::NotAFile => DocumentState::Misplaced("is not a file"),
                ErrorKind::TooLarge => {
                    let what = format!("it is larger than {PLUGIN_MANIFEST_BYTES_MAX} bytes");
                    DocumentState::Unreadable(what)
                }
                _ => DocumentState::Unreadable(error.reason().to_owned()),
            };
            return document(String::new(), state);
        }
    };
    match String::from_utf8(bytes) {
        Err(_) => document(String::new(), DocumentState::Unreadable("it is not UTF-8".to_owned())),
        Ok(text) => {
            let state = app.ports.json.parse(&text).map_or_else(DocumentState::Broken, DocumentState::Parsed);
            document(text, state)
        }
    }
}
