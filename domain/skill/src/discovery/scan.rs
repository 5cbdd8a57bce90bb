//! The result of a scan: the folders below a root, and the file that makes each of them a skill.

use crate::discovery::head::SkillHead;
use crate::survey::Stamp;
use std::path::{Path, PathBuf};

/// The file that marks a folder as a Python skill.
pub const PYTHON_SKILL_FILE: &str = "manifest.toml";

/// The limits and options of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanBounds<'a> {
    /// The file that makes a folder a skill.
    pub file: &'a str,
    /// Maximum depth of folders below the root.
    pub depth_max: u32,
    /// Maximum number of folders and single-file skills, including the root.
    pub folders_max: usize,
    /// Whether Markdown files directly in the root are skills too, unless the root itself is a skill.
    pub takes_files: bool,
    /// Links that leave this folder are followed only if they lead to a skill; `None` if they may lead anywhere.
    pub border: Option<&'a Path>,
}

/// A root and the folders below it, as scanned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScannedRoot {
    /// Canonical path of the root.
    pub root: PathBuf,
    /// The file that made a folder a skill.
    pub file: String,
    /// The border of the scan, as in `ScanBounds`.
    pub border: Option<PathBuf>,
    /// The levels of the scan, as in `ScanBounds`.
    pub depth_max: u32,
    /// Whether single-file skills were searched for, as in `ScanBounds`.
    pub takes_files: bool,
    /// When the scan began, in nanoseconds since 1970 UTC.
    pub taken_ns: i64,
    /// Parents before children; the first is the root. A single-file skill is a child of the root.
    pub folders: Vec<ScannedFolder>,
    /// Whether a limit ended the scan early.
    pub truncated: bool,
}

/// A scanned folder or single-file skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScannedFolder {
    /// Index of the parent folder; 0 for the root.
    pub parent: u32,
    /// The name in its parent folder; empty for the root.
    pub name: String,
    /// The stamp of the folder, or of a link's target.
    pub stamp: Stamp,
    /// Canonical path of the target if the folder is a link.
    pub target: Option<PathBuf>,
    /// Whether the scan did not descend further: because of a limit, or at a link that is not followed.
    pub is_leaf: bool,
    /// Why the folder could not be scanned.
    pub problem: Option<String>,
    /// The skill in it, if any.
    pub skill: Option<ScannedSkill>,
}

/// A skill found by a scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScannedSkill {
    /// What kind of file makes the folder a skill.
    pub form: SkillForm,
    /// The stamp of that file; for a stub, of its manifest.
    pub stamp: Stamp,
    /// The metadata read from the file; `None` if it has not been read, or has changed since.
    pub head: Option<SkillHead>,
}

/// The form in which a skill is present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkillForm {
    /// A regular file.
    #[default]
    File,
    /// A regular file next to the manifest of a build.
    Stub,
    /// A FIFO, a socket, a device or a dangling link.
    NotAFile,
    /// A single-file skill.
    SingleFile,
}

/// Whether a scan enters folders with this name. Hidden folders and installed packages contain no skills of the user.
pub fn is_scanned_name(name: &str) -> bool {
    !name.starts_with('.') && name != "node_modules"
}

impl ScannedFolder {
    /// Whether it is a single-file skill.
    pub fn is_single_file(&self) -> bool {
        self.skill.as_ref().is_some_and(|skill| skill.form == SkillForm::SingleFile)
    }
}

impl ScannedRoot {
    /// Whether it is a scan of this root with these bounds.
    pub fn is_of(&self, root: &Path, bounds: &ScanBounds<'_>) -> bool {
        self.root == root
            && self.file == bounds.file
            && self.border.as_deref() == bounds.border
            && self.depth_max == bounds.depth_max
            && self.takes_files == bounds.takes_files
            && !self.folders.is_empty()
    }

    /// An empty scan of a root with these bounds.
    pub fn new(root: PathBuf, bounds: &ScanBounds<'_>, taken_ns: i64) -> Self {
        Self {
            root,
            file: bounds.file.to_owned(),
            border: bounds.border.map(Path::to_owned),
            depth_max: bounds.depth_max,
            takes_files: bounds.takes_files,
            taken_ns,
            ..Self::default()
        }
    }

    /// Path of a folder as the scan reached it, starting at `root` as the caller gave it.
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

    /// Canonical path of a folder.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(parent: u32, name: &str) -> ScannedFolder {
        ScannedFolder { parent, name: name.into(), ..ScannedFolder::default() }
    }

    fn bounds(file: &str) -> ScanBounds<'_> {
        let border = Some(Path::new("/r"));
        ScanBounds { file, depth_max: 6, folders_max: 9, takes_files: true, border }
    }

    /// RFC-0010:C-CATALOG
    #[test]
    fn hidden_folders_and_installed_packages_are_not_scanned() {
        for (name, is_scanned) in
            [("a", true), ("a.b", true), ("node_modules2", true), (".git", false), ("node_modules", false)]
        {
            assert_eq!(is_scanned_name(name), is_scanned, "{name}");
        }
    }

    #[test]
    fn a_folder_has_the_path_by_which_it_was_met_and_the_one_behind_links() {
        let link = ScannedFolder { target: Some("/else/where".into()), ..folder(1, "link") };
        let folders =
            vec![folder(0, ""), folder(0, "a"), link, folder(2, "b"), folder(3, "c"), folder(1, "d")];
        let scanned = ScannedRoot { root: "/canonical".into(), folders, ..ScannedRoot::default() };
        let met = |at| scanned.met(Path::new("/as/given"), at);
        for (at, as_met, canonical) in [
            (0, "/as/given", "/canonical"),
            (1, "/as/given/a", "/canonical/a"),
            (2, "/as/given/a/link", "/else/where"),
            (4, "/as/given/a/link/b/c", "/else/where/b/c"),
            (5, "/as/given/a/d", "/canonical/a/d"),
        ] {
            assert_eq!((met(at), scanned.canonical(at)), (as_met.into(), canonical.into()), "{at}");
        }
    }

    #[test]
    fn a_scan_serves_only_the_root_and_bounds_that_it_was_made_with() {
        let folders = vec![folder(0, "")];
        let scanned = ScannedRoot { folders, ..ScannedRoot::new("/r/s".into(), &bounds("SKILL.md"), 7) };
        assert_eq!(scanned.taken_ns, 7);
        let is_of = |bounds: ScanBounds<'_>| scanned.is_of(Path::new("/r/s"), &bounds);
        assert!(is_of(bounds("SKILL.md")));
        assert!(is_of(ScanBounds { folders_max: 1, ..bounds("SKILL.md") }), "whose limit ended it or not");
        assert!(!scanned.is_of(Path::new("/r"), &bounds("SKILL.md")));
        assert!(!is_of(bounds("manifest.toml")));
        assert!(!is_of(ScanBounds { depth_max: 5, ..bounds("SKILL.md") }));
        assert!(!is_of(ScanBounds { takes_files: false, ..bounds("SKILL.md") }));
        assert!(!is_of(ScanBounds { border: None, ..bounds("SKILL.md") }));
        let empty = ScannedRoot { folders: Vec::new(), ..scanned.clone() };
        assert!(!empty.is_of(Path::new("/r/s"), &bounds("SKILL.md")), "nothing was scanned yet");
    }

    /// RFC-0010:C-SINGLE
    #[test]
    fn only_a_skill_of_that_form_is_a_single_file() {
        let of = |form| {
            let skill = Some(ScannedSkill { form, ..ScannedSkill::default() });
            ScannedFolder { skill, ..ScannedFolder::default() }.is_single_file()
        };
        use SkillForm::{File, NotAFile, SingleFile, Stub};
        assert_eq!([File, Stub, NotAFile, SingleFile].map(of), [false, false, false, true]);
        assert!(!ScannedFolder::default().is_single_file());
    }
}
