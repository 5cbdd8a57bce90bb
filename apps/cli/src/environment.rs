//! What the process finds around it: home, working directory, project, variables. Read once.

use crate::clients::table::CLIENTS;
use crate::config::{AGENTS_ROOT_VARIABLES, stands};
use skillc_domain::agents::AGENTS;
use skillc_domain::fault::Fault;
use skillc_domain::places::{Places, SKILLC_DIR, project_of, upward};
use skillc_ops::Environment;
use skillc_ops::catalog::BuiltinSkill;
use skillc_ports::PortError;
use std::path::{Path, PathBuf};

/// The surroundings of a run.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Home, working directory and project.
    pub places: Places,
    /// What operations read of the environment.
    pub environment: Environment,
    /// SKILLC_TOKENIZER, if it says anything.
    pub tokenizer: Option<String>,
    /// SKILLC_TEAM_URL, if it says anything.
    pub team_url: Option<String>,
    /// SKILLC_TEAM_PASSWORD, if it says anything.
    pub team_password: Option<String>,
    /// The root of the repository, with the variable that names it.
    pub agents_root: Option<(String, PathBuf)>,
    /// SKILLC_MODEL_URL, if it says anything.
    pub model_url: Option<String>,
}

impl Surroundings {
    /// Those of this process.
    ///
    /// # Errors
    /// E106 without a working directory, E999 without a home.
    pub fn of_process() -> Result<Self, Fault> {
        let cwd = std::env::current_dir().map_err(|error| no_working_directory(&error))?;
        let cwd = canonical(cwd);
        let moved_home = variable("SKILLC_HOME");
        let home = match &moved_home {
            Some(home) => cwd.join(home),
            None => std::env::home_dir().filter(|home| !home.as_os_str().is_empty()).ok_or_else(|| {
                Fault::Internal { message: "cannot find the home directory; set SKILLC_HOME".to_owned() }
            })?,
        };
        let agent_vars = match moved_home {
            Some(_) => Default::default(),
            None => agent_variables(),
        };
        let agents_root = AGENTS_ROOT_VARIABLES
            .iter()
            .find_map(|name| Some(((*name).to_owned(), canonical(cwd.join(variable(name)?)))));
        let places = places(cwd, canonical(home));
        Ok(Self {
            environment: Environment {
                run_id: variable("SKC_RUN_ID"),
                agent: variable("SKILLC_AGENT"),
                agent_vars,
                project_config: project_config(&places),
                builtin_skills: builtin_skills(),
            },
            tokenizer: variable("SKILLC_TOKENIZER"),
            team_url: variable("SKILLC_TEAM_URL"),
            team_password: variable("SKILLC_TEAM_PASSWORD"),
            agents_root,
            model_url: variable("SKILLC_MODEL_URL"),
            places,
        })
    }

    /// The same from another working directory, which exists.
    pub fn moved_to(&self, cwd: &Path) -> Self {
        let places = places(canonical(cwd.to_owned()), self.places.home.clone());
        let environment = Environment { project_config: project_config(&places), ..self.environment.clone() };
        Self { places, environment, ..self.clone() }
    }

    /// The global configuration file, which may not exist.
    pub fn global_config(&self) -> PathBuf {
        self.places.own.join("config.toml")
    }
}

fn no_working_directory(error: &std::io::Error) -> Fault {
    let message = match error.kind() {
        std::io::ErrorKind::NotFound => "it was deleted or moved".to_owned(),
        _ => PortError::io("read it", std::io::Error::from(error.kind())).reason().to_owned(),
    };
    Fault::NoWorkingDirectory { message }
}

/// A variable that is set and not empty.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The skill that ships in the program.
fn builtin_skills() -> Vec<BuiltinSkill> {
    let text = crate::tour::SHIPPED_SKILL.iter().find(|(path, _)| *path == "SKILL.md");
    let text = text.and_then(|(_, bytes)| std::str::from_utf8(bytes).ok());
    text.map(|text| BuiltinSkill { name: crate::tour::SKILL, text }).into_iter().collect()
}

fn places(cwd: PathBuf, home: PathBuf) -> Places {
    let project = project_of(&cwd, &home, Path::is_dir, Path::is_file);
    Places { own: own_dir(&home, project.as_deref()), ..Places::new(home, cwd, project) }
}

/// The user's own `.skillc`, which may be a link of theirs, as to a folder of dotfiles. One that is somebody else's, or that leads
/// into the project, is not followed; each command that needs it says so.
fn own_dir(home: &Path, project: Option<&Path>) -> PathBuf {
    let own = home.join(SKILLC_DIR);
    match skillc_fs::resolve_users(&own) {
        Ok(resolved) if !project.is_some_and(|project| resolved.starts_with(project)) => resolved,
        _ => own,
    }
}

/// The first `.skillc/config.toml` upward that is not the home's, whatever it is: what is no file is told, not passed over.
fn project_config(places: &Places) -> Option<PathBuf> {
    let mut files = upward(&places.cwd, &places.home).map(|base| base.join(SKILLC_DIR).join("config.toml"));
    files.find(|file| stands(file))
}

/// The path without links; as it is where it does not exist yet.
fn canonical(path: PathBuf) -> PathBuf {
    std::fs::canonicalize(&path).unwrap_or(path)
}

/// Every variable that the tables of agents and clients name.
fn agent_variables() -> std::collections::BTreeMap<String, String> {
    let templates = AGENTS.iter().flat_map(|agent| {
        let detect = match agent.detect {
            skillc_domain::agents::Detect::AnyOf(templates) => templates,
            _ => &[],
        };
        agent.user.iter().chain(detect)
    });
    let files =
        CLIENTS.iter().flat_map(|client| [&client.user.linux, &client.user.macos, &client.user.windows]);
    let names = templates.chain(files).filter_map(|template| {
        let inside = template.strip_prefix("${")?.split('}').next()?;
        inside.split(":-").next()
    });
    names.filter_map(|name| Some((name.to_owned(), variable(name)?))).collect()
}
