//! Creates, renames and deletes entries of an open folder.

use crate::entry::EntryKind;
use crate::failure::is_absent;
use crate::folder::{Folder, check_name};
use cap_std::fs::{Dir, OpenOptions};
use skillc_ports::{ErrorKind, PortError};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

impl Folder {
    /// Creates a new file and opens it to read and write.
    ///
    /// # Errors
    /// `AlreadyExists`, `Denied`, `Failed`.
    pub fn create_file(&self, name: impl AsRef<OsStr>, mode: u32) -> Result<File, PortError> {
        let name = name.as_ref();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::mode(&mut options, mode);
        #[cfg(not(unix))]
        let _ = mode;
        let made = check_name(name).and_then(|()| self.dir().open_with(name, &options));
        made.map(cap_std::fs::File::into_std).map_err(|error| self.entry_error("make", name, error))
    }

    /// Opens a regular file to write without truncating it; creates it if missing.
    ///
    /// # Errors
    /// `Linked`, `NotAFile`, `Denied`, `Failed`.
    pub fn open_or_create_file(&self, name: impl AsRef<OsStr>) -> Result<File, PortError> {
        let name = name.as_ref();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        match check_name(name).and_then(|()| self.dir().open_with(name, &options)) {
            Ok(made) => Ok(made.into_std()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.open_regular(name, OpenOptions::new().write(true))
            }
            Err(error) => Err(self.entry_error("make", name, error)),
        }
    }

    /// Creates an empty file without opening it, unless the name exists. Closing a descriptor would release the locks
    /// that another thread of this process may have acquired on it meanwhile (fcntl(2)).
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    pub fn touch(&self, name: impl AsRef<OsStr>) -> Result<(), PortError> {
        let name = name.as_ref();
        match check_name(name).and_then(|()| make_empty(self.dir(), name)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                Err(self.entry_error("make", name, error))
            }
            _ => Ok(()),
        }
    }

    /// Deletes a file or link; returns whether it existed.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    pub fn remove_file(&self, name: impl AsRef<OsStr>) -> Result<bool, PortError> {
        let name = name.as_ref();
        match check_name(name).and_then(|()| self.dir().remove_file(name)) {
            Ok(()) => Ok(true),
            Err(error) if is_absent(&error) => Ok(false),
            Err(error) => Err(self.entry_error("remove", name, error)),
        }
    }

    /// Deletes an empty folder; returns whether it existed.
    ///
    /// # Errors
    /// `Busy` if it is not empty, `Denied`, `Failed`.
    pub fn remove_empty_folder(&self, name: impl AsRef<OsStr>) -> Result<bool, PortError> {
        let name = name.as_ref();
        match check_name(name).and_then(|()| self.dir().remove_dir(name)) {
            Ok(()) => Ok(true),
            Err(error) if is_absent(&error) => Ok(false),
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                Err(PortError::new(ErrorKind::Busy, self.doing("remove", name)).caused_by(error))
            }
            Err(error) => Err(self.entry_error("remove", name, error)),
        }
    }

    /// Deletes an entry of any kind, folders recursively; never follows links.
    ///
    /// # Errors
    /// `Denied`, `Failed`; some of it may be deleted then.
    pub fn remove_all(&self, name: impl AsRef<OsStr>) -> Result<(), PortError> {
        let name = name.as_ref();
        match self.kind(name) {
            None => Ok(()),
            Some(EntryKind::Folder) => {
                self.dir().remove_dir_all(name).map_err(|error| self.entry_error("remove", name, error))
            }
            Some(_) => self.remove_file(name).map(drop),
        }
    }

    /// Moves an entry to a name in this or another folder; replaces a file or link there.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists` for a folder that is not empty, `Denied`, `Failed`.
    pub fn rename(
        &self,
        name: impl AsRef<OsStr>,
        to: &Folder,
        new: impl AsRef<OsStr>,
    ) -> Result<(), PortError> {
        let (name, new) = (name.as_ref(), new.as_ref());
        let renamed = check_name(name)
            .and_then(|()| check_name(new))
            .and_then(|()| self.dir().rename(name, to.dir(), new));
        renamed.map_err(|error| match error.kind() {
            io::ErrorKind::DirectoryNotEmpty => {
                PortError::new(ErrorKind::AlreadyExists, to.doing("make", new)).caused_by(error)
            }
            _ => self.entry_error("rename", name, error),
        })
    }

    /// Renames an entry within this folder, unless the new name exists.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists`, `Denied`, `Failed`.
    pub fn rename_new(&self, name: impl AsRef<OsStr>, new: impl AsRef<OsStr>) -> Result<(), PortError> {
        let (name, new) = (name.as_ref(), new.as_ref());
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{RenameFlags, renameat_with};
            use rustix::io::Errno;
            check_name(name)
                .and_then(|()| check_name(new))
                .map_err(|error| self.entry_error("rename", name, error))?;
            match renameat_with(self.dir(), name, self.dir(), new, RenameFlags::NOREPLACE) {
                Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => {}
                done => return done.map_err(|error| self.entry_error("make", new, error.into())),
            }
        }
        match self.kind(new) {
            Some(_) => Err(PortError::new(ErrorKind::AlreadyExists, self.doing("make", new))),
            None => self.rename(name, self, new),
        }
    }

    /// Replaces the entry `place` by `new` and renames the old one to `aside`, which must not exist. Atomic where the
    /// system can exchange names.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists`, `Denied`, `Failed`; the old entry is then at `place` again, or, if even that failed, at `new`.
    pub fn swap_in(
        &self,
        new: impl AsRef<OsStr>,
        place: impl AsRef<OsStr>,
        aside: impl AsRef<OsStr>,
    ) -> Result<(), PortError> {
        let (new, place, aside) = (new.as_ref(), place.as_ref(), aside.as_ref());
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{RenameFlags, renameat_with};
            use rustix::io::Errno;
            let exchange = || renameat_with(self.dir(), new, self.dir(), place, RenameFlags::EXCHANGE);
            match exchange() {
                Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => {}
                Err(error) => return Err(self.entry_error("replace", place, error.into())),
                Ok(()) => {
                    return self.rename_new(new, aside).inspect_err(|_| {
                        let _ = exchange();
                    });
                }
            }
        }
        self.rename_new(place, aside)?;
        if let Err(error) = self.rename_new(new, place) {
            self.rename_new(aside, place)?;
            return Err(error);
        }
        Ok(())
    }

    /// Creates a symbolic link with this target.
    ///
    /// # Errors
    /// `AlreadyExists`, `Denied`, `Failed`.
    #[cfg(unix)]
    pub fn make_link(&self, name: impl AsRef<OsStr>, target: &Path) -> Result<(), PortError> {
        let name = name.as_ref();
        let made = check_name(name).and_then(|()| self.dir().symlink_contents(target, name));
        made.map_err(|error| self.entry_error("link", name, error))
    }

    /// Flushes changed names to the disk, if the system supports it.
    pub fn sync(&self) {
        if let Ok(folder) = self.dir().try_clone() {
            let _ = folder.into_std_file().sync_data();
        }
    }
}

#[cfg(target_os = "linux")]
fn make_empty(dir: &Dir, name: &OsStr) -> io::Result<()> {
    use rustix::fs::{FileType, Mode, mknodat};
    let mode = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::ROTH;
    mknodat(dir, name, FileType::RegularFile, mode, 0).map_err(Into::into)
}

#[cfg(not(target_os = "linux"))]
fn make_empty(dir: &Dir, name: &OsStr) -> io::Result<()> {
    dir.open_with(name, OpenOptions::new().write(true).create_new(true)).map(drop)
}
