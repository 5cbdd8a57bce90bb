//! Converts errors of the system, and finds the link that caused one.

use crate::resolve::{first_link, linked};
use skillc_ports::PortError;
use std::io;
use std::path::Path;

/// Converts a system error to a port error; `Linked` if a link on the path caused it.
pub(crate) fn path_error(verb: &str, path: &Path, error: io::Error) -> PortError {
    let is_link = is_link_error(&error);
    // Otherwise the path is not examined, since most errors only mean that it does not exist.
    let link = if is_link || error.kind() == io::ErrorKind::NotADirectory { first_link(path) } else { None };
    match link {
        Some(link) => linked(&link).caused_by(error),
        // The link was removed in the meantime.
        None if is_link => linked(path).caused_by(error),
        None => PortError::io(format!("{verb} '{}'", path.display()), error),
    }
}

#[cfg(unix)]
fn is_link_error(error: &io::Error) -> bool {
    rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::LOOP)
}

#[cfg(not(unix))]
fn is_link_error(_: &io::Error) -> bool {
    false
}

/// Whether an error means that nothing exists at a path.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
