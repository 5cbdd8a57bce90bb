//! Lists the files of a history by descriptor. Links are not followed, so loops end.

use skillc_domain::time::UnixNs;
use skillc_fs::{EntryKind, Folder};
use skillc_ports::{HistoryFile, HistoryFiles, PortError};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Maximum depth of folders below the root, far deeper than any agent's tree.
const DEPTH_MAX: usize = 8;

/// A folder that remains to be listed.
struct Level {
    path: PathBuf,
    depth: usize,
}

/// A folder that is being listed, its depth, and its remaining entries.
type OpenLevel = (Folder, usize, Vec<(OsString, EntryKind)>);

/// Files below a folder, listed folder by folder.
struct Walk {
    folders: Vec<Level>,
    open: Option<OpenLevel>,
    accepts: fn(&Path) -> bool,
}

/// The regular files below a folder for which `accepts` returns true; none if the folder does not exist.
pub fn files(root: &Path, accepts: fn(&Path) -> bool) -> Result<HistoryFiles, PortError> {
    match Folder::open_existing(root)? {
        None => Ok(Box::new(std::iter::empty())),
        Some(folder) => {
            let entries = folder.entries()?;
            Ok(Box::new(Walk { folders: Vec::new(), open: Some((folder, 0, entries)), accepts }))
        }
    }
}

/// A file with its size and time; `None` if it no longer exists.
fn file_in(folder: &Folder, name: &OsString) -> Option<HistoryFile> {
    let entry = folder.entry(name).ok()??;
    let modified = entry.metadata.modified().ok()?.into_std().duration_since(UNIX_EPOCH).unwrap_or_default();
    let modified = UnixNs::try_from(modified.as_nanos()).unwrap_or(UnixNs::MAX);
    Some(HistoryFile { path: folder.path().join(name), bytes: entry.metadata.len(), modified })
}

impl Walk {
    fn enter(&mut self, level: Level) -> Result<(), PortError> {
        let folder = Folder::open(&level.path)?;
        let entries = folder.entries()?;
        self.open = Some((folder, level.depth, entries));
        Ok(())
    }
}

impl Iterator for Walk {
    type Item = Result<HistoryFile, PortError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some((folder, depth, entries)) = &mut self.open else {
                let level = self.folders.pop()?;
                match self.enter(level) {
                    Err(error) => return Some(Err(error)),
                    Ok(()) => continue,
                }
            };
            let Some((name, kind)) = entries.pop() else {
                self.open = None;
                continue;
            };
            match kind {
                EntryKind::Folder if *depth < DEPTH_MAX => {
                    self.folders.push(Level { path: folder.path().join(name), depth: *depth + 1 });
                }
                EntryKind::File if (self.accepts)(&folder.path().join(&name)) => {
                    if let Some(file) = file_in(folder, &name) {
                        return Some(Ok(file));
                    }
                }
                EntryKind::File | EntryKind::Folder | EntryKind::Link | EntryKind::Other => {}
            }
        }
    }
}

/// Whether a file's name ends with `ending`.
pub fn ends_with(path: &Path, ending: &str) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(ending.as_bytes()))
}

/// The name of a file up to its first dot.
pub fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}
