//! Formats a benchmark as tables, for a terminal and for a pull request.

use super::data::{Benchmark, ValueFigures};
use super::figures::compared;
use crate::markdown::{self, escaped};
use crate::render::{View, plain, table};
use skillc_domain::benchmark::{CONFIGURATIONS, delta};

pub(super) const SUMMARY_HEADS: [&str; 5] = ["CONFIGURATION", "RUNS", "PASS RATE", "SECONDS", "TOKENS"];

/// Shown if a value was not recorded.
const UNKNOWN: &str = "unknown";

/// The statistics of each configuration, and their difference.
pub fn summary_table(view: &View, benchmark: &Benchmark) -> String {
    table(view, &SUMMARY_HEADS, &summary_rows(benchmark))
}

/// The pass rates of each case.
pub fn cases_table(view: &View, benchmark: &Benchmark) -> String {
    let (heads, rows) = cases(benchmark);
    table(view, &heads, &rows)
}

/// Formats both tables as Markdown, with all text by authors escaped.
pub fn markdown(benchmark: &Benchmark) -> Vec<u8> {
    let (heads, rows) = cases(benchmark);
    let mut text = markdown_table(&SUMMARY_HEADS, &summary_rows(benchmark));
    text.push('\n');
    text += &markdown_table(&heads, &rows);
    for note in &benchmark.notes {
        text += &format!("\nNote: {}\n", escaped(&plain(note)));
    }
    text.into_bytes()
}

/// Formats a table of texts as Markdown.
fn markdown_table(heads: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |row: &Vec<String>| row.iter().map(|text| escaped(&plain(text))).collect();
    markdown::table(heads, rows.iter().map(cells))
}

pub(super) fn summary_rows(benchmark: &Benchmark) -> Vec<Vec<String>> {
    let summary = &benchmark.run_summary;
    let known = CONFIGURATIONS.iter().filter_map(|name| Some((*name, summary.configurations.get(name)?)));
    let mut rows: Vec<Vec<String>> = known
        .map(|(name, figures)| {
            let runs = benchmark.runs.iter().filter(|run| run.configuration == name).count();
            vec![
                name.to_owned(),
                runs.to_string(),
                shown(figures.pass_rate, 2),
                shown(figures.time_seconds, 1),
                shown(figures.tokens, 0),
            ]
        })
        .collect();
    let values = [&summary.delta.pass_rate, &summary.delta.time_seconds, &summary.delta.tokens];
    let values = values.map(|value| value.clone().unwrap_or_else(|| UNKNOWN.to_owned()));
    let title = match compared(&benchmark.runs) {
        Some(other) => format!("with_skill minus {other}"),
        None => "with_skill minus without_skill".to_owned(),
    };
    rows.push([title, String::new()].into_iter().chain(values).collect());
    rows
}

/// The header and rows for the cases, with a column per configuration that has runs and one for the difference.
pub(super) fn cases(benchmark: &Benchmark) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let has_runs = |at: &usize| benchmark.runs.iter().any(|run| run.configuration == CONFIGURATIONS[*at]);
    let columns: Vec<usize> = (0..CONFIGURATIONS.len()).filter(has_runs).collect();
    let mut heads = vec!["CASE"];
    heads.extend(columns.iter().map(|at| CONFIGURATIONS[*at]));
    heads.push("DIFFERENCE");
    let other = compared(&benchmark.runs);
    let other = CONFIGURATIONS.iter().position(|known| Some(*known) == other).unwrap_or(1);
    let row = |case: &super::data::CaseFigures| {
        let rate = |at: &usize| case.pass_rates[*at].map_or(UNKNOWN.to_owned(), |rate| format!("{rate:.2}"));
        let mut cells = vec![plain(&case.name)];
        cells.extend(columns.iter().map(rate));
        cells
            .push(delta(case.pass_rates[0], case.pass_rates[other], 2).unwrap_or_else(|| UNKNOWN.to_owned()));
        cells
    };
    (heads, benchmark.cases.iter().map(row).collect())
}

/// Formats a mean, with the standard deviation if there are several values.
fn shown(value: Option<ValueFigures>, decimals: usize) -> String {
    match value {
        None => UNKNOWN.to_owned(),
        Some(ValueFigures { mean, stddev: None, .. }) => format!("{mean:.decimals$}"),
        Some(ValueFigures { mean, stddev: Some(stddev), .. }) => {
            format!("{mean:.decimals$} ± {stddev:.decimals$}")
        }
    }
}
