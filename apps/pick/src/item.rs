//! The skills in the list of the picker, and the filter by scope.

use skillc_domain::discovery::skill::SkillScope;
use std::path::PathBuf;

/// A skill in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillItem {
    /// On one line, without control characters.
    pub name: String,
    /// On one line, without control characters.
    pub description: String,
    /// The path of its SKILL.md.
    pub path: PathBuf,
    /// Repository or user.
    pub scope: SkillScope,
    /// `false` for a skill that is switched off.
    pub is_enabled: bool,
}

/// The scope whose skills are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScopeView {
    /// Every skill.
    #[default]
    All,
    /// Skills of the repository.
    Repo,
    /// Skills of the user.
    User,
}

impl ScopeView {
    /// `all`, `repo` or `user`.
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Repo => "repo",
            Self::User => "user",
        }
    }

    /// Parses `all`, `repo` or `user`; `None` for any other word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::All, Self::Repo, Self::User].into_iter().find(|scope| scope.word() == word)
    }

    /// The next filter, in a cycle.
    pub fn next(self) -> Self {
        match self {
            Self::All => Self::Repo,
            Self::Repo => Self::User,
            Self::User => Self::All,
        }
    }

    /// Whether skills of a scope are shown.
    pub fn matches(self, scope: SkillScope) -> bool {
        match self {
            Self::All => true,
            Self::Repo => scope == SkillScope::Repo,
            Self::User => scope == SkillScope::User,
        }
    }
}
