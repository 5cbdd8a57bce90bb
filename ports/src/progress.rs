//! Progress reports and details of long-running work.

/// Receives reports of progress. Must return at once, must not fail, and may ignore everything.
pub trait Progress: Send + Sync {
    /// Begins work of `total` steps; ends the previous work.
    fn begin(&self, what: &str, total: u64);

    /// Completes this many more steps.
    fn advance(&self, steps: u64);

    /// Ends the work.
    fn end(&self);

    /// Whether details are shown; otherwise callers need not compute them.
    fn wants_details(&self) -> bool;

    /// Reports a detail for `-v`: a resolved path, or the time of a step.
    fn detail(&self, line: &str);
}

/// Ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Progress for Quiet {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn wants_details(&self) -> bool {
        false
    }
    fn detail(&self, _: &str) {}
}
