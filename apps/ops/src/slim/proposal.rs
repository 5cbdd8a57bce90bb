//! A proposal and its parts.

use crate::app::App;
use crate::resolve::{place_in_store, resolve_without_policy};
use crate::skill::Skill;
use crate::slim::recorded::RecordedReads;
use diffy::DiffOptions;
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::history::HistoryTally;
use skillc_domain::path::RelPath;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A change that would make a skill cost less.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SlimProposal {
    /// Its id, for `--apply`.
    pub id: String,
    /// `disable`, `shorten`, `move`, `join` or `split`.
    pub kind: &'static str,
    /// Name of the skill.
    pub skill: String,
    /// Its folder.
    pub skill_path: PathBuf,
    /// The recorded facts that support it.
    pub reason: String,
    /// Estimated tokens that it saves in each session that offers the skill or reads the sections, or in each read of
    /// the file.
    pub tokens: u64,
    /// How often it would have saved them in the recorded sessions.
    pub times: u64,
    /// Recorded reads that were replayed after the change.
    pub replayed: u64,
    /// Those of them that would have failed; such a change is not proposed.
    pub missed: u64,
    /// The change as a unified diff; empty where no file of the skill changes, or no text can be proposed.
    pub diff: String,
    /// Why it cannot be applied; null if it can.
    pub obstacle: Option<String>,
    /// The effect of applying it.
    #[serde(skip)]
    #[schemars(skip)]
    pub change: SlimChange,
}

/// The effect of applying a proposal.
#[derive(Clone, Debug)]
pub enum SlimChange {
    /// Disables the skill.
    Disable,
    /// Changes and adds files.
    Edit(Vec<FileEdit>),
    /// Nothing, since skc cannot do it.
    Nothing,
}

/// A file of a skill with its old and new text.
#[derive(Clone, Debug)]
pub struct FileEdit {
    /// Its path in the skill.
    pub path: RelPath,
    /// Its old text; `None` for a new file.
    pub old: Option<String>,
    /// Its new text.
    pub new: String,
}

/// The recorded use of the skills that are examined.
pub struct SlimEvidence {
    /// Counts by agent, skill and kind.
    pub tallies: Vec<HistoryTally>,
    /// Reads of each skill's files, by the skill's path.
    pub reads: BTreeMap<PathBuf, RecordedReads>,
}

impl SlimEvidence {
    /// The recorded reads of a skill, if there are any.
    pub fn reads_of(&self, skill: &Skill) -> Option<&RecordedReads> {
        self.reads.get(&skill.path)
    }
}

/// A recorded skill, if it still exists.
pub fn present(app: &App, path: &Path) -> Option<Skill> {
    resolve_without_policy(app, &path.to_string_lossy()).ok().filter(|skill| skill.path == path)
}

/// Why a skill cannot be changed: skc only changes skills in its stores.
pub fn obstacle(app: &App, skill: &Skill) -> Option<String> {
    let is_stored = place_in_store(app, skill).is_some();
    (!is_stored)
        .then(|| "the skill is not in a store of skc; 'skc build' with its folder imports it".to_owned())
}

/// The changes of a skill's files as a unified diff.
pub fn diff(skill: &Skill, edits: &[FileEdit]) -> String {
    let one = |edit: &FileEdit| {
        let path = format!("{}/{}", skill.name, edit.path);
        let old = if edit.old.is_some() { format!("a/{path}") } else { "/dev/null".to_owned() };
        let mut options = DiffOptions::new();
        options.set_original_filename(old).set_modified_filename(format!("b/{path}"));
        options.create_patch(edit.old.as_deref().unwrap_or_default(), &edit.new).to_string()
    };
    edits.iter().map(one).collect()
}
