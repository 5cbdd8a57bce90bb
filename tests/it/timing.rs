//! Times on a machine that does other things as well.

use std::time::Duration;

/// How much longer four times as much may take: four times, and room for a busy machine. What takes the square takes
/// sixteen times as long.
const GROWTH_MAX: u32 = 9;
/// What is no growth: the clock, and what a run begins with.
const FLOOR: Duration = Duration::from_millis(30);

/// How often growth is measured before it is believed: another program may take the machine in between.
const ATTEMPTS_MAX: u32 = 5;

/// Fails where work on four times as many takes more than so much longer, in each attempt.
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
