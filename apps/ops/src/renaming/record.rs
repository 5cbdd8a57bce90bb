//! The record of a rename in the journal.

use crate::compile::Deployed;
use crate::settings_file::Whose;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Everything needed to complete an interrupted rename, or to undo it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenameRecord {
    /// The folder in the store.
    pub place: PathBuf,
    /// The same folder with links resolved.
    pub path: PathBuf,
    /// The new name.
    pub name: String,
    /// Whether to edit 'name' in SKILL.md.
    pub edits_name: bool,
    /// Its old value.
    pub front_name: Option<String>,
    /// The runtimes that are renamed too.
    pub runtimes: Vec<RuntimeRecord>,
    /// Whether runtime and deployments belong to another skill with the same name.
    pub is_shadowed: bool,
    /// Whether the skill is disabled.
    pub is_off: bool,
    /// The configurations in which to disable the new name.
    pub switched_off_by: Vec<Whose>,
}

/// A runtime of the skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuntimeRecord {
    /// Its folder under the old name.
    pub folder: PathBuf,
    /// Its deployments.
    pub deployed: Vec<Deployed>,
}

impl RenameRecord {
    /// The serialized form in the journal.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Strings and lists can always be serialized, except for paths that are not UTF-8, which skills do not have.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Parses it; `None` for a record of another change.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}
