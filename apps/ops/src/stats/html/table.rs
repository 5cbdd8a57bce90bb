//! Tables of tallies: each row has its texts, count, share and bar. They are complete without a script.

use super::super::UsageReport;
use super::super::words::{heading, none_of, number, percent, shown, without_hit};
use super::chart::{bar, counted_accesses};
use super::escape::{cell, escaped, path_cell};
use skillc_domain::usage::{Grouping, Tally};
use std::fmt::Write;

/// The part of a tally that a column shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Skill,
    Key(&'static str),
}

/// A column of texts.
struct Column {
    head: &'static str,
    place: Place,
    is_path: bool,
}

/// A grouping: its heading, its total and its table. `is_over_skills` says whether the page covers many skills.
pub fn section(report: &UsageReport, is_over_skills: bool) -> String {
    let grouping = report.query.grouping;
    let (word, tallies) = (grouping.word(), &report.usage.tallies);
    let half = if has_neighbour(grouping, is_over_skills) { " class=\"half\"" } else { "" };
    let sum = match tallies.len() {
        0 => String::new(),
        _ => {
            let without_hit = without_hit(tallies).map_or(String::new(), |sum| format!(", {sum}"));
            format!("<p class=\"soft\">{}{without_hit}</p>", counted_accesses(report.tallied()))
        }
    };
    let title = heading(grouping);
    let mut html = format!(
        "<section{half} aria-labelledby=\"{word}\"><div class=\"head\"><h2 id=\"{word}\">{title}</h2>{sum}</div>\n"
    );
    match tallies.is_empty() {
        true => html.push_str(&format!("<p class=\"none\">{}</p>\n", none_of(grouping))),
        false => put_table(&mut html, report),
    }
    html.push_str("</section>\n");
    html
}

/// Whether the table is placed next to another one. Tables of files with skill names are too wide for that, and then
/// projects have no neighbor.
fn has_neighbour(grouping: Grouping, is_over_skills: bool) -> bool {
    match grouping {
        Grouping::Summary | Grouping::Sections | Grouping::Errors => false,
        Grouping::Commands | Grouping::Search => true,
        Grouping::Files | Grouping::Projects => !is_over_skills,
    }
}

fn columns(report: &UsageReport) -> Vec<Column> {
    let key = |head, name, is_path| Column { head, place: Place::Key(name), is_path };
    let keys = match report.query.grouping {
        Grouping::Summary => vec![],
        Grouping::Sections => vec![key("Section", "section", false), key("File", "file", true)],
        Grouping::Files => vec![key("File", "file", true)],
        Grouping::Commands => vec![key("Command", "command", false)],
        Grouping::Projects => vec![key("Project", "project", true)],
        Grouping::Errors => {
            vec![
                key("Target", "target", false),
                key("Command", "command", false),
                key("Error", "error", false),
            ]
        }
        Grouping::Search => vec![key("Query", "query", false)],
    };
    let skill = Column { head: "Skill", place: Place::Skill, is_path: false };
    report.names_skills().then_some(skill).into_iter().chain(keys).collect()
}

fn put_table(html: &mut String, report: &UsageReport) {
    let (columns, word) = (columns(report), report.query.grouping.word());
    let rows = if report.query.grouping == Grouping::Summary { "skills" } else { word };
    let caption = heading(report.query.grouping);
    let is_search = report.query.grouping == Grouping::Search;
    let first = if is_search { "those without a hit" } else { "most accesses" };
    let _ =
        write!(html, "<table data-rows=\"{rows}\"><caption>{caption}, {first} first</caption>\n<thead><tr>");
    for column in &columns {
        let _ = write!(html, "<th scope=\"col\" class=\"key\">{}</th>", column.head);
    }
    html.push_str("<th scope=\"col\" class=\"count\" aria-sort=\"descending\">Count</th>");
    html.push_str(
        "<th scope=\"col\" class=\"share\">Share</th><td class=\"bar\"></td></tr></thead>\n<tbody>\n",
    );
    let main = columns.len().min(if report.names_skills() { 2 } else { 1 }) - 1;
    let largest = report.usage.tallies.iter().map(|tally| tally.count).max().unwrap_or_default();
    for tally in &report.usage.tallies {
        put_row(html, report, (&columns, main), tally, (largest, report.tallied()));
    }
    html.push_str("</tbody></table>\n");
}

fn put_row(
    html: &mut String,
    report: &UsageReport,
    columns: (&[Column], usize),
    tally: &Tally,
    of: (u64, u64),
) {
    html.push_str("<tr>");
    for (at, column) in columns.0.iter().enumerate() {
        let path = if column.is_path { " path" } else { "" };
        let mut text = if column.is_path { path_cell } else { cell }(text(report, column.place, tally));
        if at == columns.1 && tally.without_hit > 0 {
            let _ =
                write!(text, " <span class=\"soft\">({} without a hit)</span>", number(tally.without_hit));
        }
        let _ = match at == columns.1 {
            true => write!(html, "<th scope=\"row\" class=\"key main{path}\">{text}</th>"),
            false => write!(html, "<td class=\"key{path}\">{text}</td>"),
        };
    }
    let (count, share) = (tally.count, escaped(&percent(tally.count, of.1)));
    let data = format!("<data value=\"{count}\">{}</data>", number(count));
    let _ = write!(
        html,
        "<td class=\"count\">{data}</td><td class=\"share\"><data value=\"{count}\">{share}</data></td>"
    );
    let _ = writeln!(html, "<td class=\"bar\">{}</td></tr>", bar(count, of.0));
}

fn text<'a>(report: &UsageReport, place: Place, tally: &'a Tally) -> &'a str {
    match place {
        Place::Skill => tally.skill.as_deref().unwrap_or_default(),
        Place::Key(name) => {
            let at = report.query.grouping.key().iter().position(|key| *key == name);
            shown(name, at.and_then(|at| tally.key.get(at)).map_or("", String::as_str))
        }
    }
}
