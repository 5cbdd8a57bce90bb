//! The content of `benchmark.json`. Unknown values are `null`.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use skillc_domain::benchmark::ValueSummary;
use std::collections::BTreeMap;

/// Metadata of the evaluation.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BenchmarkMetadata {
    /// Name of the skill, taken from a folder `<skill>-workspace` or a file of the evaluation.
    pub skill_name: Option<String>,
    /// Path of the skill's folder; null, since no file of a run contains it.
    pub skill_path: Option<String>,
    /// The model that ran the cases; null, since no file of a run contains it.
    pub executor_model: Option<String>,
    /// When the benchmark was computed.
    pub timestamp: String,
    /// Ids of the evaluated cases.
    pub evals_run: Vec<Value>,
    /// The highest number of runs of a case in one configuration.
    pub runs_per_configuration: usize,
    /// The program that wrote the file.
    pub generator: &'static str,
}

/// The result of a run. Values that were not recorded are `null`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunResult {
    /// Share of the expectations that were met.
    pub pass_rate: Option<f64>,
    /// Number of expectations that were met.
    pub passed: Option<u64>,
    /// Number of expectations that were not met.
    pub failed: Option<u64>,
    /// Number of expectations that were graded.
    pub total: Option<u64>,
    /// Duration in seconds.
    pub time_seconds: Option<f64>,
    /// Number of tokens used.
    pub tokens: Option<u64>,
    /// Number of tool calls.
    pub tool_calls: Option<u64>,
    /// Number of errors during the run.
    pub errors: Option<u64>,
}

/// A run of a case.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BenchmarkRun {
    /// Id of the case.
    pub eval_id: Value,
    /// Name of the case.
    pub eval_name: String,
    /// `with_skill`, `without_skill` or `old_skill`.
    pub configuration: &'static str,
    /// Number of the run within its case and configuration, from 1.
    pub run_number: u64,
    /// The run's result.
    pub result: RunResult,
    /// The expectations and their outcomes, as graded.
    pub expectations: Vec<Value>,
    /// Contains `not graded` if that is the case.
    pub notes: Vec<String>,
}

/// Mean, standard deviation, minimum and maximum of some values.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ValueFigures {
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation; `null` for a single value.
    pub stddev: Option<f64>,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl From<ValueSummary> for ValueFigures {
    fn from(of: ValueSummary) -> Self {
        Self { mean: of.mean, stddev: of.stddev, min: of.min, max: of.max }
    }
}

/// The statistics of a configuration; `null` if nothing is known.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ConfigurationFigures {
    /// Share of the expectations that were met.
    pub pass_rate: Option<ValueFigures>,
    /// Duration of a run in seconds.
    pub time_seconds: Option<ValueFigures>,
    /// Number of tokens per run.
    pub tokens: Option<ValueFigures>,
}

/// Results with the skill minus those without it, over the cases that have both.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct BenchmarkDelta {
    /// Difference of the pass rates, with a sign.
    pub pass_rate: Option<String>,
    /// Difference in seconds, with a sign.
    pub time_seconds: Option<String>,
    /// Difference in tokens, with a sign.
    pub tokens: Option<String>,
}

/// The statistics of all configurations.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunSummary {
    /// The statistics of each configuration that has runs.
    #[serde(flatten)]
    pub configurations: BTreeMap<&'static str, ConfigurationFigures>,
    /// Results with the skill minus those without it, or with its old version.
    pub delta: BenchmarkDelta,
}

/// The content of `benchmark.json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Benchmark {
    /// Metadata of the evaluation.
    pub metadata: BenchmarkMetadata,
    /// Every run of the last iteration, by case, configuration and number.
    pub runs: Vec<BenchmarkRun>,
    /// The statistics over all runs.
    pub run_summary: RunSummary,
    /// Notes about unreadable files, ungraded runs, and cases that cannot be compared.
    pub notes: Vec<String>,
    /// The pass rates of each case; not written to the file.
    #[serde(skip)]
    pub cases: Vec<CaseFigures>,
}

/// The pass rates of a case, by configuration.
#[derive(Clone, Debug)]
pub struct CaseFigures {
    /// Name of the case.
    pub name: String,
    /// The means, in the order of `CONFIGURATIONS`; `None` if nothing is known.
    pub pass_rates: Vec<Option<f64>>,
}
