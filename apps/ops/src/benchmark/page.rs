//! A benchmark as a self-contained HTML page: the statistics, the cases, and each expectation with its evidence.

use super::data::{Benchmark, BenchmarkRun};
use super::table::{SUMMARY_HEADS, cases, summary_rows};
use crate::stats::html::{self, cell, escaped, name};
use std::fmt::Write;

/// The page's `generator`, which identifies files written by skc.
const GENERATOR: &str = "skc eval report";

/// Renders the page of a benchmark.
pub fn page(benchmark: &Benchmark) -> Vec<u8> {
    let skill = benchmark.metadata.skill_name.as_deref().unwrap_or("a skill");
    let mut body = String::new();
    let _ = write!(
        body,
        "<header><p class=\"over\">Benchmark</p><h1><bdi>{}</bdi></h1><p class=\"lead\">{} of {}, {}</p></header>\n<main>\n",
        name(skill),
        crate::render::counted(benchmark.runs.len() as u64, "run"),
        crate::render::counted(benchmark.metadata.evals_run.len() as u64, "case"),
        escaped(&benchmark.metadata.timestamp)
    );
    put_table(&mut body, "configurations", "Configurations", &SUMMARY_HEADS, &summary_rows(benchmark));
    let (heads, rows) = cases(benchmark);
    put_table(&mut body, "cases", "Pass rate of each case", &heads, &rows);
    put_expectations(&mut body, benchmark);
    put_notes(&mut body, &benchmark.notes);
    body.push_str("</main>\n");
    html::page(GENERATOR, &format!("Benchmark of {}", name(skill)), &body)
}

/// Whether a file is such a page.
pub fn is_page(bytes: &[u8]) -> bool {
    html::is_page_of(GENERATOR, bytes)
}

fn put_table(body: &mut String, id: &str, title: &str, heads: &[&str], rows: &[Vec<String>]) {
    let _ = write!(
        body,
        "<section aria-labelledby=\"{id}\"><div class=\"head\"><h2 id=\"{id}\">{title}</h2></div>\n<div class=\"wide\"><table><thead><tr>"
    );
    for head in heads {
        let _ = write!(body, "<th scope=\"col\">{}</th>", escaped(&head.to_lowercase().replace('_', " ")));
    }
    body.push_str("</tr></thead><tbody>\n");
    for row in rows {
        body.push_str("<tr>");
        for (at, text) in row.iter().enumerate() {
            let _ = match at {
                0 => write!(body, "<th scope=\"row\">{}</th>", cell(text)),
                _ => write!(body, "<td>{}</td>", cell(text)),
            };
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</tbody></table></div></section>\n");
}

fn put_expectations(body: &mut String, benchmark: &Benchmark) {
    let rows: Vec<Vec<String>> = benchmark.runs.iter().flat_map(expectations).collect();
    let heads = ["CASE", "CONFIGURATION", "RUN", "EXPECTATION", "MET", "EVIDENCE"];
    if !rows.is_empty() {
        put_table(body, "expectations", "Expectations", &heads, &rows);
    }
}

/// One row per expectation of a run.
fn expectations(run: &BenchmarkRun) -> Vec<Vec<String>> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let row = |one: &serde_json::Value| {
        let met = one["passed"].as_bool().map_or("unknown", |passed| if passed { "yes" } else { "no" });
        vec![
            run.eval_name.clone(),
            run.configuration.to_owned(),
            run.run_number.to_string(),
            text(&one["text"]),
            met.to_owned(),
            text(&one["evidence"]),
        ]
    };
    run.expectations.iter().map(row).collect()
}

fn put_notes(body: &mut String, notes: &[String]) {
    for note in notes {
        let _ = writeln!(body, "<p class=\"careful\">{}</p>", escaped(note));
    }
}
