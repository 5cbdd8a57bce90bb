//! A lock that prevents an index from being opened while it is renamed.
//!
//! SQLite looks for a journal by the index's name when a transaction begins. A reader that opened the old file just
//! before a new one replaced it would take the new file's journal for its own and delete it. So a reader holds a
//! shared lock from opening to the beginning of its transaction, and a build holds an exclusive one while it renames.

use crate::connection::with_suffix;
use skillc_fs::Folder;
use std::ffi::OsStr;
use std::fs::File;

/// Suffix of the lock file's name, after that of the index.
const LOCK_SUFFIX: &str = ".lock";

/// The shared lock; `None` in a folder that cannot be written to, where no build renames.
pub fn while_opening(folder: &Folder, index: &OsStr) -> Option<File> {
    // The file usually exists, and a shared lock only needs read access.
    let there = folder.open_file(with_suffix(index, LOCK_SUFFIX)).ok();
    let file = there.or_else(|| lock_file(folder, index))?;
    // On a system without locks, a race of a few microseconds remains.
    let _ = file.lock_shared();
    Some(file)
}

/// The exclusive lock, held until a new index has been renamed.
pub fn while_renaming(folder: &Folder, index: &OsStr) -> Option<File> {
    let file = lock_file(folder, index)?;
    let _ = file.lock();
    Some(file)
}

/// Opens the lock file. It is a separate file, because closing a handle of the index itself would release SQLite's
/// locks on it.
fn lock_file(folder: &Folder, index: &OsStr) -> Option<File> {
    let name = with_suffix(index, LOCK_SUFFIX);
    folder.open_or_create_file(&name).or_else(|_| folder.open_file(&name)).ok()
}
