//! Findings of the doctor.

use crate::skill::Skill;
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::listing::Scope;
use std::path::{Path, PathBuf};

/// How bad a finding is, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingSeverity {
    /// Something does not work, or is not safe.
    Error,
    /// Something works otherwise than it looks.
    Warning,
    /// Something could be tidied up.
    Note,
}

/// Something that is wrong on this machine.
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
    /// Why it hurts.
    pub why: &'static str,
    /// The command that mends it.
    pub mend: String,
    /// Whether `--fix` does.
    pub fixable: bool,
    /// The skill that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// How `--fix` does it.
    #[serde(skip)]
    #[schemars(skip)]
    pub fix: Option<SafeFix>,
}

/// A safe change that mends a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SafeFix {
    /// Moves an entry to the trash.
    Remove(PathBuf),
    /// Builds a skill again, and its copies.
    Build {
        /// The skill.
        skill: Skill,
        /// Whose runtime.
        scope: Scope,
    },
    /// Copies a runtime again.
    Copy {
        /// The runtime.
        runtime: PathBuf,
        /// The copy.
        place: PathBuf,
    },
    /// Moves the events of the fallback log of this skill.
    MergeLog(String),
    /// Repairs a log.
    RepairLog(PathBuf),
}

/// The command that mends what `--fix` mends.
pub const FIX_COMMAND: &str = "skc doctor --fix";

impl HealthFinding {
    /// A finding that only the user can mend.
    pub fn new(
        severity: FindingSeverity,
        path: &Path,
        what: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self {
            check: "",
            severity,
            path: path.to_owned(),
            what: what.into(),
            why: "",
            mend: mend.into(),
            fixable: false,
            skill: None,
            fix: None,
        }
    }

    /// A finding that `--fix` mends.
    pub fn fixable(severity: FindingSeverity, path: &Path, what: impl Into<String>, fix: SafeFix) -> Self {
        Self { fixable: true, fix: Some(fix), ..Self::new(severity, path, what, FIX_COMMAND) }
    }

    /// The same with a reason of its own, in place of that of its check.
    pub fn because(self, why: &'static str) -> Self {
        Self { why, ..self }
    }

    /// The same about a skill.
    pub fn of_skill(self, name: &str) -> Self {
        Self { skill: Some(name.to_owned()), ..self }
    }
}
