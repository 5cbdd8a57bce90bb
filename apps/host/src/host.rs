//! The methods over the operations: which working directory holds, and what this connection has seen of it.

use crate::contract::{
    CatalogState, Command, ContextInspectResult, DiscoveredSkill, LoadedVersion, SkillDiscoverySearchParams,
    SkillDiscoverySearchResult, SkillLoadParams, SkillSearchParams, SkillsListResult, SkillsState,
};
use crate::refusal::Refusal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skillc_domain::config::Settings;
use skillc_domain::discovery::skill::SkillCatalog;
use skillc_domain::fault::Fault;
use skillc_domain::places::Places;
use skillc_ops::catalog::{self, Ask};
use skillc_ops::descriptors::must_be_free;
use skillc_ops::operation::{Answer, find};
use skillc_ops::{App, Caller, Environment, Failure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// By what name requests of this protocol stand in the log.
const CLIENT: &str = "skc host";
/// The one session of this process.
const SESSION: &str = "host";
/// Working directories whose catalog is remembered for `context.inspect`; an embedding runtime has a few.
const CATALOGS_MAX: usize = 64;

/// What a working directory brings with it.
pub struct Ground {
    /// Home, working directory, project.
    pub places: Places,
    /// The settings that hold there.
    pub settings: Settings,
    /// What operations read of the environment.
    pub environment: Environment,
}

/// Looks at a working directory, which exists and is absolute.
pub type Survey = Box<dyn Fn(&Path) -> Ground + Send + Sync>;

/// One connection: it ends with the process.
pub struct Host {
    app: App,
    survey: Survey,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The one asked about last stands last.
    catalogs: Vec<CatalogState>,
    loaded: BTreeMap<String, LoadedVersion>,
}

impl Host {
    /// A connection over these ports.
    pub fn new(app: App, survey: Survey) -> Self {
        // One client for as long as the process runs, and nobody beside it who could be asked.
        let (caller, session) = (Caller::Agent(CLIENT.to_owned()), Some(SESSION.to_owned()));
        let app = App { caller, session, ..app };
        Self { app, survey, state: Mutex::default() }
    }

    /// Answers a command.
    ///
    /// # Errors
    /// Why there is no result.
    pub fn answer(&self, command: Command) -> Result<Value, Refusal> {
        match command {
            Command::SkillsList(params) => {
                let is_anew = params.force_reload.unwrap_or_default();
                let catalog = self.catalog(&self.app_at(params.cwd)?, is_anew)?;
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

    /// The ports in a working directory: with the settings that hold there now.
    fn app_at(&self, cwd: Option<PathBuf>) -> Result<App, Refusal> {
        let cwd = cwd.unwrap_or_else(|| self.app.places.cwd.clone());
        if !cwd.is_absolute() {
            return Err(Refusal::params(format!("'cwd' must be an absolute path, got '{}'", cwd.display())));
        }
        if !self.app.stores.is_folder(&cwd) {
            return Err(Refusal::params(format!("'cwd' is not a folder: '{}'", cwd.display())));
        }
        let Ground { places, settings, environment } = (self.survey)(&cwd);
        Ok(App { places, settings, environment, ..self.app.clone() })
    }

    fn catalog(&self, app: &App, is_anew: bool) -> Result<Arc<SkillCatalog>, Refusal> {
        let ask = Ask { is_anew, ..Ask::default() };
        let catalog = catalog::read(app, &ask).map_err(|fault| Refusal::from(&fault))?;
        let cwd = app.places.cwd.to_string_lossy().into_owned();
        let listed = CatalogState {
            cwd,
            enabled: app.settings.skills.enabled,
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

    fn search(&self, mut params: SkillSearchParams) -> Result<Value, Refusal> {
        let app = self.app_at(params.cwd.take())?;
        operate(&app, "find", &params)
    }

    fn load(&self, mut params: SkillLoadParams) -> Result<Value, Refusal> {
        let app = self.app_at(params.cwd.take())?;
        let reply = operate(&app, "load", &params)?;
        if let Ok(loaded) = LoadedVersion::deserialize(&reply) {
            self.state().loaded.insert(loaded.path.clone(), loaded);
        }
        Ok(reply)
    }

    /// By meaning alone; an empty query finds nothing.
    fn discover(&self, params: &SkillDiscoverySearchParams) -> Result<Value, Refusal> {
        if params.query.trim().is_empty() {
            return written(&SkillDiscoverySearchResult::default());
        }
        // What the index still lacks is made first: the answer has no place to say that it is not whole.
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

/// Runs an operation of the list to its end, on this thread.
fn operate(app: &App, name: &str, params: &impl Serialize) -> Result<Value, Refusal> {
    let internal = |message: String| Refusal::from(&Fault::Internal { message });
    let entry = find(name).ok_or_else(|| internal(format!("no operation '{name}'")))?;
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    if app.team.is_some() {
        must_be_free().map_err(|error| Refusal::from(&Failure::from(error).fault))?;
        runtime.enable_all();
    }
    let runtime = runtime.build().map_err(|error| internal(format!("cannot start: {error}")))?;
    let answer = runtime.block_on((entry.run_json)(app, written(params)?));
    result(&answer)
}

/// The reply; what is to be known besides stands in `warnings`, where there is any.
fn result(answer: &Answer) -> Result<Value, Refusal> {
    let failed = answer.failures.first().map(|failure| &failure.fault);
    let Some(reply) = &answer.reply else {
        let nothing = Fault::Internal { message: "no reply".to_owned() };
        return Err(Refusal::from(failed.unwrap_or(&nothing)));
    };
    let told = |code: &str, message: String, hint: Option<String>| json!({ "code": code, "message": message, "hint": hint });
    let mut besides: Vec<Value> =
        answer.warnings.iter().map(|w| told(w.code(), w.to_string(), w.hint())).collect();
    besides.extend(answer.failures.iter().map(|f| told(f.fault.code(), f.fault.to_string(), f.fault.hint())));
    let mut reply = reply.json();
    if !besides.is_empty() {
        reply["warnings"] = besides.into();
    }
    Ok(reply)
}

fn written(value: &impl Serialize) -> Result<Value, Refusal> {
    // Made of strings, numbers and lists, which always have a JSON form.
    Ok(serde_json::to_value(value).unwrap_or_default())
}
