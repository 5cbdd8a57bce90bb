//! Opens folders by descriptor.

use crate::entry::EntryKind;
use crate::failure::path_error;
use crate::open::open_without_links;
use cap_std::fs::{Dir, OpenOptions};
use skillc_ports::{ErrorKind, PortError};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A folder held open by a descriptor. Names refer to direct entries, and links are not followed.
///
/// `reading` examines and reads entries, `changes` creates, renames and deletes them, `atomic_file` replaces files.
#[derive(Debug)]
pub struct Folder {
    dir: Dir,
    path: PathBuf,
}

impl Folder {
    /// Opens a folder by an absolute path without links.
    ///
    /// # Errors
    /// `Linked` with the link, `NotFound` if there is nothing or a file, `Denied`, `Failed`.
    pub fn open(path: &Path) -> Result<Self, PortError> {
        let dir = open_without_links(path).map_err(|error| path_error("open", path, error))?;
        Ok(Self { dir, path: path.to_owned() })
    }

    /// As `open`; `None` if there is nothing or a file.
    ///
    /// # Errors
    /// As `open`, without `NotFound`.
    pub fn open_existing(path: &Path) -> Result<Option<Self>, PortError> {
        let failed = match open_without_links(path) {
            Ok(dir) => return Ok(Some(Self { dir, path: path.to_owned() })),
            // The usual failure, for which no message is made.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => path_error("open", path, error),
        };
        if failed.kind == ErrorKind::NotFound { Ok(None) } else { Err(failed) }
    }

    /// Opens a folder; creates it and its parents if missing.
    ///
    /// # Errors
    /// As `open`, with `AlreadyExists` instead of `NotFound` for a file in the way.
    pub fn create(path: &Path) -> Result<Self, PortError> {
        match (Self::open(path), path.parent(), path.file_name()) {
            (Err(error), Some(parent), Some(name)) if error.kind == ErrorKind::NotFound => {
                Self::create(parent)?.create_subfolder(name)
            }
            (opened, ..) => opened,
        }
    }

    /// Opens the parent folder of a file; also returns the file's name.
    ///
    /// # Errors
    /// As `open`; `NotAFile` for a path without a name.
    pub fn of_file(path: &Path) -> Result<(Self, OsString), PortError> {
        let (parent, name) = split(path)?;
        Ok((Self::open(parent)?, name))
    }

    /// As `of_file`; creates missing folders.
    ///
    /// # Errors
    /// As `create`; `NotAFile` for a path without a name.
    pub fn create_of_file(path: &Path) -> Result<(Self, OsString), PortError> {
        let (parent, name) = split(path)?;
        Ok((Self::create(parent)?, name))
    }

    /// Opens a direct subfolder.
    ///
    /// # Errors
    /// As `open`.
    pub fn subfolder(&self, name: impl AsRef<OsStr>) -> Result<Self, PortError> {
        let name = name.as_ref();
        let at = self.path.join(name);
        let failed = |error| path_error("open", &at, error);
        check_name(name).map_err(failed)?;
        let file = self.dir.open_with(name, &folder_options()).map_err(failed)?;
        Ok(Self { dir: Dir::from_std_file(file.into_std()), path: at })
    }

    /// Opens a folder anywhere below this one; follows links that stay inside.
    ///
    /// # Errors
    /// Those of the system; one without an error number for a link that leads out.
    pub fn inner_folder(&self, path: &Path) -> io::Result<Self> {
        Ok(Self { dir: self.dir.open_dir(path)?, path: self.path.join(path) })
    }

    /// Opens a direct subfolder; creates it if missing.
    ///
    /// # Errors
    /// As `create`.
    pub fn create_subfolder(&self, name: impl AsRef<OsStr>) -> Result<Self, PortError> {
        let name = name.as_ref();
        let at = self.path.join(name);
        check_name(name).map_err(|error| path_error("make", &at, error))?;
        match self.dir.create_dir(name) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(path_error("make", &at, error)),
            _ => self.subfolder(name).map_err(|error| match error.kind {
                ErrorKind::NotFound if self.kind(name) == Some(EntryKind::File) => {
                    PortError::new(ErrorKind::AlreadyExists, format!("make '{}'", at.display()))
                }
                _ => error,
            }),
        }
    }

    /// The path by which the folder was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The descriptor, for callers that follow links inside the folder.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Converts into the descriptor.
    pub fn into_dir(self) -> Dir {
        self.dir
    }

    /// A path to an entry through this descriptor, for other libraries. It is valid while the folder is open, even if
    /// the folder's own path leads elsewhere by then. The ordinary path on systems without such paths.
    pub fn path_through_descriptor(&self, name: impl AsRef<OsStr>) -> PathBuf {
        #[cfg(target_os = "linux")]
        {
            use std::os::fd::AsRawFd;
            let through = PathBuf::from(format!("/proc/self/fd/{}", self.dir.as_raw_fd()));
            if has_descriptor_paths() {
                return through.join(name.as_ref());
            }
        }
        self.path.join(name.as_ref())
    }

    /// Opens the folder itself as a file that can be locked; closing it releases the lock.
    ///
    /// # Errors
    /// `TooManyOpenFiles`, `Failed`.
    pub fn to_lock(&self) -> Result<File, PortError> {
        // A new open file description, because duplicates of a descriptor share their locks.
        let file = self.dir.open(".").map_err(|error| path_error("lock", &self.path, error))?;
        Ok(file.into_std())
    }

    pub(crate) fn entry_error(&self, verb: &str, name: &OsStr, error: io::Error) -> PortError {
        path_error(verb, &self.path.join(name), error)
    }

    pub(crate) fn doing(&self, verb: &str, name: &OsStr) -> String {
        format!("{verb} '{}'", self.path.join(name).display())
    }
}

/// Checks that a name is a single component, so that it cannot leave the folder.
pub(crate) fn check_name(name: &OsStr) -> io::Result<()> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(()),
        _ => Err(io::ErrorKind::InvalidFilename.into()),
    }
}

fn split(path: &Path) -> Result<(&Path, OsString), PortError> {
    let parts = path.parent().zip(path.file_name());
    let (parent, name) =
        parts.ok_or_else(|| PortError::new(ErrorKind::NotAFile, format!("open '{}'", path.display())))?;
    Ok((parent, name.to_owned()))
}

#[cfg(unix)]
fn folder_options() -> OpenOptions {
    use cap_std::fs::OpenOptionsExt;
    use rustix::fs::OFlags;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags((OFlags::NOFOLLOW | OFlags::DIRECTORY).bits() as i32);
    options
}

#[cfg(not(unix))]
fn folder_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

/// Whether `/proc/self/fd` is available.
#[cfg(target_os = "linux")]
fn has_descriptor_paths() -> bool {
    static IS_MOUNTED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *IS_MOUNTED.get_or_init(|| std::fs::symlink_metadata("/proc/self/fd").is_ok_and(|m| m.is_dir()))
}
