//! Files that a user names on the command line.

use crate::error::{ErrorKind, PortError};
use std::any::Any;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

/// The conditions for writing a named file.
#[derive(Clone, Copy)]
pub struct WriteOptions<'a> {
    /// A canonical folder. Below it, no folder on the path may be a link that leads out of it.
    pub root: Option<&'a Path>,
    /// Whether a link that leads out of its folder is followed, if this user owns both link and file.
    pub follows: bool,
    /// Whether an existing file with this content may be replaced.
    pub may_replace: &'a dyn Fn(&[u8]) -> bool,
}

/// An open file that supports seeking.
pub trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

/// Reads and writes single files outside of skills, at the user's explicit request.
pub trait NamedFiles: Send + Sync {
    /// Reads a whole file; never opens a FIFO, a socket or a device.
    ///
    /// # Errors
    /// `NotFound`, `NotAFile`, `TooLarge` above `bytes_max`, `Denied`, `Failed`.
    fn read(&self, path: &Path, bytes_max: u64) -> Result<Vec<u8>, PortError>;

    /// Opens a file to read parts of it; never opens a FIFO, a socket or a device.
    ///
    /// # Errors
    /// As `read`, without `TooLarge`.
    fn open(&self, path: &Path) -> Result<Box<dyn ReadSeek>, PortError>;

    /// Writes a file, completely or not at all. An existing file is replaced if it is empty or `writing` permits it,
    /// and keeps its permissions.
    ///
    /// # Errors
    /// `NotFound` if the folder is missing or a link is dangling, `Linked` for a link that is not followed,
    /// `NotAFile` if the path is anything but a file, `AlreadyExists` if the file may not be replaced, `Denied`,
    /// `Failed`. An existing file is then unchanged.
    fn write(&self, path: &Path, bytes: &[u8], writing: &WriteOptions<'_>) -> Result<(), PortError>;

    /// The path of a named file, after resolving the links that `writing` follows.
    ///
    /// # Errors
    /// As `write`, for links and the folder.
    fn resolved(&self, path: &Path, writing: &WriteOptions<'_>) -> Result<PathBuf, PortError>;

    /// Deletes a file that may be replaced. A missing file is success.
    ///
    /// # Errors
    /// As for `write`.
    fn remove(&self, path: &Path, writing: &WriteOptions<'_>) -> Result<(), PortError>;

    /// Reads all of standard input.
    ///
    /// # Errors
    /// `NotFound` if there is none, `TooLarge` above `bytes_max`, `Failed`.
    fn input(&self, _bytes_max: u64) -> Result<Vec<u8>, PortError> {
        Err(PortError::new(ErrorKind::NotFound, "read standard input"))
    }

    /// Locks a folder until the result is dropped; other callers wait. `None` if the system has no such locks or the
    /// folder does not exist.
    fn hold(&self, _folder: &Path) -> Option<Box<dyn Any + Send>> {
        None
    }
}
