//! Reports the progress and details of long work.

/// Receives reports of progress. Must return at once, must not fail, and may ignore everything.
pub trait Progress: Send + Sync {
    /// A piece of work of `total` steps begins; it ends the one before.
    fn begin(&self, what: &str, total: u64);

    /// This many more steps are done.
    fn advance(&self, steps: u64);

    /// The work is over.
    fn end(&self);

    /// Whether details are wanted, so that they are not computed in vain.
    fn wants_details(&self) -> bool;

    /// A detail for `-v`: a resolved path, the time that a step took.
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
