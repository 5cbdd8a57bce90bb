//! The histories that agents keep of their own work.

use crate::error::PortError;
use skillc_domain::history::HistoryCall;
use skillc_domain::time::UnixNs;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// One file of a history: that of a session, or a database of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryFile {
    /// Its path.
    pub path: PathBuf,
    /// Its size in bytes, with those of the files that belong to it.
    pub bytes: u64,
    /// When it was last written.
    pub modified: UnixNs,
}

/// Where to continue in a file. What it means is the source's own; 0 is the beginning.
pub type HistoryPosition = u64;

/// How to read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryRead {
    /// Where to begin. A position beyond the end counts as 0, since the file was replaced.
    pub from: HistoryPosition,
    /// Whether the session has ended, so that calls without an outcome will never have one.
    pub is_settled: bool,
}

/// The history of one agent. Reads regular files alone, follows no links, and changes nothing.
pub trait HistorySource: Send + Sync {
    /// The agent's id in `domain::agents`.
    fn agent(&self) -> &'static str;

    /// The files below the agent's folder, each once, in any order; none if the folder does not exist. A folder that cannot be
    /// listed is an item, and the others follow.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed` if the folder itself cannot be read.
    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError>;

    /// Opens a file. Its size does not matter: memory is bounded.
    ///
    /// # Errors
    /// `NotFound`, `Denied`, `Busy` for a locked database, `Corrupt` for a database of another form, `Failed`.
    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError>;
}

/// The files of a history, listed while they are read.
pub type HistoryFiles = Box<dyn Iterator<Item = Result<HistoryFile, PortError>> + Send>;

/// The calls of one file, in order.
///
/// What is not understood is skipped without a word: unknown types and keys, lines that are not JSON or not UTF-8, lines above
/// 8 MiB, a cut last line. A text that only names a skill is no call.
pub trait HistoryReader: Send {
    /// The next call; `None` at the end.
    ///
    /// # Errors
    /// Those of the system, and `Corrupt` for a compressed file that is damaged; the calls before it were returned.
    fn next_call(&mut self) -> Result<Option<HistoryCall>, PortError>;

    /// Where the next read has to begin, once all calls were returned: after what was understood, and before calls that still
    /// wait for their outcome.
    fn position(&self) -> HistoryPosition;

    /// Whether calls without an outcome were left for the next read.
    fn has_pending(&self) -> bool;
}

/// How far a file was read, and which state of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryBookmark {
    /// The size of the file then.
    pub bytes: u64,
    /// When it had last been written.
    pub modified: UnixNs,
    /// Where to continue.
    pub position: HistoryPosition,
    /// Whether calls wait for their outcome.
    pub has_pending: bool,
}

/// What was forgotten, so that no copy of a history brings it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgottenSpan {
    /// The skill's canonical path or, without one, its name; `None` for every skill.
    pub skill: Option<String>,
    /// Events up to this instant.
    pub until: UnixNs,
}

/// Remembers what was imported.
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

    /// The skills and times of which nothing is imported again.
    ///
    /// # Errors
    /// As `bookmarks_in`.
    fn forgotten(&self) -> Result<Vec<ForgottenSpan>, PortError>;

    /// Records what was forgotten.
    ///
    /// # Errors
    /// Any kind; nothing is then changed.
    fn add_forgotten(&self, span: &ForgottenSpan) -> Result<(), PortError>;
}
