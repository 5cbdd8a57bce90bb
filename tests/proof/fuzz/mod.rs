//! Fuzzing: every parser of foreign text and bytes gets randomly changed inputs, in this process.
//!
//! A target takes any bytes. It must not panic or take long, and its results must be consistent. The inputs start
//! from the target's seeds and from the files in `corpus/<target>`, which failed once. A failure prints its input, to
//! be added there.
//!
//! `SKC_FUZZ_RUNS` sets the number of inputs per target (1,500), `SKC_FUZZ_SECONDS` the time of each target in place of a number,
//! `SKC_FUZZ_SEED` the seed (1).

mod mutate;
mod targets;

use crate::random::{Random, number};
use crate::site::Site;
use mutate::Mutator;
use skillc_domain::config::Settings;
use skillc_domain::places::Places;
use skillc_ops::{App, Environment};
use skillc_ports::Quiet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest time for one input of at most [`mutate::BYTES_MAX`] bytes, far more than any input takes on a busy
/// machine.
const LONGEST: Duration = Duration::from_secs(60);

/// A parser under test.
struct Target {
    name: &'static str,
    seeds: &'static [&'static str],
    /// Strings with a meaning for the target.
    words: &'static [&'static str],
    read: fn(&Scene, &[u8]),
    /// Only one in this many inputs is read; more than 1 for slow targets.
    one_in: u64,
}

/// The program in this process, with its own home directory and project.
struct Scene {
    site: Site,
    /// Where a target may write files.
    folder: PathBuf,
    app: App,
}

impl Scene {
    fn new() -> Self {
        let site = Site::new();
        let places = Places::new(site.home(), site.project(), Some(site.project()));
        let app = skillc::app(places, Settings::default(), Environment::default(), Arc::new(Quiet));
        Self { folder: site.root(), site, app }
    }
}

fn fuzz(target: &Target) {
    let scene = Scene::new();
    let seeds = seeds(target);
    for seed in &seeds {
        read(target, &scene, seed, None);
    }
    let first = number("SKC_FUZZ_SEED", 1);
    let runs = number("SKC_FUZZ_RUNS", 1_500).div_ceil(target.one_in);
    let time = Duration::from_secs(number("SKC_FUZZ_SECONDS", 0));
    let mutator = Mutator { seeds: &seeds, words: target.words };
    let (start, mut run) = (Instant::now(), 0);
    while if time.is_zero() { run < runs } else { start.elapsed() < time } {
        let seed = first.wrapping_add(run);
        read(target, &scene, &mutator.input(&mut Random::new(seed)), Some(seed));
        run += 1;
    }
    let (all, took) = (run + seeds.len() as u64, start.elapsed().as_secs_f64());
    println!("{}: {all} inputs in {took:.1} s, {:.0} a second", target.name, all as f64 / took);
}

/// Runs a target on one input, of a number or a seed of the target. Fails and prints the input if that panics or takes too long.
fn read(target: &Target, scene: &Scene, input: &[u8], seed: Option<u64>) {
    let start = Instant::now();
    let is_read = catch_unwind(AssertUnwindSafe(|| (target.read)(scene, input))).is_ok();
    let took = start.elapsed();
    let is_in_time = took < LONGEST;
    let shown = || String::from_utf8_lossy(input);
    assert!(is_read && is_in_time, "{} fails after {took:?}, {seed:?}: {:?}", target.name, shown());
}

/// The seeds of a target, and the inputs that failed before.
fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("proof/fuzz/corpus").join(target.name);
    let mut files: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().map(|file| file.unwrap().path()).collect();
    files.sort();
    let of_files = files.into_iter().map(|file| fs::read(file).unwrap());
    target.seeds.iter().map(|seed| seed.as_bytes().to_vec()).chain(of_files).collect()
}
