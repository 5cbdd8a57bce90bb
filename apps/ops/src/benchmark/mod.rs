//! Aggregates the graded runs of an evaluation (RFC-0016:C-REPORT): turns a folder of gradings into a benchmark.

mod data;
mod figures;
mod page;
mod read;
mod report;
mod table;

pub use report::{ReportFiles, ReportReply, report};

use crate::app::App;
use crate::failure::Failure;
use data::{Benchmark, BenchmarkMetadata, BenchmarkRun};
use figures::{alone, cases, first_runs, summary};
use page::{is_page, page};
use read::RunReader;
use serde_json::Value;
use skillc_domain::benchmark::{CONFIGURATIONS, last_runs};
use skillc_domain::fault::Fault;
use skillc_domain::time::rfc3339;
use std::collections::BTreeMap;
use std::path::Path;

/// The value of `generator` in `benchmark.json`, which identifies files written by skc.
const GENERATOR: &str = "skc eval report";

/// Aggregates the runs below a folder; of several iterations, only the last.
///
/// # Errors
/// E100 if it is not a folder or contains no runs; I/O errors.
fn benchmark(app: &App, folder: &Path) -> Result<Benchmark, Failure> {
    let refused = |what: &str| Fault::invalid_option(format!("'{}' {what}", folder.display()));
    if !app.ports.stores.is_folder(folder) {
        return Err(refused("is not a folder").into());
    }
    let root = app.ports.stores.real_path(folder);
    let tree = app.ports.files.open(&root)?;
    let survey = tree.survey()?;
    let places = last_runs(survey.files.iter().map(|file| file.path.as_str()));
    if places.is_empty() {
        return Err(refused("has no run, such as eval-1/with_skill/grading.json").into());
    }
    let mut reader = RunReader { tree: tree.as_ref(), notes: Vec::new(), skill: None };
    let mut runs: Vec<BenchmarkRun> = places.iter().map(|place| reader.run(place)).collect();
    runs.sort_by_key(|run| {
        let at = CONFIGURATIONS.iter().position(|known| *known == run.configuration);
        (run.eval_name.clone(), at, run.run_number)
    });
    reader.notes.extend(alone(&runs));
    let skill_name = reader.skill.take().or_else(|| name_of_workspace(&root));
    Ok(Benchmark {
        metadata: metadata(app, skill_name, &runs),
        run_summary: summary(&runs),
        cases: cases(&runs),
        runs,
        notes: reader.notes,
    })
}

/// Whether a file is a benchmark that skc wrote.
fn is_benchmark(bytes: &[u8]) -> bool {
    let value: Result<Value, _> = serde_json::from_slice(bytes);
    value.is_ok_and(|value| value["metadata"]["generator"] == GENERATOR)
}

/// The skill's name according to a folder `<skill>-workspace`, or an iteration in it.
fn name_of_workspace(root: &Path) -> Option<String> {
    let folders = root.iter().rev().take(2).filter_map(|name| name.to_str());
    folders.filter_map(|name| name.strip_suffix("-workspace")).map(str::to_owned).next()
}

fn metadata(app: &App, skill_name: Option<String>, runs: &[BenchmarkRun]) -> BenchmarkMetadata {
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    runs.iter().for_each(|run| *counts.entry((run.eval_id.to_string(), run.configuration)).or_default() += 1);
    BenchmarkMetadata {
        skill_name,
        skill_path: None,
        executor_model: None,
        timestamp: rfc3339(app.ports.clock.now()),
        evals_run: first_runs(runs).map(|run| run.eval_id.clone()).collect(),
        runs_per_configuration: counts.into_values().max().unwrap_or_default(),
        generator: GENERATOR,
    }
}
