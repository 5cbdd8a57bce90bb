//! Counts events in plain code. Every store must compute the same.

use super::{DayCount, Grouping, Period, SkillFilter, Summary, Tally, Usage, UsageQuery};
use crate::event::{AccessEvent, READ_COMMANDS};
use crate::time::{Day, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// Counts events.
pub fn usage<'a>(events: impl IntoIterator<Item = &'a AccessEvent>, query: &UsageQuery) -> Usage {
    let mut counting = Counting::default();
    for event in events {
        counting.take(event, query);
    }
    counting.finish()
}

/// Numbers of accesses and of searches without results, by skill and key.
pub type Counts = BTreeMap<(Option<String>, Vec<String>), (u64, u64)>;

/// Converts counts to tallies.
pub fn tallies(counts: Counts) -> Vec<Tally> {
    let tally = |((skill, key), (count, without_hit))| Tally { skill, key, count, without_hit };
    counts.into_iter().map(tally).collect()
}

#[derive(Default)]
struct Counting<'a> {
    usage: Usage,
    tallies: Counts,
    whole_files: Counts,
    days: BTreeMap<Day, u64>,
    sections: BTreeSet<(&'a str, &'a str, &'a str)>,
    files: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Counting<'a> {
    fn take(&mut self, event: &'a AccessEvent, query: &UsageQuery) {
        let filter = &query.filter;
        if !filter.concerns(event) {
            return;
        }
        let Some(at) = event.timestamp.known() else {
            self.usage.issues.timestamps += 1;
            return;
        };
        if !filter.contains(at) {
            return;
        }
        self.usage.issues.arguments += u64::from(event.has_invalid_args);
        if event.is_supplement {
            return self.take_supplement(event, query);
        }
        self.widen(at);
        let names_skill = filter.skill == SkillFilter::Any;
        if matches!(query.grouping, Grouping::Summary | Grouping::Sections)
            && let Some(file) = whole_file(event)
        {
            let skill = names_skill.then(|| event.skill.clone());
            self.whole_files.entry((skill, vec![file])).or_default().0 += 1;
        }
        match query.grouping {
            Grouping::Summary => {
                self.sum_up(event, at.day());
                if names_skill {
                    self.tallies.entry((Some(event.skill.clone()), Vec::new())).or_default().0 += 1;
                }
            }
            grouping => {
                if let Some(key) = key(event, grouping) {
                    let skill = (names_skill && belongs_to_a_skill(grouping)).then(|| event.skill.clone());
                    let counts = self.tallies.entry((skill, key)).or_default();
                    counts.0 += 1;
                    counts.1 += u64::from(grouping == Grouping::Search && event.is_without_hit);
                }
            }
        }
    }

    /// Counts the section of an event that is not an access of its own.
    fn take_supplement(&mut self, event: &'a AccessEvent, query: &UsageQuery) {
        let Some((file, section)) = event.file.as_ref().zip(event.section.as_ref()) else { return };
        match query.grouping {
            Grouping::Sections => {
                let skill = (query.filter.skill == SkillFilter::Any).then(|| event.skill.clone());
                self.tallies.entry((skill, vec![file.clone(), section.clone()])).or_default().0 += 1;
            }
            Grouping::Summary => {
                self.sections.insert((&event.skill, file, section));
            }
            Grouping::Files
            | Grouping::Commands
            | Grouping::Projects
            | Grouping::Errors
            | Grouping::Search => {}
        }
    }

    fn widen(&mut self, at: Timestamp) {
        let period = self.usage.period.get_or_insert(Period { start: at, end: at });
        period.start = period.start.min(at);
        period.end = period.end.max(at);
    }

    fn sum_up(&mut self, event: &'a AccessEvent, day: Day) {
        let summary = &mut self.usage.summary;
        summary.total_accesses += 1;
        summary.reads += u64::from(READ_COMMANDS.contains(&event.command.as_str()));
        summary.error_count += u64::from(event.error.is_some());
        *self.days.entry(day).or_default() += 1;
        if let Some(file) = &event.file {
            self.files.insert((&event.skill, file));
            if let Some(section) = &event.section {
                self.sections.insert((&event.skill, file, section));
            }
        }
    }

    fn finish(mut self) -> Usage {
        let summary: &mut Summary = &mut self.usage.summary;
        summary.unique_sections = self.sections.len() as u64;
        summary.unique_files = self.files.len() as u64;
        self.usage.days = self.days.into_iter().map(|(day, count)| DayCount { day, count }).collect();
        self.usage.tallies = tallies(self.tallies);
        self.usage.whole_files = tallies(self.whole_files);
        self.usage.sort();
        self.usage
    }
}

/// Whether equal keys of two skills mean different things: sections do, commands do not.
pub fn belongs_to_a_skill(grouping: Grouping) -> bool {
    match grouping {
        Grouping::Summary | Grouping::Sections | Grouping::Files | Grouping::Errors => true,
        Grouping::Commands | Grouping::Projects | Grouping::Search => false,
    }
}

/// The file that an access returned completely.
fn whole_file(event: &AccessEvent) -> Option<String> {
    let is_whole = event.section.is_none() && !event.is_partial && event.command != "show";
    event.file.clone().filter(|_| is_whole)
}

/// The key under which an access is counted; `None` if this grouping does not count it.
fn key(event: &AccessEvent, grouping: Grouping) -> Option<Vec<String>> {
    let target = || event.target.clone().unwrap_or_default();
    match grouping {
        Grouping::Summary => None,
        Grouping::Sections => Some(vec![event.file.clone()?, event.section.clone()?]),
        Grouping::Files => Some(vec![event.file.clone()?]),
        Grouping::Commands => Some(vec![event.command.clone()]),
        Grouping::Projects => Some(vec![event.cwd.clone()]),
        Grouping::Errors => Some(vec![target(), event.command.clone(), event.error.clone()?]),
        Grouping::Search if event.command == "search" => Some(vec![event.target.clone()?]),
        Grouping::Search => None,
    }
}
