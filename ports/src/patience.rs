//! Limits on how long a caller waits for an answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The end of a search: its time is up, or its caller is gone.
#[derive(Clone, Debug)]
pub struct Patience {
    ends: Instant,
    gone: Arc<AtomicBool>,
}

impl Patience {
    /// Ends after `time`, or as soon as `gone` is set.
    pub fn new(time: Duration, gone: Arc<AtomicBool>) -> Self {
        Self { ends: Instant::now() + time, gone }
    }

    /// Whether to stop. Cheap enough for a thousand calls per millisecond.
    pub fn is_over(&self) -> bool {
        self.gone.load(Ordering::Relaxed) || Instant::now() >= self.ends
    }
}
