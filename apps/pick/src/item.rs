//! A skill as the picker shows it.

use skillc_domain::discovery::skill::SkillScope;
use std::path::PathBuf;

/// A skill that can be picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its description, on one line.
    pub description: String,
    /// Its SKILL.md.
    pub path: PathBuf,
    /// Whose it is.
    pub scope: SkillScope,
    /// Whether it was not switched off.
    pub is_enabled: bool,
}

/// Skills of which scope are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScopeFilter {
    /// All.
    #[default]
    All,
    /// Those of the repository.
    Repo,
    /// Those of the user.
    User,
}

impl ScopeFilter {
    /// `all`, `repo` or `user`.
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Repo => "repo",
            Self::User => "user",
        }
    }

    /// Reads such a word; `None` for any other.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::All, Self::Repo, Self::User].into_iter().find(|scope| scope.word() == word)
    }

    /// The next one, round and round.
    pub fn next(self) -> Self {
        match self {
            Self::All => Self::Repo,
            Self::Repo => Self::User,
            Self::User => Self::All,
        }
    }

    /// Whether a skill is shown.
    pub fn takes(self, scope: SkillScope) -> bool {
        match self {
            Self::All => true,
            Self::Repo => scope == SkillScope::Repo,
            Self::User => scope == SkillScope::User,
        }
    }
}
