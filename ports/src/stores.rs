//! The folders of skill sources.

use crate::error::PortError;
use skillc_domain::path::RelPath;
use std::path::{Path, PathBuf};

/// What exists at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing, or a file.
    Nothing,
    /// A folder without SKILL.md.
    Folder,
    /// A folder with a SKILL.md: its canonical path, links resolved.
    Skill(PathBuf),
    /// A link that leads out of the permitted folders, with its path.
    Linked(PathBuf),
}

/// Finds, creates and imports skills.
pub trait SkillStores: Send + Sync {
    /// The content of a path. Links may lead to one of the canonical folders `within`, or anywhere if the list is
    /// empty. Unreadable paths count as nothing, as does a name that differs from its entry's in case, even on systems
    /// that ignore case.
    fn look(&self, path: &Path, within: &[&Path]) -> Found;

    /// Whether a path is a folder; follows links.
    fn is_folder(&self, path: &Path) -> bool;

    /// Whether a path is a regular file; follows links.
    fn is_file(&self, path: &Path) -> bool;

    /// An absolute path without links, `.` and `..`: the deepest existing folder is resolved, and the rest is appended
    /// as written.
    fn real_path(&self, path: &Path) -> PathBuf;

    /// Like `real_path`, but every link on the path must belong to this user or to root.
    ///
    /// # Errors
    /// `Linked` with a link that belongs to another user.
    fn users_path(&self, path: &Path) -> Result<PathBuf, PortError>;

    /// Whether a text file contains a word; false if it cannot be read.
    fn mentions(&self, file: &Path, word: &str) -> bool;

    /// Names of the folders directly in a store, sorted by bytes; includes links to folders, but neither hidden names
    /// nor names that are not UTF-8. Empty if the store does not exist.
    ///
    /// # Errors
    /// `Linked` if there is a link on the path to the store, `Denied`, `Failed`.
    fn names(&self, store: &Path) -> Result<Vec<String>, PortError>;

    /// Creates a folder and its parents, unless they exist.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `AlreadyExists` if the path is a file, `Failed`.
    fn create_folder(&self, folder: &Path) -> Result<(), PortError>;

    /// Creates `folder` with a first SKILL.md. Never replaces one.
    ///
    /// # Errors
    /// `AlreadyExists` if there is a SKILL.md, `Linked`, `Denied`, `Failed`.
    fn create_skill(&self, folder: &Path, skill_md: &str) -> Result<(), PortError>;

    /// Makes `folder` contain exactly these files, given by their paths in it. Unless it does already, a new folder is
    /// created next to it and then renamed.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `Failed`; the folder is then unchanged.
    fn write_skill(&self, folder: &Path, files: &[(&str, &[u8])]) -> Result<(), PortError>;

    /// Renames a folder within its parent, in one step. Nothing in it changes, and an existing file or folder with
    /// the new name is not replaced.
    ///
    /// # Errors
    /// `NotFound`, `NotAFile` for anything but a folder, `AlreadyExists` if the name is taken, `Linked` if there is a
    /// link on the path to the folder, `Denied`, `Failed`; nothing is then changed.
    fn rename(&self, folder: &Path, name: &str) -> Result<(), PortError>;

    /// Copies a whole skill from `from` to `to`: every regular file and folder, even hidden ones, except `.git`, `.jj`
    /// and `.skillc-meta`. Links that stay inside become copies of their targets.
    ///
    /// The copy is created next to `to` and then renamed. Existing content of `to` is renamed to `aside`, if given; a
    /// crash leaves both complete.
    ///
    /// # Errors
    /// `NotFound` without `from`, `AlreadyExists` if `to` exists and no `aside` is given, `Linked`, `Escapes` if a link
    /// leads out of `from` (nothing is then left behind), `Denied`, `Failed`.
    fn import(&self, from: &Path, to: &Path, aside: Option<&str>) -> Result<(), PortError>;

    /// Paths of links in a skill that lead out of it, even in hidden folders, since `import` copies those.
    ///
    /// # Errors
    /// `NotFound`, `Denied`.
    fn escaping_links(&self, from: &Path) -> Result<Vec<RelPath>, PortError>;
}
