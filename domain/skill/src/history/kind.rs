//! The kinds of use that a history shows.

/// What happened to a skill in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HistoryKind {
    /// The skill was in a list that the agent was given.
    Offered,
    /// The agent loaded it.
    Chosen,
    /// The user loaded it.
    Requested,
    /// A file of it was read, whole or in part.
    Read,
    /// A script of it ran.
    Ran,
    /// Its files were searched.
    Searched,
    /// It could not be loaded.
    Failed,
}

impl HistoryKind {
    /// All, in the order of a session.
    pub const ALL: [Self; 7] =
        [Self::Offered, Self::Chosen, Self::Requested, Self::Read, Self::Ran, Self::Searched, Self::Failed];

    /// The command of its events.
    pub fn word(self) -> &'static str {
        match self {
            Self::Offered => "offered",
            Self::Chosen => "chosen",
            Self::Requested => "requested",
            Self::Read => "read",
            Self::Ran => "ran",
            Self::Searched => "searched",
            Self::Failed => "failed",
        }
    }

    /// The kind whose events have this command.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0014:C-RECORDS
    #[test]
    fn every_kind_has_a_word_of_its_own() {
        for kind in HistoryKind::ALL {
            assert_eq!(HistoryKind::from_word(kind.word()), Some(kind));
        }
        assert_eq!(HistoryKind::from_word("show"), None);
    }
}
