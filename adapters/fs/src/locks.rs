//! Lock files, and locks on folders.

use crate::folder::Folder;
use skillc_ports::PortError;
use std::ffi::OsStr;
use std::fs::File;

impl Folder {
    /// The folder's own file, on which a lock can be taken; closing it lets go.
    ///
    /// # Errors
    /// `Failed` where the process has too many descriptors.
    pub fn to_lock(&self) -> Result<File, PortError> {
        // Opened anew, since locks belong to what was opened and are shared by its copies.
        let file = self.dir().open(".").map_err(|error| self.failed("lock", OsStr::new(""), error))?;
        Ok(file.into_std())
    }
}
