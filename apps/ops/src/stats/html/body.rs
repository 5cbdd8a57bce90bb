//! The body of the page: subject and period, totals, days, a table per grouping, unread headings.

use super::super::words::{clock, filters, issues, nothing, number, period, shown, subject, totals};
use super::super::{Subject, UsageReport};
use super::chart;
use super::escape::{cell, escaped, name, path_cell};
use super::histories::{self, HistorySections};
use super::table;
use skillc_domain::limits::PAGE_UNREAD_MAX;
use skillc_domain::reader::Reader;
use skillc_domain::usage::Grouping;
use std::fmt::Write;

/// Groupings in the order of the page.
const ORDER: [Grouping; 6] = [
    Grouping::Sections,
    Grouping::Commands,
    Grouping::Search,
    Grouping::Files,
    Grouping::Projects,
    Grouping::Errors,
];

/// The page's body; `first` provides the subject.
pub fn body(first: &UsageReport, reports: &[UsageReport], history: &HistorySections) -> String {
    let mut html = String::new();
    put_header(&mut html, first);
    if let Some((fact, hint)) = nothing(first, Reader::Person) {
        let _ =
            writeln!(html, "<div class=\"nothing\"><p>{}</p><p>{}</p></div>", escaped(fact), escaped(&hint));
    } else {
        put_totals(&mut html, first);
        html.push_str("<main>\n");
        put_days(&mut html, first);
        if first.names_skills() {
            html.push_str(&table::section(first, true));
        }
        for grouping in ORDER {
            reports
                .iter()
                .filter(|report| report.query.grouping == grouping)
                .for_each(|report| html.push_str(&table::section(report, first.names_skills())));
            if grouping == Grouping::Sections {
                put_unread(&mut html, reports);
            }
        }
        html.push_str(&histories::sections(history));
        html.push_str("</main>\n");
    }
    put_footer(&mut html, first);
    html
}

fn put_header(html: &mut String, report: &UsageReport) {
    let asked = period(&report.query.filter, report.now);
    let _ = write!(
        html,
        "<header><p class=\"over\">Usage statistics</p><h1><bdi>{}</bdi></h1><p class=\"lead\">{}</p>\n<dl class=\"facts\">",
        name(&subject(report)),
        escaped(&capital(&asked))
    );
    if let Some(period) = &report.usage.period {
        let (start, end) = (escaped(&clock(period.start)), escaped(&clock(period.end)));
        let _ = write!(html, "<dt>First and last access</dt><dd>{start} to {end} UTC</dd>");
    }
    if let Subject::Skill { path, .. } = &report.subject {
        let _ = write!(html, "<dt>Source</dt><dd class=\"path\">{}</dd>", path_cell(path));
    }
    for (filter, value) in filters(report) {
        let _ = match filter {
            "since" | "until" => {
                write!(html, "<dt>{}</dt><dd>{} UTC</dd>", capital(filter), escaped(&clock(&value)))
            }
            _ => write!(html, "<dt>{}</dt><dd class=\"path\">{}</dd>", capital(filter), path_cell(&value)),
        };
    }
    html.push_str("</dl>");
    if let Some(issues) = issues(report.usage.issues) {
        let _ = write!(html, "<p class=\"careful\">{}</p>", escaped(&issues));
    }
    html.push_str("</header>\n");
}

/// Capitalizes the first letter.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn put_totals(html: &mut String, report: &UsageReport) {
    let summary = &report.usage.summary;
    html.push_str("<dl class=\"totals\">");
    for (name, count) in totals(summary) {
        let data = format!("<data value=\"{count}\">{}</data>", number(count));
        let _ = write!(html, "<div><dt>{name}</dt><dd>{data}</dd></div>");
    }
    html.push_str("</dl>\n");
}

/// The chart of the days, followed by their table.
fn put_days(html: &mut String, report: &UsageReport) {
    let Some((unit, chart)) = chart::days(&report.usage.days) else { return };
    let _ = write!(
        html,
        "<section aria-labelledby=\"days\"><div class=\"head\"><h2 id=\"days\">Accesses per {}</h2></div>\n\
         <div class=\"plot\">{chart}</div>\n<details><summary>Figures of each day</summary>\n\
         <table><caption>Accesses of each day that has any</caption>\n<thead><tr><th scope=\"col\" class=\"key\">Day</th>\
         <th scope=\"col\" class=\"count\">Count</th></tr></thead>\n<tbody>\n",
        unit.word()
    );
    for day in &report.usage.days {
        let (text, count) = (day.day, day.count);
        let data = format!("<data value=\"{count}\">{}</data>", number(count));
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\" class=\"key main\">{text}</th><td class=\"count\">{data}</td></tr>"
        );
    }
    html.push_str("</tbody></table></details>\n</section>\n");
}

/// Headings that were never read; those beyond a limit are collapsed.
fn put_unread(html: &mut String, reports: &[UsageReport]) {
    let Some(unread) = reports.iter().map(|report| &report.unread).find(|unread| !unread.is_empty()) else {
        return;
    };
    let _ = writeln!(
        html,
        "<section aria-labelledby=\"unread\"><div class=\"head\"><h2 id=\"unread\">Unused sections</h2>\
         <p class=\"soft\">{}</p></div>",
        number(unread.len() as u64)
    );
    put_list(html, unread.iter().take(PAGE_UNREAD_MAX));
    let folded = unread.len().saturating_sub(PAGE_UNREAD_MAX);
    if folded > 0 {
        let _ = writeln!(html, "<details><summary>{} more</summary>", number(folded as u64));
        put_list(html, unread.iter().skip(PAGE_UNREAD_MAX));
        html.push_str("</details>\n");
    }
    html.push_str("</section>\n");
}

fn put_list<'a>(html: &mut String, headings: impl Iterator<Item = (&'a str, &'a str)>) {
    html.push_str("<ul class=\"unread\">\n");
    for (file, text) in headings {
        let _ = writeln!(
            html,
            "<li>{} <span class=\"path\">{}</span></li>",
            cell(shown("section", text)),
            path_cell(file)
        );
    }
    html.push_str("</ul>\n");
}

fn put_footer(html: &mut String, report: &UsageReport) {
    let (now, version) = (escaped(&clock(report.now)), env!("CARGO_PKG_VERSION"));
    let _ = writeln!(
        html,
        "<footer>Made on {now} UTC by skc {version}. Days are those of UTC. This page loads nothing from elsewhere.</footer>"
    );
}
