//! Locks of files among processes.

use std::fs::File;
use std::io;

/// Waits for the lock; returns false if the file system has no locks.
pub fn lock_exclusive(file: &File) -> io::Result<bool> {
    loop {
        return match file.lock() {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) if e.kind() == io::ErrorKind::Unsupported => Ok(false),
            Err(e) => Err(e),
        };
    }
}
