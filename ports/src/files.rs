//! The files inside a skill.

use crate::error::PortError;
use skillc_domain::digest::Digest;
use skillc_domain::freshness::SummarizedSurvey;
use skillc_domain::path::RelPath;
use skillc_domain::survey::{Stamp, Survey};
use std::path::Path;
use std::sync::Arc;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileContent {
    /// All its bytes.
    pub bytes: Vec<u8>,
    /// Of the very file that was read, taken when it was opened.
    pub stamp: Stamp,
}

/// Opens skills and computes digests.
pub trait SkillFiles: Send + Sync {
    /// Opens a skill's folder by its path, on which there is no link. What is done through the tree stays in this folder, wherever
    /// its path leads later.
    ///
    /// # Errors
    /// `NotFound` when there is no folder, `Linked` when a link is on the way.
    fn open(&self, root: &Path) -> Result<Box<dyn SkillTree>, PortError>;

    /// The SHA-256 of bytes.
    fn digest(&self, bytes: &[u8]) -> Digest;
}

/// One skill's folder.
///
/// Every method stays inside: a path or link that leads out is never followed, also when it was put there a moment
/// ago. FIFOs, sockets and devices are never opened. Nothing is ever written.
pub trait SkillTree: Send + Sync {
    /// Walks the whole skill without opening a file.
    ///
    /// Names that begin with a dot are left out, with all below them. A link that stays inside is followed once: the
    /// files of the folder that it leads to are listed below the link's path, links met inside it are not followed to
    /// folders again, and a link to a folder above it lists nothing, so loops end. An absolute link counts as leading out,
    /// wherever it leads. Two surveys of an unchanged skill are equal but for `taken_ns`.
    ///
    /// # Errors
    /// Only when the root itself cannot be read; what cannot be read below it becomes a warning. `TooLarge` above
    /// `limits::SKILL_FILES_MAX` files.
    fn survey(&self) -> Result<Survey, PortError>;

    /// An earlier survey, if nothing has changed since: it reflects every change that was complete before this call. `None` if
    /// that is not certain.
    ///
    /// Some changes are not reported by the system at once; an adapter documents which, and how long they stay unnoticed.
    fn cached_survey(&self) -> Option<Arc<SummarizedSurvey>> {
        None
    }

    /// Reads a file whole; also a hidden one.
    ///
    /// # Errors
    /// `NotFound`, `NotAFile` (a folder too), `Escapes`, `TooLarge` above `bytes_max`, `Denied`, `Failed`.
    fn read(&self, path: &RelPath, bytes_max: u64) -> Result<FileContent, PortError>;

    /// The SHA-256 of a file of any size, in constant memory.
    ///
    /// # Errors
    /// As `read`, without `TooLarge`.
    fn digest(&self, path: &RelPath) -> Result<Digest, PortError>;

    /// Whether a folder stands at a path; hidden ones too.
    ///
    /// # Errors
    /// `Escapes` when a link on the path leads out.
    fn is_folder(&self, path: &RelPath) -> Result<bool, PortError>;
}
