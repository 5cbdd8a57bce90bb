//! The results of counting.

use super::{Grouping, UsageFilter};
use crate::time::{Day, Timestamp};
use std::cmp::{Ordering, Reverse};

/// A query to a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsageQuery {
    /// The breakdown.
    pub grouping: Grouping,
    /// The accesses to count.
    pub filter: UsageFilter,
}

/// First and last access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Period {
    /// Time of the first access.
    pub start: Timestamp,
    /// Time of the last access.
    pub end: Timestamp,
}

/// Totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of accesses.
    pub total_accesses: u64,
    /// Number of accesses by one of `READ_COMMANDS`.
    pub reads: u64,
    /// Number of different sections that were read, by skill, file and heading.
    pub unique_sections: u64,
    /// Number of different files that were read, by skill and path.
    pub unique_files: u64,
    /// Number of accesses that failed.
    pub error_count: u64,
}

/// The number of accesses on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DayCount {
    /// The day, in UTC.
    pub day: Day,
    /// Number of accesses.
    pub count: u64,
}

/// The accesses that share a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Name of the skill, if every skill was asked for. Empty for commands, projects and searches, which are counted
    /// over all skills.
    pub skill: Option<String>,
    /// The shared values, in the order of `Grouping::key`.
    pub key: Vec<String>,
    /// Number of accesses.
    pub count: u64,
    /// Number of searches among them without results.
    pub without_hit: u64,
}

/// Numbers of rows that could only be read in part. They never make a query fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseIssues {
    /// Rows with an unreadable time. They count nowhere else, and no time filter excludes them.
    pub timestamps: u64,
    /// Rows whose arguments are not a JSON object. They count as accesses with unknown arguments.
    pub arguments: u64,
}

/// The result of a query to a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// First and last counted access; `None` if there are none.
    pub period: Option<Period>,
    /// Rows that could only be read in part.
    pub issues: ParseIssues,
    /// Totals; zero except for `Grouping::Summary`.
    pub summary: Summary,
    /// Accesses per day, for days that have any, earliest first; only for `Grouping::Summary`.
    pub days: Vec<DayCount>,
    /// Searches without results first, then by number of accesses, highest first; ties by skill, then key, in byte
    /// order. For the summary over every skill: one tally per skill.
    pub tallies: Vec<Tally>,
    /// Accesses that returned a whole file, by file; only for `Grouping::Summary` and `Grouping::Sections`, until
    /// they are added to the sections of those files.
    pub whole_files: Vec<Tally>,
}

impl Tally {
    /// Searches without results first, then by count; ties by skill and key.
    fn order(&self, other: &Self) -> Ordering {
        let counts = |tally: &Self| (Reverse(tally.without_hit), Reverse(tally.count));
        counts(self)
            .cmp(&counts(other))
            .then_with(|| (&self.skill, &self.key).cmp(&(&other.skill, &other.key)))
    }
}

impl Usage {
    /// Sorts tallies and days.
    pub fn sort(&mut self) {
        self.tallies.sort_by(Tally::order);
        self.whole_files.sort_by(Tally::order);
        self.days.sort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0003:C-QUERIES
    #[test]
    fn searches_without_results_come_first_then_the_most_frequent_tallies() {
        let tally = |skill: &str, key: &str, count, without_hit| {
            let (skill, key) = (Some(skill.to_owned()), vec![key.to_owned()]);
            Tally { skill, key, count, without_hit }
        };
        let tallies = vec![
            tally("b", "x", 5, 0),
            tally("a", "y", 5, 0),
            tally("a", "x", 5, 0),
            tally("a", "z", 9, 0),
            tally("c", "x", 1, 1),
            tally("c", "y", 2, 1),
        ];
        let days = [3, 1].map(|day| DayCount { day: Day(day), count: 1 }).to_vec();
        let mut usage = Usage { whole_files: tallies.clone(), tallies, days, ..Usage::default() };
        usage.sort();
        let order = |tallies: &[Tally]| {
            let shown =
                |tally: &Tally| format!("{}{}", tally.skill.clone().unwrap_or_default(), tally.key[0]);
            tallies.iter().map(shown).collect::<Vec<_>>()
        };
        assert_eq!(order(&usage.tallies), ["cy", "cx", "az", "ax", "ay", "bx"]);
        assert_eq!(order(&usage.whole_files), order(&usage.tallies));
        assert_eq!(usage.days[0].day, Day(1));
    }
}
