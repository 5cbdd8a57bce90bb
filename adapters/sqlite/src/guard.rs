//! Keeps a reader's first steps and the renaming of an index apart.
//!
//! SQLite looks for a journal by the index's name when a transaction begins. A reader that had opened the old file
//! just before a new one was renamed over it would take the new file's journal for its own and delete it. So readers
//! hold a shared lock from opening to the beginning of their transaction, and whoever renames holds it alone.

use crate::connection::with_suffix;
use skillc_fs::Folder;
use std::fs::File;
use std::path::Path;

/// Held while a reader opens an index. In a place that cannot be written there is no lock, and nobody who renames.
pub fn while_opening(index: &Path) -> Option<File> {
    let file = lock_file(index)?;
    // Where the system knows no locks, what they keep apart is left to chance: a few microseconds.
    let _ = file.lock_shared();
    Some(file)
}

/// Held while an index is renamed into place.
pub fn while_renaming(index: &Path) -> Option<File> {
    let file = lock_file(index)?;
    let _ = file.lock();
    Some(file)
}

/// A file of its own: closing one of the index itself would drop the locks that SQLite holds on it.
fn lock_file(index: &Path) -> Option<File> {
    let (folder, name) = Folder::of_file(index).ok()?;
    let name = with_suffix(&name, ".lock");
    folder.open_or_create_file(&name).or_else(|_| folder.open_file(&name)).ok()
}
