//! Deployment of a runtime to an agent's folder.

use crate::error::PortError;
use skillc_domain::deploy::{Method, Occupant};
use std::path::Path;

/// Puts skills where agents look. Touches only the place that is named, and makes the folders above it. With a link on the way to
/// a place every method fails as `Linked`. What stood at a place is deleted, or kept beside it under the name `aside`, where one is
/// given.
pub trait Deployer: Send + Sync {
    /// What stands at a place, links not followed.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    fn look(&self, place: &Path) -> Result<Occupant, PortError>;

    /// Puts a link to `runtime` at `place`, in place of whatever stands there: a symbolic link, on Windows a junction.
    /// An agent sees the old or the new one, never neither, where a link replaces a link.
    ///
    /// # Errors
    /// Any kind, when links cannot be made there; what stood there then still stands.
    fn link(&self, runtime: &Path, place: &Path, aside: Option<&str>) -> Result<Method, PortError>;

    /// Puts a copy of `stub` (`SKILL.md`) and `manifest` (`.skillc-meta/manifest.json`), and nothing else, at `place`,
    /// in place of whatever stands there. It is made beside the place and renamed.
    ///
    /// # Errors
    /// `Denied`, `Failed`; what stood there then still stands.
    fn copy(&self, stub: &[u8], manifest: &[u8], place: &Path, aside: Option<&str>) -> Result<(), PortError>;

    /// Takes away what stands at a place: a link itself, never what it leads to; of a compiled copy the two files and
    /// the folders that are empty then. Nothing there is success.
    ///
    /// # Errors
    /// `NotAFile` for a file or another folder, which are left alone; `Denied`, `Failed`.
    fn remove(&self, place: &Path) -> Result<(), PortError>;
}
