//! The time budget of a proof.

use std::time::{Duration, Instant};

/// The time limit of `skc prove`.
pub const PROOF_TIME: Duration = Duration::from_secs(30);

/// The time limits of a whole proof and of its long parts. A part that can be cut ends early, so that the following
/// ones have time of their own. When the time is over, the rest is not measured.
#[derive(Clone, Copy, Debug)]
pub struct ProofTime {
    begun: Instant,
    all: Duration,
}

impl ProofTime {
    /// The budget of a proof that begins now.
    pub fn new(all: Duration) -> Self {
        Self { begun: Instant::now(), all }
    }

    /// The remaining time of the whole proof.
    pub fn left(&self) -> Duration {
        self.until(1.0)
    }

    /// Whether no more sections may be tried.
    pub fn is_over_for_sections(&self) -> bool {
        self.until(0.4).is_zero()
    }

    /// The time for computing missing vectors.
    pub fn for_vectors(&self) -> Duration {
        self.until(0.7)
    }

    /// Whether no more queries may be run.
    pub fn is_over_for_queries(&self) -> bool {
        self.until(0.95).is_zero()
    }

    fn until(&self, part: f64) -> Duration {
        self.all.mul_f64(part).saturating_sub(self.begun.elapsed())
    }
}
