//! Statistics of use: whom they are asked of, in which form they are returned, and how they are shown: text for a
//! terminal, CSV for a spreadsheet, one page for a browser. Showing is pure: from reports to bytes.

pub mod ask;
pub mod csv;
pub mod data;
pub mod html;
pub mod text;

mod days;
#[cfg(test)]
mod sample;
mod words;

use skillc_domain::time::Timestamp;
use skillc_domain::usage::{Usage, UsageQuery};

/// Whose use was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// One skill of this machine.
    Skill {
        /// Its name.
        name: String,
        /// Its source.
        path: String,
    },
    /// Every skill of this machine.
    Every,
    /// What a team's store holds.
    Team {
        /// The team.
        org: String,
        /// Its one skill of this name; every skill if `None`.
        skill: Option<String>,
        /// Its one machine; every machine if `None`.
        machine: Option<String>,
    },
}

/// What one question brought, with what it was asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageReport {
    /// Whose use.
    pub subject: Subject,
    /// What was asked.
    pub query: UsageQuery,
    /// What came out.
    pub usage: Usage,
    /// Headings that were never read, each with its file before it, in the order of the outline; empty where that does not
    /// apply.
    pub unread: Vec<(String, String)>,
    /// When it was asked.
    pub now: Timestamp,
}

impl Subject {
    /// Name and source of the one skill of this machine; of a team's only the name.
    pub fn name_and_path(&self) -> (Option<String>, Option<String>) {
        match self {
            Self::Skill { name, path } => (Some(name.clone()), Some(path.clone())),
            Self::Every => (None, None),
            Self::Team { skill, .. } => (skill.clone(), None),
        }
    }

    /// The organisation, of a team's.
    pub fn org(&self) -> Option<String> {
        match self {
            Self::Skill { .. } | Self::Every => None,
            Self::Team { org, .. } => Some(org.clone()),
        }
    }

    /// The one machine, of a team's.
    pub fn machine(&self) -> Option<String> {
        match self {
            Self::Skill { .. } | Self::Every => None,
            Self::Team { machine, .. } => machine.clone(),
        }
    }
}

impl UsageReport {
    /// Whether tallies name their skill.
    fn names_skills(&self) -> bool {
        self.usage.tallies.iter().any(|tally| tally.skill.is_some())
    }

    /// Accesses of all tallies: what their shares are parts of.
    fn tallied(&self) -> u64 {
        self.usage.tallies.iter().fold(0, |sum, tally| sum.saturating_add(tally.count))
    }
}
