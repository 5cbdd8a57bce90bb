//! Enumerates a skill's folder without opening or looking at its files.

use crate::sandbox;
use cap_std::fs::{Dir, FileType};
use skillc_domain::limits::SKILL_FILES_MAX;
use skillc_domain::places::META_DIR;
use skillc_domain::survey::Stamp;
use skillc_fs::is_temporary;
use skillc_ports::error::{ErrorKind, PortError};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

/// Bytes of a path that Linux takes in one call (PATH_MAX, less its final NUL).
const PATH_BYTES_MAX: usize = 4_095;

/// Which names a walk takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// Those that can be written as text and do not begin with a dot.
    Visible,
    /// All but those of version control, of builds and of files that are not whole yet: what an import copies.
    Imported,
}

/// What a walk found. Paths are relative to the root, with `/` between segments on every system.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// Each before those in it; the first is the root, an empty path.
    pub(crate) folders: Vec<OsString>,
    /// In no order.
    pub(crate) files: Vec<WalkedFile>,
    /// Links that lead out.
    pub(crate) escaping: Vec<OsString>,
    /// What could not be taken.
    pub(crate) skipped: Vec<Skipped>,
    /// Whether there are links, wherever they lead.
    pub(crate) has_links: bool,
}

/// A regular file, or a link to one inside the skill.
#[derive(Debug)]
pub(crate) struct WalkedFile {
    /// Relative to the root.
    pub(crate) path: OsString,
    /// Its folder, as an index into `Walked::folders`.
    pub(crate) folder: usize,
    /// Of what a link leads to; `None` for a file, which nobody has looked at yet.
    pub(crate) stamp: Option<Stamp>,
}

/// A file or folder that was passed over.
#[derive(Debug)]
pub(crate) struct Skipped {
    /// Relative to the root.
    pub(crate) path: OsString,
    /// Why.
    pub(crate) because: Because,
}

/// Why something was passed over.
#[derive(Debug)]
pub(crate) enum Because {
    /// Its name is not UTF-8.
    Name,
    /// The system refused it.
    Refused(io::Error),
}

/// Walks everything below a folder.
///
/// # Errors
/// When the folder itself cannot be read; `TooLarge` above `SKILL_FILES_MAX` files or folders.
pub(crate) fn walk(root: &Dir, names: Names) -> Result<Walked, PortError> {
    walk_telling(root, names, None)
}

/// The same; each folder is told before it is read.
pub(crate) fn walk_telling<'a>(root: &'a Dir, names: Names, tell: Tell<'a>) -> Result<Walked, PortError> {
    let mut walk = Walk { root, names, tell, found: Walked::default(), pending: Vec::new() };
    walk.enter(Pending { path: OsString::new(), is_behind_link: false })
        .map_err(|e| sandbox::port_error(Path::new("."), e))?;
    while let Some(next) = walk.pending.pop() {
        let path = next.path.clone();
        if let Err(error) = walk.enter(next) {
            walk.pass_over(path, error);
        }
        if walk.found.files.len().max(walk.found.folders.len()) > SKILL_FILES_MAX {
            return Err(PortError::new(ErrorKind::TooLarge, "walk the skill"));
        }
    }
    Ok(walk.found)
}

/// Who is told of each folder.
pub(crate) type Tell<'a> = Option<&'a mut dyn FnMut(&Dir)>;

struct Walk<'a> {
    root: &'a Dir,
    names: Names,
    tell: Tell<'a>,
    found: Walked,
    pending: Vec<Pending>,
}

/// A folder to be entered.
struct Pending {
    path: OsString,
    /// Whether a link was followed to it or to a folder above it, so that no further one is.
    is_behind_link: bool,
}

impl Walk<'_> {
    fn enter(&mut self, folder: Pending) -> io::Result<()> {
        let entries = match (&mut self.tell, folder.path.is_empty()) {
            (None, true) => self.root.entries()?,
            (None, false) => self.root.read_dir(&folder.path)?,
            (Some(tell), is_root) => {
                let folder = self.root.open_dir(if is_root { OsStr::new(".") } else { &folder.path })?;
                tell(&folder);
                folder.entries()?
            }
        };
        let at = self.found.folders.len();
        self.found.folders.push(folder.path.clone());
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            if !self.names.take(&name) {
                continue;
            }
            self.meet(join(&folder.path, &name), entry.file_type()?, at, folder.is_behind_link);
            if self.found.files.len() > SKILL_FILES_MAX {
                break;
            }
        }
        Ok(())
    }

    fn meet(&mut self, path: OsString, kind: FileType, folder: usize, is_behind_link: bool) {
        let kind = if is_known(kind) { kind } else { self.kind_by_stat(&path).unwrap_or(kind) };
        if !(kind.is_file() || kind.is_dir() || kind.is_symlink()) {
            return;
        }
        if self.names == Names::Visible && path.to_str().is_none() {
            self.found.skipped.push(Skipped { path, because: Because::Name });
        } else if kind.is_symlink() {
            self.found.has_links = true;
            self.meet_link(path, folder, is_behind_link);
        } else if path.len() > PATH_BYTES_MAX {
            self.pass_over(path, io::ErrorKind::InvalidFilename.into());
        } else if kind.is_dir() {
            self.pending.push(Pending { path, is_behind_link });
        } else {
            self.found.files.push(WalkedFile { path, folder, stamp: None });
        }
    }

    /// What a file system that tells no kinds in its folders says when asked.
    fn kind_by_stat(&self, path: &OsStr) -> Option<FileType> {
        self.root.symlink_metadata(path).ok().map(|metadata| metadata.file_type())
    }

    fn meet_link(&mut self, path: OsString, folder: usize, is_behind_link: bool) {
        match self.root.metadata(&path) {
            Ok(target) if target.is_file() => {
                self.found.files.push(WalkedFile { path, folder, stamp: Some(sandbox::stamp(&target)) });
            }
            Ok(target) if target.is_dir() && !is_behind_link && !self.leads_upward(&path, folder) => {
                self.pending.push(Pending { path, is_behind_link: true });
            }
            Ok(_) => {}
            Err(error) if sandbox::is_escape(&error) => self.found.escaping.push(path),
            Err(error) => self.pass_over(path, error),
        }
    }

    /// Whether a link leads to a folder in which it stands itself; what is there is listed already.
    fn leads_upward(&self, link: &OsStr, folder: usize) -> bool {
        let Ok(target) = self.root.canonicalize(link) else { return true };
        target == Path::new(".") || Path::new(&self.found.folders[folder]).starts_with(target)
    }

    fn pass_over(&mut self, path: OsString, error: io::Error) {
        // What is gone, or was never there behind a link, is no loss.
        let is_too_long = error.kind() == io::ErrorKind::InvalidFilename;
        if is_too_long || !(sandbox::is_nowhere(&error) || sandbox::is_escape(&error)) {
            self.found.skipped.push(Skipped { path, because: Because::Refused(error) });
        }
    }
}

impl Names {
    fn take(self, name: &OsStr) -> bool {
        match self {
            Self::Visible => !name.as_encoded_bytes().starts_with(b"."),
            Self::Imported => {
                ![".git", ".jj", META_DIR].iter().any(|left_out| name == *left_out) && !is_temporary(name)
            }
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
