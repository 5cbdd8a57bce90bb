//! The record of a rename in the journal.

use crate::compile::Deployed;
use crate::settings_file::Whose;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What has to be known to complete an interrupted rename, or to undo it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenameRecord {
    /// The folder in the store.
    pub place: PathBuf,
    /// The same with links resolved.
    pub path: PathBuf,
    /// The new name.
    pub name: String,
    /// Whether 'name' in SKILL.md is to be edited.
    pub edits_name: bool,
    /// Its old value.
    pub front_name: Option<String>,
    /// The runtimes that get the new name too.
    pub runtimes: Vec<RuntimeRecord>,
    /// Whether runtime and deployments belong to another skill of the same name.
    pub is_shadowed: bool,
    /// Whether it is switched off.
    pub is_off: bool,
    /// The configurations in which the new name is to be switched off.
    pub switched_off_by: Vec<Whose>,
}

/// A runtime of the skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuntimeRecord {
    /// Its folder, with the old name.
    pub folder: PathBuf,
    /// What was deployed of it.
    pub deployed: Vec<Deployed>,
}

impl RenameRecord {
    /// The form in the journal.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Strings and lists always have a JSON form, but for paths that are not UTF-8, which no skill has.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Parses it; `None` for the record of another change.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}
