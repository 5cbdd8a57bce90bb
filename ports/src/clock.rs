//! The system's clock and its source of random numbers.

use skillc_domain::time::UnixNs;

/// Reads the time and generates random numbers. Must not fail; all but `wait` must be cheap.
pub trait Clock: Send + Sync {
    /// The current time, in nanoseconds since 1970 UTC.
    fn now(&self) -> UnixNs;

    /// Waits for this many nanoseconds, for a build at most 20 ms.
    fn wait(&self, ns: u64);

    /// 128 unpredictable bits.
    fn random(&self) -> u128;
}
