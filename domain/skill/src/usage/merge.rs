//! Combines the counts of several logs.

use super::{DayCount, Grouping, ParseIssues, Period, Usage};
use crate::time::Day;
use crate::usage::count::{Counts, belongs_to_a_skill, tallies};
use std::collections::BTreeMap;

/// Combines the answers of several logs. A named part is about the skill with that name. Tallies of a part without a
/// name keep their skills; tallies of parts about one skill, which name none, are added up.
pub fn merge(grouping: Grouping, parts: impl IntoIterator<Item = (Option<String>, Usage)>) -> Usage {
    let mut whole = Usage::default();
    let (mut counts, mut whole_files) = (Counts::new(), Counts::new());
    let mut days: BTreeMap<Day, u64> = BTreeMap::new();
    for (skill, part) in parts {
        add(&mut whole, &part);
        whole.period = widest(whole.period, part.period);
        whole.issues = ParseIssues {
            timestamps: whole.issues.timestamps + part.issues.timestamps,
            arguments: whole.issues.arguments + part.issues.arguments,
        };
        for day in part.days {
            *days.entry(day.day).or_default() += day.count;
        }
        if let (Grouping::Summary, Some(skill), 1..) = (grouping, &skill, part.summary.total_accesses) {
            counts.entry((Some(skill.clone()), Vec::new())).or_default().0 += part.summary.total_accesses;
        }
        for tally in part.tallies {
            let owner = skill.clone().or(tally.skill).filter(|_| belongs_to_a_skill(grouping));
            let sum = counts.entry((owner, tally.key)).or_default();
            *sum = (sum.0 + tally.count, sum.1 + tally.without_hit);
        }
        for tally in part.whole_files {
            let owner = skill.clone().or(tally.skill);
            whole_files.entry((owner, tally.key)).or_default().0 += tally.count;
        }
    }
    whole.days = days.into_iter().map(|(day, count)| DayCount { day, count }).collect();
    whole.tallies = tallies(counts);
    whole.whole_files = tallies(whole_files);
    whole.sort();
    whole
}

fn add(whole: &mut Usage, part: &Usage) {
    let (sum, more) = (&mut whole.summary, &part.summary);
    sum.total_accesses += more.total_accesses;
    sum.reads += more.reads;
    sum.unique_sections += more.unique_sections;
    sum.unique_files += more.unique_files;
    sum.error_count += more.error_count;
}

fn widest(one: Option<Period>, other: Option<Period>) -> Option<Period> {
    match (one, other) {
        (Some(a), Some(b)) => Some(Period { start: a.start.min(b.start), end: a.end.max(b.end) }),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::AccessEvent;
    use crate::usage::{SkillFilter, UsageFilter, UsageQuery, usage};

    fn event(skill: &str, command: &str, day: u32, file: Option<&str>) -> AccessEvent {
        AccessEvent {
            timestamp: format!("2026-01-{day:02}T00:00:00Z").as_str().into(),
            command: command.to_owned(),
            skill: skill.to_owned(),
            skill_path: format!("/s/{skill}"),
            cwd: "/p".to_owned(),
            file: file.map(str::to_owned),
            section: file.map(|_| "Top".to_owned()),
            target: Some("Top".to_owned()),
            error: file.is_none().then(|| "error[E020]: x".to_owned()),
            ..AccessEvent::default()
        }
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn parts_by_skill_merge_to_what_one_count_over_all_gives() {
        let events = [
            event("a", "show", 3, Some("SKILL.md")),
            event("a", "show", 1, Some("SKILL.md")),
            event("b", "show", 2, Some("SKILL.md")),
            event("b", "search", 2, None),
            event("a", "search", 9, None),
        ];
        for grouping in Grouping::ALL {
            let ask =
                |skill| UsageQuery { grouping, filter: UsageFilter { skill, ..UsageFilter::default() } };
            let part = |name: &str| {
                (Some(name.to_owned()), usage(&events, &ask(SkillFilter::Path(format!("/s/{name}")))))
            };
            let all = usage(&events, &ask(SkillFilter::Any));
            assert_eq!(merge(grouping, [part("a"), part("b")]), all);
            assert_eq!(merge(grouping, [(None, all.clone())]), all, "a part that names its skills");
            let [(_, one), (_, other)] = [part("a"), part("a")];
            let twice = merge(grouping, [(None, one.clone()), (None, other)]);
            let counts = |usage: &Usage| usage.tallies.iter().map(|tally| tally.count).collect::<Vec<_>>();
            assert_eq!(counts(&twice), counts(&one).iter().map(|count| 2 * count).collect::<Vec<_>>());
            assert!(twice.tallies.iter().all(|tally| tally.skill.is_none()));
        }
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn periods_days_and_problems_of_all_parts_are_put_together() {
        let part = |days: &[u32]| {
            let mut events: Vec<AccessEvent> =
                days.iter().map(|day| event("a", "show", *day, None)).collect();
            events.push(AccessEvent { timestamp: "never".into(), ..event("a", "show", 1, None) });
            events.extend(
                days.first()
                    .map(|day| AccessEvent { has_invalid_args: true, ..event("a", "show", *day, None) }),
            );
            (None, usage(&events, &UsageQuery::default()))
        };
        let whole = merge(Grouping::Summary, [part(&[3, 5]), part(&[4]), part(&[])]);
        assert_eq!(whole.issues, ParseIssues { timestamps: 3, arguments: 2 });
        let (period, day) = (whole.period.unwrap(), |number: i64| Day(20_453 + number));
        assert_eq!((period.start.day(), period.end.day()), (day(3), day(5)));
        let counts: Vec<_> = whole.days.iter().map(|count| (count.day, count.count)).collect();
        assert_eq!(counts, [(day(3), 2), (day(4), 2), (day(5), 1)]);
        let mut day_of_two = merge(Grouping::Summary, [part(&[3]), part(&[3])]).days;
        assert_eq!(day_of_two.pop().map(|count| count.count), Some(4));
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn equal_keys_of_parts_are_added_up_with_what_was_not_found() {
        let search = AccessEvent { is_without_hit: true, ..event("a", "search", 1, None) };
        let query = UsageQuery { grouping: Grouping::Search, filter: UsageFilter::default() };
        let part = |events: &[AccessEvent]| (None, usage(events, &query));
        let found = AccessEvent { is_without_hit: false, ..search.clone() };
        let whole = merge(Grouping::Search, [part(&[search.clone(), found]), part(&[search])]);
        assert_eq!((whole.tallies.len(), whole.tallies[0].count, whole.tallies[0].without_hit), (1, 3, 2));
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn whole_files_of_parts_are_added_up_for_each_skill() {
        let read = AccessEvent { section: None, ..event("a", "open", 1, Some("x.md")) };
        let filter = UsageFilter { skill: SkillFilter::Name("a".into()), ..UsageFilter::default() };
        let counted = usage(&[read.clone(), read], &UsageQuery { grouping: Grouping::Sections, filter });
        let part = |name: &str| (Some(name.to_owned()), counted.clone());
        let whole = merge(Grouping::Sections, [part("a"), part("a"), part("b")]);
        let files: Vec<_> =
            whole.whole_files.iter().map(|tally| (tally.skill.as_deref(), tally.count)).collect();
        assert_eq!(files, [(Some("a"), 4), (Some("b"), 2)]);
    }

    /// RFC-0003:C-QUERIES
    #[test]
    fn a_skill_without_an_access_has_no_tally() {
        let whole = merge(Grouping::Summary, [(Some("a".to_owned()), Usage::default())]);
        assert_eq!(whole, Usage::default());
    }
}
