//! A skill as the catalog knows it, and the catalog.

use crate::digest::Digest;
use std::path::PathBuf;

/// Whose a skill is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkillScope {
    /// Of the repository: found between its root and the working directory.
    Repo,
    /// Of the user.
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

/// In which form a skill comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SkillKind {
    /// A `SKILL.md`, or one Markdown file.
    #[default]
    Markdown,
    /// A folder with a `manifest.toml`.
    Python,
    /// Shipped within the program.
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

/// A place where a skill was met. One skill may stand in several, by links or as a stub.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Its SKILL.md as it was met, links not resolved.
    pub path: PathBuf,
    /// Whose folder that is.
    pub scope: SkillScope,
    /// Which folder of skills: `agents`, `skillc`, an agent's id, or the path of a configured one.
    pub root: String,
    /// Whether what stands there is the compiled stub of the skill.
    pub is_stub: bool,
}

/// A skill of the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogSkill {
    /// Sixteen hexadecimal digits of the SHA-256 of `path`.
    pub id: String,
    /// Name, from its front matter or manifest, or else of its folder.
    pub name: String,
    /// Description, from its front matter or manifest, or else from the start of its text; may be empty.
    pub description: String,
    /// Its SKILL.md, links resolved.
    pub path: PathBuf,
    /// The folder that holds it.
    pub dir: PathBuf,
    /// Whose it is: that of its first location.
    pub scope: SkillScope,
    /// In which form it comes.
    pub kind: SkillKind,
    /// When its SKILL.md was changed, milliseconds since 1970 UTC.
    pub mtime_ms: i64,
    /// SHA-256 of its SKILL.md.
    pub digest: Digest,
    /// Where it was met, the one that counts first.
    pub locations: Vec<Location>,
    /// What a strict reader would have refused; empty unless validation is lenient.
    pub flaws: Vec<String>,
}

/// A folder that looks like a skill and is none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoadError {
    /// Its SKILL.md as it was met.
    pub path: PathBuf,
    /// What is wrong.
    pub message: String,
}

/// Skills that share a name. None of them hides another here; an agent that goes by names takes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameName {
    /// The name.
    pub name: String,
    /// Their SKILL.md files, in the order of the catalog.
    pub paths: Vec<PathBuf>,
    /// Whether all of them say the same, to the byte.
    pub are_copies: bool,
}

/// The skills that can be had from a working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillCatalog {
    /// Repo before user, then by path.
    pub skills: Vec<CatalogSkill>,
    /// By path.
    pub errors: Vec<LoadError>,
    /// Whether a bound ended the search before its end.
    pub truncated: bool,
    /// Skills in folders of other agents, which only `--roots all` takes in.
    pub elsewhere: usize,
}
