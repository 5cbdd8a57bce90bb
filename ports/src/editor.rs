//! Edits to one file of a skill.

use crate::error::PortError;
use skillc_domain::path::RelPath;
use std::path::Path;

/// Edits files of a skill, for `skc lint --fix` only.
pub trait SkillEditor: Send + Sync {
    /// Replaces a file whose bytes are `old` with `new`, completely or not at all, even if the process is killed;
    /// keeps its permissions. Never follows a path or link that leads out of the skill.
    ///
    /// # Errors
    /// `Changed` if the file no longer holds `old`, `NotAFile` for a link or anything else but a file, `NotFound`,
    /// `Linked` if there is a link on the path to `root`, `Escapes`, `Denied`, `Failed`. The file is then unchanged,
    /// and no temporary file is left.
    fn replace(&self, root: &Path, path: &RelPath, old: &[u8], new: &[u8]) -> Result<(), PortError>;
}
