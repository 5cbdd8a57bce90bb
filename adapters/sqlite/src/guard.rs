//! A lock that keeps the opening and the renaming of an index apart.
//!
//! SQLite looks for a journal by the index's name when a transaction begins. A reader that had opened the old file
//! just before a new one was renamed over it would take the new file's journal for its own and delete it. So a reader
//! holds a shared lock from opening to the beginning of its transaction, and a build holds an exclusive one while it renames.

use crate::connection::with_suffix;
use skillc_fs::Folder;
use std::fs::File;
use std::path::Path;

/// The shared lock; `None` in a folder that cannot be written, where no build renames.
pub fn while_opening(index: &Path) -> Option<File> {
    let file = lock_file(index)?;
    // On a system without locks the race of a few microseconds remains.
    let _ = file.lock_shared();
    Some(file)
}

pub fn while_renaming(index: &Path) -> Option<File> {
    let file = lock_file(index)?;
    let _ = file.lock();
    Some(file)
}

/// A separate file: closing a handle of the index itself would release the locks that SQLite holds on it.
fn lock_file(index: &Path) -> Option<File> {
    let (folder, name) = Folder::of_file(index).ok()?;
    let name = with_suffix(&name, ".lock");
    folder.open_or_create_file(&name).or_else(|_| folder.open_file(&name)).ok()
}
