//! The files of a skill that are not indexed text. A build links their entries next to the stub, so that
//! `scripts/x.py` resolves as written (RFC-0001:C-FILES); a text that names one needs the base directory
//! (RFC-0002:C-DIR).

use crate::format::format_of;
use crate::path::RelPath;
use crate::places::SKILL_FILE;
use crate::reference_order::mentions_any;
use crate::survey::Survey;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Depth of a runtime below the project or home folder: `.skillc/runtime/<skill>`.
const RUNTIME_DEPTH: usize = 3;

/// A file or folder directly in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedEntry {
    /// Its name, which the link has too.
    pub name: String,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// The target of the link next to the stub.
    pub target: PathBuf,
}

/// The top-level entries of a source that are, or contain, a file that is not indexed text, sorted by name.
pub fn linked_entries(survey: &Survey, source: &Path, runtime: &Path) -> Vec<LinkedEntry> {
    let mut entries = BTreeMap::new();
    for path in others(survey) {
        let (name, is_folder) = match path.as_str().split_once('/') {
            Some((folder, _)) => (folder, true),
            None => (path.as_str(), false),
        };
        if !name.eq_ignore_ascii_case(SKILL_FILE) {
            entries.insert(name, is_folder);
        }
    }
    let source = from_runtime(source, runtime);
    let entry = |(name, is_folder): (&str, bool)| {
        let target = source.join(name);
        LinkedEntry { name: name.to_owned(), is_folder, target }
    };
    entries.into_iter().map(entry).collect()
}

/// The files that are not indexed text.
fn others(survey: &Survey) -> impl Iterator<Item = &RelPath> {
    survey.files.iter().map(|file| &file.path).filter(|path| format_of(path).is_none())
}

/// Whether a text names a file that is not indexed text, or a top-level folder that contains one.
pub fn names_other_file(text: &str, survey: &Survey) -> bool {
    let paths: Vec<RelPath> = others(survey).cloned().collect();
    let folders: BTreeSet<&str> =
        paths.iter().filter_map(|path| path.as_str().split_once('/')).map(|(f, _)| f).collect();
    let mut plain = paths.iter().map(RelPath::name).filter(|name| !name.contains('.'));
    folders.iter().any(|folder| text.contains(folder))
        || plain.any(|name| text.contains(name))
        || mentions_any(&paths, text)
}

/// The source as the target of a link in the runtime. Relative if both are below the folder that holds `.skillc`, so
/// that they can be moved together (on Unix only; junctions are absolute).
fn from_runtime(source: &Path, runtime: &Path) -> PathBuf {
    let base = runtime.ancestors().nth(RUNTIME_DEPTH);
    match base.and_then(|base| source.strip_prefix(base).ok()) {
        Some(below) if cfg!(unix) => Path::new("../../..").join(below),
        _ => source.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{Stamp, SurveyedFile};

    fn survey(paths: &[&str]) -> Survey {
        let file =
            |path: &&str| SurveyedFile { path: RelPath::parse(path).unwrap(), stamp: Stamp::default() };
        Survey { files: paths.iter().map(file).collect(), ..Survey::default() }
    }

    fn linked(paths: &[&str], source: &str) -> Vec<String> {
        let entries = linked_entries(&survey(paths), Path::new(source), Path::new("/p/.skillc/runtime/x"));
        entries.iter().map(|entry| entry.target.display().to_string()).collect()
    }

    /// RFC-0001:C-FILES
    #[test]
    fn an_entry_that_holds_a_file_that_is_no_text_is_linked_and_no_other() {
        let paths =
            ["SKILL.md", "notes.txt", "references/a.md", "run.sh", "scripts/a.md", "scripts/lib/x.py"];
        let wanted = ["../../../.skillc/skills/x/run.sh", "../../../.skillc/skills/x/scripts"];
        assert_eq!(linked(&paths, "/p/.skillc/skills/x"), wanted);
        assert_eq!(linked(&["run.sh"], "/p/skills/x"), ["../../../skills/x/run.sh"]);
        assert_eq!(linked(&["run.sh"], "/elsewhere/x"), ["/elsewhere/x/run.sh"]);
    }

    /// RFC-0002:C-DIR
    #[test]
    fn a_text_names_a_script_by_its_name_or_by_its_folder() {
        let survey =
            survey(&["SKILL.md", "references/a.md", "notes.txt", "run.sh", "scripts/lib/x.py", "Makefile"]);
        for text in
            ["Run `run.sh`.", "the files in scripts", "scripts/lib/x.py", "call x.py", "Use the Makefile."]
        {
            assert!(names_other_file(text, &survey), "{text}");
        }
        for text in ["", "See references/a.md and notes.txt.", "SKILL.md", "outrun.sh", "Run it."] {
            assert!(!names_other_file(text, &survey), "{text}");
        }
    }

    /// RFC-0001:C-FILES
    #[test]
    fn an_entry_says_whether_it_is_a_folder_and_skill_md_is_none_in_any_case() {
        let survey = survey(&["SKILL.MD/x.py", "run.sh", "scripts/x.py"]);
        let entries = linked_entries(&survey, Path::new("/p/s"), Path::new("/p/.skillc/runtime/x"));
        let told: Vec<_> = entries.iter().map(|entry| (&*entry.name, entry.is_folder)).collect();
        assert_eq!(told, [("run.sh", false), ("scripts", true)]);
    }
}
