//! Cursor: `projects/<folder>/agent-transcripts/<session>/<session>.jsonl`. It records neither times nor outcomes.

use crate::blocks::{Envelope, take_calls};
use crate::pending::CallQueue;
use crate::session::{self, SessionParser};
use crate::walk;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall};
use skillc_ports::{HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError};
use std::path::Path;

/// Cursor's transcripts.
pub struct CursorHistory;

impl HistorySource for CursorHistory {
    fn agent(&self) -> &'static str {
        "cursor"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        walk::files(root, |path| {
            walk::ends_with(path, ".jsonl")
                && path.components().any(|part| part.as_os_str() == "agent-transcripts")
        })
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        session::open(file, how, CursorParser { modified: file.modified, session: walk::stem(&file.path) })
    }
}

struct CursorParser {
    modified: i64,
    session: String,
}

impl SessionParser for CursorParser {
    fn take(&mut self, line: &Value, start: u64, out: &mut CallQueue) {
        if line["role"] != "assistant" {
            return;
        }
        let call = HistoryCall {
            session: self.session.clone(),
            // The name of the folder cannot be turned back into a path.
            cwd: String::new(),
            at: self.modified,
            is_time_estimated: true,
            record: format!("{}@{start}", self.session),
            action: AgentAction::Offered(Vec::new()),
            outcome: CallOutcome::Unknown,
            tokens: None,
        };
        take_calls(&line["message"]["content"], &Envelope { call, start }, None, None, out);
    }

    fn finish(&mut self, _: bool, _: &mut CallQueue) {}

    fn waiting_since(&self) -> Option<u64> {
        None
    }
}
