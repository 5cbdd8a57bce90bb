//! The files inside a skill.

use crate::error::PortError;
use skillc_domain::digest::Digest;
use skillc_domain::freshness::SummarizedSurvey;
use skillc_domain::path::RelPath;
use skillc_domain::survey::{ListedFiles, Stamp, Survey};
use std::path::Path;
use std::sync::Arc;

/// The content of a file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileContent {
    /// All its bytes.
    pub bytes: Vec<u8>,
    /// The stamp of the file when it was opened.
    pub stamp: Stamp,
}

/// Opens skills and computes digests.
pub trait SkillFiles: Send + Sync {
    /// Opens a skill's folder by a path without links. The tree stays in this folder, wherever its path leads later.
    ///
    /// # Errors
    /// `NotFound` if there is no folder, `Linked` if there is a link on the path.
    fn open(&self, root: &Path) -> Result<Box<dyn SkillTree>, PortError>;

    /// Computes the SHA-256 of bytes.
    fn digest(&self, bytes: &[u8]) -> Digest;
}

/// One skill's folder.
///
/// Every method stays inside: it never follows a path or link that leads out, even if it was created during the call.
/// FIFOs, sockets and devices are never opened, and nothing is written.
pub trait SkillTree: Send + Sync {
    /// Walks the whole skill without opening a file.
    ///
    /// Skips names that begin with a dot. Follows a link that stays inside once: the files of its target are listed
    /// below the link's path, further links to folders are not followed, and a link to a parent folder lists nothing,
    /// so loops end. An absolute link counts as leading out. Two surveys of an unchanged skill differ only in
    /// `taken_ns`.
    ///
    /// # Errors
    /// Only if the root itself cannot be read; unreadable entries below it become warnings. `TooLarge` above
    /// `limits::SKILL_FILES_MAX` files or folders.
    fn survey(&self) -> Result<Survey, PortError>;

    /// The files of a survey by name, for a caller that compares no stamps. May contain a file that is deleted
    /// meanwhile.
    ///
    /// # Errors
    /// As `survey`.
    fn listing(&self) -> Result<ListedFiles, PortError> {
        self.survey().map(|survey| ListedFiles::from(&survey))
    }

    /// The hidden entries that a survey skips: files and folders whose names begin with a dot, without the contents
    /// of those folders, sorted by the bytes of their paths. Names that are not UTF-8 are omitted.
    ///
    /// # Errors
    /// As `survey`.
    fn hidden(&self) -> Result<Vec<RelPath>, PortError>;

    /// An earlier survey, if nothing has changed since: it reflects every change that was complete before this call.
    /// `None` if that is not certain.
    ///
    /// Some changes are not reported by the system at once; an adapter documents which, and how long they stay
    /// unnoticed.
    fn cached_survey(&self) -> Option<Arc<SummarizedSurvey>> {
        None
    }

    /// Reads a whole file, even a hidden one.
    ///
    /// # Errors
    /// `NotFound`, `NotAFile` (a folder too), `Escapes`, `TooLarge` above `bytes_max`, `Denied`, `Failed`.
    fn read(&self, path: &RelPath, bytes_max: u64) -> Result<FileContent, PortError>;

    /// Computes the SHA-256 of a file of any size, in constant memory.
    ///
    /// # Errors
    /// As `read`, without `TooLarge`.
    fn digest(&self, path: &RelPath) -> Result<Digest, PortError>;

    /// Whether a path is a folder, hidden or not.
    ///
    /// # Errors
    /// `Escapes` if a link on the path leads out.
    fn is_folder(&self, path: &RelPath) -> Result<bool, PortError>;
}
