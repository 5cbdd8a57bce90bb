//! Phrases shared by text and page: titles, periods, filters, figures, and empty results.

use super::{Subject, UsageReport};
use skillc_domain::reader::Reader;
use skillc_domain::text::counted::noun_for;
use skillc_domain::time::Timestamp;
use skillc_domain::usage::{Grouping, ParseIssues, Summary, Tally, UsageFilter};
use std::fmt::Display;

/// The subject as a heading.
pub fn title(report: &UsageReport) -> String {
    match &report.subject {
        Subject::Skill { name, .. } => format!("{name} usage statistics"),
        Subject::Every => "Usage statistics of every skill".to_owned(),
        Subject::Team { org, skill: Some(skill), .. } => format!("{skill} usage statistics in team {org}"),
        Subject::Team { org, skill: None, .. } => format!("Usage statistics of team {org}"),
    }
}

/// The subject as a name.
pub fn subject(report: &UsageReport) -> String {
    match &report.subject {
        Subject::Skill { name, .. } => name.clone(),
        Subject::Every => "Every skill".to_owned(),
        Subject::Team { org, skill: Some(skill), .. } => format!("{skill} in team {org}"),
        Subject::Team { org, skill: None, .. } => format!("Team {org}"),
    }
}

/// The requested period: `last 30 days`, `since 2026-01-01`, `all time`.
pub fn period(filter: &UsageFilter, now: Timestamp) -> String {
    match (filter.since, filter.until) {
        (None, None) => "all time".to_owned(),
        (Some(since), None) => span(since, now).unwrap_or_else(|| format!("since {}", short(since))),
        (None, Some(until)) => format!("until {}", short(until)),
        (Some(since), Some(until)) => format!("{} to {}", short(since), short(until)),
    }
}

/// A start that is a round span before now, as that span. Starts have no fractions and are rounded up, so the span
/// may be a second short.
fn span(since: Timestamp, now: Timestamp) -> Option<String> {
    let seconds = now.unix_s().checked_sub(since.unix_s())?;
    let units = [(86_400, "day", 1_000), (3_600, "hour", 72), (60, "minute", 120)];
    units.into_iter().find_map(|(unit, name, max)| {
        let count = (seconds + 1) / unit;
        let is_round = seconds % unit == 0 || (seconds + 1) % unit == 0;
        (is_round && (1..=max).contains(&count)).then(|| match count {
            1 => format!("last {name}"),
            _ => format!("last {count} {name}s"),
        })
    })
}

/// A time without zero parts: a date at midnight, otherwise without zero seconds.
fn short(time: impl Display) -> String {
    let time = time.to_string();
    let day = time.strip_suffix("T00:00:00Z");
    let minute = time.strip_suffix(":00Z");
    day.map_or_else(|| format!("{} UTC", clock(minute.unwrap_or(&time))), str::to_owned)
}

/// A time in readable form, without the zone.
pub fn clock(time: impl Display) -> String {
    time.to_string().trim_end_matches('Z').replacen('T', " ", 1)
}

/// Whether the phrase for the period states a time exactly.
pub fn is_said(time: &str, period: &str) -> bool {
    period.contains(&short(time))
}

/// The applied filters with their values.
pub fn filters(report: &UsageReport) -> Vec<(&'static str, String)> {
    let filter = &report.query.filter;
    let machine = match &report.subject {
        Subject::Team { machine, .. } => machine.as_ref().or(filter.machine.as_ref()),
        Subject::Skill { .. } | Subject::Every => filter.machine.as_ref(),
    };
    let since = filter.since.iter().map(|since| ("since", since.to_string()));
    let until = filter.until.iter().map(|until| ("until", until.to_string()));
    let projects = filter.projects.iter().map(|project| ("project", project.clone()));
    let machine = machine.map(|machine| ("machine", machine.clone()));
    since.chain(until).chain(projects).chain(machine).collect()
}

/// The number of unreadable rows by kind; `None` if there are none.
pub fn issues(issues: ParseIssues) -> Option<String> {
    let ParseIssues { timestamps, arguments } = issues;
    let times = (timestamps > 0).then(|| counted(timestamps, "time"));
    let args = (arguments > 0).then(|| format!("{} arguments", number(arguments)));
    let parts: Vec<String> = times.into_iter().chain(args).collect();
    let rows = counted(timestamps.saturating_add(arguments), "row");
    (!parts.is_empty()).then(|| format!("{rows} could not be read: {}", parts.join(", ")))
}

/// The message for an empty result, with a hint; `None` if there is something to show.
pub fn nothing(report: &UsageReport, to: Reader) -> Option<(&'static str, String)> {
    let is_filtered = !filters(report).is_empty();
    match (&report.usage.period, &report.subject) {
        (Some(_), _) => None,
        (None, _) if is_filtered => {
            Some(("No accesses match the filters", "remove a filter to see more".to_owned()))
        }
        (None, Subject::Team { .. }) => Some((
            "No accesses recorded for this team yet",
            format!("{} to send those of a machine", to.run_yourself("sync --team")),
        )),
        (None, Subject::Skill { .. } | Subject::Every) => Some((
            "No accesses recorded yet",
            "every access to a skill by an agent or on the command line is recorded".to_owned(),
        )),
    }
}

/// The heading of a grouping.
pub fn heading(grouping: Grouping) -> &'static str {
    match grouping {
        Grouping::Summary => "Skills",
        Grouping::Sections => "Sections",
        Grouping::Files => "Files",
        Grouping::Commands => "Commands",
        Grouping::Projects => "Projects",
        Grouping::Errors => "Failed accesses",
        Grouping::Search => "Searches",
    }
}

/// The totals, the reads first.
pub fn totals(summary: &Summary) -> [(&'static str, u64); 5] {
    [
        ("Reads", summary.reads),
        ("Total accesses", summary.total_accesses),
        ("Unique sections", summary.unique_sections),
        ("Unique files", summary.unique_files),
        ("Failed accesses", summary.error_count),
    ]
}

/// How many searches found nothing, for a heading; `None` if none did.
pub fn without_hit(tallies: &[Tally]) -> Option<String> {
    let sum = tallies.iter().fold(0, |sum: u64, tally| sum.saturating_add(tally.without_hit));
    (sum > 0).then(|| format!("{} without a hit", number(sum)))
}

/// A part of a tally's key in readable form, even if it is empty like the heading of text before the first one.
pub fn shown<'a>(key: &str, text: &'a str) -> &'a str {
    match (key, text) {
        ("section", "") => "(no heading)",
        (_, "") => "(empty)",
        _ => text,
    }
}

/// The message if no access counts in this grouping.
pub fn none_of(grouping: Grouping) -> &'static str {
    match grouping {
        Grouping::Summary => "No skill was accessed",
        Grouping::Sections => "No section was read",
        Grouping::Files => "No file was read",
        Grouping::Commands => "No command was used",
        Grouping::Projects => "No project is known",
        Grouping::Errors => "No access failed",
        Grouping::Search => "No searches",
    }
}

/// A number with commas between thousands.
pub fn number(count: u64) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number with its noun: `1 row`, `2 rows`.
pub fn counted(count: u64, thing: &str) -> String {
    format!("{} {}", number(count), noun_for(count, thing))
}

/// A fraction in percent, with one decimal.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "0.0%".to_owned();
    }
    let (part, whole) = (u128::from(part), u128::from(whole));
    match (part * 1_000 + whole / 2) / whole {
        0 if part > 0 => "<0.1%".to_owned(),
        permille => format!("{}.{}%", permille / 10, permille % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_span_before_now_is_named_and_any_other_start_is_dated() {
        let now = Timestamp::parse("2026-11-21T02:40:00Z").unwrap();
        for (since, until, expected) in [
            ("", "", "all time"),
            ("2026-10-22T02:40:00Z", "", "last 30 days"),
            ("2026-10-22T02:40:01Z", "", "last 30 days"),
            ("2026-11-20T02:40:00Z", "", "last day"),
            ("2026-11-20T14:40:01Z", "", "last 12 hours"),
            ("2026-11-21T02:10:00Z", "", "last 30 minutes"),
            ("2026-01-01T00:00:00Z", "", "since 2026-01-01"),
            ("2026-01-01T10:00:00Z", "", "since 2026-01-01 10:00 UTC"),
            ("2026-01-01T10:00:09Z", "", "since 2026-01-01 10:00:09 UTC"),
            ("2027-01-01T00:00:00Z", "", "since 2027-01-01"),
            ("", "2026-01-31T00:00:00Z", "until 2026-01-31"),
            ("2026-01-01T00:00:00Z", "2026-01-31T00:00:00Z", "2026-01-01 to 2026-01-31"),
        ] {
            let filter = UsageFilter {
                since: Timestamp::parse(since),
                until: Timestamp::parse(until),
                ..UsageFilter::default()
            };
            assert_eq!(period(&filter, now), expected, "{since} {until}");
        }
    }

    #[test]
    fn rows_that_could_not_be_read_are_distinguished() {
        for (timestamps, arguments, expected) in [
            (2, 1, Some("3 rows could not be read: 2 times, 1 arguments")),
            (1, 0, Some("1 row could not be read: 1 time")),
            (0, 1_200, Some("1,200 rows could not be read: 1,200 arguments")),
            (0, 0, None),
        ] {
            assert_eq!(issues(ParseIssues { timestamps, arguments }).as_deref(), expected);
        }
    }

    #[test]
    fn figures_are_grouped_and_shares_rounded() {
        for (count, expected) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (u64::MAX, "18,446,744,073,709,551,615")]
        {
            assert_eq!(number(count), expected);
        }
        for (part, whole, expected) in [
            (15, 47, "31.9%"),
            (1, 1, "100.0%"),
            (0, 5, "0.0%"),
            (1, 100_000, "<0.1%"),
            (2, 3, "66.7%"),
            (u64::MAX, u64::MAX, "100.0%"),
            (0, 0, "0.0%"),
        ] {
            assert_eq!(percent(part, whole), expected, "{part} of {whole}");
        }
    }
}
