//! Usage statistics: where they are queried, in which format they are returned, and how they are rendered: text for a
//! terminal, CSV, or an HTML page. Rendering is pure: from reports to bytes.

pub mod agents;
pub mod ask;
pub mod cost;
pub mod csv;
pub mod data;
pub mod funnel;
pub mod histories;
pub mod html;
pub mod order;
pub mod text;

mod days;
mod same_label;
#[cfg(test)]
mod sample;
mod words;

use skillc_domain::section_names::SectionNames;
use skillc_domain::time::Timestamp;
use skillc_domain::usage::{Usage, UsageQuery};

/// The subject of statistics.
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
    /// A team store.
    Team {
        /// The team.
        org: String,
        /// The name of a single skill; `None` for every skill.
        skill: Option<String>,
        /// A single machine; `None` for every machine.
        machine: Option<String>,
    },
}

/// The result of a query, with the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageReport {
    /// The subject.
    pub subject: Subject,
    /// The query.
    pub query: UsageQuery,
    /// The result.
    pub usage: Usage,
    /// Headings that were never read, each after its file, in outline order; empty if not applicable.
    pub unread: SectionNames,
    /// When the query ran.
    pub now: Timestamp,
}

impl Subject {
    /// Name and source of the skill, if there is one on this machine; only the name for a skill of a team.
    pub fn name_and_path(&self) -> (Option<String>, Option<String>) {
        match self {
            Self::Skill { name, path } => (Some(name.clone()), Some(path.clone())),
            Self::Every => (None, None),
            Self::Team { skill, .. } => (skill.clone(), None),
        }
    }

    /// The organization, for a team.
    pub fn org(&self) -> Option<String> {
        match self {
            Self::Skill { .. } | Self::Every => None,
            Self::Team { org, .. } => Some(org.clone()),
        }
    }

    /// The machine, for a team.
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

    /// The number of accesses of all tallies, on which their shares are based.
    fn tallied(&self) -> u64 {
        self.usage.tallies.iter().fold(0, |sum, tally| sum.saturating_add(tally.count))
    }
}
