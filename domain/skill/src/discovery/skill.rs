//! The catalog and its skills.

use crate::digest::Digest;
use crate::discovery::place::{is_single_file, name_of_place};
use std::borrow::Cow;
use std::path::PathBuf;

/// Whether a skill belongs to the repository or to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkillScope {
    /// Found between the repository's root and the working directory.
    Repo,
    /// Found in the home folder or another folder of the user.
    User,
}

impl SkillScope {
    /// `repo` or `user`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Repo => "repo",
            Self::User => "user",
        }
    }
}

/// The format of a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SkillKind {
    /// A `SKILL.md`, or one Markdown file.
    #[default]
    Markdown,
    /// A folder with a `manifest.toml`.
    Python,
    /// Shipped with the program.
    Builtin,
}

impl SkillKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Markdown, Self::Python, Self::Builtin];

    /// `markdown`, `python` or `builtin`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Python => "python",
            Self::Builtin => "builtin",
        }
    }
}

/// A path at which a skill was found. One skill can have several, through links or as a stub.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Path of its SKILL.md as the scan reached it, links unresolved.
    pub path: PathBuf,
    /// The scope of the root.
    pub scope: SkillScope,
    /// The label of the root: `agents`, `skillc`, an agent's id, or the path of a configured folder.
    pub root: String,
    /// Whether the file there is a compiled stub.
    pub is_stub: bool,
}

/// A skill of the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogSkill {
    /// Sixteen hexadecimal digits of the SHA-256 of `path`.
    pub id: String,
    /// From its front matter or manifest, otherwise the name of its folder.
    pub name: String,
    /// From its front matter or manifest, otherwise from the start of its text; may be empty.
    pub description: String,
    /// Canonical path of its SKILL.md, or of the file of a single-file skill.
    pub path: PathBuf,
    /// The folder of that file.
    pub dir: PathBuf,
    /// The scope of its first location.
    pub scope: SkillScope,
    /// The format.
    pub kind: SkillKind,
    /// When its SKILL.md was last changed, in milliseconds since 1970 UTC.
    pub mtime_ms: i64,
    /// SHA-256 of its SKILL.md.
    pub digest: Digest,
    /// Every path at which it was found; the one with precedence first.
    pub locations: Vec<Location>,
    /// Reasons why a strict client would reject it; empty unless validation is lenient.
    pub flaws: Vec<String>,
}

#[cfg(test)]
impl CatalogSkill {
    /// A skill of a repository in this folder, for tests.
    pub(super) fn sample(name: &str, description: &str, dir: &str) -> Self {
        let dir = PathBuf::from(dir);
        Self {
            id: String::new(),
            name: name.to_owned(),
            description: description.to_owned(),
            path: dir.join("SKILL.md"),
            dir,
            scope: SkillScope::Repo,
            kind: SkillKind::Markdown,
            mtime_ms: 0,
            digest: Digest([0; 32]),
            locations: Vec::new(),
            flaws: Vec::new(),
        }
    }
}

impl CatalogSkill {
    /// Whether the skill is one Markdown file; other files in its folder are not part of it.
    pub fn is_single_file(&self) -> bool {
        self.kind == SkillKind::Markdown && is_single_file(&self.path)
    }

    /// The name from its location: that of its folder, or of the file of a single-file skill.
    pub fn name_of_place(&self) -> Cow<'_, str> {
        name_of_place(&self.path)
    }
}

/// A folder or file that looks like a skill but is invalid.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoadError {
    /// Path of its SKILL.md as the scan reached it.
    pub path: PathBuf,
    /// The reason.
    pub message: String,
    /// The name in its text, otherwise that of its folder.
    pub name: String,
    /// Its description, as far as it could be read.
    pub description: String,
}

impl LoadError {
    /// An error about a file or folder of which only the path is known.
    pub fn new(path: PathBuf, message: &str) -> Self {
        let mut error = Self { path, message: message.to_owned(), ..Self::default() };
        error.name = error.name_of_place().into_owned();
        error
    }

    /// The name from its location, by which `build` and `list` know a folder's skill.
    pub fn name_of_place(&self) -> Cow<'_, str> {
        name_of_place(&self.path)
    }
}

/// Skills that share a name. The catalog lists all of them; an agent that selects by name gets one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameName {
    /// The shared name.
    pub name: String,
    /// Paths of their SKILL.md files, in catalog order.
    pub paths: Vec<PathBuf>,
    /// Whether their SKILL.md files are identical.
    pub are_copies: bool,
}

/// The skills that are available from a working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillCatalog {
    /// Sorted: repo before user, then by path.
    pub skills: Vec<CatalogSkill>,
    /// Sorted by path.
    pub errors: Vec<LoadError>,
    /// Whether a limit ended a scan early.
    pub truncated: bool,
    /// Number of skills in other agents' folders, which only `--roots all` includes.
    pub elsewhere: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0010:C-SINGLE
    #[test]
    fn a_markdown_file_that_does_not_make_a_folder_a_skill_is_one_by_itself() {
        let of = |kind, path: &str| {
            CatalogSkill { kind, path: path.into(), ..CatalogSkill::sample("x", "", "/r/x") }.is_single_file()
        };
        assert!(of(SkillKind::Markdown, "/r/notes.md"));
        assert!(!of(SkillKind::Markdown, "/r/notes/SKILL.md"));
        assert!(!of(SkillKind::Builtin, "/r/notes.md"));
    }

    /// RFC-0010:C-CATALOG
    #[test]
    fn a_skill_is_known_by_the_name_of_its_folder_or_file() {
        let skill = CatalogSkill::sample("other", "", "/r/x");
        assert_eq!(skill.name_of_place(), "x");
        for (path, name) in [("/r/x/SKILL.md", "x"), ("/r/notes.md", "notes"), ("/r/x/manifest.toml", "x")] {
            let error = LoadError::new(path.into(), "is bad");
            assert_eq!((&*error.name, &*error.name_of_place(), &*error.message), (name, name, "is bad"));
        }
    }

    #[test]
    fn scopes_and_kinds_have_the_words_of_replies() {
        assert_eq!([SkillScope::Repo, SkillScope::User].map(SkillScope::word), ["repo", "user"]);
        assert_eq!(SkillKind::ALL.map(SkillKind::word), ["markdown", "python", "builtin"]);
    }
}
