//! Calls that wait for their outcome.

use crate::needles::holds;
use skillc_domain::history::HistoryCall;
use std::collections::VecDeque;

/// The calls that a reader returns next.
pub type CallQueue = VecDeque<HistoryCall>;

/// Maximum number of waiting calls; agents run only a few at once. If there are more, the oldest are returned without
/// an outcome.
const PENDING_MAX: usize = 64;

/// A call that waits for its outcome.
struct PendingCall {
    /// The id by which its outcome refers to it.
    id: String,
    /// Byte offset of its line.
    start: u64,
    /// The call, as far as it is known.
    call: HistoryCall,
}

/// The waiting calls of a session, oldest first.
#[derive(Default)]
pub struct PendingCalls {
    calls: Vec<PendingCall>,
}

impl PendingCalls {
    /// Adds a call. One with the same id as a waiting call replaces it in the same position.
    pub fn add(&mut self, id: &str, start: u64, call: HistoryCall, out: &mut CallQueue) {
        if let Some(known) = self.calls.iter_mut().find(|pending| pending.id == id) {
            known.call = HistoryCall { tokens: known.call.tokens.or(call.tokens), ..call };
            return;
        }
        self.calls.push(PendingCall { id: id.to_owned(), start, call });
        if self.calls.len() > PENDING_MAX {
            out.push_back(self.calls.remove(0).call);
        }
    }

    /// Whether no call is pending.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Removes a call and returns it.
    pub fn take(&mut self, id: &str) -> Option<HistoryCall> {
        let at = self.calls.iter().position(|pending| pending.id == id)?;
        Some(self.calls.remove(at).call)
    }

    /// The waiting call with this id.
    pub fn get_mut(&mut self, id: &str) -> Option<&mut HistoryCall> {
        self.calls.iter_mut().find(|pending| pending.id == id).map(|pending| &mut pending.call)
    }

    /// Whether a line mentions the id of a waiting call.
    pub fn are_named_in(&self, line: &[u8]) -> bool {
        self.calls.iter().any(|pending| holds(line, &pending.id))
    }

    /// Byte offset of the oldest call's line.
    pub fn start(&self) -> Option<u64> {
        self.calls.iter().map(|pending| pending.start).min()
    }

    /// Returns all calls as they are.
    pub fn release(&mut self, out: &mut CallQueue) {
        out.extend(self.calls.drain(..).map(|pending| pending.call));
    }
}
