//! The system's clock and its source of random numbers.

use skillc_domain::time::UnixNs;

/// Reads the time and generates random numbers. Must not fail; must be cheap.
pub trait Clock: Send + Sync {
    /// The current time, in nanoseconds since 1970 UTC.
    fn now(&self) -> UnixNs;

    /// 128 unpredictable bits.
    fn random(&self) -> u128;
}
