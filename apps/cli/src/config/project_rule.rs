//! What a project's configuration file may set.

/// The values that a project's file may give to a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectRule {
    /// Any valid value.
    Yes,
    /// Folders inside the project.
    Inside,
    /// Names, not paths.
    Names,
    /// None: only the user's own file may set it.
    No,
}

impl ProjectRule {
    /// The cell of the table in RFC-0009:C-PROJECT.
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::Inside => "inside the project",
            Self::Names => "names only",
            Self::No => "no",
        }
    }
}
