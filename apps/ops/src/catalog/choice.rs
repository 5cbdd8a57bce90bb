//! Roots and scopes as callers name them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::discovery::roots::Which;
use skillc_domain::discovery::skill::SkillScope;

/// Which folders of skills are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Roots {
    /// `.agents/skills` from the repository's root to here, the user's, skc's stores, and configured ones.
    #[default]
    Default,
    /// Those of every agent too.
    All,
}

impl Roots {
    /// The domain's value.
    pub fn which(self) -> Which {
        match self {
            Self::Default => Which::Default,
            Self::All => Which::All,
        }
    }
}

/// Whose skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeWord {
    /// The repository's.
    Repo,
    /// The user's.
    User,
}

impl ScopeWord {
    /// The domain's value.
    pub fn scope(self) -> SkillScope {
        match self {
            Self::Repo => SkillScope::Repo,
            Self::User => SkillScope::User,
        }
    }
}
