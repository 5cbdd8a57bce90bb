//! The user's own text editor.

use crate::error::PortError;
use std::path::Path;

/// Opens files for the user to edit.
pub trait TextEditor: Send + Sync {
    /// Opens a file and waits for the editor to exit.
    ///
    /// # Errors
    /// If the editor does not start, or reports a failure.
    fn edit(&self, path: &Path) -> Result<(), PortError>;
}
