//! What operations work with: ports, places and settings, put together by whoever runs them.

use crate::catalog::{BuiltinSkill, CatalogMemo};
use crate::find::DirectoryMemo;
use skillc_domain::config::Settings;
use skillc_domain::deploy::TargetScene;
use skillc_domain::places::Places;
use skillc_ports::{
    Clock, Consent, Deployer, DocumentReader, Embedder, Found, LocalLogs, ModelStore, NamedFiles,
    PatternSearch, PortError, Progress, RuntimeStore, ScanCache, SectionIndex, SessionStore, SettingsEditor,
    SettingsReader, SkillEditor, SkillFiles, SkillIndex, SkillIndexes, SkillScanner, SkillStores, TeamStore,
    Trash, Watcher,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What the environment says, taken once at the start.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// SKC_RUN_ID, if it says anything.
    pub run_id: Option<String>,
    /// SKILLC_AGENT, if it says anything: an agent calls, whatever the surface.
    pub agent: Option<String>,
    /// Variables by which agents move their folders; empty while SKILLC_HOME is set.
    pub agent_vars: BTreeMap<String, String>,
    /// The project's configuration file that was read, if there is one.
    pub project_config: Option<std::path::PathBuf>,
    /// Skills that ship with the program.
    pub builtin_skills: Vec<BuiltinSkill>,
}

/// Who asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Caller {
    /// A person, who reads text: it may hold more than was asked for.
    Person,
    /// A program on the command line, which reads data.
    #[default]
    Program,
    /// An agent through a server, by the name and version that it gives. It may not say where things are written.
    Agent(String),
}

/// The ports behind all operations, and what holds for this run. Cheap to clone: a second one may look elsewhere.
#[derive(Clone)]
pub struct App {
    /// Files inside skills.
    pub files: Arc<dyn SkillFiles>,
    /// Folders of skills.
    pub stores: Arc<dyn SkillStores>,
    /// Searches for skills.
    pub scanner: Arc<dyn SkillScanner>,
    /// What those searches saw.
    pub scans: Arc<dyn ScanCache>,
    /// What was made of that.
    pub catalogs: Arc<CatalogMemo>,
    /// Folders of builds.
    pub runtimes: Arc<dyn RuntimeStore>,
    /// Indexes.
    pub index: Arc<dyn SectionIndex>,
    /// Words and vectors of the skills of this machine.
    pub skill_index: Arc<dyn SkillIndex>,
    /// Further ones, for trials.
    pub skill_indexes: Arc<dyn SkillIndexes>,
    /// For which catalog the skill index was complete.
    pub directory_memo: Arc<DirectoryMemo>,
    /// Whether vectors are being made beside the calls.
    pub is_embedding: Arc<AtomicBool>,
    /// Access logs of this machine.
    pub logs: Arc<dyn LocalLogs>,
    /// The team's store, where one is configured.
    pub team: Option<Arc<dyn TeamStore>>,
    /// What was replaced by force.
    pub trash: Arc<dyn Trash>,
    /// Agents' folders.
    pub deployer: Arc<dyn Deployer>,
    /// Markdown and YAML.
    pub reader: Arc<dyn DocumentReader>,
    /// Searches for many patterns.
    pub patterns: Arc<dyn PatternSearch>,
    /// Changes files of skills.
    pub editor: Arc<dyn SkillEditor>,
    /// Files that the user names.
    pub named: Arc<dyn NamedFiles>,
    /// Settings that stand in skills.
    pub settings_reader: Arc<dyn SettingsReader>,
    /// Changes configuration files.
    pub settings_editor: Arc<dyn SettingsEditor>,
    /// What sessions hold.
    pub sessions: Arc<dyn SessionStore>,
    /// Set once nobody waits for the answer any more; work that may take long ends then.
    pub gone: Arc<AtomicBool>,
    /// The session that asks, as far as one is known.
    pub session: Option<String>,
    /// Whoever can be asked.
    pub consent: Arc<dyn Consent>,
    /// Vectors of texts; answers `NotFound` where no model is installed.
    pub embedder: Arc<dyn Embedder>,
    /// The files of the model behind them.
    pub models: Arc<dyn ModelStore>,
    /// Tells changes to a server; `None` where nobody asks for them.
    pub watcher: Option<Arc<dyn Watcher>>,
    /// Time and chance.
    pub clock: Arc<dyn Clock>,
    /// Who watches.
    pub progress: Arc<dyn Progress>,
    /// Who asks.
    pub caller: Caller,
    /// Home, working directory, project.
    pub places: Places,
    /// Settings.
    pub settings: Settings,
    /// Environment.
    pub environment: Environment,
}

impl App {
    /// Whether an agent asks: through a server, or on a command line that says so.
    pub fn is_agents(&self) -> bool {
        matches!(self.caller, Caller::Agent(_)) || self.environment.agent.is_some()
    }

    /// Tells a detail if anybody wants it.
    pub fn detail(&self, line: impl FnOnce() -> String) {
        if self.progress.wants_details() {
            self.progress.detail(&line());
        }
    }

    /// What is at a path. Links of this project lead nowhere but into it and into the user's own `.skillc`.
    pub fn look(&self, path: &Path) -> Found {
        self.stores.look(path, &self.places.link_bounds(path))
    }

    /// The path at which a folder of agents is reached: one of this project as it is, so that a link on the way is refused, and
    /// another one with the user's own links resolved.
    ///
    /// # Errors
    /// `Linked` for a link that is somebody else's.
    pub fn agents_path(&self, path: &Path) -> Result<PathBuf, PortError> {
        if self.places.is_in_project(path) { Ok(path.to_owned()) } else { self.stores.users_path(path) }
    }

    /// Does something with what target names are read against.
    pub fn with_targets<T>(&self, use_scene: impl FnOnce(&TargetScene<'_>) -> T) -> T {
        use_scene(&TargetScene {
            places: &self.places,
            configured: &self.settings.targets,
            var: &|name| self.environment.agent_vars.get(name).cloned(),
            exists: &|path: &Path| self.stores.is_folder(path),
            takes_paths: !matches!(self.caller, Caller::Agent(_)),
        })
    }
}
