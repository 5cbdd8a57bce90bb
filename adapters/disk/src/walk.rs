//! Lists the files of a skill without opening or examining them.

use crate::sandbox;
use cap_std::fs::{Dir, FileType};
use skillc_domain::limits::SKILL_FILES_MAX;
use skillc_domain::survey::{NameFilter, Stamp};
use skillc_fs::is_temporary;
use skillc_ports::error::{ErrorKind, PortError};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

/// Bytes of a path that Linux accepts (PATH_MAX without the final NUL).
const PATH_BYTES_MAX: usize = 4_095;

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
}

/// A regular file, or a link to one inside the skill.
#[derive(Debug)]
pub(crate) struct WalkedFile {
    /// Relative to the root.
    pub(crate) path: OsString,
    /// Index of its folder in `FoundFiles::folders`.
    pub(crate) folder: usize,
    /// The stamp of a link's target; `None` for a file, which is not examined.
    pub(crate) stamp: Option<Stamp>,
}

/// A file or folder that was left out.
#[derive(Debug)]
pub(crate) struct SkippedEntry {
    /// Relative to the root.
    pub(crate) path: OsString,
    pub(crate) reason: SkipReason,
}

/// Why an entry was left out.
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
    walk_with_listener(root, names, None)
}

/// As `walk`; calls the listener with each folder before reading it.
pub(crate) fn walk_with_listener<'a>(
    root: &'a Dir,
    names: NameFilter,
    listener: FolderListener<'a>,
) -> Result<FoundFiles, PortError> {
    let mut walk = Walk { root, names, listener, found: FoundFiles::default(), pending: Vec::new() };
    walk.read_folder(PendingFolder { path: OsString::new(), is_behind_link: false })
        .map_err(|e| sandbox::port_error(Path::new("."), e))?;
    while let Some(next) = walk.pending.pop() {
        let path = next.path.clone();
        if let Err(error) = walk.read_folder(next) {
            walk.skip(path, error);
        }
        if walk.found.files.len().max(walk.found.folders.len()) > SKILL_FILES_MAX {
            return Err(PortError::new(ErrorKind::TooLarge, "walk the skill"));
        }
    }
    Ok(walk.found)
}

/// Called with each folder before it is read.
pub(crate) type FolderListener<'a> = Option<&'a mut dyn FnMut(&Dir)>;

struct Walk<'a> {
    root: &'a Dir,
    names: NameFilter,
    listener: FolderListener<'a>,
    found: FoundFiles,
    pending: Vec<PendingFolder>,
}

/// A folder to be read.
struct PendingFolder {
    path: OsString,
    /// Whether the path to it contains a link; links below it to folders are not followed.
    is_behind_link: bool,
}

impl Walk<'_> {
    fn read_folder(&mut self, folder: PendingFolder) -> io::Result<()> {
        let entries = match (&mut self.listener, folder.path.is_empty()) {
            (None, true) => self.root.entries()?,
            (None, false) => self.root.read_dir(&folder.path)?,
            (Some(listener), is_root) => {
                let folder = self.root.open_dir(if is_root { OsStr::new(".") } else { &folder.path })?;
                listener(&folder);
                folder.entries()?
            }
        };
        let at = self.found.folders.len();
        self.found.folders.push(folder.path.clone());
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            if !self.includes(&name) {
                self.found.hidden.push(join(&folder.path, &name));
                continue;
            }
            self.add(join(&folder.path, &name), entry.file_type()?, at, folder.is_behind_link);
            if self.found.files.len() > SKILL_FILES_MAX {
                break;
            }
        }
        Ok(())
    }

    fn add(&mut self, path: OsString, kind: FileType, folder: usize, is_behind_link: bool) {
        let kind = if is_known(kind) { kind } else { self.kind_by_stat(&path).unwrap_or(kind) };
        if !(kind.is_file() || kind.is_dir() || kind.is_symlink()) {
            return;
        }
        if self.names == NameFilter::Visible && path.to_str().is_none() {
            self.found.skipped.push(SkippedEntry { path, reason: SkipReason::Name });
        } else if kind.is_symlink() {
            self.found.has_links = true;
            self.add_link(path, folder, is_behind_link);
        } else if path.len() > PATH_BYTES_MAX {
            self.skip(path, io::ErrorKind::InvalidFilename.into());
        } else if kind.is_dir() {
            self.pending.push(PendingFolder { path, is_behind_link });
        } else {
            self.found.files.push(WalkedFile { path, folder, stamp: None });
        }
    }

    fn includes(&self, name: &OsStr) -> bool {
        // An incomplete file of a write in progress is not part of an import.
        let is_incomplete = self.names == NameFilter::Imported && is_temporary(name);
        self.names.includes(name.as_encoded_bytes()) && !is_incomplete
    }

    /// For file systems whose listings do not include kinds.
    fn kind_by_stat(&self, path: &OsStr) -> Option<FileType> {
        self.root.symlink_metadata(path).ok().map(|metadata| metadata.file_type())
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

    /// Whether a link leads to one of its parent folders, whose files are listed already.
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

fn is_known(kind: FileType) -> bool {
    kind != FileType::unknown()
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
