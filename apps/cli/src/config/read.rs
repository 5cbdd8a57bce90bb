//! Configuration files as bounded text: regular files only, judged by the open descriptor and never by their name, and
//! read once. A message says what kind of thing stands in the way, and never a byte of it.

use skillc_domain::limits::SETTINGS_BYTES_MAX;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The text of the user's own file; `None` where there is none. The file and the folder that holds it may be links of the
/// user's own, as those who keep such files in a repository have them.
///
/// # Errors
/// What stands in the way.
pub fn users(path: &Path) -> Result<Option<String>, String> {
    for place in path.parent().into_iter().chain([path]) {
        if is_link(place) && !is_own(place) {
            return Err(format!("'{}' is a link of somebody else", place.display()));
        }
    }
    match open_following(path) {
        Err(error) if is_nothing(&error) && !is_link(path) => Ok(None),
        opened => text(opened.map_err(|error| told(&error))?).map(Some),
    }
}

/// The text of a project's file; `None` where there is none. No link is followed, neither at the file nor at the folder
/// that holds it: a repository that was cloned would name any file of this machine.
///
/// # Errors
/// What stands in the way; a link by its path.
pub fn projects(path: &Path) -> Result<Option<String>, String> {
    if let Some(link) = path.parent().into_iter().chain([path]).find(|place| is_link(place)) {
        return Err(format!("'{}' is a link, which no project may have there", link.display()));
    }
    match open_below(path) {
        Err(error) if is_nothing(&error) => Ok(None),
        opened => text(opened.map_err(|error| told(&error))?).map(Some),
    }
}

/// The text of a file that the user named, wherever links lead.
///
/// # Errors
/// What stands in the way.
pub fn named(path: &Path) -> Result<String, String> {
    text(open_following(path).map_err(|error| told(&error))?)
}

/// Whether something stands where a project's file would: also what is no file, which is then told.
pub fn stands(path: &Path) -> bool {
    std::fs::symlink_metadata(path).map_or_else(|error| !is_nothing(&error), |_| true)
}

fn is_nothing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn text(file: File) -> Result<String, String> {
    let metadata = file.metadata().map_err(|error| told(&error))?;
    if !metadata.is_file() {
        return Err(NOT_A_FILE.to_owned());
    }
    let mut bytes = Vec::new();
    file.take(SETTINGS_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| told(&error))?;
    if bytes.len() as u64 > SETTINGS_BYTES_MAX {
        return Err(format!("it is larger than {SETTINGS_BYTES_MAX} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
}

const NOT_A_FILE: &str = "it is not a regular file";

/// A failure in words of our own, where the system's would be about something else than files.
fn told(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::IsADirectory => NOT_A_FILE.to_owned(),
        ErrorKind::NotFound => "it leads nowhere".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        kind if kind == ErrorKind::Other || is_special(error) => NOT_A_FILE.to_owned(),
        kind => kind.to_string(),
    }
}

fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

/// Whether a link is of whoever runs this, or of the system.
#[cfg(unix)]
fn is_own(link: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    std::fs::symlink_metadata(link).is_ok_and(|metadata| [user, 0].contains(&metadata.uid()))
}

#[cfg(not(unix))]
fn is_own(_: &Path) -> bool {
    true
}

/// Without waiting for whoever would write into a pipe.
#[cfg(unix)]
fn open_following(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(open(path, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open_following(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// The folder first, then the file below it: what was a folder a moment ago may be a link now.
#[cfg(unix)]
fn open_below(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open, openat};
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(ErrorKind::NotFound.into());
    };
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let folder = open(folder, flags | OFlags::DIRECTORY, Mode::empty())?;
    Ok(openat(folder, name, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open_below(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// A socket, or a device without a driver.
#[cfg(unix)]
fn is_special(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let kind = Errno::from_io_error(error);
    [Errno::NXIO, Errno::NODEV, Errno::LOOP].into_iter().any(|special| kind == Some(special))
}

#[cfg(not(unix))]
fn is_special(_: &io::Error) -> bool {
    false
}
