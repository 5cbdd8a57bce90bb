//! Files that a user names on the command line.

use crate::error::PortError;
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
    /// `NotFound` without its folder, `NotAFile` where anything but a file stands, `Denied`, `Failed`. What was there is
    /// then as it was.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), PortError>;
}
