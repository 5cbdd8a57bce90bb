//! Lists the files of a skill without opening them, and examines the first of them on the way.

use crate::listing::{self, ListingBuffer};
use crate::sandbox;
use cap_std::fs::Dir;
use skillc_domain::limits::SKILL_FILES_MAX;
use skillc_domain::survey::{NameFilter, Stamp};
use skillc_fs::{EntryKind, is_temporary};
use skillc_ports::error::{ErrorKind, PortError};
use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

/// Bytes of a path that Linux accepts (PATH_MAX without the final NUL).
const PATH_BYTES_MAX: usize = 4_095;

/// Number of files that a survey examines while their folder is open for listing; the rest is divided between two
/// threads.
pub(crate) const STAMPED_AT_ONCE_MAX: usize = 128;

/// The result of a walk. Paths are relative to the root, with `/` as separator on every system.
#[derive(Debug, Default)]
pub(crate) struct FoundFiles {
    /// Parents before children; the first is the root, an empty path.
    pub(crate) folders: Vec<OsString>,
    /// Unordered.
    pub(crate) files: Vec<WalkedFile>,
    /// Links that lead out.
    pub(crate) escaping: Vec<OsString>,
    /// Entries that could not be included.
    pub(crate) skipped: Vec<SkippedEntry>,
    /// Entries whose names begin with a dot, unless the walk includes those.
    pub(crate) hidden: Vec<OsString>,
    /// Whether there are any links, inside or out.
    pub(crate) has_links: bool,
    /// Whether an examined file has other names through hard links.
    pub(crate) has_other_names: bool,
}

/// A regular file, or a link to one inside the skill.
#[derive(Debug)]
pub(crate) struct WalkedFile {
    /// Relative to the root.
    pub(crate) path: OsString,
    /// Index of its folder in `FoundFiles::folders`.
    pub(crate) folder: usize,
    /// The stamp of an examined file or of a link's target; `None` if the file was not examined.
    pub(crate) stamp: Option<Stamp>,
}

/// A file or folder that was skipped.
#[derive(Debug)]
pub(crate) struct SkippedEntry {
    /// Relative to the root.
    pub(crate) path: OsString,
    pub(crate) reason: SkipReason,
}

/// Why an entry was skipped.
#[derive(Debug)]
pub(crate) enum SkipReason {
    /// The name is not UTF-8.
    Name,
    /// The system reported an error.
    Refused(io::Error),
}

/// Walks everything below a folder.
///
/// # Errors
/// If the root cannot be read; `TooLarge` above `SKILL_FILES_MAX` files or folders.
pub(crate) fn walk(root: &Dir, names: NameFilter) -> Result<FoundFiles, PortError> {
    Walk::new(root, names).run()
}

/// Like `walk`, for a survey: examines the first files, and calls the listener with each folder before reading it.
pub(crate) fn walk_to_survey<'a>(
    root: &'a Dir,
    listener: FolderListener<'a>,
) -> Result<FoundFiles, PortError> {
    Walk { listener, stamps_left: STAMPED_AT_ONCE_MAX, ..Walk::new(root, NameFilter::Visible) }.run()
}

/// Called with each folder before it is read.
pub(crate) type FolderListener<'a> = Option<&'a mut dyn FnMut(&Dir)>;

struct Walk<'a> {
    root: &'a Dir,
    names: NameFilter,
    listener: FolderListener<'a>,
    /// Number of files that are still examined during the walk.
    stamps_left: usize,
    found: FoundFiles,
    pending: Vec<PendingFolder>,
    buffer: ListingBuffer,
}

/// The folder that is being read.
struct CurrentFolder<'a> {
    dir: &'a Dir,
    /// Its index in `FoundFiles::folders`.
    at: usize,
    is_behind_link: bool,
}

/// A folder that remains to be read.
struct PendingFolder {
    path: OsString,
    /// Whether the path to it contains a link; further links to folders are then not followed.
    is_behind_link: bool,
}

impl<'a> Walk<'a> {
    fn new(root: &'a Dir, names: NameFilter) -> Self {
        let (listener, stamps_left, found, pending, buffer) = Default::default();
        Self { root, names, listener, stamps_left, found, pending, buffer }
    }

    fn run(mut self) -> Result<FoundFiles, PortError> {
        self.read_folder(PendingFolder { path: OsString::new(), is_behind_link: false })
            .map_err(|e| sandbox::port_error(Path::new("."), e))?;
        while let Some(next) = self.pending.pop() {
            let path = next.path.clone();
            if let Err(error) = self.read_folder(next) {
                self.skip(path, error);
            }
            if self.found.files.len().max(self.found.folders.len()) > SKILL_FILES_MAX {
                return Err(PortError::new(ErrorKind::TooLarge, "walk the skill"));
            }
        }
        Ok(self.found)
    }

    fn read_folder(&mut self, folder: PendingFolder) -> io::Result<()> {
        let dir = listing::open(self.root, &folder.path)?;
        if let Some(listener) = &mut self.listener {
            listener(&dir);
        }
        let at = self.found.folders.len();
        self.found.folders.push(folder.path.clone());
        let current = CurrentFolder { dir: &dir, at, is_behind_link: folder.is_behind_link };
        let mut buffer = std::mem::take(&mut self.buffer);
        let listed = listing::each_entry(&dir, &mut buffer, |name, kind| {
            let path = join(&folder.path, &name);
            if self.includes(&name) {
                self.add(path, kind, &current);
            } else {
                self.found.hidden.push(path);
            }
            let is_enough = self.found.files.len() > SKILL_FILES_MAX;
            if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.buffer = buffer;
        listed
    }

    fn add(&mut self, path: OsString, kind: Option<EntryKind>, folder: &CurrentFolder<'_>) {
        let Some(kind) = kind.or_else(|| self.kind_by_stat(&path)).filter(|kind| *kind != EntryKind::Other)
        else {
            return;
        };
        if self.names == NameFilter::Visible && path.to_str().is_none() {
            self.found.skipped.push(SkippedEntry { path, reason: SkipReason::Name });
        } else if kind == EntryKind::Link {
            self.found.has_links = true;
            self.add_link(path, folder.at, folder.is_behind_link);
        } else if path.len() > PATH_BYTES_MAX {
            self.skip(path, io::ErrorKind::InvalidFilename.into());
        } else if kind == EntryKind::Folder {
            self.pending.push(PendingFolder { path, is_behind_link: folder.is_behind_link });
        } else {
            self.add_file(path, folder);
        }
    }

    fn add_file(&mut self, path: OsString, folder: &CurrentFolder<'_>) {
        let mut stamp = None;
        if self.stamps_left > 0 {
            self.stamps_left -= 1;
            let name = Path::new(&path).file_name().unwrap_or_default();
            // It was deleted in the meantime.
            let Some(examined) = sandbox::stat_file(folder.dir, name) else { return };
            self.found.has_other_names |= examined.has_other_names;
            stamp = Some(examined.stamp);
        }
        self.found.files.push(WalkedFile { path, folder: folder.at, stamp });
    }

    fn includes(&self, name: &OsStr) -> bool {
        // Incomplete files of a write in progress are not imported.
        let is_incomplete = self.names == NameFilter::Imported && is_temporary(name);
        self.names.includes(name.as_encoded_bytes()) && !is_incomplete
    }

    /// The kind of an entry, for file systems that do not report it in listings.
    fn kind_by_stat(&self, path: &OsStr) -> Option<EntryKind> {
        listing::kind_of(self.root.symlink_metadata(path).ok()?.file_type())
    }

    fn add_link(&mut self, path: OsString, folder: usize, is_behind_link: bool) {
        match self.root.metadata(&path) {
            Ok(target) if target.is_file() => {
                self.found.files.push(WalkedFile { path, folder, stamp: Some(sandbox::stamp(&target)) });
            }
            Ok(target) if target.is_dir() && !is_behind_link && !self.leads_upward(&path, folder) => {
                self.pending.push(PendingFolder { path, is_behind_link: true });
            }
            Ok(_) => {}
            Err(error) if sandbox::is_escape(&error) => self.found.escaping.push(path),
            Err(error) => self.skip(path, error),
        }
    }

    /// Whether a link leads to one of its own parent folders, whose files are listed already.
    fn leads_upward(&self, link: &OsStr, folder: usize) -> bool {
        let Ok(target) = self.root.canonicalize(link) else { return true };
        target == Path::new(".") || Path::new(&self.found.folders[folder]).starts_with(target)
    }

    fn skip(&mut self, path: OsString, error: io::Error) {
        // Deleted entries and dangling links are not reported.
        let is_too_long = error.kind() == io::ErrorKind::InvalidFilename;
        if is_too_long || !(sandbox::is_nowhere(&error) || sandbox::is_escape(&error)) {
            self.found.skipped.push(SkippedEntry { path, reason: SkipReason::Refused(error) });
        }
    }
}

fn join(folder: &OsStr, name: &OsStr) -> OsString {
    let mut path = OsString::with_capacity(folder.len() + 1 + name.len());
    if !folder.is_empty() {
        path.push(folder);
        path.push("/");
    }
    path.push(name);
    path
}
