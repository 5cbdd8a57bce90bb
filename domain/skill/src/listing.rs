//! What `skc list` shows and how it is filtered (RFC-0007:C-LIST).

/// Where a skill stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// In the project's store.
    Project,
    /// In the store of the home.
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

/// How a skill's build stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Built; with the hash compared, still equal.
    Normal,
    /// No manifest.
    NotBuilt,
    /// Built from other sources than there are now.
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

    /// From the facts: whether there is a manifest, and whether the sources were compared and equal.
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
}
