//! What comes out of counting.

use super::{Grouping, UsageFilter};
use crate::time::{Day, Timestamp};
use std::cmp::{Ordering, Reverse};

/// A question to a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsageQuery {
    /// By what is counted.
    pub grouping: Grouping,
    /// What is counted.
    pub filter: UsageFilter,
}

/// First and last access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Period {
    /// The first.
    pub start: Timestamp,
    /// The last.
    pub end: Timestamp,
}

/// Totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Accesses.
    pub total_accesses: u64,
    /// Accesses by one of `READ_COMMANDS`.
    pub reads: u64,
    /// Different sections that were read, each by skill, file and heading.
    pub unique_sections: u64,
    /// Different files that were read, each by skill and path.
    pub unique_files: u64,
    /// Accesses that failed.
    pub error_count: u64,
}

/// Accesses of one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DayCount {
    /// The day, in UTC.
    pub day: Day,
    /// Accesses.
    pub count: u64,
}

/// Accesses that are the same in what is counted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Name of the skill; only where every skill was asked for. Empty for the commands, projects and searches, which
    /// are counted over all skills.
    pub skill: Option<String>,
    /// What they have in common, in the order of `Grouping::key`.
    pub key: Vec<String>,
    /// Accesses.
    pub count: u64,
    /// Of searches, those that found nothing.
    pub without_hit: u64,
}

/// Rows that could not be read in part. They never fail a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseIssues {
    /// Rows whose time cannot be read. They count nowhere else, and no time filter holds them off.
    pub timestamps: u64,
    /// Rows whose arguments are no JSON object. They count as accesses, with nothing known of what was asked for.
    pub arguments: u64,
}

/// The answer of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// First and last access that counted; `None` without any.
    pub period: Option<Period>,
    /// Rows that could not be read in part.
    pub issues: ParseIssues,
    /// Totals; zero unless `Grouping::Summary` was asked for.
    pub summary: Summary,
    /// Accesses of each day that has any, earliest first; only for `Grouping::Summary`.
    pub days: Vec<DayCount>,
    /// Searches without a hit first, then most accesses first; equals by skill, then key, in the order of bytes. For the summary over every skill: accesses
    /// of each skill.
    pub tallies: Vec<Tally>,
    /// Accesses that returned a whole file, by file; only for `Grouping::Summary` and `Grouping::Sections`, until they are
    /// counted for the sections in them.
    pub whole_files: Vec<Tally>,
}

impl Tally {
    /// What found nothing before the rest, then by count; equals by skill and key.
    fn order(&self, other: &Self) -> Ordering {
        let counts = |tally: &Self| (Reverse(tally.without_hit), Reverse(tally.count));
        counts(self)
            .cmp(&counts(other))
            .then_with(|| (&self.skill, &self.key).cmp(&(&other.skill, &other.key)))
    }
}

impl Usage {
    /// Puts tallies and days into their order.
    pub fn sort(&mut self) {
        self.tallies.sort_by(Tally::order);
        self.whole_files.sort_by(Tally::order);
        self.days.sort();
    }
}
