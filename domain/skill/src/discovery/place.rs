//! What the path of a skill's file reveals: whether the file is the whole skill, and its name (RFC-0010:C-SINGLE).

use crate::places::SKILL_FILE;
use std::borrow::Cow;
use std::path::Path;

/// The extension of single-file skills.
const MARKDOWN_ENDING: &str = ".md";

/// Markdown files that are never single-file skills: they describe their folder, or make it a skill.
const NO_SKILLS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE.md", SKILL_FILE];

/// The stem of a Markdown file that can be a single-file skill.
pub fn single_file_stem(name: &str) -> Option<&str> {
    let is_none = name.starts_with('.') || NO_SKILLS.iter().any(|other| name.eq_ignore_ascii_case(other));
    name.strip_suffix(MARKDOWN_ENDING).filter(|_| !is_none)
}

/// Whether this is the path of a single-file skill.
pub fn is_single_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| single_file_stem(&name.to_string_lossy()).is_some())
}

/// Whether a path refers to the skill with this file: by the file, or by its folder unless it is a single-file skill.
pub fn means_skill_at(path: &Path, file: &Path) -> bool {
    path == file || file.parent() == Some(path) && !is_single_file(file)
}

/// The name that a skill gets from the location of its file.
pub fn name_of_place(file: &Path) -> Cow<'_, str> {
    let named = if is_single_file(file) { file.file_stem() } else { file.parent().and_then(Path::file_name) };
    named.unwrap_or_default().to_string_lossy()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0010:C-SINGLE
    #[test]
    fn files_about_a_folder_are_no_skills() {
        for (name, stem) in
            [("notes.md", "notes"), ("a.b.md", "a.b"), ("Notes.md", "Notes"), ("readme-x.md", "readme-x")]
        {
            assert_eq!(single_file_stem(name), Some(stem), "{name}");
        }
        for name in [
            "README.md",
            "readme.md",
            "ChangeLog.md",
            "LICENSE.md",
            "SKILL.md",
            "skill.md",
            ".md",
            ".x.md",
            "x.MD",
            "x.markdown",
            "x",
        ] {
            assert_eq!(single_file_stem(name), None, "{name}");
        }
    }

    /// RFC-0011:C-RULES
    #[test]
    fn a_skill_is_meant_by_its_file_and_by_a_folder_that_is_nothing_else() {
        for (path, file, is_meant) in [
            ("/r/x/SKILL.md", "/r/x/SKILL.md", true),
            ("/r/x", "/r/x/SKILL.md", true),
            ("/r", "/r/x/SKILL.md", false),
            ("/r/notes.md", "/r/notes.md", true),
            ("/r", "/r/notes.md", false),
            ("/r/y", "/r/x/SKILL.md", false),
        ] {
            assert_eq!(means_skill_at(Path::new(path), Path::new(file)), is_meant, "{path} {file}");
        }
    }

    /// RFC-0010:C-SINGLE
    #[test]
    fn the_name_of_a_place_is_that_of_the_folder_or_of_the_single_file() {
        for (file, name) in [("/r/x/SKILL.md", "x"), ("/r/x/notes.md", "notes"), ("/SKILL.md", "")] {
            assert_eq!(name_of_place(Path::new(file)), name, "{file}");
        }
    }
}
