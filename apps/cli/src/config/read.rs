//! Reads configuration files: regular files of bounded size, opened below the descriptor of their folder. Messages
//! never quote the content.

use skillc_domain::limits::SETTINGS_BYTES_MAX;
use skillc_fs::{Folder, resolve_users};
use skillc_ports::{ErrorKind, PortError};
use std::path::Path;

/// Reads the user's own file; `None` if it does not exist. The file and the folders above it may be links of the user,
/// as for dotfiles in a repository.
///
/// # Errors
/// The reason it cannot be read.
pub fn users(path: &Path) -> Result<Option<String>, String> {
    let foreign = |error: PortError| match error.at {
        Some(link) => format!("'{}' is a link owned by another user", link.display()),
        None => error.reason().to_owned(),
    };
    let real = resolve_users(path).map_err(foreign)?;
    match text(&real)? {
        None if path.is_symlink() => Err("the link is broken".to_owned()),
        text => Ok(text),
    }
}

/// Reads a project's file; `None` if it does not exist. Links are not followed: a cloned repository could name any file
/// of this machine.
///
/// # Errors
/// The reason it cannot be read, or the link in its path.
pub fn projects(path: &Path) -> Result<Option<String>, String> {
    text(path)
}

/// Reads a file named in the user's configuration.
///
/// # Errors
/// The reason it cannot be read.
pub fn named(path: &Path) -> Result<String, String> {
    users(path)?.ok_or_else(|| "no such file".to_owned())
}

/// Whether anything exists at the path of a project's file, even if it is not a file.
pub fn exists(path: &Path) -> bool {
    match Folder::of_file(path) {
        Ok((folder, name)) => folder.kind(name).is_some(),
        Err(error) => error.kind != ErrorKind::NotFound,
    }
}

fn text(path: &Path) -> Result<Option<String>, String> {
    let read = Folder::of_file(path).and_then(|(folder, name)| folder.read(name, SETTINGS_BYTES_MAX));
    match read {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8 text".to_owned()),
        Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refusal(path, &error)),
    }
}

/// Why a project's file is not read. The message that holds it names the file already.
fn refusal(path: &Path, error: &PortError) -> String {
    match (error.kind, &error.at) {
        (ErrorKind::Linked, Some(link)) if link == path => {
            "it is a link; links are not followed in a project".to_owned()
        }
        (ErrorKind::Linked, Some(link)) => {
            format!("'{}' is a link; links are not followed in a project", link.display())
        }
        (ErrorKind::NotAFile, _) => "it is not a regular file".to_owned(),
        (ErrorKind::TooLarge, _) => format!("it exceeds the limit of {SETTINGS_BYTES_MAX} bytes"),
        _ => error.reason().to_owned(),
    }
}
