//! The two things that no program can compute: the time, and chance.

use skillc_domain::time::UnixNs;

/// Tells the time and rolls dice. Must not fail; must be cheap.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Clock: Send + Sync {
    /// Now, nanoseconds since 1970 UTC.
    fn now(&self) -> UnixNs;

    /// 128 unpredictable bits.
    fn random(&self) -> u128;
}
