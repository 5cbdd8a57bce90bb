//! Writes a result to a file that the user named.

use crate::app::App;
use crate::failure::Failure;
use skillc_domain::fault::Fault;
use skillc_ports::{ErrorKind, PortError, WriteOptions};
use std::path::{Path, PathBuf};

/// What the user permits beyond the default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allowed {
    /// Whether to write through a link of the user's own that leads out of its folder (`--follow`).
    pub follows: bool,
    /// Whether to replace a file that skc did not write (`--force`).
    pub is_forced: bool,
}

/// Writes a file that the user named. An existing file is replaced only if it is empty, `is_ours` accepts it, or by
/// force.
///
/// # Errors
/// E018 for a link, E052 for a file that skc did not write, E999.
pub fn write(
    app: &App,
    path: &Path,
    bytes: &[u8],
    allowed: Allowed,
    is_ours: &dyn Fn(&[u8]) -> bool,
) -> Result<(), Failure> {
    let may_replace = |old: &[u8]| allowed.is_forced || is_ours(old);
    let writing = WriteOptions { root: Some(root(app)), follows: allowed.follows, may_replace: &may_replace };
    app.ports.named.write(path, bytes, &writing).map_err(|error| not_ours(path, error))
}

/// The path of a named file after following permitted links.
///
/// # Errors
/// E018 for a link that is not followed, E999.
pub fn resolved(app: &App, path: &Path, follows: bool) -> Result<PathBuf, Failure> {
    let writing = WriteOptions { root: Some(root(app)), follows, may_replace: &|_| false };
    Ok(app.ports.named.resolved(path, &writing)?)
}

/// E052 for a file that may not be replaced.
pub fn not_ours(path: &Path, error: PortError) -> Failure {
    match error.kind {
        ErrorKind::AlreadyExists => Failure::because(Fault::FileNotOurs { path: path.to_path_buf() }, error),
        _ => error.into(),
    }
}

/// The folder below which links of a cloned repository must not redirect a write: the project, otherwise the working
/// directory.
fn root(app: &App) -> &Path {
    app.call.places.project.as_deref().unwrap_or(&app.call.places.cwd)
}
