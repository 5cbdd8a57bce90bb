//! Examines the entries of an open folder and reads files.

use crate::entry::{EntryKind, FolderEntry};
use crate::failure::{is_absent, path_error};
use crate::folder::{Folder, check_name};
use crate::resolve::linked;
use cap_std::fs::OpenOptions;
use skillc_ports::{ErrorKind, PortError};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::SystemTime;

/// Maximum buffer size in bytes that is reserved at once, however large a file claims to be.
const ROOM_BYTES_MAX: usize = 16 * 1024 * 1024;

impl Folder {
    /// Examines an entry without following links; `None` if there is none.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    pub fn entry(&self, name: impl AsRef<OsStr>) -> Result<Option<FolderEntry>, PortError> {
        let name = name.as_ref();
        match check_name(name).and_then(|()| self.dir().symlink_metadata(name)) {
            Ok(metadata) => Ok(Some(FolderEntry::of(metadata))),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(self.entry_error("look at", name, error)),
        }
    }

    /// The kind of an entry; `None` if there is none or it is inaccessible.
    pub fn kind(&self, name: impl AsRef<OsStr>) -> Option<EntryKind> {
        self.entry(name).ok().flatten().map(|entry| entry.kind)
    }

    /// The modification time of an entry; `None` if there is none.
    pub fn modified(&self, name: impl AsRef<OsStr>) -> Option<SystemTime> {
        let entry = self.entry(name).ok()??;
        entry.metadata.modified().ok().map(cap_std::time::SystemTime::into_std)
    }

    /// The size of an entry in bytes; `None` if there is none.
    pub fn len(&self, name: impl AsRef<OsStr>) -> Option<u64> {
        self.entry(name).ok()?.map(|entry| entry.metadata.len())
    }

    /// The target of a link as written in it.
    ///
    /// # Errors
    /// `NotFound`; `Failed` if the entry is not a link.
    pub fn read_link(&self, name: impl AsRef<OsStr>) -> Result<PathBuf, PortError> {
        let name = name.as_ref();
        let read = check_name(name).and_then(|()| self.dir().read_link_contents(name));
        read.map_err(|error| self.entry_error("read", name, error))
    }

    /// Whether a link is dangling or part of a loop; false if its target is inaccessible.
    pub fn is_dangling(&self, name: impl AsRef<OsStr>) -> bool {
        let leads_to = std::fs::metadata(self.path().join(name.as_ref()));
        leads_to.is_err_and(|error| error.kind() != io::ErrorKind::PermissionDenied)
    }

    /// Names and kinds of all entries, unordered.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    pub fn entries(&self) -> Result<Vec<(OsString, EntryKind)>, PortError> {
        let failed = |error| path_error("list", self.path(), error);
        let mut found = Vec::new();
        for entry in self.dir().entries().map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            // It was deleted in the meantime.
            let Some(kind) = self.kind_of(&name, &entry) else { continue };
            found.push((name, kind));
        }
        Ok(found)
    }

    /// The kind from the listing, or from a `stat` call if the file system does not report it.
    fn kind_of(&self, name: &OsStr, entry: &cap_std::fs::DirEntry) -> Option<EntryKind> {
        match entry.file_type().ok()? {
            kind if kind.is_symlink() => Some(EntryKind::Link),
            kind if kind.is_dir() => Some(EntryKind::Folder),
            kind if kind.is_file() => Some(EntryKind::File),
            _ => self.kind(name),
        }
    }

    /// Opens a regular file to read. Never opens a link, FIFO or device.
    ///
    /// # Errors
    /// `NotFound`, `Linked`, `NotAFile`, `Denied`, `Failed`.
    pub fn open_file(&self, name: impl AsRef<OsStr>) -> Result<File, PortError> {
        let mut options = OpenOptions::new();
        options.read(true);
        self.open_regular(name.as_ref(), &mut options)
    }

    /// Reads a whole regular file.
    ///
    /// # Errors
    /// As `open_file`; `TooLarge` above `bytes_max`.
    pub fn read(&self, name: impl AsRef<OsStr>, bytes_max: u64) -> Result<Vec<u8>, PortError> {
        let name = name.as_ref();
        self.read_existing(name, bytes_max)?.ok_or_else(|| self.not_found(name))
    }

    /// As `read`; `None` if there is no such entry, which takes less time than the text of an error.
    ///
    /// # Errors
    /// As `read`, without most cases of `NotFound`: the entry may be deleted in the meantime.
    pub fn read_existing(
        &self,
        name: impl AsRef<OsStr>,
        bytes_max: u64,
    ) -> Result<Option<Vec<u8>>, PortError> {
        let name = name.as_ref();
        let mut options = OpenOptions::new();
        let Some((file, len)) = self.open_regular_with_len(name, options.read(true))? else {
            return Ok(None);
        };
        let read = read_bounded(file, bytes_max, usize::try_from(len).unwrap_or(usize::MAX));
        let bytes = read.map_err(|error| self.entry_error("read", name, error))?;
        bytes.map(Some).ok_or_else(|| PortError::new(ErrorKind::TooLarge, self.doing("read", name)))
    }

    pub(crate) fn open_regular(&self, name: &OsStr, options: &mut OpenOptions) -> Result<File, PortError> {
        let opened = self.open_regular_with_len(name, options)?;
        opened.map(|(file, _)| file).ok_or_else(|| self.not_found(name))
    }

    fn not_found(&self, name: &OsStr) -> PortError {
        PortError::new(ErrorKind::NotFound, self.doing("open", name))
    }

    /// Also returns the size of the file in bytes; `None` if there is no such entry.
    fn open_regular_with_len(
        &self,
        name: &OsStr,
        options: &mut OpenOptions,
    ) -> Result<Option<(File, u64)>, PortError> {
        let not_a_file = || PortError::new(ErrorKind::NotAFile, self.doing("open", name));
        // Checked before opening, since opening a device may start it, and again on the descriptor.
        match self.entry(name)?.map(|entry| entry.kind) {
            Some(EntryKind::File) => {}
            Some(EntryKind::Link) => return Err(linked(&self.path().join(name))),
            Some(_) => return Err(not_a_file()),
            None => return Ok(None),
        }
        no_follow(options);
        let file =
            self.dir().open_with(name, options).map_err(|error| self.entry_error("open", name, error))?;
        let metadata = file.metadata().map_err(|error| self.entry_error("open", name, error))?;
        if metadata.is_file() { Ok(Some((file.into_std(), metadata.len()))) } else { Err(not_a_file()) }
    }
}

/// Reads to the end; `None` if there are more than `bytes_max` bytes. A file whose size is still `bytes_expected` is
/// read in one call.
///
/// # Errors
/// I/O errors of the source.
pub fn read_bounded(source: impl Read, bytes_max: u64, bytes_expected: usize) -> io::Result<Option<Vec<u8>>> {
    // One extra byte reveals a longer file.
    let mut source = source.take(bytes_max.saturating_add(1));
    let mut bytes = vec![0; bytes_expected.min(ROOM_BYTES_MAX) + 1];
    let len = read_once(&mut source, &mut bytes)?;
    let is_whole = len == bytes_expected && len < bytes.len();
    bytes.truncate(len);
    if !is_whole {
        source.read_to_end(&mut bytes)?;
    }
    Ok((bytes.len() as u64 <= bytes_max).then_some(bytes))
}

fn read_once(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Refuses a link as the last component, and does not wait for the other end of a FIFO.
#[cfg(unix)]
fn no_follow(options: &mut OpenOptions) {
    use cap_std::fs::OpenOptionsExt;
    use rustix::fs::OFlags;
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
}

#[cfg(not(unix))]
fn no_follow(_: &mut OpenOptions) {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one part of its bytes for each call.
    struct Parts(Vec<&'static [u8]>);

    impl Read for Parts {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let part = self.0.remove(0);
            buffer[..part.len()].copy_from_slice(part);
            Ok(part.len())
        }
    }

    #[test]
    fn a_file_is_read_to_its_end_whatever_its_size_was() {
        let read = |parts: &[&'static [u8]], max, expected| {
            read_bounded(Parts(parts.to_vec()), max, expected).unwrap().map(|bytes| bytes.len())
        };
        for expected in [0, 3, 5, 6, 7, 100] {
            assert_eq!(read(&[b"abcdef"], 6, expected.max(6)), Some(6), "{expected}");
            assert_eq!(read_bounded(&b"abcdef"[..], 6, expected).unwrap().as_deref(), Some(&b"abcdef"[..]));
            assert_eq!(read_bounded(&b"abcdef"[..], 5, expected).unwrap(), None, "{expected}");
        }
        assert_eq!(read(&[b"ab", b"cd", b"e"], 9, 5), Some(5), "in several parts");
        assert_eq!(read(&[b"abc"], 9, 2), Some(3), "it has grown");
        assert_eq!(read_bounded(&b""[..], 0, 0).unwrap().as_deref(), Some(&b""[..]));
    }
}
