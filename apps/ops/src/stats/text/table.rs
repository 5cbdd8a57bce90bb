//! Formats tallies as a table of texts, count, share and bar. Texts share the remaining width.

use super::super::UsageReport;
use super::super::words::{none_of, number, percent, shown, without_hit};
use super::grid::{bar, cut_end, cut_middle, left, right, shared, width};
use super::layout::{columns_of, from_home, put_heading, put_more};
use crate::render::{View, line, plain};
use skillc_domain::usage::{Grouping, Tally};

/// Width of the longest bar, if there is room.
const BAR_COLUMNS_MAX: usize = 24;
/// Width of the longest bar if two or more texts need the room.
const BAR_COLUMNS_MIN: usize = 14;
const BAR_COLUMNS_LEAST: usize = 8;
/// Width of `100.0%`.
const SHARE_COLUMNS: usize = 6;
/// Number of spaces before a row, and between columns.
const GAP: usize = 2;

/// Tallies as a table, sorted by count.
pub fn put_tallies(report: &UsageReport, title: &str, rows_max: usize, view: &View, out: &mut Vec<u8>) {
    let tallies = &report.usage.tallies;
    match without_hit(tallies) {
        Some(without_hit) => put_heading(&format!("{title} ({without_hit})"), view, out),
        None => put_heading(title, view, out),
    }
    if tallies.is_empty() {
        line(out, format!("  {}", none_of(report.query.grouping)));
        return;
    }
    let shown = &tallies[..tallies.len().min(rows_max)];
    let columns = columns(report, shown, view);
    let table = Table::measured(&columns, shown, columns_of(view));
    line(out, view.faint(table.head(&columns)));
    let largest = tallies.iter().map(|tally| tally.count).max().unwrap_or_default();
    let all = report.tallied();
    for (at, tally) in shown.iter().enumerate() {
        line(out, table.row(&columns, at, tally.count, (largest, all), view));
        put_message(report, tally, view, out);
    }
    put_more(tallies.len() - shown.len(), view, out);
}

/// The message of a failed access, below its row, since messages are too long for a column.
fn put_message(report: &UsageReport, tally: &Tally, view: &View, out: &mut Vec<u8>) {
    let at = report.query.grouping.key().iter().position(|key| *key == "error");
    if let Some(message) = at.and_then(|at| tally.key.get(at)) {
        line(out, view.faint(format!("    {}", cut_end(&plain(message), columns_of(view) - 4))));
    }
}

/// A column of texts.
struct Column {
    head: &'static str,
    cells: Vec<String>,
    is_path: bool,
}

/// The texts of tallies in display order: the skill, what was read, where.
fn columns(report: &UsageReport, tallies: &[Tally], view: &View) -> Vec<Column> {
    let of_key = |name: &'static str| {
        let at = report.query.grouping.key().iter().position(|key| *key == name);
        let text = |tally: &Tally| {
            let text = shown(name, at.and_then(|at| tally.key.get(at)).map_or("", String::as_str));
            if name == "project" { from_home(text, view) } else { plain(text) }
        };
        tallies.iter().map(text).collect()
    };
    let skill = || tallies.iter().map(|tally| plain(tally.skill.as_deref().unwrap_or_default())).collect();
    let mut columns = Vec::new();
    if report.names_skills() {
        columns.push(Column { head: "Skill", cells: skill(), is_path: false });
    }
    let names: &[(&'static str, &'static str, bool)] = match report.query.grouping {
        Grouping::Summary => &[],
        Grouping::Sections => &[("Section", "section", false), ("File", "file", true)],
        Grouping::Files => &[("File", "file", true)],
        Grouping::Commands => &[("Command", "command", false)],
        Grouping::Projects => &[("Project", "project", true)],
        Grouping::Errors => &[("Target", "target", false), ("Command", "command", false)],
        Grouping::Search => &[("Query", "query", false)],
    };
    columns.extend(names.iter().map(|(head, key, is_path)| Column {
        head,
        cells: of_key(key),
        is_path: *is_path,
    }));
    if tallies.iter().any(|tally| tally.without_hit > 0) {
        let cells = tallies.iter().map(|tally| match tally.without_hit {
            0 => String::new(),
            without_hit => number(without_hit),
        });
        columns.push(Column { head: "No hit", cells: cells.collect(), is_path: false });
    }
    columns
}

/// Widths of a table's texts, count and bar.
struct Table {
    texts: Vec<usize>,
    count: usize,
    bar: usize,
}

impl Table {
    fn measured(columns: &[Column], tallies: &[Tally], line: usize) -> Self {
        let widest = |column: &Column| column.cells.iter().map(|c| width(c)).chain([column.head.len()]).max();
        let needed: Vec<usize> = columns.iter().map(|column| widest(column).unwrap_or_default()).collect();
        let counts = tallies.iter().map(|tally| number(tally.count).len());
        let count = counts.chain(["Count".len()]).max().unwrap_or_default();
        let fixed = GAP + columns.len() * GAP + count + GAP + SHARE_COLUMNS + GAP;
        let room = line.saturating_sub(fixed);
        let least = if columns.len() > 2 { BAR_COLUMNS_LEAST } else { BAR_COLUMNS_MIN };
        let bar = room.saturating_sub(needed.iter().sum()).clamp(least, BAR_COLUMNS_MAX);
        Self { texts: shared(&needed, room.saturating_sub(bar)), count, bar }
    }

    fn head(&self, columns: &[Column]) -> String {
        let texts =
            columns.iter().zip(&self.texts).map(|(c, w)| format!("{}  ", left(&cut_end(c.head, *w), *w)));
        let (count, share) = (right("Count", self.count), right("Share", SHARE_COLUMNS));
        format!("  {}{count}  {share}", texts.collect::<String>())
    }

    fn row(&self, columns: &[Column], at: usize, count: u64, of: (u64, u64), view: &View) -> String {
        let cell = |(column, width): (&Column, &usize)| {
            let cut = if column.is_path { cut_middle } else { cut_end };
            format!("{}  ", left(&cut(&column.cells[at], *width), *width))
        };
        let texts: String = columns.iter().zip(&self.texts).map(cell).collect();
        let share = view.faint(right(&percent(count, of.1), SHARE_COLUMNS));
        let bar = view.accent(bar(count, of.0, self.bar));
        format!("  {texts}{}  {share}  {bar}", right(&number(count), self.count))
    }
}
