//! What a walk over a skill saw, without opening a file.

use crate::fault::Warning;
use crate::path::RelPath;

/// By what a change of a file is noticed without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// Last change of the content, nanoseconds since 1970 UTC.
    pub mtime_ns: i64,
    /// Last change of the inode, nanoseconds since 1970 UTC; 0 where the system has none.
    pub ctime_ns: i64,
    /// Inode number; 0 where the system has none.
    pub inode: u64,
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SurveyedFile {
    /// Relative to the skill's root.
    pub path: RelPath,
    /// Of the file itself, or of what a link inside the skill leads to.
    pub stamp: Stamp,
}

/// A walk over a whole skill. Hidden files and folders, FIFOs, sockets and devices are not in it.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Regular files, sorted by the bytes of their paths.
    pub files: Vec<SurveyedFile>,
    /// Links that lead out of the skill; never followed.
    pub escaping: Vec<RelPath>,
    /// What was passed over, and why.
    pub warnings: Vec<Warning>,
    /// When the walk began, nanoseconds since 1970 UTC.
    pub taken_ns: i64,
}

impl Survey {
    /// The file at a path.
    pub fn get(&self, path: &RelPath) -> Option<&SurveyedFile> {
        self.files.binary_search_by(|file| file.path.cmp(path)).ok().map(|at| &self.files[at])
    }
}
