//! Types for profiles and verdicts.

use crate::view::FrontMatterState;
use skillc_domain::frontmatter::FrontMatterSpan;
use std::ops::Range;

/// How well a skill works for a profile, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Compatibility {
    /// Conforms to the specification.
    Valid,
    /// Violates the specification.
    Invalid,
    /// The client offers the skill unchanged.
    Loads,
    /// The client offers the skill, but drops or changes part of it.
    Degraded,
    /// The client does not offer the skill.
    Dropped,
}

/// One fact that lowers a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictReason {
    /// The effect of the fact.
    pub compatibility: Compatibility,
    /// In lower case, without a full stop.
    pub message: String,
    /// Byte range in `SKILL.md`; `None` for something missing.
    pub at: Option<Range<usize>>,
    /// The document that specifies it.
    pub source: &'static str,
}

/// How a profile treats a skill, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The worst of the reasons; the best possible value if there are none.
    pub compatibility: Compatibility,
    /// In the order of the checks.
    pub reasons: Vec<VerdictReason>,
}

/// The parts of a `SKILL.md` that loaders examine.
#[derive(Clone, Debug)]
pub struct SkillMdFacts<'a> {
    /// The name of the skill's folder.
    pub folder: &'a str,
    /// The file from its first byte, front matter included.
    pub text: &'a str,
    /// The position of the front matter.
    pub span: FrontMatterSpan,
    /// The parsed front matter.
    pub front: &'a FrontMatterState,
    /// The text after the front matter.
    pub body: &'a str,
}

/// The specification, or a client.
pub struct Profile {
    /// The value of `--profile`.
    pub id: &'static str,
    /// The display name, such as `Claude Code`.
    pub label: &'static str,
    /// The source of its behavior: URL or repository path, with the version that was read.
    pub source: &'static str,
    /// Front matter fields that it supports in addition to the six of the specification.
    pub fields: &'static [&'static str],
    /// Decides whether it loads a skill with these facts, and why.
    pub judge: fn(&SkillMdFacts<'_>) -> Verdict,
}

impl Compatibility {
    /// The word used in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::Loads => "loads",
            Self::Degraded => "degraded",
            Self::Dropped => "dropped",
        }
    }

    /// Whether the skill works as written.
    pub fn is_good(self) -> bool {
        match self {
            Self::Valid | Self::Loads => true,
            Self::Invalid | Self::Degraded | Self::Dropped => false,
        }
    }
}

impl Verdict {
    /// The verdict for these reasons; `best` if there are none.
    pub fn of(best: Compatibility, reasons: Vec<VerdictReason>) -> Self {
        let compatibility = reasons.iter().map(|reason| reason.compatibility).fold(best, Compatibility::max);
        Self { compatibility, reasons }
    }
}

impl std::fmt::Debug for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}
