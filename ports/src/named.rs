//! Files that a user names on the command line.

use crate::error::{ErrorKind, PortError};
use std::any::Any;
use std::path::{Path, PathBuf};

/// How a named file may be written.
#[derive(Clone, Copy)]
pub struct Writing<'a> {
    /// A canonical folder; below it no folder on the way may be a link that leads out of it.
    pub root: Option<&'a Path>,
    /// Whether a link that leads out of its folder is followed, where link and file belong to this user.
    pub follows: bool,
    /// Whether a file with these bytes may be replaced.
    pub may_replace: &'a dyn Fn(&[u8]) -> bool,
}

/// Reads and writes single files outside of skills, only where the user says so.
pub trait NamedFiles: Send + Sync {
    /// All bytes of a file; a FIFO, a socket or a device is never opened.
    ///
    /// # Errors
    /// `NotFound`, `NotAFile`, `TooLarge` above `bytes_max`, `Denied`, `Failed`.
    fn read(&self, path: &Path, bytes_max: u64) -> Result<Vec<u8>, PortError>;

    /// Writes a file whole or not at all. One that is there is replaced where it is empty or `writing` says that it may be, and
    /// its rights stay.
    ///
    /// # Errors
    /// `NotFound` without its folder or behind a link that leads nowhere, `Linked` for a link that is not followed, `NotAFile` where
    /// anything but a file stands, `AlreadyExists` for a file that may not be replaced, `Denied`, `Failed`. What was there is then as it was.
    fn write(&self, path: &Path, bytes: &[u8], writing: &Writing<'_>) -> Result<(), PortError>;

    /// The path at which a named file is reached once the links that `writing` follows are resolved.
    ///
    /// # Errors
    /// As `write`, for links and the folder.
    fn resolved(&self, path: &Path, writing: &Writing<'_>) -> Result<PathBuf, PortError>;

    /// Deletes a file that may be replaced. Nothing there is success.
    ///
    /// # Errors
    /// As `write`.
    fn remove(&self, path: &Path, writing: &Writing<'_>) -> Result<(), PortError>;

    /// All of standard input.
    ///
    /// # Errors
    /// `NotFound` where there is none, `TooLarge` above `bytes_max`, `Failed`.
    fn input(&self, _bytes_max: u64) -> Result<Vec<u8>, PortError> {
        Err(PortError::new(ErrorKind::NotFound, "read standard input"))
    }

    /// Keeps others who hold the same folder waiting until what is returned is dropped. `None` where the system knows no
    /// such locks, or there is no folder.
    fn hold(&self, _folder: &Path) -> Option<Box<dyn Any + Send>> {
        None
    }
}
