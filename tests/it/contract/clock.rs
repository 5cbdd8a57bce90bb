//! `Clock`.

use super::machines::in_memory;
use skillc_disk::SystemClock;
use skillc_memory::MemoryClock;
use skillc_ports::Clock;

contract!([memory, system] {
    the_time_is_counted_in_nanoseconds_since_1970,
    chance_does_not_repeat,
});

fn memory() -> impl Clock {
    MemoryClock::new(&in_memory())
}

fn system() -> impl Clock {
    SystemClock
}

fn the_time_is_counted_in_nanoseconds_since_1970(clock: &impl Clock) {
    let year_ns = 31_556_952_000_000_000;
    let years = clock.now() / year_ns;
    assert!((50..250).contains(&years), "{years} years");
}

fn chance_does_not_repeat(clock: &impl Clock) {
    let draws: std::collections::BTreeSet<u128> = (0..100).map(|_| clock.random()).collect();
    assert_eq!(draws.len(), 100);
}
