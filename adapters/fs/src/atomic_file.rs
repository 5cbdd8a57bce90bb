//! Replaces files atomically, and deletes the temporary files of killed writers.

use crate::entry::EntryKind;
use crate::folder::Folder;
use crate::temporary::TemporaryEntry;
use cap_std::fs::Permissions;
use skillc_ports::{ErrorKind, PortError};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};

/// Prefix of the names of incomplete files; the dot hides them from agents that list a skill.
const TEMPORARY_PREFIX: &str = ".skillc-tmp-";

/// Number of attempts to create a temporary file. Another process may mistake it for an abandoned one before it is
/// locked.
const TRIES_MAX: u32 = 16;
/// Permissions of a new file, before the umask.
const NEW_FILE_MODE: u32 = 0o666;

/// Whether a name is that of an incomplete file.
pub fn is_temporary(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(TEMPORARY_PREFIX.as_bytes())
}

/// A new file under a temporary name, locked while its writer lives; deleted on drop unless persisted.
#[derive(Debug)]
pub struct AtomicFile<'a> {
    entry: TemporaryEntry<'a>,
    /// The file, open for reading and writing.
    pub file: File,
}

impl AtomicFile<'_> {
    /// # Errors
    /// Those of the system.
    pub fn set_permissions(&self, permissions: Permissions) -> io::Result<()> {
        // cap-std sets permissions only on its own file type.
        cap_std::fs::File::from_std(self.file.try_clone()?).set_permissions(permissions)
    }

    /// Renames the file to `name`, replacing a file there.
    ///
    /// # Errors
    /// Those of the system.
    pub fn persist(self, name: impl AsRef<OsStr>) -> Result<(), PortError> {
        self.entry.persist(name)
    }

    /// Renames the file to `name` unless that exists.
    ///
    /// # Errors
    /// `AlreadyExists`, and those of the system.
    pub fn persist_new(self, name: impl AsRef<OsStr>) -> Result<(), PortError> {
        let (folder, name) = (self.entry.folder, name.as_ref());
        // Creating a hard link never replaces an entry.
        match folder.dir().hard_link(self.entry.name(), folder.dir(), name) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(folder.entry_error("make", name, error))
            }
            // The file system has no hard links.
            Err(_) if folder.kind(name).is_none() => self.entry.persist(name),
            Err(error) => Err(folder.entry_error("make", name, error)),
        }
    }
}

impl Folder {
    /// Creates a temporary file, after deleting abandoned ones in this folder.
    ///
    /// # Errors
    /// `Denied`, `Failed`, `Busy`.
    pub fn begin_file(&self, mode: u32) -> Result<AtomicFile<'_>, PortError> {
        self.remove_abandoned();
        for _ in 0..TRIES_MAX {
            let entry = self.temporary_entry(TEMPORARY_PREFIX)?;
            let file = self.create_file(entry.name(), mode).map_err(|error| self.without_temporary(error))?;
            let is_locked = file.lock().is_ok();
            // Another process may have deleted it before it was locked.
            if !is_locked || self.kind(entry.name()) == Some(EntryKind::File) {
                return Ok(AtomicFile { entry, file });
            }
        }
        Err(PortError::new(ErrorKind::Busy, format!("write into '{}'", self.path().display())))
    }

    /// An error that names this folder if it may not be written to, since nobody asked for the temporary file.
    fn without_temporary(&self, error: PortError) -> PortError {
        match error.kind {
            ErrorKind::Denied => {
                PortError { doing: format!("write into '{}'", self.path().display()), ..error }
            }
            _ => error,
        }
    }

    /// Writes a file atomically: readers see either the old bytes or the new ones. A replaced file keeps its
    /// permissions; a link is replaced itself.
    ///
    /// # Errors
    /// `NotAFile` for a folder or device, `Denied`, `Failed`; the old file is then unchanged.
    pub fn write_atomic(&self, name: impl AsRef<OsStr>, bytes: &[u8]) -> Result<(), PortError> {
        self.write_temporary(name.as_ref(), bytes)?.persist(name)
    }

    /// As `write_atomic`, flushed to the disk before the rename.
    ///
    /// # Errors
    /// As `write_atomic`.
    pub fn write_durable(&self, name: impl AsRef<OsStr>, bytes: &[u8]) -> Result<(), PortError> {
        let name = name.as_ref();
        let new = self.write_temporary(name, bytes)?;
        new.file.sync_all().map_err(|error| self.entry_error("write", name, error))?;
        new.persist(name)
    }

    /// Writes a new file atomically.
    ///
    /// # Errors
    /// `AlreadyExists`, `Denied`, `Failed`.
    pub fn write_new(&self, name: impl AsRef<OsStr>, bytes: &[u8]) -> Result<(), PortError> {
        let name = name.as_ref();
        let mut new = self.begin_file(NEW_FILE_MODE)?;
        new.file.write_all(bytes).map_err(|error| self.entry_error("write", name, error))?;
        new.persist_new(name)
    }

    fn write_temporary(&self, name: &OsStr, bytes: &[u8]) -> Result<AtomicFile<'_>, PortError> {
        let old = self.entry(name)?;
        if old.as_ref().is_some_and(|old| matches!(old.kind, EntryKind::Folder | EntryKind::Other)) {
            return Err(PortError::new(ErrorKind::NotAFile, self.doing("write", name)));
        }
        let failed = |error| self.entry_error("write", name, error);
        let old = old.filter(|old| old.kind == EntryKind::File);
        // Permissions are set before the first byte is written, so that private content is never readable.
        let mut new = self.begin_file(if old.is_some() { 0o600 } else { NEW_FILE_MODE })?;
        if let Some(old) = old {
            new.set_permissions(old.metadata.permissions()).map_err(failed)?;
        }
        new.file.write_all(bytes).map_err(failed)?;
        Ok(new)
    }

    /// Deletes the temporary files that no living writer has locked.
    pub fn remove_abandoned(&self) {
        let Ok(entries) = self.entries() else { return };
        for (name, _) in entries.iter().filter(|(name, kind)| *kind == EntryKind::File && is_temporary(name))
        {
            let Ok(file) = self.open_file(name) else { continue };
            if file.try_lock().is_ok() {
                let _ = self.remove_file(name);
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn scene() -> (tempfile::TempDir, Folder) {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(&fs::canonicalize(home.path()).unwrap()).unwrap();
        (home, folder)
    }

    fn names(folder: &Folder) -> Vec<String> {
        let mut names: Vec<_> =
            folder.entries().unwrap().into_iter().map(|(name, _)| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_that_is_replaced_keeps_its_rights_and_a_link_is_replaced_itself() {
        let (home, folder) = scene();
        let file = home.path().join("x");
        folder.write_atomic("x", b"one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        folder.write_durable("x", b"two").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        symlink("x", home.path().join("link")).unwrap();
        folder.write_atomic("link", b"three").unwrap();
        assert_eq!(
            (fs::read(&file).unwrap(), folder.read("link", 9).unwrap()),
            (b"two".into(), b"three".into())
        );
        fs::create_dir(home.path().join("folder")).unwrap();
        assert_eq!(folder.write_atomic("folder", b"").unwrap_err().kind, ErrorKind::NotAFile);
        assert_eq!(names(&folder), ["folder", "link", "x"]);
    }

    #[test]
    fn a_new_file_never_replaces_one() {
        let (_home, folder) = scene();
        folder.write_new("x", b"one").unwrap();
        assert_eq!(folder.write_new("x", b"two").unwrap_err().kind, ErrorKind::AlreadyExists);
        assert_eq!(folder.read("x", 9).unwrap(), b"one");
        assert_eq!(names(&folder), ["x"]);
    }

    /// L2
    #[test]
    fn the_next_write_removes_the_remains_of_a_killed_writer_but_not_the_files_of_a_living_one() {
        let (home, folder) = scene();
        fs::write(home.path().join(".skillc-tmp-0123456789abcdef"), "left").unwrap();
        let living = folder.begin_file(0o666).unwrap();
        folder.write_atomic("x", b"x").unwrap();
        assert_eq!(names(&folder), [living.entry.name().to_owned(), "x".to_owned()]);
        living.persist("y").unwrap();
        assert_eq!(names(&folder), ["x", "y"]);
    }
}
