//! Roots and scopes as command-line options.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::discovery::roots::Which;
use skillc_domain::discovery::skill::SkillScope;

/// The roots to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Roots {
    /// Also those of agents on this machine.
    #[default]
    Default,
    /// `.agents/skills`, skc's stores and configured folders.
    Standard,
    /// Also those of every other agent.
    All,
}

impl Roots {
    /// The corresponding domain value.
    pub fn which(self) -> Which {
        match self {
            Self::Default => Which::Default,
            Self::Standard => Which::Standard,
            Self::All => Which::All,
        }
    }
}

/// The scope of skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeWord {
    /// The repository's skills.
    Repo,
    /// The user's skills.
    User,
}

impl ScopeWord {
    /// The corresponding domain value.
    pub fn scope(self) -> SkillScope {
        match self {
            Self::Repo => SkillScope::Repo,
            Self::User => SkillScope::User,
        }
    }
}
