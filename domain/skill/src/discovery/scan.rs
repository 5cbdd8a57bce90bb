//! What a search below a folder of skills saw: its folders, and the file in each that makes it a skill.

use crate::discovery::head::SkillHead;
use crate::survey::Stamp;
use std::path::{Path, PathBuf};

/// By which file a skill shows.
pub const PYTHON_SKILL_FILE: &str = "manifest.toml";

/// How a folder of skills is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanBounds<'a> {
    /// The file that makes a folder a skill.
    pub file: &'a str,
    /// Levels of folders below the root.
    pub depth_max: u32,
    /// Folders, the root included.
    pub folders_max: usize,
    /// The folder out of which a link is followed only to a skill itself; `None` where links may lead anywhere.
    pub border: Option<&'a Path>,
}

/// A folder of skills and all below it that was searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScannedRoot {
    /// The folder, links resolved.
    pub root: PathBuf,
    /// The file that made a folder a skill.
    pub file: String,
    /// The folder out of which links were followed only to a skill itself.
    pub border: Option<PathBuf>,
    /// When the search began, nanoseconds since 1970 UTC.
    pub taken_ns: i64,
    /// Each before those in it; the first is the root itself.
    pub folders: Vec<ScannedFolder>,
    /// Whether a bound ended the search before its end.
    pub truncated: bool,
}

/// A folder that was searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScannedFolder {
    /// The folder that holds it, as an index; the root's own is 0.
    pub parent: u32,
    /// Its name there; empty for the root.
    pub name: String,
    /// Of the folder, or of the one that a link leads to.
    pub stamp: Stamp,
    /// Where it stands, links resolved, if it was reached by a link.
    pub target: Option<PathBuf>,
    /// Whether those below it were left out: a bound, or a link that is not followed further.
    pub is_leaf: bool,
    /// Why it could not be searched.
    pub problem: Option<String>,
    /// The skill in it.
    pub skill: Option<ScannedSkill>,
}

/// What makes a folder a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScannedSkill {
    /// In which form.
    pub form: SkillForm,
    /// Of the file that was looked at: a stub's manifest, else what makes the folder a skill.
    pub stamp: Stamp,
    /// What was read in it; `None` before it was, or when the stamp says that it has changed since.
    pub head: Option<SkillHead>,
}

/// What stands in the place of a SKILL.md.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkillForm {
    /// The file.
    #[default]
    File,
    /// The file, beside the manifest of a build.
    Stub,
    /// A FIFO, a socket, a device, or a link to nowhere.
    NotAFile,
}

impl ScannedRoot {
    /// Path of a folder as it was met, below `root` as it was asked for.
    pub fn met(&self, root: &Path, folder: usize) -> PathBuf {
        let mut names = Vec::new();
        let mut at = folder;
        while at != 0 {
            names.push(self.folders[at].name.as_str());
            at = self.folders[at].parent as usize;
        }
        let mut path = root.to_owned();
        path.extend(names.into_iter().rev());
        path
    }

    /// Path of a folder, links resolved.
    pub fn canonical(&self, folder: usize) -> PathBuf {
        let mut names = Vec::new();
        let mut at = folder;
        let mut path = loop {
            let here = &self.folders[at];
            match &here.target {
                Some(target) => break target.clone(),
                None if at == 0 => break self.root.clone(),
                None => names.push(here.name.as_str()),
            }
            at = here.parent as usize;
        };
        path.extend(names.into_iter().rev());
        path
    }
}
