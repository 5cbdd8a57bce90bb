//! The histories that agents record of their own sessions.

use crate::error::PortError;
use skillc_domain::history::HistoryCall;
use skillc_domain::time::UnixNs;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A file of a history: of one session, or a database of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryFile {
    /// Its path.
    pub path: PathBuf,
    /// Its size in bytes, including the files that belong to it.
    pub bytes: u64,
    /// When it was last written.
    pub modified: UnixNs,
}

/// Where to continue reading a file. Only the source knows its meaning; 0 is the beginning.
pub type HistoryPosition = u64;

/// How to read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryRead {
    /// Where to begin. A position beyond the end means that the file was replaced, and counts as 0.
    pub from: HistoryPosition,
    /// Whether the session has ended, so that calls without an outcome will never get one.
    pub is_settled: bool,
}

/// The history of one agent. Reads only regular files, follows no links, and changes nothing.
pub trait HistorySource: Send + Sync {
    /// The agent's id in `domain::agents`.
    fn agent(&self) -> &'static str;

    /// The files below the agent's folder, each once, in any order; none if the folder does not exist. A folder that
    /// cannot be listed yields an error, and the iteration continues.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed` if the agent's folder itself cannot be read.
    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError>;

    /// Opens a file. Memory use is bounded whatever its size.
    ///
    /// # Errors
    /// `NotFound`, `Denied`, `Busy` for a locked database, `Corrupt` for a database with an unknown schema, `Failed`.
    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError>;
}

/// The files of a history, listed lazily.
pub type HistoryFiles = Box<dyn Iterator<Item = Result<HistoryFile, PortError>> + Send>;

/// The calls of one file, in order.
///
/// Skips whatever it does not understand, without an error: unknown types and keys, lines that are not JSON or not
/// UTF-8, lines above 8 MiB, a truncated last line. A text that only names a skill is not a call.
pub trait HistoryReader: Send {
    /// The next call; `None` at the end.
    ///
    /// # Errors
    /// I/O errors, and `Corrupt` for a damaged compressed file. The calls before the error have been returned.
    fn next_call(&mut self) -> Result<Option<HistoryCall>, PortError>;

    /// Where the next read must begin, after all calls were returned: after everything that was understood, but
    /// before calls that still wait for their outcome.
    fn position(&self) -> HistoryPosition;

    /// Whether calls without an outcome were left for the next read.
    fn has_pending(&self) -> bool;
}

/// How far a file was read, and in which state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryBookmark {
    /// Size of the file at that time, in bytes.
    pub bytes: u64,
    /// When the file had last been written.
    pub modified: UnixNs,
    /// Where to continue.
    pub position: HistoryPosition,
    /// Whether calls are waiting for their outcome.
    pub has_pending: bool,
}

/// Events that the user deleted and that must not be imported again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgottenSpan {
    /// The skill's canonical path or, if there is none, its name; `None` for every skill.
    pub skill: Option<String>,
    /// Events up to this instant.
    pub until: UnixNs,
}

/// Stores how far histories were imported.
pub trait HistoryBookmarks: Send + Sync {
    /// The bookmarks of the files directly in a folder.
    ///
    /// # Errors
    /// `Corrupt`, `Denied`, `Busy`, `Failed`.
    fn bookmarks_in(&self, folder: &Path) -> Result<HashMap<PathBuf, HistoryBookmark>, PortError>;

    /// Sets bookmarks, all or none.
    ///
    /// # Errors
    /// Any kind; nothing is then changed.
    fn set_bookmarks(&self, bookmarks: &[(PathBuf, HistoryBookmark)]) -> Result<(), PortError>;

    /// The skills and time spans that are never imported again.
    ///
    /// # Errors
    /// As `bookmarks_in`.
    fn forgotten(&self) -> Result<Vec<ForgottenSpan>, PortError>;

    /// Records that events were forgotten.
    ///
    /// # Errors
    /// Any kind; nothing is then changed.
    fn add_forgotten(&self, span: &ForgottenSpan) -> Result<(), PortError>;
}
