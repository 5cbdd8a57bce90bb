//! Shared by these tests: skills of a repository and of a user, in the folders of the specification.

use crate::site::{Site, put, skill_md};
use std::path::{Path, PathBuf};

/// The folder of a skill of the repository.
pub fn repo(site: &Site, name: &str) -> PathBuf {
    site.project().join(".agents/skills").join(name)
}

/// The folder of a skill of the user.
pub fn user(site: &Site, name: &str) -> PathBuf {
    site.home().join(".agents/skills").join(name)
}

/// Writes a skill into a folder with its name and returns the path of its SKILL.md.
pub fn write(folder: &Path, body: &str) -> PathBuf {
    let file = folder.join("SKILL.md");
    put(&file, skill_md(&folder.file_name().unwrap().to_string_lossy(), body));
    file
}

/// Writes the user's configuration.
pub fn configure(site: &Site, toml: &str) {
    put(&site.home().join(".skillc/config.toml"), toml);
}

/// Writes the project's configuration.
pub fn configure_project(site: &Site, toml: &str) {
    put(&site.project().join(".skillc/config.toml"), toml);
}

/// A path as text.
pub fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
