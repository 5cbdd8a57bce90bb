//! Findings of the doctor.

use crate::skill::Skill;
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::listing::Scope;
use std::path::{Path, PathBuf};

/// The severity of a finding, highest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingSeverity {
    /// Something does not work or is not safe.
    Error,
    /// Something works differently from how it looks.
    Warning,
    /// Something could be tidied up.
    Note,
}

/// A problem on this machine.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HealthFinding {
    /// Id of the check.
    pub check: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: FindingSeverity,
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
    /// Why it matters.
    pub why: &'static str,
    /// The command that fixes it, or shows what needs fixing.
    pub fix: String,
    /// Whether `--fix` fixes it.
    pub fixable: bool,
    /// The skill that the finding is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// How `--fix` fixes it.
    #[serde(skip)]
    #[schemars(skip)]
    pub safe_fix: Option<SafeFix>,
}

/// A safe change that resolves a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SafeFix {
    /// Moves an entry to the trash.
    Remove(PathBuf),
    /// Builds a skill again, and its copies.
    Build {
        /// The skill.
        skill: Skill,
        /// The scope of its runtime.
        scope: Scope,
    },
    /// Copies a runtime again.
    Copy {
        /// The runtime to copy.
        runtime: PathBuf,
        /// The copy to replace.
        place: PathBuf,
    },
    /// Moves the events of the fallback log of this skill.
    MergeLog(String),
    /// Repairs a log.
    RepairLog(PathBuf),
}

/// The command that applies safe fixes.
pub const FIX_COMMAND: &str = "skc doctor --fix";

impl HealthFinding {
    /// A finding that only the user can resolve.
    pub fn new(
        severity: FindingSeverity,
        path: &Path,
        what: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            check: "",
            severity,
            path: path.to_owned(),
            what: what.into(),
            why: "",
            fix: fix.into(),
            fixable: false,
            skill: None,
            safe_fix: None,
        }
    }

    /// A finding that `--fix` resolves.
    pub fn fixable(
        severity: FindingSeverity,
        path: &Path,
        what: impl Into<String>,
        safe_fix: SafeFix,
    ) -> Self {
        Self { fixable: true, safe_fix: Some(safe_fix), ..Self::new(severity, path, what, FIX_COMMAND) }
    }

    /// Replaces the check's reason by another one.
    pub fn because(self, why: &'static str) -> Self {
        Self { why, ..self }
    }

    /// Adds the skill that the finding is about.
    pub fn of_skill(self, name: &str) -> Self {
        Self { skill: Some(name.to_owned()), ..self }
    }
}
