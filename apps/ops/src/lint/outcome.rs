//! The outcome of linting a skill, and which outcomes fail the command.

use crate::lint::skill::LintedSkill;
use crate::skill::Skill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::path::RelPath;

/// What makes the command exit with status 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExitOn {
    /// A finding with the severity error.
    #[default]
    Errors,
    /// Any finding.
    Warnings,
    /// An error, or a verdict of invalid or dropped.
    Verdict,
}

/// What the text output shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Findings, summaries and verdicts.
    #[default]
    Full,
    /// Only findings, one per line.
    Quiet,
    /// How often each rule is violated.
    Statistics,
    /// Summaries and verdicts; the findings are in the file given by `--output`.
    Written,
    /// Only the diff of `--diff`.
    Diff {
        /// Whether it has the unsafe fixes too.
        is_unsafe: bool,
    },
}

/// A skill and the outcome of linting it.
pub struct LintOutcome {
    /// The skill, as it was resolved.
    pub skill: Skill,
    /// The findings; `None` for a compiled skill, which is skipped.
    pub linted: Option<LintedSkill>,
    /// Whether the skill is compiled.
    pub is_compiled: bool,
    /// The applied fixes: file and title.
    pub fixed: Vec<(RelPath, String)>,
    /// The diff for `--diff`.
    pub diff: String,
    /// Whether `--fix` left the skill unchanged, because it is linked from elsewhere and was not named.
    pub is_left_alone: bool,
}
