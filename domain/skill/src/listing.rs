//! The statuses that `skc list` shows and filters by (RFC-0007:C-LIST).

/// Where a skill's source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// In the project's store.
    Project,
    /// In the user's store, in the home folder.
    Global,
}

impl Scope {
    /// `project` or `global`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Global => "global",
        }
    }
}

/// Whether a skill is built, and from its current source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Built, and the source has not changed if the hashes were compared.
    Normal,
    /// Without a manifest.
    NotBuilt,
    /// Built from an older version of the source.
    Obsolete,
}

impl Status {
    /// `normal`, `not-built` or `obsolete`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::NotBuilt => "not-built",
            Self::Obsolete => "obsolete",
        }
    }

    /// Decides the status from two facts: whether there is a manifest, and whether the source equals what was built,
    /// if they were compared.
    pub fn judge(has_manifest: bool, is_equal: Option<bool>) -> Self {
        match (has_manifest, is_equal) {
            (false, _) => Self::NotBuilt,
            (true, Some(false)) => Self::Obsolete,
            (true, None | Some(true)) => Self::Normal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0007:C-LIST
    #[test]
    fn a_status_follows_from_manifest_and_hash() {
        assert_eq!(Status::judge(false, None), Status::NotBuilt);
        assert_eq!(Status::judge(true, None), Status::Normal);
        assert_eq!(Status::judge(true, Some(true)), Status::Normal);
        assert_eq!(Status::judge(true, Some(false)), Status::Obsolete);
        assert!(Scope::Project < Scope::Global);
    }

    /// RFC-0007:C-LIST
    #[test]
    fn scopes_and_statuses_have_the_words_of_replies() {
        assert_eq!([Scope::Project, Scope::Global].map(Scope::word), ["project", "global"]);
        let statuses = [Status::Normal, Status::NotBuilt, Status::Obsolete];
        assert_eq!(statuses.map(Status::word), ["normal", "not-built", "obsolete"]);
    }
}
