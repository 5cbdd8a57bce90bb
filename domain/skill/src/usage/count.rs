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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::{ParseIssues, UsageFilter};

    fn event(command: &str, file: Option<&str>, section: Option<&str>) -> AccessEvent {
        AccessEvent {
            timestamp: "2026-01-03T12:00:00Z".into(),
            command: command.to_owned(),
            skill: "s".to_owned(),
            cwd: "/p".to_owned(),
            target: Some("Top".to_owned()),
            file: file.map(str::to_owned),
            section: section.map(str::to_owned),
            ..AccessEvent::default()
        }
    }

    fn counted(events: &[AccessEvent], grouping: Grouping) -> Usage {
        usage(events, &UsageQuery { grouping, filter: UsageFilter::default() })
    }

    /// The tallies as `skill key... count`.
    fn told(tallies: &[Tally]) -> Vec<String> {
        let shown = |tally: &Tally| {
            format!("{} {} {}", tally.skill.as_deref().unwrap_or("-"), tally.key.join(" "), tally.count)
        };
        tallies.iter().map(shown).collect()
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn a_summary_counts_accesses_reads_errors_and_what_was_read() {
        let failed = AccessEvent { error: Some("error[E020]: x".into()), ..event("show", None, None) };
        let later = AccessEvent { timestamp: "2026-01-05T00:00:00Z".into(), ..event("build", None, None) };
        let events = [
            event("show", Some("a.md"), Some("One")),
            event("show", Some("a.md"), Some("Two")),
            event("show", Some("a.md"), Some("Two")),
            event("open", Some("b.md"), None),
            failed,
            later,
        ];
        let usage = counted(&events, Grouping::Summary);
        let expected =
            Summary { total_accesses: 6, reads: 5, unique_sections: 2, unique_files: 2, error_count: 1 };
        assert_eq!(usage.summary, expected);
        let days: Vec<_> = usage.days.iter().map(|day| (day.day.to_string(), day.count)).collect();
        assert_eq!(days, [("2026-01-03".to_owned(), 5), ("2026-01-05".to_owned(), 1)]);
        let period = usage.period.map(|period| (period.start.to_string(), period.end.to_string()));
        assert_eq!(period, Some(("2026-01-03T12:00:00Z".to_owned(), "2026-01-05T00:00:00Z".to_owned())));
        assert_eq!(told(&usage.tallies), ["s  6"]);
        assert_eq!(told(&usage.whole_files), ["s b.md 1"]);
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn each_grouping_has_its_own_keys() {
        let events = [
            event("show", Some("a.md"), Some("One")),
            event("show", Some("a.md"), Some("One")),
            event("search", None, None),
            AccessEvent { error: Some("error".into()), ..event("search", None, None) },
        ];
        for (grouping, tallies) in [
            (Grouping::Summary, vec!["s  4"]),
            (Grouping::Sections, vec!["s a.md One 2"]),
            (Grouping::Files, vec!["s a.md 2"]),
            (Grouping::Commands, vec!["- search 2", "- show 2"]),
            (Grouping::Projects, vec!["- /p 4"]),
            (Grouping::Errors, vec!["s Top search error 1"]),
            (Grouping::Search, vec!["- Top 2"]),
        ] {
            assert_eq!(told(&counted(&events, grouping).tallies), tallies, "{grouping:?}");
            assert_eq!(counted(&events, grouping).summary.total_accesses > 0, grouping == Grouping::Summary);
        }
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn tallies_about_one_skill_do_not_name_it() {
        let events = [event("open", Some("a.md"), None), event("show", Some("a.md"), Some("One"))];
        let filter = UsageFilter { skill: SkillFilter::Name("s".into()), ..UsageFilter::default() };
        let about = |grouping| usage(&events, &UsageQuery { grouping, filter: filter.clone() });
        assert!(about(Grouping::Summary).tallies.is_empty());
        assert_eq!(told(&about(Grouping::Files).tallies), ["- a.md 2"]);
        assert_eq!(told(&about(Grouping::Sections).whole_files), ["- a.md 1"]);
        assert!(about(Grouping::Files).whole_files.is_empty());
        let supplement = AccessEvent { is_supplement: true, ..event("read", Some("a.md"), Some("One")) };
        let query = UsageQuery { grouping: Grouping::Sections, filter: filter.clone() };
        assert_eq!(told(&usage(&[supplement], &query).tallies), ["- a.md One 1"]);
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn only_an_access_that_returned_all_of_a_file_reads_it_whole() {
        let partial = AccessEvent { is_partial: true, ..event("open", Some("a.md"), None) };
        for (event, is_whole) in [
            (event("open", Some("a.md"), None), true),
            (event("show", Some("a.md"), None), false),
            (event("open", Some("a.md"), Some("One")), false),
            (event("open", None, None), false),
            (partial, false),
        ] {
            let usage = counted(std::slice::from_ref(&event), Grouping::Sections);
            assert_eq!(!usage.whole_files.is_empty(), is_whole, "{event:?}");
        }
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn a_search_without_results_is_counted_as_such_in_searches_only() {
        let events = [true, false, true]
            .map(|is_without_hit| AccessEvent { is_without_hit, ..event("search", None, None) });
        let without_hit = |grouping| counted(&events, grouping).tallies[0].without_hit;
        assert_eq!(without_hit(Grouping::Search), 2);
        assert_eq!(without_hit(Grouping::Commands), 0);
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn a_further_section_of_a_read_counts_as_a_section_and_not_as_an_access() {
        let further = |section| AccessEvent { is_supplement: true, ..event("read", Some("a.md"), section) };
        let events = [event("read", Some("a.md"), Some("One")), further(Some("Two")), further(None)];
        let summary = counted(&events, Grouping::Summary).summary;
        assert_eq!((summary.total_accesses, summary.unique_sections, summary.unique_files), (1, 2, 1));
        assert_eq!(told(&counted(&events, Grouping::Sections).tallies), ["s a.md One 1", "s a.md Two 1"]);
        assert_eq!(told(&counted(&events, Grouping::Files).tallies), ["s a.md 1"]);
        let alone = counted(&[further(Some("Two"))], Grouping::Summary);
        assert_eq!(alone.period, None);
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn rows_that_can_be_read_in_part_are_counted_as_problems() {
        let timeless = AccessEvent { timestamp: "never".into(), ..event("show", None, None) };
        let odd = AccessEvent { has_invalid_args: true, ..event("show", None, None) };
        let events = [timeless.clone(), timeless, odd.clone(), odd.clone(), odd, event("show", None, None)];
        let usage = counted(&events, Grouping::Summary);
        assert_eq!(usage.issues, ParseIssues { timestamps: 2, arguments: 3 });
        assert_eq!(usage.summary.total_accesses, 4);
        let filter = UsageFilter { skill: SkillFilter::Name("other".into()), ..UsageFilter::default() };
        let other = super::usage(&events, &UsageQuery { grouping: Grouping::Summary, filter });
        assert_eq!(other, Usage::default());
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn an_access_outside_of_the_time_counts_nowhere() {
        let since = Timestamp::parse("2026-01-04T00:00:00Z");
        let filter = UsageFilter { since, ..UsageFilter::default() };
        let odd = AccessEvent { has_invalid_args: true, ..event("show", None, None) };
        assert_eq!(usage(&[odd], &UsageQuery { grouping: Grouping::Summary, filter }), Usage::default());
    }
}
