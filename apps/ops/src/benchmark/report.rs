//! The reply of `skc eval report`: a benchmark, printed and written to files.

use super::data::Benchmark;
use super::table::{cases_table, markdown, summary_table};
use super::{benchmark, is_benchmark, is_page, page};
use crate::app::App;
use crate::failure::Failure;
use crate::render::{Render, View, line, plain};
use crate::resolve::typed;
use crate::written::{self, Allowed};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// The files to write a benchmark to, as the user typed them.
pub struct ReportFiles<'a> {
    /// The JSON file for the statistics.
    pub json: Option<&'a str>,
    /// The HTML file for the page.
    pub html: Option<&'a str>,
    /// Which files may be replaced.
    pub allowed: Allowed,
}

/// A benchmark, and the files that it was written to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReportReply {
    /// The benchmark.
    #[serde(flatten)]
    pub benchmark: Benchmark,
    #[serde(skip)]
    written: Vec<PathBuf>,
}

/// Computes the benchmark of a folder and writes it to the requested files.
///
/// # Errors
/// Those of [`benchmark`]; E052 for a file that may not be replaced.
pub fn report(app: &App, folder: &str, files: &ReportFiles<'_>) -> Result<ReportReply, Failure> {
    let benchmark = benchmark(app, &typed(app, folder))?;
    let mut written = Vec::new();
    if let Some(file) = files.json {
        let path = typed(app, file);
        let mut json = serde_json::to_vec_pretty(&benchmark).unwrap_or_default();
        json.push(b'\n');
        written::write(app, &path, &json, files.allowed, &is_benchmark)?;
        written.push(path);
    }
    if let Some(file) = files.html {
        let path = typed(app, file);
        written::write(app, &path, &page(&benchmark), files.allowed, &is_page)?;
        written.push(path);
    }
    Ok(ReportReply { benchmark, written })
}

impl Render for ReportReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        line(out, summary_table(view, &self.benchmark));
        line(out, cases_table(view, &self.benchmark));
        self.written.iter().for_each(|file| line(out, format!("Wrote {}", view.strong(view.path(file)))));
    }

    fn diagnostics(&self, _: &View, out: &mut Vec<u8>) {
        self.benchmark.notes.iter().for_each(|note| line(out, format!("note: {}", plain(note))));
    }

    fn formatted(&self, format: &str) -> Option<Vec<u8>> {
        (format == "markdown").then(|| markdown(&self.benchmark))
    }
}
