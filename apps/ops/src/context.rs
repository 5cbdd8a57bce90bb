//! The context of one call: who calls, from where, and with which settings.

use skillc_domain::config::Settings;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::places::Places;
use skillc_domain::reader::Reader;
use skillc_ports::{ConsentPrompt, Progress};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Values taken from the process environment, read once at the start.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `SKC_RUN_ID`, unless empty.
    pub run_id: Option<String>,
    /// `SKILLC_AGENT`, unless empty: the caller is an agent, whatever the surface.
    pub agent: Option<String>,
    /// Variables that move agents' folders; empty while `SKILLC_HOME` is set.
    pub agent_vars: BTreeMap<String, String>,
    /// The project's configuration file, if one was read.
    pub project_config: Option<PathBuf>,
    /// Skills that ship with the program.
    pub builtin_skills: Vec<BuiltinSkill>,
    /// `PATH`: the folders of programs.
    pub program_folders: Vec<PathBuf>,
    /// Problems of the configuration.
    pub config_problems: ConfigProblems,
}

/// Problems of the configuration that was read.
#[derive(Clone, Debug, Default)]
pub struct ConfigProblems {
    /// An E101 for each ignored file.
    pub faults: Vec<Fault>,
    /// W030 to W035.
    pub warnings: Vec<Warning>,
}

/// A skill that ships with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinSkill {
    /// The name by which it is loaded.
    pub name: &'static str,
    /// The content of its SKILL.md.
    pub text: &'static str,
    /// All of its files: path relative to the skill, and content.
    pub files: &'static [(&'static str, &'static [u8])],
}

/// The kind of client that makes a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Caller {
    /// A person, who reads text. It may contain more than the request asked for.
    Person,
    /// A program on the command line, which reads data.
    #[default]
    Program,
    /// An agent that calls through a server; holds its name and version. It may not choose where files are written.
    Agent(String),
}

/// The caller, places and settings of one call.
#[derive(Clone)]
pub struct CallContext {
    /// Person, program or agent, and what follows from that.
    pub caller: Caller,
    /// Who reads the texts in the reply.
    pub reader: Reader,
    /// The session that the call belongs to, if known.
    pub session: Option<String>,
    /// Set when the client no longer waits for the reply; long-running work then stops.
    pub is_cancelled: Arc<AtomicBool>,
    /// Asks the user for consent.
    pub consent: Arc<dyn ConsentPrompt>,
    /// Receives progress and details.
    pub progress: Arc<dyn Progress>,
    /// Home, working directory and project.
    pub places: Places,
    /// The settings that apply to the call.
    pub settings: Settings,
    /// Values of the process environment.
    pub environment: Environment,
}

impl CallContext {
    /// Whether the caller is an agent: it calls through a server, or the environment says so.
    pub fn is_agent(&self) -> bool {
        matches!(self.caller, Caller::Agent(_)) || self.environment.agent.is_some()
    }

    /// Reports a detail if details are wanted.
    pub fn detail(&self, line: impl FnOnce() -> String) {
        if self.progress.wants_details() {
            self.progress.detail(&line());
        }
    }
}
