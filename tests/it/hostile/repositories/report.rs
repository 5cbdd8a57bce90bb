//! Runs many repositories on all cores and summarizes them.

use super::Verdict;
use super::commands;
use super::sandbox::Sandbox;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

/// Seeds shown per kind of fault.
const SEEDS_SHOWN: usize = 4;

/// The results of many repositories.
#[derive(Default)]
pub struct Report {
    repositories: u64,
    features: BTreeMap<&'static str, u64>,
    lines: BTreeMap<usize, u64>,
    tools: BTreeMap<String, u64>,
    pairs: BTreeMap<(String, &'static str), u64>,
    /// For each kind, the number of faults and some seeds.
    pub faults: BTreeMap<String, (u64, Vec<String>)>,
}

/// Runs the repositories of these seeds below a folder.
pub fn try_out(folder: &Path, first: u64, count: u64) -> Report {
    let (next, report) = (AtomicU64::new(0), Mutex::new(Report::default()));
    let start = Instant::now();
    let threads = thread::available_parallelism().map_or(1, usize::from).min(count as usize);
    thread::scope(|scope| {
        for thread in 0..threads {
            let (next, report) = (&next, &report);
            scope.spawn(move || {
                let sandbox = Sandbox::new(&folder.join(format!("t{thread}")), count == 1);
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        return;
                    }
                    let verdict = super::try_out(&sandbox, first + at);
                    report.lock().unwrap().add(verdict);
                }
            });
        }
    });
    let report = report.into_inner().unwrap();
    println!("{}in {:.0} s", report.counts(), start.elapsed().as_secs_f64());
    report
}

impl Report {
    fn add(&mut self, verdict: Verdict) {
        self.repositories += 1;
        let all = commands::lines();
        for feature in &verdict.features {
            *self.features.entry(feature.family).or_default() += 1;
            for line in &verdict.lines {
                *self.pairs.entry((all[*line][0].clone(), feature.family)).or_default() += 1;
            }
        }
        verdict.lines.iter().for_each(|line| *self.lines.entry(*line).or_default() += 1);
        verdict.tools.iter().for_each(|tool| *self.tools.entry(tool.clone()).or_default() += 1);
        let features: Vec<_> = verdict.features.iter().map(|feature| feature.what.clone()).collect();
        for fault in verdict.faults {
            let (count, shown) = self.faults.entry(fault.kind).or_default();
            *count += 1;
            if shown.len() < SEEDS_SHOWN {
                shown.push(format!("seed {}: '{}' over {features:?}", verdict.seed, fault.act));
            }
        }
    }

    /// Coverage of lines, tools and features.
    fn counts(&self) -> String {
        let least = |some: &mut dyn Iterator<Item = u64>| some.min().unwrap_or_default();
        let lines: u64 = self.lines.values().sum();
        let calls: u64 = self.tools.values().sum();
        format!(
            "{} repositories, features {:?}; {lines} command lines ({} of {}, each at least {} times; each verb met each \
             kind of feature at least {} times), {calls} calls ({} tools and methods, each at least {} times), ",
            self.repositories,
            self.features,
            self.lines.len(),
            commands::lines().len(),
            least(&mut self.lines.values().copied()),
            least(&mut self.pairs.values().copied()),
            self.tools.len(),
            least(&mut self.tools.values().copied()),
        )
    }

    /// The faults, most frequent kind first.
    pub fn shown(&self) -> String {
        let mut kinds: Vec<_> = self.faults.iter().collect();
        kinds.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        let lines = kinds
            .into_iter()
            .map(|(kind, (count, shown))| format!("{count} × {kind}\n    {}\n", shown.join("\n    ")));
        lines.collect()
    }
}
