//! An index of a skill's files by name, ignoring case.

use skillc_domain::path::RelPath;
use skillc_domain::text::case_fold::fold;
use std::collections::HashMap;

/// Maximum number of files with the same name that are compared with a path.
pub const SAME_NAME_MAX: usize = 64;

/// Files by case-folded name.
pub struct FoldedNames<'a>(HashMap<String, Vec<&'a RelPath>>);

impl<'a> FoldedNames<'a> {
    /// Builds the index, in linear time.
    pub fn of(files: impl Iterator<Item = &'a RelPath>) -> Self {
        let mut names: HashMap<String, Vec<&RelPath>> = HashMap::new();
        files.for_each(|path| names.entry(fold(path.name())).or_default().push(path));
        Self(names)
    }

    /// The files with a name, in insertion order.
    pub fn get(&self, name: &str) -> &[&'a RelPath] {
        self.0.get(&fold(name)).map(Vec::as_slice).unwrap_or_default()
    }
}
