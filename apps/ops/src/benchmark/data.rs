//! What `benchmark.json` holds. What is unknown is `null`.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use skillc_domain::benchmark::ValueSummary;
use std::collections::BTreeMap;

/// What was evaluated.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BenchmarkMetadata {
    /// Name of the skill: that of a folder `<skill>-workspace`, or of a file of the evaluation.
    pub skill_name: Option<String>,
    /// Its folder, which no file of a run says.
    pub skill_path: Option<String>,
    /// The model, which no file of a run says.
    pub executor_model: Option<String>,
    /// When the benchmark was made.
    pub timestamp: String,
    /// Ids of the cases.
    pub evals_run: Vec<Value>,
    /// The most runs that a case has in one configuration.
    pub runs_per_configuration: usize,
    /// The program that wrote the file.
    pub generator: &'static str,
}

/// The result of a run. What is not recorded is `null`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunResult {
    /// Part of the expectations that were met.
    pub pass_rate: Option<f64>,
    /// Expectations that were met.
    pub passed: Option<u64>,
    /// Expectations that were not met.
    pub failed: Option<u64>,
    /// Expectations that were graded.
    pub total: Option<u64>,
    /// How long it took.
    pub time_seconds: Option<f64>,
    /// Tokens that it took.
    pub tokens: Option<u64>,
    /// Number of tool calls.
    pub tool_calls: Option<u64>,
    /// Errors on the way.
    pub errors: Option<u64>,
}

/// A run of a case, as the file lists it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BenchmarkRun {
    /// Id of its case.
    pub eval_id: Value,
    /// Name of its case.
    pub eval_name: String,
    /// `with_skill`, `without_skill` or `old_skill`.
    pub configuration: &'static str,
    /// Counts from 1 within its case and configuration.
    pub run_number: u64,
    /// Its result.
    pub result: RunResult,
    /// The expectations with their outcomes, as they were graded.
    pub expectations: Vec<Value>,
    /// `not graded`, where that is so.
    pub notes: Vec<String>,
}

/// Mean, spread and ends of some values.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ValueFigures {
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation of a sample; `null` for one value.
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

/// The figures of a configuration; `null` where nothing is known.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ConfigurationFigures {
    /// Part of the expectations that were met.
    pub pass_rate: Option<ValueFigures>,
    /// How long a run took.
    pub time_seconds: Option<ValueFigures>,
    /// Tokens that a run took.
    pub tokens: Option<ValueFigures>,
}

/// With the skill minus without it, over the cases that have both.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct BenchmarkDelta {
    /// Difference of the pass rates, with its sign.
    pub pass_rate: Option<String>,
    /// Difference of the seconds, with its sign.
    pub time_seconds: Option<String>,
    /// Difference of the tokens, with its sign.
    pub tokens: Option<String>,
}

/// The figures of all configurations.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunSummary {
    /// The figures of each configuration that has runs.
    #[serde(flatten)]
    pub configurations: BTreeMap<&'static str, ConfigurationFigures>,
    /// With the skill minus without it, or minus its old version.
    pub delta: BenchmarkDelta,
}

/// What `benchmark.json` holds.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Benchmark {
    /// What was evaluated.
    pub metadata: BenchmarkMetadata,
    /// Every run of the last iteration, by case, configuration and number.
    pub runs: Vec<BenchmarkRun>,
    /// The figures over them.
    pub run_summary: RunSummary,
    /// Files that could not be read, runs that are not graded, and cases that cannot be compared.
    pub notes: Vec<String>,
    /// The pass rates of each case; not part of the file.
    #[serde(skip)]
    pub cases: Vec<CaseFigures>,
}

/// The pass rates of a case, by configuration.
#[derive(Clone, Debug)]
pub struct CaseFigures {
    /// Its name.
    pub name: String,
    /// The means, in the order of `CONFIGURATIONS`; `None` where nothing is known.
    pub pass_rates: Vec<Option<f64>>,
}
