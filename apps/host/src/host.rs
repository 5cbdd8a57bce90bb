//! Maps methods to operations in the workspace of each request, and keeps the state of the connection.

use crate::contract::{
    CatalogState, Command, ContextInspectResult, DiscoveredSkill, LoadedVersion, SkillDiscoverySearchParams,
    SkillDiscoverySearchResult, SkillLoadParams, SkillSearchParams, SkillsListResult, SkillsState,
};
use crate::rpc_error::RpcError;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skillc_domain::config::Settings;
use skillc_domain::discovery::skill::SkillCatalog;
use skillc_domain::places::Places;
use skillc_ops::catalog::{self, CatalogFilter};
use skillc_ops::descriptors::must_be_free;
use skillc_ops::{Answer, App, CallContext, Caller, Diagnostic, Environment, Failure, entry_named};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The client name under which requests are logged.
const CLIENT: &str = "skc host";
/// The only session of this process.
const SESSION: &str = "host";
/// Working directories listed by `context.inspect`; an embedding runtime uses a few.
const CATALOGS_MAX: usize = 64;

/// The context of a working directory.
pub struct Workspace {
    /// Home, working directory and project.
    pub places: Places,
    /// The settings that apply there.
    pub settings: Settings,
    /// The environment as operations see it there.
    pub environment: Environment,
}

/// Resolves the workspace of a working directory, which exists and is absolute.
pub type WorkspaceResolver = Box<dyn Fn(&Path) -> Workspace + Send + Sync>;

/// The connection of this process.
pub struct Host {
    app: App,
    resolve_workspace: WorkspaceResolver,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Least recently requested first.
    catalogs: Vec<CatalogState>,
    loaded: BTreeMap<String, LoadedVersion>,
}

impl Host {
    /// A connection over these ports.
    pub fn new(mut app: App, resolve_workspace: WorkspaceResolver) -> Self {
        app.call.caller = Caller::Agent(CLIENT.to_owned());
        app.call.session = Some(SESSION.to_owned());
        Self { app, resolve_workspace, state: Mutex::default() }
    }

    /// Runs a command and returns its result as JSON.
    ///
    /// # Errors
    /// The error response.
    pub fn answer(&self, command: Command) -> Result<Value, RpcError> {
        match command {
            Command::SkillsList(params) => {
                let bypass_cache = params.force_reload.unwrap_or_default();
                let catalog = self.catalog(&self.app_at(params.cwd)?, bypass_cache)?;
                written(&SkillsListResult::from(catalog.as_ref()))
            }
            Command::ContextInspect(params) => {
                if !params.include_skills.unwrap_or_default() {
                    return written(&ContextInspectResult::default());
                }
                self.catalog(&self.app_at(params.cwd)?, false)?;
                written(&ContextInspectResult { skills: Some(self.skills_state()) })
            }
            Command::SkillSearch(params) => self.search(params),
            Command::SkillLoad(params) => self.load(params),
            Command::SkillDiscoverySearch(params) => self.discover(&params),
        }
    }

    /// The ports with the current settings of a working directory; by default that of the process.
    fn app_at(&self, cwd: Option<PathBuf>) -> Result<App, RpcError> {
        let cwd = cwd.unwrap_or_else(|| self.app.call.places.cwd.clone());
        if !cwd.is_absolute() {
            return Err(RpcError::params(format!("'cwd' must be an absolute path, got '{}'", cwd.display())));
        }
        if !self.app.ports.stores.is_folder(&cwd) {
            return Err(RpcError::params(format!("'cwd' is not a folder: '{}'", cwd.display())));
        }
        let Workspace { places, settings, environment } = (self.resolve_workspace)(&cwd);
        let mut app = self.app.clone();
        app.call = CallContext { places, settings, environment, ..app.call };
        Ok(app)
    }

    fn catalog(&self, app: &App, bypass_cache: bool) -> Result<Arc<SkillCatalog>, RpcError> {
        let ask = CatalogFilter { bypass_cache, ..CatalogFilter::default() };
        let catalog = catalog::read(app, &ask).map_err(|fault| RpcError::from(&fault))?;
        let cwd = app.call.places.cwd.to_string_lossy().into_owned();
        let listed = CatalogState {
            cwd,
            enabled: app.call.settings.skills.enabled,
            count: catalog.skills.len(),
            truncated: catalog.truncated,
            errors: catalog.errors.iter().map(Into::into).collect(),
        };
        let catalogs = &mut self.state().catalogs;
        catalogs.retain(|known| known.cwd != listed.cwd);
        if catalogs.len() == CATALOGS_MAX {
            catalogs.remove(0);
        }
        catalogs.push(listed);
        Ok(catalog)
    }

    fn skills_state(&self) -> SkillsState {
        let state = self.state();
        let mut catalogs = state.catalogs.clone();
        catalogs.sort_by(|a, b| a.cwd.cmp(&b.cwd));
        SkillsState { catalogs, loaded: state.loaded.values().cloned().collect() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn search(&self, mut params: SkillSearchParams) -> Result<Value, RpcError> {
        let app = self.app_at(params.cwd.take())?;
        operate(&app, "find", &params)
    }

    fn load(&self, mut params: SkillLoadParams) -> Result<Value, RpcError> {
        let app = self.app_at(params.cwd.take())?;
        let reply = operate(&app, "load", &params)?;
        if let Ok(loaded) = LoadedVersion::deserialize(&reply) {
            self.state().loaded.insert(loaded.path.clone(), loaded);
        }
        Ok(reply)
    }

    /// Searches by meaning only; an empty query finds nothing.
    fn discover(&self, params: &SkillDiscoverySearchParams) -> Result<Value, RpcError> {
        if params.query.trim().is_empty() {
            return written(&SkillDiscoverySearchResult::default());
        }
        // Missing vectors are computed first, since the result has no field for an incomplete index.
        let request =
            json!({ "query": params.query, "limit": params.limit, "mode": "semantic", "index": true });
        let found = operate(&self.app_at(None)?, "find", &request)?;
        let results = found["results"].as_array().into_iter().flatten().map(discovered).collect();
        written(&SkillDiscoverySearchResult { results })
    }
}

fn discovered(result: &Value) -> DiscoveredSkill {
    let text = |key: &str| result[key].as_str().unwrap_or_default().to_owned();
    DiscoveredSkill {
        skill_id: text("id"),
        name: text("name"),
        description: text("description"),
        score: result["score"].as_f64().unwrap_or_default(),
    }
}

/// Runs an operation to its end, on this thread.
fn operate(app: &App, name: &str, params: &impl Serialize) -> Result<Value, RpcError> {
    let entry = entry_named(name).ok_or_else(|| RpcError::internal(format!("no operation '{name}'")))?;
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    if app.ports.team.is_some() {
        must_be_free().map_err(|error| RpcError::from(&Failure::from(error).fault))?;
        runtime.enable_all();
    }
    let runtime = runtime.build().map_err(|error| RpcError::internal(format!("cannot start: {error}")))?;
    let answer = runtime.block_on((entry.run_json)(app, written(params)?));
    result(&answer)
}

/// The reply, with a field `warnings` if there are warnings or partial failures.
fn result(answer: &Answer) -> Result<Value, RpcError> {
    let failed = answer.failures.first().map(|failure| &failure.fault);
    let Some(reply) = &answer.reply else {
        return Err(failed.map_or_else(|| RpcError::internal("no reply"), RpcError::from));
    };
    let mut diagnostics: Vec<Diagnostic> = answer.warnings.iter().map(Diagnostic::from).collect();
    diagnostics.extend(answer.failures.iter().map(|failure| Diagnostic::from(&failure.fault)));
    let mut reply = reply.json();
    if !diagnostics.is_empty() {
        reply["warnings"] = diagnostics.iter().map(Diagnostic::json).collect();
    }
    Ok(reply)
}

fn written(value: &impl Serialize) -> Result<Value, RpcError> {
    // Strings, numbers and lists always have a JSON form.
    Ok(serde_json::to_value(value).unwrap_or_default())
}
