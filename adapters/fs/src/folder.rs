//! A folder held open, and what can be done with its entries.

use crate::entry::{Entry, EntryKind};
use crate::open::open_without_links;
use crate::resolve::{first_link, refusal};
use cap_std::fs::{Dir, OpenOptions};
use skillc_ports::{ErrorKind, PortError};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// A folder held open by descriptor. Every name is that of an entry directly in it, and no link is followed.
#[derive(Debug)]
pub struct Folder {
    dir: Dir,
    path: PathBuf,
}

impl Folder {
    /// Opens a folder by its absolute path, on which no component may be a link.
    ///
    /// # Errors
    /// `Linked` with the link, `NotFound` where nothing or a file is there, `Denied`, `Failed`.
    pub fn open(path: &Path) -> Result<Self, PortError> {
        let dir = open_without_links(path).map_err(|error| refused("open", path, error))?;
        Ok(Self { dir, path: path.to_owned() })
    }

    /// The same; `None` where nothing or a file is there.
    ///
    /// # Errors
    /// As `open`, without `NotFound`.
    pub fn open_if_there(path: &Path) -> Result<Option<Self>, PortError> {
        match Self::open(path) {
            Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Opens a folder, after making it and those above it where they are missing.
    ///
    /// # Errors
    /// As `open`, with `AlreadyExists` in place of `NotFound` where a file is in the way.
    pub fn create(path: &Path) -> Result<Self, PortError> {
        match (Self::open(path), path.parent(), path.file_name()) {
            (Err(error), Some(parent), Some(name)) if error.kind == ErrorKind::NotFound => {
                Self::create(parent)?.create_subfolder(name)
            }
            (opened, ..) => opened,
        }
    }

    /// The folder of a file, and the file's name.
    ///
    /// # Errors
    /// As `open`; `NotAFile` for a path without a name.
    pub fn of_file(path: &Path) -> Result<(Self, OsString), PortError> {
        let (parent, name) = split(path)?;
        Ok((Self::open(parent)?, name))
    }

    /// The same, after making the folders that are missing.
    ///
    /// # Errors
    /// As `create`; `NotAFile` for a path without a name.
    pub fn create_of_file(path: &Path) -> Result<(Self, OsString), PortError> {
        let (parent, name) = split(path)?;
        Ok((Self::create(parent)?, name))
    }

    /// Opens an entry that is a folder.
    ///
    /// # Errors
    /// As `open`.
    pub fn subfolder(&self, name: impl AsRef<OsStr>) -> Result<Self, PortError> {
        let name = name.as_ref();
        let at = self.path.join(name);
        let failed = |error| refused("open", &at, error);
        plain(name).map_err(failed)?;
        let file = self.dir.open_with(name, &folder_options()).map_err(failed)?;
        Ok(Self { dir: Dir::from_std_file(file.into_std()), path: at })
    }

    /// Opens a folder anywhere below this one; links that stay inside are followed.
    ///
    /// # Errors
    /// Those of the system; one without a number for a link that leads out.
    pub fn inner_folder(&self, path: &Path) -> io::Result<Self> {
        Ok(Self { dir: self.dir.open_dir(path)?, path: self.path.join(path) })
    }

    /// Opens an entry that is a folder, after making it where it is missing.
    ///
    /// # Errors
    /// As `create`.
    pub fn create_subfolder(&self, name: impl AsRef<OsStr>) -> Result<Self, PortError> {
        let name = name.as_ref();
        let at = self.path.join(name);
        plain(name).map_err(|error| refused("make", &at, error))?;
        match self.dir.create_dir(name) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(refused("make", &at, error)),
            _ => self.subfolder(name).map_err(|error| match error.kind {
                ErrorKind::NotFound if self.kind(name) == Some(EntryKind::File) => {
                    PortError::new(ErrorKind::AlreadyExists, format!("make '{}'", at.display()))
                }
                _ => error,
            }),
        }
    }

    /// The path by which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The descriptor, for walks that follow links inside the folder.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// The descriptor alone.
    pub fn into_dir(self) -> Dir {
        self.dir
    }

    /// A further descriptor of the same folder.
    ///
    /// # Errors
    /// `Failed` where the process has too many.
    pub fn try_clone(&self) -> Result<Self, PortError> {
        let dir = self.dir.try_clone().map_err(|error| refused("open", &self.path, error))?;
        Ok(Self { dir, path: self.path.clone() })
    }

    /// A path by which other libraries reach an entry through this very descriptor, also when another folder takes this
    /// one's place. It is good only as long as the folder is held open. Where the system has no such paths it is the
    /// ordinary one.
    pub fn path_through_descriptor(&self, name: impl AsRef<OsStr>) -> PathBuf {
        #[cfg(target_os = "linux")]
        {
            use std::os::fd::AsRawFd;
            let through = PathBuf::from(format!("/proc/self/fd/{}", self.dir.as_raw_fd()));
            if has_descriptor_paths() {
                return through.join(name.as_ref());
            }
        }
        self.path.join(name.as_ref())
    }

    /// What an entry is; `None` where there is none.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    pub fn entry(&self, name: impl AsRef<OsStr>) -> Result<Option<Entry>, PortError> {
        let name = name.as_ref();
        match plain(name).and_then(|()| self.dir.symlink_metadata(name)) {
            Ok(metadata) => Ok(Some(Entry::of(metadata))),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(self.failed("look at", name, error)),
        }
    }

    /// The kind of an entry; `None` where there is none or it cannot be looked at.
    pub fn kind(&self, name: impl AsRef<OsStr>) -> Option<EntryKind> {
        self.entry(name).ok().flatten().map(|entry| entry.kind)
    }

    /// Opens a regular file to read it. A link, a FIFO or a device is never opened.
    ///
    /// # Errors
    /// `NotFound`, `Linked`, `NotAFile`, `Denied`, `Failed`.
    pub fn open_file(&self, name: impl AsRef<OsStr>) -> Result<File, PortError> {
        let mut options = OpenOptions::new();
        options.read(true);
        self.open_regular(name.as_ref(), &mut options)
    }

    /// Opens a regular file to write it without changing what it holds, after making it where it is missing.
    ///
    /// # Errors
    /// `Linked`, `NotAFile`, `Denied`, `Failed`.
    pub fn open_or_create_file(&self, name: impl AsRef<OsStr>) -> Result<File, PortError> {
        let name = name.as_ref();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        match plain(name).and_then(|()| self.dir.open_with(name, &options)) {
            Ok(made) => Ok(made.into_std()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.open_regular(name, OpenOptions::new().write(true))
            }
            Err(error) => Err(self.failed("make", name, error)),
        }
    }

    /// Makes an empty file without opening it, unless something of that name is there. Closing an open file would drop the locks
    /// that another thread of this process may have on it by then (fcntl(2)).
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    pub fn touch(&self, name: impl AsRef<OsStr>) -> Result<(), PortError> {
        let name = name.as_ref();
        match plain(name).and_then(|()| make_empty(&self.dir, name)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                Err(self.failed("make", name, error))
            }
            _ => Ok(()),
        }
    }

    /// When a file was last changed; `None` where there is none.
    pub fn modified(&self, name: impl AsRef<OsStr>) -> Option<SystemTime> {
        let entry = self.entry(name).ok()??;
        entry.metadata.modified().ok().map(cap_std::time::SystemTime::into_std)
    }

    /// Bytes of a file; `None` where there is none.
    pub fn len(&self, name: impl AsRef<OsStr>) -> Option<u64> {
        self.entry(name).ok()?.map(|entry| entry.metadata.len())
    }

    /// Makes a file that is not there yet.
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
        let made = plain(name).and_then(|()| self.dir.open_with(name, &options));
        made.map(cap_std::fs::File::into_std).map_err(|error| self.failed("make", name, error))
    }

    /// Reads a regular file whole.
    ///
    /// # Errors
    /// As `open_file`; `TooLarge` above `bytes_max`.
    pub fn read(&self, name: impl AsRef<OsStr>, bytes_max: u64) -> Result<Vec<u8>, PortError> {
        let name = name.as_ref();
        let mut bytes = Vec::new();
        let file = self.open_file(name)?;
        // One byte more shows that there is more.
        let read = file.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| self.failed("read", name, error))?;
        match bytes.len() as u64 > bytes_max {
            true => Err(PortError::new(ErrorKind::TooLarge, self.doing("read", name))),
            false => Ok(bytes),
        }
    }

    /// Deletes a file, or a link itself; whether there was one.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    pub fn remove_file(&self, name: impl AsRef<OsStr>) -> Result<bool, PortError> {
        let name = name.as_ref();
        match plain(name).and_then(|()| self.dir.remove_file(name)) {
            Ok(()) => Ok(true),
            Err(error) if is_absent(&error) => Ok(false),
            Err(error) => Err(self.failed("remove", name, error)),
        }
    }

    /// Deletes an empty folder; whether there was one.
    ///
    /// # Errors
    /// `Busy` where it holds something, `Denied`, `Failed`.
    pub fn remove_empty_folder(&self, name: impl AsRef<OsStr>) -> Result<bool, PortError> {
        let name = name.as_ref();
        match plain(name).and_then(|()| self.dir.remove_dir(name)) {
            Ok(()) => Ok(true),
            Err(error) if is_absent(&error) => Ok(false),
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                Err(PortError::new(ErrorKind::Busy, self.doing("remove", name)).caused_by(error))
            }
            Err(error) => Err(self.failed("remove", name, error)),
        }
    }

    /// Deletes whatever an entry is, with all that a folder holds; links are deleted, never what they lead to.
    ///
    /// # Errors
    /// `Denied`, `Failed`; part of it may then be gone.
    pub fn remove_all(&self, name: impl AsRef<OsStr>) -> Result<(), PortError> {
        let name = name.as_ref();
        match self.kind(name) {
            None => Ok(()),
            Some(EntryKind::Folder) => {
                self.dir.remove_dir_all(name).map_err(|error| self.failed("remove", name, error))
            }
            Some(_) => self.remove_file(name).map(drop),
        }
    }

    /// Renames an entry, into another folder or this one; a file or link of the new name is replaced.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists` where a folder that holds something is there, `Denied`, `Failed`.
    pub fn rename(
        &self,
        name: impl AsRef<OsStr>,
        to: &Folder,
        new: impl AsRef<OsStr>,
    ) -> Result<(), PortError> {
        let (name, new) = (name.as_ref(), new.as_ref());
        let renamed =
            plain(name).and_then(|()| plain(new)).and_then(|()| self.dir.rename(name, &to.dir, new));
        renamed.map_err(|error| match error.kind() {
            io::ErrorKind::DirectoryNotEmpty => {
                PortError::new(ErrorKind::AlreadyExists, to.doing("make", new)).caused_by(error)
            }
            _ => self.failed("rename", name, error),
        })
    }

    /// Renames an entry within this folder, unless something of the new name is there.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists`, `Denied`, `Failed`.
    pub fn rename_new(&self, name: impl AsRef<OsStr>, new: impl AsRef<OsStr>) -> Result<(), PortError> {
        let (name, new) = (name.as_ref(), new.as_ref());
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{RenameFlags, renameat_with};
            use rustix::io::Errno;
            plain(name).and_then(|()| plain(new)).map_err(|error| self.failed("rename", name, error))?;
            match renameat_with(&self.dir, name, &self.dir, new, RenameFlags::NOREPLACE) {
                Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => {}
                done => return done.map_err(|error| self.failed("make", new, error.into())),
            }
        }
        match self.kind(new) {
            Some(_) => Err(PortError::new(ErrorKind::AlreadyExists, self.doing("make", new))),
            None => self.rename(name, self, new),
        }
    }

    /// Puts an entry in the place of another one, and that one under a third name, which nothing has. Where the system can, no
    /// moment is without an entry at the place.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists`, `Denied`, `Failed`; the old entry is then at its place.
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
            match renameat_with(&self.dir, new, &self.dir, place, RenameFlags::EXCHANGE) {
                Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => {}
                Err(error) => return Err(self.failed("replace", place, error.into())),
                Ok(()) => return self.rename_new(new, aside),
            }
        }
        self.rename_new(place, aside)?;
        if let Err(error) = self.rename_new(new, place) {
            self.rename_new(aside, place)?;
            return Err(error);
        }
        Ok(())
    }

    /// Makes a symbolic link with this text.
    ///
    /// # Errors
    /// `AlreadyExists`, `Denied`, `Failed`.
    #[cfg(unix)]
    pub fn make_link(&self, name: impl AsRef<OsStr>, target: &Path) -> Result<(), PortError> {
        let name = name.as_ref();
        let made = plain(name).and_then(|()| self.dir.symlink_contents(target, name));
        made.map_err(|error| self.failed("link", name, error))
    }

    /// The text of a link.
    ///
    /// # Errors
    /// `NotFound`, `Failed` where it is no link.
    pub fn read_link(&self, name: impl AsRef<OsStr>) -> Result<PathBuf, PortError> {
        let name = name.as_ref();
        let read = plain(name).and_then(|()| self.dir.read_link_contents(name));
        read.map_err(|error| self.failed("read", name, error))
    }

    /// Whether a link leads to nothing, or round in a circle; not when nobody is allowed to see.
    pub fn is_dangling(&self, name: impl AsRef<OsStr>) -> bool {
        let leads_to = std::fs::metadata(self.path.join(name.as_ref()));
        leads_to.is_err_and(|error| error.kind() != io::ErrorKind::PermissionDenied)
    }

    /// Names and kinds of all entries, in no order.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    pub fn entries(&self) -> Result<Vec<(OsString, EntryKind)>, PortError> {
        let failed = |error| refused("list", &self.path, error);
        let mut found = Vec::new();
        for entry in self.dir.entries().map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            // Gone in between.
            let Some(kind) = self.kind_of(&name, &entry) else { continue };
            found.push((name, kind));
        }
        Ok(found)
    }

    /// The kind that a listing gives, or where the file system leaves it out, that of a look.
    fn kind_of(&self, name: &OsStr, entry: &cap_std::fs::DirEntry) -> Option<EntryKind> {
        match entry.file_type().ok()? {
            kind if kind.is_symlink() => Some(EntryKind::Link),
            kind if kind.is_dir() => Some(EntryKind::Folder),
            kind if kind.is_file() => Some(EntryKind::File),
            _ => self.kind(name),
        }
    }

    /// Brings new names to the disk, where the system can.
    pub fn sync(&self) {
        if let Ok(folder) = self.dir.try_clone() {
            let _ = folder.into_std_file().sync_data();
        }
    }

    pub(crate) fn failed(&self, verb: &str, name: &OsStr, error: io::Error) -> PortError {
        refused(verb, &self.path.join(name), error)
    }

    fn doing(&self, verb: &str, name: &OsStr) -> String {
        format!("{verb} '{}'", self.path.join(name).display())
    }

    fn open_regular(&self, name: &OsStr, options: &mut OpenOptions) -> Result<File, PortError> {
        let not_a_file = || PortError::new(ErrorKind::NotAFile, self.doing("open", name));
        // Looked at first, since opening a device may set it going, and once more on the descriptor.
        match self.entry(name)?.map(|entry| entry.kind) {
            Some(EntryKind::File) => {}
            Some(EntryKind::Link) => return Err(refusal(&self.path.join(name))),
            Some(_) => return Err(not_a_file()),
            None => return Err(PortError::new(ErrorKind::NotFound, self.doing("open", name))),
        }
        no_follow(options);
        let file = self.dir.open_with(name, options).map_err(|error| self.failed("open", name, error))?;
        let metadata = file.metadata().map_err(|error| self.failed("open", name, error))?;
        if metadata.is_file() { Ok(file.into_std()) } else { Err(not_a_file()) }
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

/// A path's folder and name.
fn split(path: &Path) -> Result<(&Path, OsString), PortError> {
    let parts = path.parent().zip(path.file_name());
    let (parent, name) =
        parts.ok_or_else(|| PortError::new(ErrorKind::NotAFile, format!("open '{}'", path.display())))?;
    Ok((parent, name.to_owned()))
}

/// A name that is one component, so that it cannot leave the folder.
fn plain(name: &OsStr) -> io::Result<()> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(()),
        _ => Err(io::ErrorKind::InvalidFilename.into()),
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// A failure of the system, or the link that is behind it.
fn refused(verb: &str, path: &Path, error: io::Error) -> PortError {
    let may_be_link = is_link_error(&error) || error.kind() == io::ErrorKind::NotADirectory;
    match first_link(path) {
        Some(link) if may_be_link => refusal(&link).caused_by(error),
        // It was taken away in the meantime.
        None if is_link_error(&error) => refusal(path).caused_by(error),
        _ => PortError::io(format!("{verb} '{}'", path.display()), error),
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

/// Does not follow a link at the end, and does not wait for the other end of a FIFO.
#[cfg(unix)]
fn no_follow(options: &mut OpenOptions) {
    use cap_std::fs::OpenOptionsExt;
    use rustix::fs::OFlags;
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
}

#[cfg(not(unix))]
fn no_follow(_: &mut OpenOptions) {}

#[cfg(unix)]
fn folder_options() -> OpenOptions {
    use cap_std::fs::OpenOptionsExt;
    use rustix::fs::OFlags;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags((OFlags::NOFOLLOW | OFlags::DIRECTORY).bits() as i32);
    options
}

#[cfg(not(unix))]
fn folder_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

/// Whether the paths of descriptors lead to what is open; not without a mounted /proc.
#[cfg(target_os = "linux")]
fn has_descriptor_paths() -> bool {
    static IS_MOUNTED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *IS_MOUNTED.get_or_init(|| std::fs::symlink_metadata("/proc/self/fd").is_ok_and(|m| m.is_dir()))
}
