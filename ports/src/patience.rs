//! How long a caller waits for an answer that may take long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The end of work that is no longer worth its answer: its time is up, or its caller is gone.
#[derive(Clone, Debug)]
pub struct Patience {
    ends: Instant,
    gone: Arc<AtomicBool>,
}

impl Patience {
    /// Lasts so long from now on, and at most until `gone` is set.
    pub fn new(time: Duration, gone: Arc<AtomicBool>) -> Self {
        Self { ends: Instant::now() + time, gone }
    }

    /// Whether to stop. Cheap enough to ask a thousand times a millisecond.
    pub fn is_over(&self) -> bool {
        self.gone.load(Ordering::Relaxed) || Instant::now() >= self.ends
    }
}
