//! The files of a skill as a walk finds them, without opening any.

use crate::fault::Warning;
use crate::path::RelPath;
use crate::places::META_DIR;

/// The names that a walk over a skill includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameFilter {
    /// For surveys: names that do not begin with a dot.
    Visible,
    /// For imports: all names except those of version control and build output.
    Imported,
}

impl NameFilter {
    /// Whether a walk includes files and folders of this name.
    pub fn includes(self, name: &[u8]) -> bool {
        match self {
            Self::Visible => !name.starts_with(b"."),
            Self::Imported => ![".git", ".jj", META_DIR].iter().any(|left_out| name == left_out.as_bytes()),
        }
    }
}

/// File metadata that reveals a change without reading the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Size in bytes.
    pub size: u64,
    /// Last change of the content, in nanoseconds since 1970 UTC.
    pub mtime_ns: i64,
    /// Last change of the inode, in nanoseconds since 1970 UTC; 0 if the system has none.
    pub ctime_ns: i64,
    /// Inode number; 0 if the system has none.
    pub inode: u64,
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SurveyedFile {
    /// Relative to the skill's root.
    pub path: RelPath,
    /// The stamp of the file itself, or of the target of a link inside the skill.
    pub stamp: Stamp,
}

/// The result of walking a whole skill. Excludes hidden files and folders, FIFOs, sockets and devices.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Regular files, sorted by the bytes of their paths.
    pub files: Vec<SurveyedFile>,
    /// Links that lead out of the skill. They are never followed.
    pub escaping: Vec<RelPath>,
    /// What was skipped, and why.
    pub warnings: Vec<Warning>,
    /// When the walk began, in nanoseconds since 1970 UTC.
    pub taken_ns: i64,
}

/// The names of a survey, for which no file is examined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedFiles {
    /// Paths of regular files, sorted by their bytes.
    pub files: Vec<RelPath>,
    /// What was passed over, and why.
    pub warnings: Vec<Warning>,
}

impl From<&Survey> for ListedFiles {
    fn from(survey: &Survey) -> Self {
        let files = survey.files.iter().map(|file| file.path.clone()).collect();
        Self { files, warnings: survey.warnings.clone() }
    }
}

impl Survey {
    /// The file at a path.
    pub fn get(&self, path: &RelPath) -> Option<&SurveyedFile> {
        self.files.binary_search_by(|file| file.path.cmp(path)).ok().map(|at| &self.files[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_leaves_out_hidden_files_and_an_import_what_is_not_the_authors() {
        for (name, is_visible, is_imported) in [
            ("a.md", true, true),
            (".hidden", false, true),
            (".git", false, false),
            (".jj", false, false),
            (".skillc-meta", false, false),
        ] {
            let includes = [NameFilter::Visible, NameFilter::Imported].map(|f| f.includes(name.as_bytes()));
            assert_eq!(includes, [is_visible, is_imported], "{name}");
        }
    }

    #[test]
    fn a_file_is_found_by_its_path_and_the_names_are_those_of_the_files() {
        let path = |path: &str| RelPath::parse(path).unwrap();
        let file = |at: &str| SurveyedFile { path: path(at), stamp: Stamp { size: 7, ..Stamp::default() } };
        let warnings = vec![Warning::LoggingDisabled {}];
        let survey = Survey { files: vec![file("a.md"), file("b/c.md")], warnings, ..Survey::default() };
        assert_eq!(survey.get(&path("b/c.md")), Some(&file("b/c.md")));
        assert_eq!(survey.get(&path("b")), None);
        let listed = ListedFiles::from(&survey);
        assert_eq!((listed.files, listed.warnings.len()), (vec![path("a.md"), path("b/c.md")], 1));
    }
}
