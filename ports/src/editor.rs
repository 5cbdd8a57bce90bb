//! Changing one file of a skill.

use crate::error::PortError;
use skillc_domain::path::RelPath;
use std::path::Path;

/// Changes files of a skill for `skc lint --fix`, and nothing else.
pub trait SkillEditor: Send + Sync {
    /// Puts `new` in the place of a file whose bytes are `old`: whole or not at all, also when the process is killed on
    /// the way; permissions are kept. Stays in the skill's folder: a path or link that leads out is never followed.
    ///
    /// # Errors
    /// `Changed` when the file no longer holds `old`, `NotAFile` when it is a link or anything else but a file,
    /// `NotFound`, `Linked` when a link is on the way to `root`, `Escapes`, `Denied`, `Failed`. The file is then as it was, and nothing is left beside it.
    fn replace(&self, root: &Path, path: &RelPath, old: &[u8], new: &[u8]) -> Result<(), PortError>;
}
