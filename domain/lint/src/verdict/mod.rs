//! Verdicts: what the specification and each client make of a `SKILL.md` (RFC-0008:C-PROFILES).
//!
//! A profile is one file here and one line in `PROFILES`. A verdict stands beside the findings of the rules: it changes
//! no severity and no exit status.

pub mod claude_code;
pub mod codex;
pub mod cursor;
pub mod gemini;
mod lines;
mod name;
pub mod opencode;
mod reading;
mod restrictions;
pub mod spec;
pub mod vscode;

use super::view::Front;
use skillc_domain::frontmatter::FrontMatterSpan;
use std::ops::Range;

/// What becomes of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The specification has nothing against it.
    Valid,
    /// The specification does not allow it.
    Invalid,
    /// The client offers it with everything that it says.
    Loads,
    /// The client offers it, and loses or changes part of what it says.
    Degraded,
    /// The client does not offer it.
    Dropped,
}

/// Why a verdict is not the best one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What follows from it.
    pub standing: Standing,
    /// The fact, lower case, no full stop.
    pub message: String,
    /// Bytes of `SKILL.md`; `None` for what is missing.
    pub at: Option<Range<usize>>,
    /// Where it is written that it is so.
    pub source: &'static str,
}

/// What becomes of a skill, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The worst that a reason says; the best that there is without reasons.
    pub standing: Standing,
    /// In the order in which they are met.
    pub reasons: Vec<Reason>,
}

/// A `SKILL.md`, as far as loaders look at it.
#[derive(Clone, Debug)]
pub struct SkillMdFacts<'a> {
    /// Name of the skill's folder.
    pub folder: &'a str,
    /// The whole file.
    pub text: &'a str,
    /// Where its front matter stands.
    pub span: FrontMatterSpan,
    /// What its front matter says.
    pub front: &'a Front,
    /// The text after the front matter.
    pub body: &'a str,
}

/// The specification, or a client.
pub struct Profile {
    /// As `--profile` takes it.
    pub id: &'static str,
    /// As a reader knows it.
    pub label: &'static str,
    /// Where its behaviour is written: address or repository path, with the version that was read.
    pub source: &'static str,
    /// Fields of a front matter that it knows beyond the six of the specification.
    pub fields: &'static [&'static str],
    /// What becomes of a skill.
    pub judge: fn(&SkillMdFacts<'_>) -> Verdict,
}

/// All profiles: the specification, then the clients.
pub static PROFILES: &[&Profile] = &[
    &spec::PROFILE,
    &claude_code::PROFILE,
    &codex::PROFILE,
    &vscode::PROFILE,
    &opencode::PROFILE,
    &gemini::PROFILE,
    &cursor::PROFILE,
];

/// The profile that a word names.
pub fn find(word: &str) -> Option<&'static Profile> {
    PROFILES.iter().copied().find(|profile| profile.id == word)
}

impl Standing {
    /// As it is shown.
    pub fn word(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::Loads => "loads",
            Self::Degraded => "degraded",
            Self::Dropped => "dropped",
        }
    }

    /// Whether nothing is lost.
    pub fn is_good(self) -> bool {
        match self {
            Self::Valid | Self::Loads => true,
            Self::Invalid | Self::Degraded | Self::Dropped => false,
        }
    }
}

impl Verdict {
    /// The verdict that follows from reasons; `best` where there is none.
    pub fn of(best: Standing, reasons: Vec<Reason>) -> Self {
        let standing = reasons.iter().map(|reason| reason.standing).fold(best, Standing::max);
        Self { standing, reasons }
    }
}

impl std::fmt::Debug for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

#[cfg(test)]
mod tests;
