//! The folders in which skills stand.

use crate::error::PortError;
use skillc_domain::path::RelPath;
use std::path::{Path, PathBuf};

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing, or a file.
    Nothing,
    /// A folder without SKILL.md.
    Folder,
    /// A folder with a SKILL.md: its canonical path, links resolved.
    Skill(PathBuf),
    /// A link that leads out of the folders that it may lead to: the link.
    Linked(PathBuf),
}

/// Finds, makes and imports skills.
pub trait SkillStores: Send + Sync {
    /// What stands at a path. Links may lead to one of the canonical folders `within`, or anywhere where none is named.
    /// Unreadable counts as nothing.
    fn look(&self, path: &Path, within: &[&Path]) -> Found;

    /// Whether a folder stands at a path, links followed.
    fn is_folder(&self, path: &Path) -> bool;

    /// Whether a regular file stands at a path, links followed.
    fn is_file(&self, path: &Path) -> bool;

    /// A path without links, `.` and `..`: the deepest folder that exists is resolved, and what does not exist yet follows
    /// as it is written. Relative paths are no use here.
    fn real_path(&self, path: &Path) -> PathBuf;

    /// The same for a path of the user's own, where every link on the way belongs to this user or to root.
    ///
    /// # Errors
    /// `Linked` with the link that belongs to another user.
    fn users_path(&self, path: &Path) -> Result<PathBuf, PortError>;

    /// Whether a text file holds a word; an unreadable one holds none.
    fn mentions(&self, file: &Path, word: &str) -> bool;

    /// Names of the folders directly in a store, sorted by bytes, without hidden ones; links to folders count. Empty
    /// when there is no such store. A name that is not UTF-8 is left out.
    ///
    /// # Errors
    /// `Linked` where the store is reached through a link, `Denied`, `Failed`.
    fn names(&self, store: &Path) -> Result<Vec<String>, PortError>;

    /// Makes a folder and those above it; one that is there is left as it is.
    ///
    /// # Errors
    /// `Linked`, `Denied`, `AlreadyExists` when a file stands there, `Failed`.
    fn create_folder(&self, folder: &Path) -> Result<(), PortError>;

    /// Makes `folder` with a first SKILL.md in it. Never replaces one.
    ///
    /// # Errors
    /// `AlreadyExists` when a SKILL.md stands there, `Linked`, `Denied`, `Failed`.
    fn create_skill(&self, folder: &Path, skill_md: &str) -> Result<(), PortError>;

    /// Copies a whole skill from `from` to `to`: every regular file and folder, hidden ones too, but nothing named
    /// `.git`, `.jj` or `.skillc-meta`; links that stay inside become copies of what they lead to.
    ///
    /// The copy is made beside `to` and put in place by renaming. What stands at `to` is kept beside it under the name `aside`,
    /// where one is given; after a crash both are whole.
    ///
    /// # Errors
    /// `NotFound` without `from`, `AlreadyExists` when something stands at `to` and no `aside` is given, `Linked`, `Escapes` when a link leads out of
    /// `from` (nothing is left behind), `Denied`, `Failed`.
    fn import(&self, from: &Path, to: &Path, aside: Option<&str>) -> Result<(), PortError>;

    /// Paths of links below a skill that lead out of it; hidden folders count, since `import` copies them.
    ///
    /// # Errors
    /// `NotFound`, `Denied`.
    fn escaping_links(&self, from: &Path) -> Result<Vec<RelPath>, PortError>;
}
