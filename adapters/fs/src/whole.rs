//! Writing files whole or not at all, and removing what killed writers left.

use crate::entry::EntryKind;
use crate::folder::Folder;
use cap_std::fs::Permissions;
use skillc_ports::{ErrorKind, PortError};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};

/// How a file is called until it is whole; hidden, so that no agent takes it for part of a skill.
pub const TEMPORARY_PREFIX: &str = ".skillc-tmp-";

/// How often a new file is begun again because another process took it for a left-over.
const TRIES_MAX: u32 = 16;

/// Whether a name is one that this module gives to files that are not whole yet.
pub fn is_temporary(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(TEMPORARY_PREFIX.as_bytes())
}

/// A new file under a temporary name, locked as long as its writer lives; dropping it deletes it.
#[derive(Debug)]
pub struct Draft<'a> {
    folder: &'a Folder,
    name: String,
    /// The file, to be written.
    pub file: File,
    is_in_place: bool,
}

impl Draft<'_> {
    /// Gives the file these rights.
    ///
    /// # Errors
    /// Those of the system.
    pub fn keep_rights(&self, rights: Permissions) -> io::Result<()> {
        // Through a further descriptor, since cap-std sets rights on its own files.
        cap_std::fs::File::from_std(self.file.try_clone()?).set_permissions(rights)
    }

    /// Renames the file to its name, in place of a file that is there.
    ///
    /// # Errors
    /// Those of the system.
    pub fn put_in_place(mut self, name: impl AsRef<OsStr>) -> Result<(), PortError> {
        self.folder.rename(&self.name, self.folder, name)?;
        self.is_in_place = true;
        Ok(())
    }

    /// Gives the file its name, unless something of that name is there.
    ///
    /// # Errors
    /// `AlreadyExists`, and those of the system.
    pub fn put_where_nothing_is(mut self, name: impl AsRef<OsStr>) -> Result<(), PortError> {
        let (dir, name) = (self.folder.dir(), name.as_ref());
        // A second name is given only where none is, in one step.
        match dir.hard_link(&self.name, dir, name) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(self.folder.failed("make", name, error))
            }
            // A file system without second names.
            Err(_) if self.folder.kind(name).is_none() => {
                self.folder.rename(&self.name, self.folder, name)?;
                self.is_in_place = true;
                Ok(())
            }
            Err(error) => Err(self.folder.failed("make", name, error)),
        }
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.is_in_place {
            let _ = self.folder.remove_file(&self.name);
        }
    }
}

impl Folder {
    /// Begins a new file with these rights, after deleting what killed writers left in this folder.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    pub fn draft(&self, mode: u32) -> Result<Draft<'_>, PortError> {
        self.remove_abandoned();
        for _ in 0..TRIES_MAX {
            let chance = getrandom::u64().map_err(|error| {
                PortError::new(ErrorKind::Failed, "draw a random number").caused_by(error.to_string())
            })?;
            let name = format!("{TEMPORARY_PREFIX}{chance:016x}");
            let file = self.create_file(&name, mode)?;
            let is_locked = file.lock().is_ok();
            let draft = Draft { folder: self, name, file, is_in_place: false };
            // Between its making and its lock another process may have deleted it.
            if !is_locked || self.kind(&draft.name) == Some(EntryKind::File) {
                return Ok(draft);
            }
        }
        Err(PortError::new(ErrorKind::Busy, format!("write into '{}'", self.path().display())))
    }

    /// Writes a file whole: readers see the old bytes or the new ones. A file that is replaced keeps its rights; a link of
    /// that name is replaced itself.
    ///
    /// # Errors
    /// `NotAFile` where a folder or a device is there, `Denied`, `Failed`; the old file is then as it was.
    pub fn write_whole(&self, name: impl AsRef<OsStr>, bytes: &[u8]) -> Result<(), PortError> {
        self.write_draft(name.as_ref(), bytes, 0o666)?.put_in_place(name)
    }

    /// The same, on the disk before it gets its name.
    ///
    /// # Errors
    /// As `write_whole`.
    pub fn write_durably(&self, name: impl AsRef<OsStr>, bytes: &[u8]) -> Result<(), PortError> {
        let name = name.as_ref();
        let draft = self.write_draft(name, bytes, 0o666)?;
        draft.file.sync_all().map_err(|error| self.failed("write", name, error))?;
        draft.put_in_place(name)
    }

    /// Writes a file that is not there yet.
    ///
    /// # Errors
    /// `AlreadyExists`, `Denied`, `Failed`.
    pub fn write_new(&self, name: impl AsRef<OsStr>, bytes: &[u8], mode: u32) -> Result<(), PortError> {
        let name = name.as_ref();
        let mut draft = self.draft(mode)?;
        draft.file.write_all(bytes).map_err(|error| self.failed("write", name, error))?;
        draft.put_where_nothing_is(name)
    }

    fn write_draft(&self, name: &OsStr, bytes: &[u8], mode: u32) -> Result<Draft<'_>, PortError> {
        let old = self.entry(name)?;
        if old.as_ref().is_some_and(|old| matches!(old.kind, EntryKind::Folder | EntryKind::Other)) {
            let doing = format!("write '{}'", self.path().join(name).display());
            return Err(PortError::new(ErrorKind::NotAFile, doing));
        }
        let failed = |error| self.failed("write", name, error);
        let old = old.filter(|old| old.kind == EntryKind::File);
        // Before the first byte: what only its owner may read is not to be seen for a moment.
        let mut draft = self.draft(if old.is_some() { 0o600 } else { mode })?;
        if let Some(old) = old {
            draft.keep_rights(old.metadata.permissions()).map_err(failed)?;
        }
        draft.file.write_all(bytes).map_err(failed)?;
        Ok(draft)
    }

    /// Deletes what writers left that were killed: files under temporary names that nobody holds locked.
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
        folder.write_whole("x", b"one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        folder.write_durably("x", b"two").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        symlink("x", home.path().join("link")).unwrap();
        folder.write_whole("link", b"three").unwrap();
        assert_eq!(
            (fs::read(&file).unwrap(), folder.read("link", 9).unwrap()),
            (b"two".into(), b"three".into())
        );
        fs::create_dir(home.path().join("folder")).unwrap();
        assert_eq!(folder.write_whole("folder", b"").unwrap_err().kind, ErrorKind::NotAFile);
        assert_eq!(names(&folder), ["folder", "link", "x"]);
    }

    #[test]
    fn a_new_file_never_replaces_one() {
        let (_home, folder) = scene();
        folder.write_new("x", b"one", 0o666).unwrap();
        assert_eq!(folder.write_new("x", b"two", 0o666).unwrap_err().kind, ErrorKind::AlreadyExists);
        assert_eq!(folder.read("x", 9).unwrap(), b"one");
        assert_eq!(names(&folder), ["x"]);
    }

    /// L2
    #[test]
    fn what_a_killed_writer_left_goes_with_the_next_write_and_what_a_living_one_writes_stays() {
        let (home, folder) = scene();
        fs::write(home.path().join(".skillc-tmp-0123456789abcdef"), "left").unwrap();
        let living = folder.draft(0o666).unwrap();
        folder.write_whole("x", b"x").unwrap();
        assert_eq!(names(&folder), [living.name.clone(), "x".to_owned()]);
        living.put_in_place("y").unwrap();
        assert_eq!(names(&folder), ["x", "y"]);
    }
}
