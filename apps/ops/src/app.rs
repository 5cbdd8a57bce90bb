//! What an operation works with: the ports, the context of the call, and the state that a server keeps between calls.

use crate::catalog::CatalogCache;
use crate::context::{CallContext, Caller};
use crate::find::CompleteIndexes;
use skillc_domain::deploy::TargetScene;
use skillc_ports::{
    Archives, ClientConfigs, Clock, Deployer, DocumentReader, Embedders, Found, HistoryBookmarks,
    HistorySource, Inspector, Journal, JsonDocuments, LocalLogs, ModelStore, NamedFiles, PatternSearch,
    PortError, RuntimeStore, ScanCache, SectionIndex, SessionStore, SettingsEditor, SettingsReader,
    SiteReader, SkillEditor, SkillFiles, SkillIndex, SkillIndexes, SkillScanner, SkillStores, TeamStore,
    TextEditor, Trash, Watcher,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The ports of a process. They do not change between calls.
#[derive(Clone)]
pub struct Ports {
    /// Accesses files inside skills.
    pub files: Arc<dyn SkillFiles>,
    /// Accesses the folders of skills.
    pub stores: Arc<dyn SkillStores>,
    /// Scans folders for skills.
    pub scanner: Arc<dyn SkillScanner>,
    /// Caches scans.
    pub scans: Arc<dyn ScanCache>,
    /// Accesses the folders of builds.
    pub runtimes: Arc<dyn RuntimeStore>,
    /// Opens and writes the section index of each runtime.
    pub index: Arc<dyn SectionIndex>,
    /// The words and vectors of this machine's skills.
    pub skill_index: Arc<dyn SkillIndex>,
    /// Opens separate skill indexes, for `skc eval`.
    pub skill_indexes: Arc<dyn SkillIndexes>,
    /// Access logs of this machine.
    pub logs: Arc<dyn LocalLogs>,
    /// The histories of agents.
    pub histories: Vec<Arc<dyn HistorySource>>,
    /// Records how far histories were imported.
    pub bookmarks: Arc<dyn HistoryBookmarks>,
    /// The team's store, if one is configured.
    pub team: Option<Arc<dyn TeamStore>>,
    /// Holds files that were replaced by force.
    pub trash: Arc<dyn Trash>,
    /// Records changes in progress.
    pub journal: Arc<dyn Journal>,
    /// Links or copies runtimes into agents' folders.
    pub deployer: Arc<dyn Deployer>,
    /// Parses Markdown and YAML.
    pub reader: Arc<dyn DocumentReader>,
    /// Searches for many patterns at once.
    pub patterns: Arc<dyn PatternSearch>,
    /// Edits files of skills.
    pub editor: Arc<dyn SkillEditor>,
    /// Accesses files that the user names.
    pub named: Arc<dyn NamedFiles>,
    /// Reads and edits JSON.
    pub json: Arc<dyn JsonDocuments>,
    /// Inspects folders and files.
    pub inspector: Arc<dyn Inspector>,
    /// The configuration files of MCP clients.
    pub client_configs: Arc<dyn ClientConfigs>,
    /// Makes and reads archives of skills.
    pub archives: Arc<dyn Archives>,
    /// Reads files of web sites.
    pub sites: Arc<dyn SiteReader>,
    /// Reads settings inside skills.
    pub settings_reader: Arc<dyn SettingsReader>,
    /// Edits configuration files.
    pub settings_editor: Arc<dyn SettingsEditor>,
    /// The user's own editor; `None` if none is set.
    pub text_editor: Option<Arc<dyn TextEditor>>,
    /// Records the skills that sessions have loaded.
    pub sessions: Arc<dyn SessionStore>,
    /// Provides embedders, one per model; `NotFound` if a model is not installed.
    pub embedders: Arc<dyn Embedders>,
    /// Installs and checks embedding models.
    pub models: Arc<dyn ModelStore>,
    /// Notifies a server of changes; `None` if notifications are not supported.
    pub watcher: Option<Arc<dyn Watcher>>,
    /// Time and randomness.
    pub clock: Arc<dyn Clock>,
}

/// The state that a server keeps between calls; empty when a process starts.
#[derive(Default)]
pub struct ServerState {
    /// The catalogs of recent calls.
    pub catalogs: CatalogCache,
    /// The catalog for which the skill index is known to be complete.
    pub complete_indexes: CompleteIndexes,
    /// Whether a thread is currently computing embeddings.
    pub is_embedding: AtomicBool,
}

/// Everything an operation needs. Cheap to clone; a clone may have another context.
#[derive(Clone)]
pub struct App {
    /// The ports of this process.
    pub ports: Arc<Ports>,
    /// The context of this call.
    pub call: CallContext,
    /// State shared by all calls of this process.
    pub state: Arc<ServerState>,
}

impl App {
    /// The same app for a command that examines every skill: folders of runtimes are listed once, so missing ones cost
    /// nothing.
    pub fn for_listing(&self) -> Self {
        let ports = Ports { runtimes: self.ports.runtimes.for_listing(), ..(*self.ports).clone() };
        Self { ports: Arc::new(ports), ..self.clone() }
    }

    /// Inspects a path. Inside the project, links are followed only as far as `Places::link_bounds`; for an agent
    /// outside a project, those in the working directory only within it and into the user's own `.skillc`.
    pub fn look(&self, path: &Path) -> Found {
        let places = &self.call.places;
        let mut bounds = places.link_bounds(path);
        if self.call.is_agent() && places.project.is_none() && places.is_in_foreign_cwd(path) {
            bounds = vec![places.cwd.clone(), places.own.clone()];
        }
        let bounds: Vec<&Path> = bounds.iter().map(PathBuf::as_path).collect();
        self.ports.stores.look(path, &bounds)
    }

    /// The path at which an agent's folder is opened: unchanged inside the project, so that links on it are refused;
    /// elsewhere with the user's own links resolved.
    ///
    /// # Errors
    /// `Linked` for another user's link.
    pub fn agents_path(&self, path: &Path) -> Result<PathBuf, PortError> {
        match self.call.places.is_in_project(path) {
            true => Ok(path.to_owned()),
            false => self.ports.stores.users_path(path),
        }
    }

    /// Calls `use_scene` with the scene that resolves target names.
    pub fn with_targets<T>(&self, use_scene: impl FnOnce(&TargetScene<'_>) -> T) -> T {
        use_scene(&TargetScene {
            places: &self.call.places,
            configured: &self.call.settings.targets,
            var: &|name| self.call.environment.agent_vars.get(name).cloned(),
            exists: &|path: &Path| self.ports.stores.is_folder(path),
            takes_paths: !matches!(self.call.caller, Caller::Agent(_)),
        })
    }
}
