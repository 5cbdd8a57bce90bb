//! Access below an open folder that no path or link can escape.

use cap_std::fs::{Dir, Metadata, OpenOptions};
use skillc_domain::survey::Stamp;
use skillc_fs::Folder;
use skillc_ports::error::{ErrorKind, PortError};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a folder by a path without links.
///
/// # Errors
/// `NotFound` if there is no folder, `Linked`, `Denied`, `Failed`.
pub(crate) fn open_folder(root: &Path) -> Result<Dir, PortError> {
    Ok(Folder::open(root)?.into_dir())
}

/// Opens a regular file below a folder; follows links that stay inside. Also returns the file's metadata.
///
/// Checks the kind before opening, since opening a device may start it, and again on the descriptor, since the file may
/// have been replaced. `O_NONBLOCK` prevents blocking on a FIFO that was put there in between.
///
/// # Errors
/// `NotFound`, `NotAFile`, `Escapes`, `Denied`, `Failed`.
pub(crate) fn open_regular(folder: &Dir, path: &Path) -> Result<(File, Metadata), PortError> {
    let failed = |e| port_error(path, e);
    let is_regular = |metadata: Metadata| match metadata.is_file() {
        true => Ok(metadata),
        false => Err(PortError::new(ErrorKind::NotAFile, reading(path))),
    };
    is_regular(metadata(folder, path).map_err(failed)?)?;
    let file = folder.open_with(path, &reading_options()).map_err(failed)?;
    let metadata = is_regular(file.metadata().map_err(failed)?)?;
    Ok((file.into_std(), metadata))
}

/// Metadata of a path; follows links that stay inside. The empty path is the folder itself.
pub(crate) fn metadata(folder: &Dir, path: &Path) -> io::Result<Metadata> {
    if path.as_os_str().is_empty() {
        return folder.dir_metadata();
    }
    if path.file_name() == Some(path.as_os_str()) {
        // A direct entry takes one call, instead of opening it, unless it is a link.
        let entry = folder.symlink_metadata(path)?;
        if !entry.is_symlink() {
            return Ok(entry);
        }
    }
    folder.metadata(path)
}

/// Whether a path was refused because it leads out. That error is cap-std's own and has no error number.
pub(crate) fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

/// Whether a path leads nowhere: it does not exist, links form a loop, or the name is invalid.
pub(crate) fn is_nowhere(error: &io::Error) -> bool {
    use io::ErrorKind as Io;
    matches!(error.kind(), Io::NotFound | Io::NotADirectory | Io::InvalidFilename) || is_link_loop(error)
}

/// Converts an error of the sandbox or the system to a port error.
pub(crate) fn port_error(path: &Path, error: io::Error) -> PortError {
    let kind = match &error {
        e if is_escape(e) => ErrorKind::Escapes,
        e if is_nowhere(e) => ErrorKind::NotFound,
        e if is_unopenable(e) => ErrorKind::NotAFile,
        _ => return PortError::io(reading(path), error),
    };
    PortError::new(kind, reading(path)).caused_by(error)
}

fn reading(path: &Path) -> String {
    format!("read '{}'", path.display())
}

#[cfg(unix)]
pub(crate) fn reading_options() -> OpenOptions {
    use cap_std::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    options
}

#[cfg(not(unix))]
pub(crate) fn reading_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

#[cfg(unix)]
fn is_link_loop(error: &io::Error) -> bool {
    rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::LOOP)
}

#[cfg(not(unix))]
fn is_link_loop(_: &io::Error) -> bool {
    false
}

/// Whether the path is a socket, or a device without a driver, that was put there after the check.
#[cfg(unix)]
fn is_unopenable(error: &io::Error) -> bool {
    rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::NXIO)
}

#[cfg(not(unix))]
fn is_unopenable(_: &io::Error) -> bool {
    false
}

#[cfg(unix)]
pub(crate) fn stamp(metadata: &Metadata) -> Stamp {
    use cap_std::fs::MetadataExt;
    Stamp {
        size: metadata.len(),
        mtime_ns: ns(metadata.mtime(), metadata.mtime_nsec()),
        ctime_ns: ns(metadata.ctime(), metadata.ctime_nsec()),
        inode: metadata.ino(),
    }
}

#[cfg(not(unix))]
pub(crate) fn stamp(metadata: &Metadata) -> Stamp {
    let mtime_ns = metadata.modified().map_or(0, |at| crate::clock::unix_ns(at.into_std()));
    Stamp { size: metadata.len(), mtime_ns, ctime_ns: 0, inode: 0 }
}

/// The result of one `stat`.
pub(crate) struct FileStat {
    pub(crate) stamp: Stamp,
    /// Whether the file has other names through hard links.
    pub(crate) has_other_names: bool,
}

/// Examines a direct entry of a folder; `None` unless it is a regular file.
///
/// Requests basic times only, unlike cap-std, which also requests the birth time: that saves a tenth of a survey.
#[cfg(unix)]
pub(crate) fn stat_file(folder: &Dir, name: &OsStr) -> Option<FileStat> {
    use rustix::fs::{AtFlags, FileType, statat};
    let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    let stamp = || Stamp {
        size: stat.st_size as u64,
        mtime_ns: ns(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        ctime_ns: ns(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        inode: stat.st_ino,
    };
    let file = || FileStat { stamp: stamp(), has_other_names: stat.st_nlink > 1 };
    FileType::from_raw_mode(stat.st_mode).is_file().then(file)
}

/// Examines a direct entry of a folder; `None` unless it is a regular file.
#[cfg(not(unix))]
pub(crate) fn stat_file(folder: &Dir, name: &OsStr) -> Option<FileStat> {
    let metadata = folder.symlink_metadata(name).ok()?;
    metadata.is_file().then(|| FileStat { stamp: stamp(&metadata), has_other_names: true })
}

#[cfg(unix)]
fn ns(seconds: i64, ns: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(ns)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::io::Errno;

    /// Files are never inaccessible to root, so the errors are constructed.
    #[test]
    fn a_path_that_the_system_forbids_is_no_escape() {
        let kind = |errno: Errno| port_error(Path::new("x"), errno.into()).kind;
        assert_eq!(kind(Errno::ACCESS), ErrorKind::Denied);
        assert_eq!(kind(Errno::PERM), ErrorKind::Denied);
        assert_eq!(kind(Errno::NXIO), ErrorKind::NotAFile);
        assert_eq!(kind(Errno::LOOP), ErrorKind::NotFound);
        assert_eq!(kind(Errno::IO), ErrorKind::Failed);
    }
}
