//! Files that a user names on the command line.

use crate::error::{ErrorKind, PortError};
use std::any::Any;
use std::path::Path;

/// Reads and writes single files outside of skills, only where the user says so.
pub trait NamedFiles: Send + Sync {
    /// All bytes of a file; a FIFO, a socket or a device is never opened.
    ///
    /// # Errors
    /// `NotFound`, `NotAFile`, `TooLarge` above `bytes_max`, `Denied`, `Failed`.
    fn read(&self, path: &Path, bytes_max: u64) -> Result<Vec<u8>, PortError>;

    /// Writes a file whole or not at all; one that is there is replaced, and its rights stay.
    ///
    /// # Errors
    /// `NotFound` without its folder or behind a link that leads nowhere, `NotAFile` where anything but a file stands, `Denied`, `Failed`. What was there is
    /// then as it was.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), PortError>;

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
