//! Reads the files of a runtime in its open folders.

use skillc_domain::limits::RUNTIME_FILE_BYTES_MAX;
use skillc_fs::Folder;
use skillc_ports::error::{ErrorKind, PortError};
use std::ffi::OsStr;

/// Exists in `.skillc-meta` while a publish may be incomplete.
pub(crate) const MARKER: &str = "publish.pending";

/// The content of the marker in the `.skillc-meta` of a runtime.
pub(crate) fn marker(meta: &Folder) -> Option<String> {
    match meta.read_existing(MARKER, RUNTIME_FILE_BYTES_MAX) {
        Ok(bytes) => Some(String::from_utf8(bytes?).unwrap_or_default()),
        // The marker exists, whatever it contains.
        Err(error) if error.kind == ErrorKind::TooLarge => Some(String::new()),
        Err(_) => None,
    }
}

/// The content of a file of a runtime in its folder.
pub(crate) fn read_in(folder: &Folder, name: &OsStr) -> Result<Option<Vec<u8>>, PortError> {
    match folder.read_existing(name, RUNTIME_FILE_BYTES_MAX) {
        Ok(bytes) => Ok(bytes),
        Err(error) if counts_as_missing(error.kind) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a file counts as missing, as everything but a regular file within the size limit does. A build replaces
/// it.
fn counts_as_missing(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotAFile | ErrorKind::Linked | ErrorKind::TooLarge)
}
