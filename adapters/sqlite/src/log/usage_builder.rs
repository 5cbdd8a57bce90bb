//! Combines the counts of several statements, like `domain::usage::count` does for events.

use skillc_domain::time::{Day, Timestamp};
use skillc_domain::usage::count::{Counts, tallies};
use skillc_domain::usage::{DayCount, ParseIssues, Period, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// A `Usage` under construction. Its size depends on the number of distinct keys, not of rows.
#[derive(Default)]
pub struct UsageBuilder {
    period: Option<Period>,
    issues: ParseIssues,
    errors: u64,
    reads: u64,
    tallies: Counts,
    whole_files: Counts,
    days: BTreeMap<String, u64>,
    files: BTreeSet<(String, String)>,
    sections: BTreeSet<(String, String, String)>,
}

impl UsageBuilder {
    pub fn set_issues(&mut self, issues: ParseIssues) {
        self.issues = issues;
    }

    /// Extends the period.
    pub fn extend_period(&mut self, start: &str, end: &str) {
        let Some((start, end)) = Timestamp::parse(start).zip(Timestamp::parse(end)) else { return };
        let period = self.period.get_or_insert(Period { start, end });
        period.start = period.start.min(start);
        period.end = period.end.max(end);
    }

    /// Counts rows with a key, and those of them without results.
    pub fn add(&mut self, skill: Option<String>, key: Vec<String>, (count, without_hit): (u64, u64)) {
        let sum = self.tallies.entry((skill, key)).or_default();
        *sum = (sum.0 + count, sum.1 + without_hit);
    }

    /// Counts rows that returned a whole file.
    pub fn add_whole_file(&mut self, skill: Option<String>, file: String, count: u64) {
        self.whole_files.entry((skill, vec![file])).or_default().0 += count;
    }

    /// Counts rows with a reading command.
    pub fn add_reads(&mut self, count: u64) {
        self.reads += count;
    }

    /// Counts rows of a day, and of a skill if given.
    pub fn add_day(&mut self, skill: Option<String>, day: String, count: u64) {
        *self.days.entry(day).or_default() += count;
        if skill.is_some() {
            self.add(skill, Vec::new(), (count, 0));
        }
    }

    /// Counts failed rows.
    pub fn add_errors(&mut self, count: u64) {
        self.errors += count;
    }

    /// Counts a file, or a section of it, as read.
    pub fn add_read(&mut self, skill: String, file: String, section: Option<String>) {
        if let Some(section) = section {
            self.sections.insert((skill.clone(), file.clone(), section));
        }
        self.files.insert((skill, file));
    }

    pub fn finish(self) -> Usage {
        let mut usage = Usage { period: self.period, issues: self.issues, ..Usage::default() };
        usage.summary.total_accesses = self.days.values().sum();
        usage.summary.reads = self.reads;
        usage.summary.unique_sections = self.sections.len() as u64;
        usage.summary.unique_files = self.files.len() as u64;
        usage.summary.error_count = self.errors;
        let day = |(day, count): (String, u64)| Some(DayCount { day: Day::parse(&day)?, count });
        usage.days = self.days.into_iter().filter_map(day).collect();
        usage.tallies = tallies(self.tallies);
        usage.whole_files = tallies(self.whole_files);
        usage.sort();
        usage
    }
}
