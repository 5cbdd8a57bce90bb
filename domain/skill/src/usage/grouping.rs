//! The breakdowns of accesses (RFC-0003:C-QUERIES).

use crate::fault::Fault;
use crate::suggest::{list, nearest};

/// A breakdown of accesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// Totals only.
    #[default]
    Summary,
    /// By section that was read.
    Sections,
    /// By file that was read.
    Files,
    /// By command name.
    Commands,
    /// By working directory.
    Projects,
    /// By error message.
    Errors,
    /// By search query.
    Search,
}

impl Grouping {
    /// All groupings, in the order of the help.
    pub const ALL: [Self; 7] = [
        Self::Summary,
        Self::Sections,
        Self::Files,
        Self::Commands,
        Self::Projects,
        Self::Errors,
        Self::Search,
    ];

    /// The word for `--group-by` and for `query` in replies.
    pub fn word(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Sections => "sections",
            Self::Files => "files",
            Self::Commands => "commands",
            Self::Projects => "projects",
            Self::Errors => "errors",
            Self::Search => "search",
        }
    }

    /// Parses the word.
    ///
    /// # Errors
    /// E030 for any other word.
    pub fn parse(word: &str) -> Result<Self, Fault> {
        let known = Self::ALL.into_iter().find(|grouping| grouping.word() == word);
        known.ok_or_else(|| {
            let near = nearest(word, Self::ALL.map(Self::word));
            Fault::InvalidQueryType { r#type: word.to_owned(), suggestions: list(near) }
        })
    }

    /// Names of the components of a tally's key, in sort order; empty for the summary, whose tallies are skills.
    pub fn key(self) -> &'static [&'static str] {
        match self {
            Self::Summary => &[],
            Self::Sections => &["file", "section"],
            Self::Files => &["file"],
            Self::Commands => &["command"],
            Self::Projects => &["project"],
            Self::Errors => &["target", "command", "error"],
            Self::Search => &["query"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0003:C-QUERIES, decision 36
    #[test]
    fn there_are_seven_groupings_and_no_other() {
        for grouping in Grouping::ALL {
            assert_eq!(Grouping::parse(grouping.word()), Ok(grouping));
        }
        for other in ["", "Summary", "section", "all"] {
            assert_eq!(Grouping::parse(other).unwrap_err().code(), "E030", "{other}");
        }
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn a_tally_has_a_key_of_each_named_part() {
        let keys = Grouping::ALL.map(|grouping| grouping.key().join(" "));
        let expected = ["", "file section", "file", "command", "project", "target command error", "query"];
        assert_eq!(keys, expected);
    }
}
