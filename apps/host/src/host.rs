//! Maps methods to operations in the workspace of each request, and keeps the state of the connection.

use crate::contract::{
    CatalogState, Command, ContextInspectResult, LoadedVersion, SkillDiscoverySearchParams,
    SkillDiscoverySearchResult, SkillLoadParams, SkillSearchParams, SkillsListResult, SkillsState,
};
use crate::rpc_error::RpcError;
use serde::Serialize;
use serde_json::Value;
use skillc_domain::discovery::skill::SkillCatalog;
use skillc_ops::catalog::{self, CatalogFilter};
use skillc_ops::find::FindMode;
use skillc_ops::operation::call_blocking;
use skillc_ops::verb::find::{Find, FindRequest};
use skillc_ops::verb::load::Load;
use skillc_ops::workspace::{LiveApp, WorkspaceResolver};
use skillc_ops::{Answer, App, Caller, Diagnostic, Failure, Reply};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The client name under which requests are logged.
const CLIENT: &str = "skc host";
/// The only session of this process.
const SESSION: &str = "host";
/// Working directories listed by `context.inspect`; an embedding runtime uses a few.
const CATALOGS_MAX: usize = 64;

/// The connection of this process.
pub struct HostServer {
    app: LiveApp,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Least recently requested first.
    catalogs: Vec<CatalogState>,
    loaded: BTreeMap<String, LoadedVersion>,
}

impl HostServer {
    /// A connection over these ports.
    pub fn new(mut app: App, resolve: WorkspaceResolver) -> Self {
        app.call.caller = Caller::Agent(CLIENT.to_owned());
        app.call.session = Some(SESSION.to_owned());
        Self { app: LiveApp::new(app, resolve), state: Mutex::default() }
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
            Command::SkillDiscoverySearch(params) => self.discover(params),
        }
    }

    /// The ports with the current settings of a working directory; by default that of the process.
    fn app_at(&self, cwd: Option<PathBuf>) -> Result<App, RpcError> {
        let cwd = cwd.unwrap_or_else(|| self.app.initial().call.places.cwd.clone());
        if !cwd.is_absolute() {
            return Err(RpcError::params(format!("'cwd' must be an absolute path, got '{}'", cwd.display())));
        }
        if !self.app.initial().ports.stores.is_folder(&cwd) {
            return Err(RpcError::params(format!("'cwd' is not a folder: '{}'", cwd.display())));
        }
        Ok(self.app.at(&cwd))
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
        result(&call_blocking::<Find>(&app, params.into()))
    }

    fn load(&self, mut params: SkillLoadParams) -> Result<Value, RpcError> {
        let app = self.app_at(params.cwd.take())?;
        let answer = call_blocking::<Load>(&app, params.into());
        if let Some(loaded) = answer.reply.as_ref().map(LoadedVersion::from) {
            self.state().loaded.insert(loaded.path.clone(), loaded);
        }
        result(&answer)
    }

    /// Searches by meaning only; an empty query finds nothing.
    fn discover(&self, params: SkillDiscoverySearchParams) -> Result<Value, RpcError> {
        let SkillDiscoverySearchParams { query, limit } = params;
        if query.trim().is_empty() {
            return written(&SkillDiscoverySearchResult::default());
        }
        // Missing vectors are computed first, since the result has no field for an incomplete index.
        let request = FindRequest {
            query: vec![query],
            limit,
            mode: FindMode::Semantic,
            index: true,
            ..FindRequest::default()
        };
        let answer = call_blocking::<Find>(&self.app_at(None)?, request);
        let found = answer.reply.ok_or_else(|| error(&answer.failures))?;
        let results = found.results.into_iter().map(Into::into).collect();
        written(&SkillDiscoverySearchResult { results })
    }
}

/// The reply, with a field `warnings` if there are warnings or partial failures.
fn result<R: Reply>(answer: &Answer<R>) -> Result<Value, RpcError> {
    let Some(reply) = &answer.reply else { return Err(error(&answer.failures)) };
    let mut diagnostics: Vec<Diagnostic> = answer.warnings.iter().map(Diagnostic::from).collect();
    diagnostics.extend(answer.failures.iter().map(|failure| Diagnostic::from(&failure.fault)));
    let mut reply = reply.json();
    if !diagnostics.is_empty() {
        reply["warnings"] = diagnostics.iter().map(Diagnostic::json).collect();
    }
    Ok(reply)
}

/// The error of a call that failed as a whole.
fn error(failures: &[Failure]) -> RpcError {
    failures.first().map_or_else(|| RpcError::internal("no reply"), |failure| (&failure.fault).into())
}

fn written(value: &impl Serialize) -> Result<Value, RpcError> {
    // Strings, numbers and lists can always be serialized.
    Ok(serde_json::to_value(value).unwrap_or_default())
}
