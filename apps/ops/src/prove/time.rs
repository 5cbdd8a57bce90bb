//! The time that a proof has.

use std::time::{Duration, Instant};

/// What `skc prove` takes at most.
pub const PROOF_TIME: Duration = Duration::from_secs(30);

/// How long a proof may take in all, and each of its long parts from its begin. A part that can be cut ends early, so that those
/// after it have time of their own; at the end, what is not measured stays so.
#[derive(Clone, Copy, Debug)]
pub struct ProofTime {
    begun: Instant,
    all: Duration,
}

impl ProofTime {
    /// A proof that begins now.
    pub fn new(all: Duration) -> Self {
        Self { begun: Instant::now(), all }
    }

    /// What is left of all.
    pub fn left(&self) -> Duration {
        self.until(1.0)
    }

    /// Whether no further section is reached for.
    pub fn is_over_for_sections(&self) -> bool {
        self.until(0.4).is_zero()
    }

    /// For vectors of skills that have none yet.
    pub fn for_vectors(&self) -> Duration {
        self.until(0.7)
    }

    /// Whether no further query is asked.
    pub fn is_over_for_queries(&self) -> bool {
        self.until(0.95).is_zero()
    }

    fn until(&self, part: f64) -> Duration {
        self.all.mul_f64(part).saturating_sub(self.begun.elapsed())
    }
}
