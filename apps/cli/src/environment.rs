//! The surroundings of the process: home, working directory, project and environment variables. Read once.

use crate::clients::table::CLIENTS;
use crate::config::read::exists;
use crate::shipped::{SHIPPED_SKILL, SKILL};
use skillc_domain::agents::AGENTS;
use skillc_domain::config::Settings;
use skillc_domain::fault::Fault;
use skillc_domain::places::{Places, SKILLC_DIR, project_of, upward};
use skillc_ops::BuiltinSkill;
use skillc_ops::{ConfigProblems, Environment};
use skillc_ports::PortError;
use std::path::{Path, PathBuf};

/// The variables that name the root of the repository; the first one that is set counts.
const AGENTS_ROOT_VARIABLES: &[&str] = &["SKILLC_AGENTS_ROOT", "CODELIA_AGENTS_ROOT"];

/// The surroundings of a run.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Home, working directory and project.
    pub places: Places,
    /// The environment as operations see it.
    pub environment: Environment,
    /// SKILLC_TOKENIZER, if it is set.
    pub tokenizer: Option<String>,
    /// SKILLC_TEAM_URL, if it is set.
    pub team_url: Option<String>,
    /// SKILLC_TEAM_PASSWORD, if it is set.
    pub team_password: Option<String>,
    /// The variable that names the root of the repository, and its value.
    pub agents_root: Option<(String, PathBuf)>,
    /// SKILLC_MODEL_URL, if it is set.
    pub model_url: Option<String>,
}

impl Surroundings {
    /// The surroundings of this process.
    ///
    /// # Errors
    /// E106 without a working directory, E999 without a home.
    pub fn of_process() -> Result<Self, Fault> {
        let cwd = std::env::current_dir().map_err(|error| no_working_directory(&error))?;
        let cwd = canonical(cwd);
        let moved_home = variable("SKILLC_HOME");
        let home = match &moved_home {
            Some(home) => cwd.join(home),
            None => users_home().filter(|home| !home.as_os_str().is_empty()).ok_or_else(|| {
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
                program_folders: program_folders(),
                config_problems: ConfigProblems::default(),
            },
            tokenizer: variable("SKILLC_TOKENIZER"),
            team_url: variable("SKILLC_TEAM_URL"),
            team_password: variable("SKILLC_TEAM_PASSWORD"),
            agents_root,
            model_url: variable("SKILLC_MODEL_URL"),
            places,
        })
    }

    /// The surroundings of another working directory, which exists.
    pub fn moved_to(&self, cwd: &Path) -> Self {
        let places = places(canonical(cwd.to_owned()), self.places.home.clone());
        let environment = Environment { project_config: project_config(&places), ..self.environment.clone() };
        Self { places, environment, ..self.clone() }
    }

    /// The places, with the stores that the settings name.
    pub fn places_with(&self, settings: &Settings) -> Places {
        self.places.clone().with_source_roots(&settings.source_roots)
    }

    /// The path of the user's configuration file, which may not exist.
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

/// The value of a variable that is set and not empty.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The user's home folder.
#[cfg(not(static_libc))]
fn users_home() -> Option<PathBuf> {
    std::env::home_dir()
}

/// The user's home folder. For a user who is not in this file, the C library would load shared libraries of the system, which a
/// statically linked program does not survive.
#[cfg(static_libc)]
fn users_home() -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt;
    let of_user = || {
        let user = std::fs::metadata("/proc/self").ok()?.uid().to_string();
        let users = std::fs::read_to_string("/etc/passwd").ok()?;
        let mut entries = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
        entries.find(|fields| fields.get(2) == Some(&user.as_str()))?.get(5).map(PathBuf::from)
    };
    std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from).or_else(of_user)
}

/// The folders that are searched for programs.
fn program_folders() -> Vec<PathBuf> {
    std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
}

/// The skill that ships in the program.
fn builtin_skills() -> Vec<BuiltinSkill> {
    let text = SHIPPED_SKILL.iter().find(|(path, _)| *path == "SKILL.md");
    let text = text.and_then(|(_, bytes)| std::str::from_utf8(bytes).ok());
    text.map(|text| BuiltinSkill { name: SKILL, text, files: SHIPPED_SKILL }).into_iter().collect()
}

fn places(cwd: PathBuf, home: PathBuf) -> Places {
    let project = project_of(&cwd, &home, Path::is_dir, Path::is_file);
    Places { own: own_dir(&home, project.as_deref()), ..Places::new(home, cwd, project) }
}

/// The user's own `.skillc`. It may be a link of the user, for example to a folder of dotfiles. A link that another
/// user owns, or that leads into the project, is not followed; commands that need the folder report it.
fn own_dir(home: &Path, project: Option<&Path>) -> PathBuf {
    let own = home.join(SKILLC_DIR);
    match skillc_fs::resolve_users(&own) {
        Ok(resolved) if !project.is_some_and(|project| resolved.starts_with(project)) => resolved,
        _ => own,
    }
}

/// The first `.skillc/config.toml` upward, except the home's. Anything but a file is reported when it is read.
fn project_config(places: &Places) -> Option<PathBuf> {
    let mut files = upward(&places.cwd, &places.home).map(|base| base.join(SKILLC_DIR).join("config.toml"));
    files.find(|file| exists(file))
}

/// A path with its links resolved; unchanged if it does not exist.
fn canonical(path: PathBuf) -> PathBuf {
    skillc_fs::canonicalize(&path).unwrap_or(path)
}

/// The values of all variables in the tables of agents and clients.
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
    let names = names.chain(skillc_domain::history::location::variables());
    names.filter_map(|name| Some((name.to_owned(), variable(name)?))).collect()
}
