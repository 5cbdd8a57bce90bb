//! Statistics in a terminal: tables with bars, a sparkline of the days, lists of unread sections. No line is wider than
//! the terminal, or in a pipe than `TEXT_COLUMNS`, not counting color codes.

mod grid;
mod layout;
mod table;

use super::days::last_days;
use super::words::{clock, filters, heading, is_said, issues, nothing, number, period, shown, title, totals};
use super::{Subject, UsageReport};
use crate::render::{View, line, plain};
pub(super) use grid::{cut_end, cut_middle, left};
use grid::{shared, sparkline, width};
use layout::{columns_of, from_home, put_heading, put_more};
use skillc_domain::limits::{STATS_DAYS_MAX, STATS_TOP_MAX, STATS_UNREAD_MAX};
use skillc_domain::usage::Grouping;
use std::path::Path;
use table::put_tallies;

/// Columns used by the rest of the line with the sparkline: two dates, and the highest count.
const DAYS_COLUMNS: usize = "  2026-01-01  2026-01-01  peak 10,000".len();

/// A report: its title, and its totals or tallies.
pub fn render(report: &UsageReport, view: &View, out: &mut Vec<u8>) {
    put_head(report, view, out);
    if !put_nothing(report, view, out) {
        match report.query.grouping {
            Grouping::Summary => put_summary(report, view, out),
            grouping => put_tallies(report, heading(grouping), usize::MAX, view, out),
        }
        put_unread(report, view, out);
    }
    put_issues(report, view, out);
}

/// The output of `skc stats <skill>`: totals, days, the most read sections, unread ones, commands.
pub fn render_overview(
    summary: &UsageReport,
    sections: &UsageReport,
    commands: &UsageReport,
    view: &View,
    out: &mut Vec<u8>,
) {
    put_head(summary, view, out);
    if !put_nothing(summary, view, out) {
        put_summary(summary, view, out);
        put_tallies(sections, "Top sections", STATS_TOP_MAX, view, out);
        put_unread(if summary.unread.is_empty() { sections } else { summary }, view, out);
        put_tallies(commands, "Access by command", STATS_TOP_MAX, view, out);
    }
    put_issues(summary, view, out);
}

/// Title, source and filters.
fn put_head(report: &UsageReport, view: &View, out: &mut Vec<u8>) {
    let words = period(&report.query.filter, report.now);
    let period = format!(" ({})", plain(&words));
    let title = cut_end(&plain(&title(report)), columns_of(view).saturating_sub(width(&period)));
    line(out, format!("{}{period}", view.strong(title)));
    if let Subject::Skill { path, .. } = &report.subject {
        line(out, view.faint(cut_middle(&view.path(Path::new(path)), columns_of(view))));
    }
    let is_shown = |name: &str, value: &str| matches!(name, "since" | "until") && is_said(value, &words);
    for (name, value) in filters(report).into_iter().filter(|(name, value)| !is_shown(name, value)) {
        let value = cut_middle(&from_home(&value, view), columns_of(view) - name.len() - 1);
        line(out, view.faint(format!("{name} {value}")));
    }
}

/// Prints a message if there is nothing to show.
fn put_nothing(report: &UsageReport, view: &View, out: &mut Vec<u8>) -> bool {
    let Some((fact, hint)) = nothing(report, view.reader) else { return false };
    line(out, "");
    line(out, fact);
    line(out, view.faint(hint));
    true
}

fn put_issues(report: &UsageReport, view: &View, out: &mut Vec<u8>) {
    if let Some(issues) = issues(report.usage.issues) {
        line(out, "");
        line(out, view.careful(issues));
    }
}

/// Totals, days and, over all skills, each skill.
fn put_summary(report: &UsageReport, view: &View, out: &mut Vec<u8>) {
    let (usage, summary) = (&report.usage, &report.usage.summary);
    line(out, "");
    for (name, count) in totals(summary) {
        line(out, format!("{name}: {}", view.strong(number(count))));
    }
    if let Some(period) = &usage.period {
        line(out, format!("Period: {} to {} UTC", plain(&clock(period.start)), plain(&clock(period.end))));
    }
    put_days(report, view, out);
    if report.names_skills() {
        put_tallies(report, heading(Grouping::Summary), usize::MAX, view, out);
    }
}

fn put_days(report: &UsageReport, view: &View, out: &mut Vec<u8>) {
    let room = columns_of(view).saturating_sub(DAYS_COLUMNS);
    let days = last_days(&report.usage.days, STATS_DAYS_MAX.min(room));
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return };
    let most = days.iter().map(|day| day.count).max().unwrap_or_default();
    let line_of_days = view.accent(sparkline(days.iter().map(|day| day.count)));
    let (from, to) = (view.faint(first.day), view.faint(last.day));
    put_heading("Accesses by day", view, out);
    line(out, format!("  {from} {line_of_days} {to}  peak {}", number(most)));
}

/// Headings that were never read.
fn put_unread(report: &UsageReport, view: &View, out: &mut Vec<u8>) {
    if report.unread.is_empty() {
        return;
    }
    put_heading("Unused sections", view, out);
    for (file, text) in report.unread.iter().take(STATS_UNREAD_MAX) {
        let (text, file) = (plain(shown("section", text)), plain(file));
        let widths = shared(&[width(&text), width(&file)], columns_of(view) - "  -  ()".len());
        let (text, file) = (cut_end(&text, widths[0]), cut_middle(&file, widths[1]));
        line(out, format!("  - {text} {}", view.faint(format!("({file})"))));
    }
    put_more(report.unread.len().saturating_sub(STATS_UNREAD_MAX), view, out);
}

#[cfg(test)]
mod tests {
    use super::super::sample::{self, with_period};
    use super::*;
    use skillc_domain::limits::TEXT_COLUMNS;
    use skillc_domain::time::Timestamp;
    use skillc_domain::usage::Summary;

    fn shown_by(render: impl Fn(&View, &mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        render(&View { home: "/home/me".into(), cwd: "/work".into(), ..View::default() }, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn check(report: &UsageReport, expected: &str) {
        let text = shown_by(|view, out| render(report, view, out));
        assert_eq!(text, expected.trim_start_matches('\n'), "\n{text}");
    }

    #[test]
    fn an_overview_shows_what_the_guide_shows() {
        let (summary, sections, commands) = (sample::summary(), sample::sections(), sample::commands());
        let text = shown_by(|view, out| render_overview(&summary, &sections, &commands, view, out));
        let expected = "\
my-skill usage statistics (last 30 days)
~/.skillc/skills/my-skill
since 2026-10-22T02:40:00Z

Reads: 45
Total accesses: 47
Unique sections: 12
Unique files: 3
Failed accesses: 5
Period: 2026-10-23 08:12:44 to 2026-11-20 17:03:10 UTC

Accesses by day:
  2026-10-23 ▂▄▁▁▁▁▁▁▁▁▆▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁█▂ 2026-11-20  peak 21

Top sections:
  Section          File         Count   Share
  Installation     SKILL.md        15   42.9%  ████████████████████████
  Troubleshooting  SKILL.md        12   34.3%  ███████████████████▎
  API Reference    docs/api.md      8   22.9%  ████████████▊

Unused sections:
  - Contributing (SKILL.md)
  - Changelog (docs/changes.md)

Access by command:
  Command  Count   Share
  show        35   74.5%  ████████████████████████
  search       8   17.0%  █████▌
  open         4    8.5%  ██▊

3 rows could not be read: 2 times, 1 arguments
";
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn wide_characters_and_long_texts_keep_the_columns() {
        let report = sample::report(
            Grouping::Sections,
            &[
                (Some("pdf"), &["SKILL.md", "安装与配置"], 1_200),
                (
                    Some("a-skill-of-a-long-name"),
                    &["references/deep/folder/forms.md", "How to fill a form"],
                    7,
                ),
                (Some("pdf"), &["notes.txt", ""], 1),
            ],
        );
        check(
            &with_period(report),
            "
my-skill usage statistics (all time)
~/.skillc/skills/my-skill

Sections:
  Skill             Section           File               Count   Share
  pdf               安装与配置        SKILL.md           1,200   99.3%  ████████
  a-skill-of-a-lo…  How to fill a f…  refer…er/forms.md      7    0.6%  ▏
  pdf               (no heading)      notes.txt              1    0.1%  ▏
",
        );
    }

    #[test]
    fn a_failed_access_has_its_message_below() {
        let failed: &[&str] = &["Instalation", "show", "error[E020]: section not found: 'Instalation'"];
        check(
            &with_period(sample::report(Grouping::Errors, &[(None, failed, 5)])),
            "
my-skill usage statistics (all time)
~/.skillc/skills/my-skill

Failed accesses:
  Target       Command  Count   Share
  Instalation  show         5  100.0%  ████████████████████████
    error[E020]: section not found: 'Instalation'
",
        );
    }

    #[test]
    fn where_there_is_nothing_it_says_what_to_do() {
        let nothing = sample::report(Grouping::Summary, &[]);
        check(
            &nothing,
            "
my-skill usage statistics (all time)
~/.skillc/skills/my-skill

No accesses recorded yet
every access to a skill by an agent or on the command line is recorded
",
        );
        let mut filtered = nothing.clone();
        filtered.query.filter.projects = vec!["/home/me/web\u{1b}".into(), "/home/me".into()];
        filtered.query.filter.since = Timestamp::parse("2026-11-01T00:00:00Z");
        filtered.usage.issues.timestamps = 1;
        check(
            &filtered,
            "
my-skill usage statistics (since 2026-11-01)
~/.skillc/skills/my-skill
project ~/web\\u{1b}
project ~

No accesses match the filters
remove a filter to see more

1 row could not be read: 1 time
",
        );
        check(
            &with_period(sample::report(Grouping::Search, &[])),
            "
my-skill usage statistics (all time)
~/.skillc/skills/my-skill

Searches:
  No searches
",
        );
    }

    #[test]
    fn a_team_is_named_with_its_machine() {
        let mut report =
            with_period(sample::report(Grouping::Summary, &[(Some("pdf"), &[], 3), (Some("x"), &[], 1)]));
        report.subject = Subject::Team { org: "acme".into(), skill: None, machine: Some("build-7".into()) };
        report.usage.summary =
            Summary { total_accesses: 4, reads: 3, unique_sections: 2, unique_files: 1, error_count: 0 };
        check(
            &report,
            "
Usage statistics of team acme (all time)
machine build-7

Reads: 3
Total accesses: 4
Unique sections: 2
Unique files: 1
Failed accesses: 0
Period: 2026-10-23 08:12:44 to 2026-11-20 17:03:10 UTC

Skills:
  Skill  Count   Share
  pdf        3   75.0%  ████████████████████████
  x          1   25.0%  ████████
",
        );
    }

    #[test]
    fn no_line_is_wider_than_a_terminal_whatever_it_shows() {
        for reports in [sample::every_grouping(), sample::hostile(), sample::empty()] {
            for report in &reports {
                let text = shown_by(|view, out| render(report, view, out));
                for line in text.lines() {
                    assert!(width(line) <= TEXT_COLUMNS, "{line}");
                    assert!(line.len() <= 4 * 4 * TEXT_COLUMNS, "{line}");
                }
                assert!(!text.contains(['\u{1b}', '\u{202e}', '\0']));
            }
        }
    }

    #[test]
    fn rows_have_the_width_of_the_terminal() {
        for columns in [60, 80, 100] {
            for report in sample::every_grouping().iter().chain(&sample::hostile()) {
                let mut out = Vec::new();
                render(report, &View { width: Some(columns), ..View::default() }, &mut out);
                let text = String::from_utf8(out).unwrap();
                assert!(text.lines().all(|line| width(line) <= columns), "{columns}:\n{text}");
            }
        }
    }

    #[test]
    fn a_long_list_of_unread_headings_is_cut_and_says_so() {
        let mut report = sample::summary();
        report.unread = std::iter::repeat_n(("SKILL.md", "Notes"), STATS_UNREAD_MAX + 2).collect();
        let text = shown_by(|view, out| render(&report, view, out));
        assert_eq!(text.matches("  - Notes (SKILL.md)\n").count(), STATS_UNREAD_MAX);
        assert!(text.contains("  … and 2 more\n"), "{text}");
    }
}
