//! Statistics over runs: per configuration, per case, and the difference that the skill makes.

use super::data::{
    BenchmarkDelta, BenchmarkRun, CaseFigures, ConfigurationFigures, RunResult, RunSummary, ValueFigures,
};
use super::read::number;
use skillc_domain::benchmark::{CONFIGURATIONS, ValueSummary, delta};
use std::collections::{BTreeMap, BTreeSet};

/// Reads a value of a run, if it is known.
type ValueOf = fn(&RunResult) -> Option<f64>;

fn pass_rate(result: &RunResult) -> Option<f64> {
    result.pass_rate
}

fn time_seconds(result: &RunResult) -> Option<f64> {
    result.time_seconds
}

fn tokens(result: &RunResult) -> Option<f64> {
    result.tokens.map(number)
}

/// The configuration that the skill is compared with: without a skill, otherwise its old version.
pub(super) fn compared(runs: &[BenchmarkRun]) -> Option<&'static str> {
    CONFIGURATIONS[1..].iter().copied().find(|known| runs.iter().any(|run| run.configuration == *known))
}

/// Computes the statistics of all configurations.
pub(super) fn summary(runs: &[BenchmarkRun]) -> RunSummary {
    let is_there = |known: &&'static str| runs.iter().any(|run| run.configuration == *known);
    let present = CONFIGURATIONS.into_iter().filter(is_there);
    let configurations: BTreeMap<&'static str, ConfigurationFigures> =
        present.map(|known| (known, figures(runs, known))).collect();
    let between = |value, decimals| difference(runs, value, decimals);
    let delta = BenchmarkDelta {
        pass_rate: between(pass_rate, 2),
        time_seconds: between(time_seconds, 1),
        tokens: between(tokens, 0),
    };
    RunSummary { configurations, delta }
}

fn figures(runs: &[BenchmarkRun], configuration: &str) -> ConfigurationFigures {
    let own = || runs.iter().filter(|run| run.configuration == configuration);
    let of = |value: ValueOf| ValueSummary::of(own().map(|run| value(&run.result))).map(ValueFigures::from);
    ConfigurationFigures { pass_rate: of(pass_rate), time_seconds: of(time_seconds), tokens: of(tokens) }
}

/// The mean with the skill minus the mean without it, over the cases in which both are known.
fn difference(runs: &[BenchmarkRun], value: ValueOf, decimals: usize) -> Option<String> {
    let other = compared(runs)?;
    let known = |configuration: &str| {
        let known =
            runs.iter().filter(|run| run.configuration == configuration && value(&run.result).is_some());
        known.map(|run| run.eval_id.to_string()).collect::<BTreeSet<String>>()
    };
    let both: BTreeSet<String> = known(CONFIGURATIONS[0]).intersection(&known(other)).cloned().collect();
    let mean = |configuration: &str| {
        let own = runs.iter().filter(|run| run.configuration == configuration);
        let of_both = own.filter(|run| both.contains(&run.eval_id.to_string()));
        ValueSummary::of(of_both.map(|run| value(&run.result))).map(|summary| summary.mean)
    };
    delta(mean(CONFIGURATIONS[0]), mean(other), decimals)
}

/// The first run of each case, in run order.
pub(super) fn first_runs(runs: &[BenchmarkRun]) -> impl Iterator<Item = &BenchmarkRun> {
    let mut seen = BTreeSet::new();
    runs.iter().filter(move |run| seen.insert(run.eval_id.to_string()))
}

/// The pass rates of each case, in run order.
pub(super) fn cases(runs: &[BenchmarkRun]) -> Vec<CaseFigures> {
    let of_case = |case: &BenchmarkRun| {
        let rate = |configuration: &str| {
            let own =
                runs.iter().filter(|run| run.configuration == configuration && run.eval_id == case.eval_id);
            ValueSummary::of(own.map(|run| run.result.pass_rate)).map(|summary| summary.mean)
        };
        CaseFigures {
            name: case.eval_name.clone(),
            pass_rates: CONFIGURATIONS.into_iter().map(rate).collect(),
        }
    };
    first_runs(runs).map(of_case).collect()
}

/// A note for each case that has runs in only one of the compared configurations.
pub(super) fn alone(runs: &[BenchmarkRun]) -> Vec<String> {
    let Some(other) = compared(runs) else { return Vec::new() };
    let has = |case: &BenchmarkRun, configuration: &str| {
        runs.iter().any(|run| run.configuration == configuration && run.eval_id == case.eval_id)
    };
    let missing = |case: &BenchmarkRun| {
        let missing = [CONFIGURATIONS[0], other].into_iter().find(|of| !has(case, of))?;
        Some(format!("case '{}' has no run {missing} and is not part of the difference", case.eval_name))
    };
    first_runs(runs).filter_map(missing).collect()
}
