//! A configuration file, as a source of settings.

use std::path::Path;

pub struct ConfigFile<'a> {
    pub path: &'a Path,
    /// The home, for `~`.
    pub home: &'a Path,
    /// The user's own file, rather than a project's.
    pub is_users: bool,
}
