//! The system's clock and random numbers.

use skillc_domain::time::UnixNs;
use skillc_ports::clock::Clock;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Reads the system's clock and random numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> UnixNs {
        unix_ns(SystemTime::now())
    }

    fn wait(&self, ns: u64) {
        std::thread::sleep(Duration::from_nanos(ns));
    }

    fn random(&self) -> u128 {
        let mut bytes = [0; 16];
        match getrandom::fill(&mut bytes) {
            Ok(()) => u128::from_ne_bytes(bytes),
            Err(_) => unlikely_to_repeat(),
        }
    }
}

/// Nanoseconds since 1970 UTC, clamped to the years 1970 to 2262.
pub(crate) fn unix_ns(at: SystemTime) -> UnixNs {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// Fallback without system randomness: predictable, but different for each call.
fn unlikely_to_repeat() -> u128 {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, call, std::process::id(), SystemTime::now()).hash(&mut hasher);
        hasher.finish()
    };
    u128::from(half(0)) << 64 | u128::from(half(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_tells_this_century_and_chance_does_not_repeat() {
        assert!(SystemClock.now() > 1_700_000_000_000_000_000);
        assert_ne!(SystemClock.random(), SystemClock.random());
        assert_ne!(unlikely_to_repeat(), unlikely_to_repeat());
    }

    #[test]
    fn time_passes_while_waiting() {
        let before = SystemClock.now();
        SystemClock.wait(2_000_000);
        assert!(SystemClock.now() >= before + 1_000_000);
    }

    #[test]
    fn a_time_outside_the_range_is_cut_to_it() {
        let day = Duration::from_secs(86_400);
        assert_eq!(unix_ns(UNIX_EPOCH - day), 0);
        assert_eq!(unix_ns(UNIX_EPOCH + day * 400_000), i64::MAX);
    }
}
