//! Records progress.

use skillc_ports::Progress;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One recorded report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgressEvent {
    /// Work of this many steps began.
    Begin(String, u64),
    /// This many more steps were done.
    Advance(u64),
    /// The work was over.
    End,
    /// A detail.
    Detail(String),
}

/// Records every report, in order; wants details.
#[derive(Debug, Default)]
pub struct MemoryProgress {
    events: Mutex<Vec<ProgressEvent>>,
}

impl MemoryProgress {
    /// Every report so far.
    pub fn events(&self) -> Vec<ProgressEvent> {
        self.record().clone()
    }

    fn record(&self) -> MutexGuard<'_, Vec<ProgressEvent>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for MemoryProgress {
    fn begin(&self, what: &str, total: u64) {
        self.record().push(ProgressEvent::Begin(what.to_owned(), total));
    }

    fn advance(&self, steps: u64) {
        self.record().push(ProgressEvent::Advance(steps));
    }

    fn end(&self) {
        self.record().push(ProgressEvent::End);
    }

    fn wants_details(&self) -> bool {
        true
    }

    fn detail(&self, line: &str) {
        self.record().push(ProgressEvent::Detail(line.to_owned()));
    }
}
