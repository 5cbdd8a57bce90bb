//! Timing tests that tolerate a busy machine.

use std::time::Duration;

/// The factor by which the time may grow for four times as much input: four, plus room for a busy machine. Quadratic
/// work takes sixteen times as long.
const GROWTH_MAX: u32 = 9;
/// The time below which growth is not judged: clock resolution, and the start of a run.
const FLOOR: Duration = Duration::from_millis(30);

/// How often the growth is measured before the test fails, since another program may use the processor in between.
const ATTEMPTS_MAX: u32 = 5;

/// Fails if the time for four times as many items grows by more than `GROWTH_MAX` in every attempt.
#[track_caller]
pub fn grows_evenly(name: &str, count: usize, work: impl Fn(usize) -> Duration) {
    let best = |count: usize| (0..3).map(|_| work(count)).min().unwrap();
    let mut seen = Vec::new();
    for _ in 0..ATTEMPTS_MAX {
        let (once, four_times) = (best(count), best(4 * count));
        if four_times < once * GROWTH_MAX + FLOOR {
            return;
        }
        seen.push((once, four_times));
    }
    panic!("{name}: once and four times as much: {seen:?}");
}
