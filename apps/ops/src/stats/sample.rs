//! Reports for tests.

use super::{Subject, UsageReport};
use skillc_domain::section_names::SectionNames;
use skillc_domain::time::{Day, Timestamp};
use skillc_domain::usage::{DayCount, Grouping, ParseIssues, Period, Summary, Tally, Usage, UsageQuery};

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

/// A report with these tallies: skill, key, count.
pub fn report(grouping: Grouping, tallies: &[(Option<&str>, &[&str], u64)]) -> UsageReport {
    let tally = |(skill, key, count): &(Option<&str>, &[&str], u64)| Tally {
        skill: skill.map(str::to_owned),
        key: key.iter().map(|part| (*part).to_owned()).collect(),
        count: *count,
        without_hit: 0,
    };
    UsageReport {
        subject: Subject::Skill { name: "my-skill".into(), path: "/home/me/.skillc/skills/my-skill".into() },
        query: UsageQuery { grouping, ..UsageQuery::default() },
        usage: Usage { tallies: tallies.iter().map(tally).collect(), ..Usage::default() },
        unread: SectionNames::default(),
        now: at("2026-11-21T02:40:00Z"),
    }
}

/// Adds a first and a last access.
pub fn with_period(mut report: UsageReport) -> UsageReport {
    report.usage.period = Some(Period { start: at("2026-10-23T08:12:44Z"), end: at("2026-11-20T17:03:10Z") });
    report
}

fn of_last_30_days(report: UsageReport) -> UsageReport {
    let mut report = with_period(report);
    report.query.filter.since = Some(at("2026-10-22T02:40:00Z"));
    report
}

/// The totals of the guide's example.
pub fn summary() -> UsageReport {
    let mut report = of_last_30_days(report(Grouping::Summary, &[]));
    report.usage.summary =
        Summary { total_accesses: 47, reads: 45, unique_sections: 12, unique_files: 3, error_count: 5 };
    report.usage.issues = ParseIssues { timestamps: 2, arguments: 1 };
    let day = |(day, count): (&str, u64)| DayCount { day: Day::parse(day).unwrap(), count };
    let days =
        [("2026-10-23", 3), ("2026-10-24", 8), ("2026-11-02", 14), ("2026-11-19", 21), ("2026-11-20", 1)];
    report.usage.days = days.map(day).into();
    report.unread = [("SKILL.md", "Contributing"), ("docs/changes.md", "Changelog")].into_iter().collect();
    report
}

/// Sections of the guide's example.
pub fn sections() -> UsageReport {
    of_last_30_days(report(
        Grouping::Sections,
        &[
            (None, &["SKILL.md", "Installation"], 15),
            (None, &["SKILL.md", "Troubleshooting"], 12),
            (None, &["docs/api.md", "API Reference"], 8),
        ],
    ))
}

/// Commands of the guide's example.
pub fn commands() -> UsageReport {
    of_last_30_days(report(
        Grouping::Commands,
        &[(None, &["show"], 35), (None, &["search"], 8), (None, &["open"], 4)],
    ))
}

/// Searches, one of which finds nothing half of the time.
pub fn searches() -> UsageReport {
    let mut report = report(Grouping::Search, &[(None, &["安装"], 2), (None, &["how to <b>install</b>"], 6)]);
    report.usage.tallies[0].without_hit = 1;
    report
}

/// A report per grouping, as a page needs them.
pub fn every_grouping() -> Vec<UsageReport> {
    let projects: &[(Option<&str>, &[&str], u64)] =
        &[(None, &["/home/me/web app"], 46), (None, &["/home/me/x&y"], 1)];
    let failed: &[&str] = &["Instalation", "show", "section not found: 'Instalation'"];
    vec![
        summary(),
        sections(),
        of_last_30_days(report(
            Grouping::Files,
            &[(None, &["SKILL.md"], 1_234), (None, &["docs/api.md"], 8)],
        )),
        commands(),
        of_last_30_days(report(Grouping::Projects, projects)),
        of_last_30_days(report(Grouping::Errors, &[(None, failed, 5)])),
        of_last_30_days(searches()),
    ]
}

/// Like [`every_grouping`], with malicious texts in every position.
pub fn hostile() -> Vec<UsageReport> {
    let texts = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "'--></style></script><svg/onload=alert(1)>",
        "\u{202e}txt.exe\u{0}\u{1b}[2J",
        &"長い".repeat(5_000),
        "@body@ @script@",
        "",
    ];
    let harm = |mut report: UsageReport| {
        report.subject = Subject::Skill { name: texts[0].into(), path: texts[1].into() };
        report.query.filter.projects = texts.map(str::to_owned).into();
        report.unread = texts.iter().map(|text| (*text, *text)).collect();
        let parts = report.query.grouping.key().len();
        let tally = |text: &&str| Tally {
            skill: Some((*text).to_owned()),
            key: vec![(*text).to_owned(); parts],
            count: u64::MAX / 9,
            without_hit: u64::MAX / 9,
        };
        report.usage.tallies = texts.iter().map(tally).collect();
        report
    };
    every_grouping().into_iter().map(harm).collect()
}

/// Reports of a skill that was never used.
pub fn empty() -> Vec<UsageReport> {
    Grouping::ALL.map(|grouping| report(grouping, &[])).into()
}
