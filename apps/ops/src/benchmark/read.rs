//! Reads the runs below a folder: gradings, times and metrics.

use super::data::{BenchmarkRun, RunResult};
use serde::Deserialize;
use serde_json::Value;
use skillc_domain::benchmark::RunPlace;
use skillc_domain::limits::QUERIES_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_ports::{ErrorKind, SkillTree};

/// The content of a grading file; each part may be missing.
#[derive(Default, Deserialize)]
struct GradingJson {
    #[serde(alias = "assertion_results", default)]
    expectations: Vec<Value>,
    #[serde(default)]
    summary: Value,
    #[serde(default)]
    execution_metrics: Value,
    #[serde(default)]
    timing: Value,
}

/// Reads the runs in a folder.
pub(super) struct RunReader<'a> {
    pub(super) tree: &'a dyn SkillTree,
    /// Notes about files that could not be read.
    pub(super) notes: Vec<String>,
    /// The name of the skill, if a file contains it.
    pub(super) skill: Option<String>,
}

impl RunReader<'_> {
    /// Collects everything that is known about a run.
    pub(super) fn run(&mut self, place: &RunPlace<'_>) -> BenchmarkRun {
        let folder = place.folder;
        let grading: Option<GradingJson> = self.json(&format!("{folder}/grading.json"));
        let timing: Value = self.json(&format!("{folder}/timing.json")).unwrap_or_default();
        let metrics: Value = self.json(&format!("{folder}/outputs/metrics.json")).unwrap_or_default();
        let about: Value = self.json(&format!("{}/eval_metadata.json", place.case_path)).unwrap_or_default();
        self.skill = self.skill.take().or_else(|| about["skill_name"].as_str().map(str::to_owned));
        let is_graded = grading.is_some();
        if !is_graded {
            self.notes.push(format!("{folder}: not graded"));
        }
        let grading = grading.unwrap_or_default();
        let name = place.case.strip_prefix("eval-").unwrap_or(place.case);
        BenchmarkRun {
            eval_id: match &about["eval_id"] {
                Value::Null => name.into(),
                id => id.clone(),
            },
            eval_name: about["eval_name"].as_str().unwrap_or(name).to_owned(),
            configuration: place.configuration,
            run_number: place.number.unwrap_or(1),
            result: result(&grading, &timing, &metrics),
            expectations: grading.expectations,
            notes: if is_graded { Vec::new() } else { vec!["not graded".to_owned()] },
        }
    }

    /// Parses a file as JSON. `None` if it does not exist, and also if it cannot be read, which adds a note.
    fn json<T: for<'de> Deserialize<'de>>(&mut self, path: &str) -> Option<T> {
        let bytes = match self.tree.read(&RelPath::parse(path).ok()?, QUERIES_BYTES_MAX) {
            Ok(content) => content.bytes,
            Err(error) if error.kind == ErrorKind::NotFound => return None,
            Err(error) => {
                self.notes.push(format!("{path}: not read, {}", error.reason()));
                return None;
            }
        };
        let read = serde_json::from_slice(&bytes);
        read.inspect_err(|error| {
            self.notes.push(format!("{path}: not read, line {} column {}", error.line(), error.column()));
        })
        .ok()
    }
}

fn result(grading: &GradingJson, timing: &Value, metrics: &Value) -> RunResult {
    let counted = counts(&grading.expectations);
    let of_summary = |key: &str| grading.summary[key].as_u64();
    let passed = of_summary("passed").or(counted.map(|(passed, _)| passed));
    let failed = of_summary("failed").or(counted.map(|(_, failed)| failed));
    let total = of_summary("total").or_else(|| passed?.checked_add(failed?));
    let timings = [timing, &grading.timing];
    let executions = [&grading.execution_metrics, metrics];
    RunResult {
        pass_rate: match total {
            // A summary over zero expectations says nothing.
            Some(0) => None,
            Some(total) => {
                passed.filter(|passed| *passed <= total).map(|passed| number(passed) / number(total))
            }
            None => grading.summary["pass_rate"].as_f64().filter(|rate| (0.0..=1.0).contains(rate)),
        },
        passed,
        failed,
        total,
        time_seconds: timings.iter().find_map(|of| seconds(of)),
        tokens: timings.iter().find_map(|of| of["total_tokens"].as_u64()),
        tool_calls: executions.iter().find_map(|of| of["total_tool_calls"].as_u64()),
        errors: executions.iter().find_map(|of| of["errors_encountered"].as_u64()),
    }
}

/// The numbers of expectations that were met and not met; `None` if an outcome is unknown.
fn counts(expectations: &[Value]) -> Option<(u64, u64)> {
    let outcomes: Option<Vec<bool>> = expectations.iter().map(|one| one["passed"].as_bool()).collect();
    let outcomes = outcomes.filter(|outcomes| !outcomes.is_empty())?;
    let passed = outcomes.iter().filter(|passed| **passed).count();
    Some((passed as u64, (outcomes.len() - passed) as u64))
}

fn seconds(timing: &Value) -> Option<f64> {
    let whole = timing["total_duration_seconds"].as_f64();
    let seconds = whole.or_else(|| Some(timing["duration_ms"].as_f64()? / 1000.0))?;
    Some(seconds).filter(|seconds| seconds.is_finite() && *seconds >= 0.0)
}

/// A count as a floating-point number; no evaluation has more than 2³² of anything.
pub(super) fn number(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
