//! The kinds of use that a history can show.

/// What happened with a skill in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HistoryKind {
    /// The skill was in a list that the agent was given.
    Offered,
    /// The agent loaded it.
    Chosen,
    /// The user loaded it.
    Requested,
    /// The agent read one of its files, whole or in part.
    Read,
    /// One of its scripts ran.
    Ran,
    /// Its files were searched.
    Searched,
    /// Loading it failed.
    Failed,
}

impl HistoryKind {
    /// All kinds, in the order in which they occur in a session.
    pub const ALL: [Self; 7] =
        [Self::Offered, Self::Chosen, Self::Requested, Self::Read, Self::Ran, Self::Searched, Self::Failed];

    /// The command that events of this kind are logged with.
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

    /// The kind of events with this command.
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
