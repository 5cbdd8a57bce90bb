//! Skills inside another one, to which the files of their folders belong.

use crate::view::{LintFile, SkillView};
use skillc_domain::path::RelPath;
use std::collections::BTreeSet;

/// The folders of the skills inside a skill.
pub fn nested_folders<'a>(view: &SkillView<'a>) -> BTreeSet<&'a str> {
    let is_nested = |file: &&LintFile| file.path.name() == "SKILL.md" && !file.is_skill_md();
    view.files.iter().filter(is_nested).map(|file| file.path.folder()).collect()
}

/// Whether a file is in one of these folders or below it.
pub fn is_in_one(path: &RelPath, folders: &BTreeSet<&str>) -> bool {
    let path = path.as_str();
    path.match_indices('/').any(|(end, _)| folders.contains(&path[..end]))
}
