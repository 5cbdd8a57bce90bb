//! A marker next to an index in which a reader found a broken page. It makes the next build replace the index, even
//! if its header and stamps look sound.

use crate::connection::with_suffix;
use skillc_fs::Folder;
use skillc_ports::PortError;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Marks an index as corrupt if the folder is writable.
pub fn mark(index: &Path) {
    // Even without the marker, the next build detects most kinds of corruption.
    if let Ok((folder, name)) = Folder::of_file(index) {
        let _ = folder.touch(mark_name(&name));
    }
}

/// Whether an index is marked.
pub fn is_marked(folder: &Folder, index_name: &OsStr) -> bool {
    folder.kind(mark_name(index_name)).is_some()
}

/// Removes the marker, if there is one.
pub fn unmark(folder: &Folder, index_name: &OsStr) -> Result<(), PortError> {
    folder.remove_file(mark_name(index_name)).map(drop)
}

fn mark_name(index_name: &OsStr) -> OsString {
    with_suffix(index_name, ".corrupt")
}
