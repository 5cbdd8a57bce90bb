//! Records progress.

use skillc_ports::Progress;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One recorded report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
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
    told: Mutex<Vec<Told>>,
}

impl MemoryProgress {
    /// Every report so far.
    pub fn told(&self) -> Vec<Told> {
        self.record().clone()
    }

    fn record(&self) -> MutexGuard<'_, Vec<Told>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for MemoryProgress {
    fn begin(&self, what: &str, total: u64) {
        self.record().push(Told::Begin(what.to_owned(), total));
    }

    fn advance(&self, steps: u64) {
        self.record().push(Told::Advance(steps));
    }

    fn end(&self) {
        self.record().push(Told::End);
    }

    fn wants_details(&self) -> bool {
        true
    }

    fn detail(&self, line: &str) {
        self.record().push(Told::Detail(line.to_owned()));
    }
}
