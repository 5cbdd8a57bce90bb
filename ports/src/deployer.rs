//! Deployment of a runtime to an agent's folder.

use crate::error::PortError;
use skillc_domain::deploy::{Method, Occupant};
use skillc_domain::linked_files::LinkedEntry;
use std::path::Path;

/// Deploys skills to the folders where agents look for them. Changes only the given place, and creates its parent
/// folders. If there is a link on the path to a place, every method fails with `Linked`. The old content of a place
/// is deleted, or renamed to `aside` in the same folder if one is given.
pub trait Deployer: Send + Sync {
    /// The current content of a place; links are not followed.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn look(&self, place: &Path) -> Result<Occupant, PortError>;

    /// Creates a link to `runtime` at `place`, replacing its content: a symbolic link, or a junction on Windows. If a
    /// link replaces a link, agents always see one of the two. A relative `runtime` starts at the folder of `place`,
    /// and a symbolic link stores it unchanged.
    ///
    /// # Errors
    /// Any kind, if the link cannot be created; the place is then unchanged.
    fn link(&self, runtime: &Path, place: &Path, aside: Option<&str>) -> Result<Method, PortError>;

    /// Writes a copy of `stub` (`SKILL.md`) and `manifest` (`.skillc-meta/manifest.json`), and nothing else, to
    /// `place`, replacing its content by a rename.
    ///
    /// # Errors
    /// `Denied`, `Failed`; the place is then unchanged.
    fn copy(&self, stub: &[u8], manifest: &[u8], place: &Path, aside: Option<&str>) -> Result<(), PortError>;

    /// Creates links to these entries of a source next to the stub of `runtime`, and removes other links there.
    /// Anything but a link stays unchanged.
    ///
    /// # Errors
    /// Any kind, if a link cannot be created; earlier links stay.
    fn link_entries(&self, runtime: &Path, entries: &[LinkedEntry]) -> Result<(), PortError>;

    /// Removes what was deployed to a place: a link, but never its target; or the two files of a compiled copy and
    /// any folders that are then empty. An empty place is success.
    ///
    /// # Errors
    /// `NotAFile` for a file or another folder, which stay unchanged; `Denied`, `Failed`.
    fn remove(&self, place: &Path) -> Result<(), PortError>;
}
