//! Entries under construction: hidden until complete, deleted if that fails.

use crate::entry::EntryKind;
use crate::folder::Folder;
use crate::identity::Identity;
use skillc_ports::{ErrorKind, PortError};
use std::ffi::OsStr;
use std::time::Duration;

/// Age from which no living process can still be constructing an entry: an hour is many times the longest copy.
const STALE_AGE: Duration = Duration::from_secs(3_600);

/// A random name in a folder for a new entry; deletes the entry on drop unless persisted.
#[derive(Debug)]
pub struct TemporaryEntry<'a> {
    pub(crate) folder: &'a Folder,
    name: String,
    is_persisted: bool,
}

impl Folder {
    /// Chooses a random name that begins with `prefix`; creates nothing.
    ///
    /// # Errors
    /// `Failed` if the system provides no random numbers.
    pub fn temporary_entry(&self, prefix: &str) -> Result<TemporaryEntry<'_>, PortError> {
        let number = getrandom::u64().map_err(|error| {
            PortError::new(ErrorKind::Failed, "draw a random number").caused_by(error.to_string())
        })?;
        Ok(TemporaryEntry { folder: self, name: format!("{prefix}{number:016x}"), is_persisted: false })
    }

    /// Deletes entries of this prefix that killed processes left more than an hour ago.
    pub fn remove_stale(&self, prefix: &str, is_removable: impl Fn(EntryKind) -> bool) {
        for (name, kind) in self.entries().unwrap_or_default() {
            // A hyphen would belong to a longer prefix.
            let suffix = name.to_str().and_then(|name| name.strip_prefix(prefix));
            let is_ours = suffix.is_some_and(|suffix| !suffix.contains('-'));
            if is_ours && is_removable(kind) && self.is_stale(&name) {
                let _ = self.remove_all(&name);
            }
        }
    }

    fn is_stale(&self, name: &OsStr) -> bool {
        self.modified(name).is_some_and(|at| at.elapsed().is_ok_and(|age| age > STALE_AGE))
    }
}

impl TemporaryEntry<'_> {
    /// The name inside the folder, from `prefix` and 16 random hexadecimal digits.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Renames the entry; replaces a file or link.
    ///
    /// # Errors
    /// As [`Folder::rename`]; the entry is deleted then.
    pub fn persist(mut self, name: impl AsRef<OsStr>) -> Result<(), PortError> {
        self.folder.rename(&self.name, self.folder, name)?;
        self.is_persisted = true;
        Ok(())
    }

    /// Renames the entry unless the name exists.
    ///
    /// # Errors
    /// As [`Folder::rename_new`]; the entry is deleted then.
    pub fn persist_new(mut self, name: impl AsRef<OsStr>) -> Result<(), PortError> {
        self.folder.rename_new(&self.name, name)?;
        self.is_persisted = true;
        Ok(())
    }

    /// Replaces an existing entry, which is renamed to `aside`.
    ///
    /// # Errors
    /// As [`Folder::swap_in`]; the entry is deleted then.
    pub fn swap_in(mut self, name: impl AsRef<OsStr>, aside: impl AsRef<OsStr>) -> Result<(), PortError> {
        let made = self.identity();
        let swapped = self.folder.swap_in(&self.name, name, aside);
        // The old entry may have this name now, and must not be deleted.
        self.is_persisted = swapped.is_ok() || self.identity() != made;
        swapped
    }

    fn identity(&self) -> Option<Identity> {
        Identity::at(&self.folder.path_through_descriptor(&self.name))
    }
}

impl Drop for TemporaryEntry<'_> {
    fn drop(&mut self) {
        if !self.is_persisted {
            let _ = self.folder.remove_all(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_stale_entries_of_the_same_prefix_are_deleted() {
        let home = tempfile::tempdir().unwrap();
        let path = fs::canonicalize(home.path()).unwrap();
        let aged = |name: &str, age: Duration| {
            let folder = path.join(name);
            fs::create_dir(&folder).unwrap();
            fs::File::open(folder).unwrap().set_modified(std::time::SystemTime::now() - age).unwrap();
        };
        aged(".tmp-x-a1b2c3", STALE_AGE * 2);
        aged(".tmp-x-new000", Duration::ZERO);
        aged(".tmp-x-y-a1b2c3", STALE_AGE * 2);
        Folder::open(&path).unwrap().remove_stale(".tmp-x-", |_| true);
        let mut left: Vec<_> = fs::read_dir(&path).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".tmp-x-new000", ".tmp-x-y-a1b2c3"]);
    }

    #[test]
    fn an_entry_that_cannot_be_renamed_aside_is_neither_replaced_nor_deleted() {
        let home = tempfile::tempdir().unwrap();
        let path = fs::canonicalize(home.path()).unwrap();
        for (name, text) in [("place", "old"), ("aside", "in the way")] {
            fs::create_dir(path.join(name)).unwrap();
            fs::write(path.join(name).join("file"), text).unwrap();
        }
        let folder = Folder::open(&path).unwrap();
        let made = folder.temporary_entry(".tmp-").unwrap();
        fs::create_dir(path.join(made.name())).unwrap();
        let error = made.swap_in("place", "aside").unwrap_err();
        assert_eq!(error.kind, ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(path.join("place/file")).unwrap(), "old");
        assert_eq!(fs::read_to_string(path.join("aside/file")).unwrap(), "in the way");
        assert_eq!(folder.entries().unwrap().len(), 2);
    }
}
