//! Droid: `sessions/**/*.jsonl`, messages as Claude Code writes them.

use crate::blocks::{Envelope, outcome, take_calls};
use crate::json::{list, text, text_or_empty, time};
use crate::needles::is_in_skill;
use crate::pending::{CallQueue, PendingCalls};
use crate::session::{self, SessionParser};
use crate::walk;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall};
use skillc_ports::{HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError};
use std::path::Path;

/// Droid's sessions.
pub struct DroidHistory;

impl HistorySource for DroidHistory {
    fn agent(&self) -> &'static str {
        "droid"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        walk::files(root, |path| walk::ends_with(path, ".jsonl"))
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        let session = walk::stem(&file.path);
        session::open(file, how, DroidParser { modified: file.modified, session, ..DroidParser::default() })
    }
}

#[derive(Default)]
struct DroidParser {
    modified: i64,
    session: String,
    cwd: String,
    pending: PendingCalls,
}

impl SessionParser for DroidParser {
    fn needs(&self, line: &[u8]) -> bool {
        is_in_skill(&self.cwd) || self.pending.are_named_in(line)
    }

    fn begin(&mut self, line: &Value) {
        if line["type"] == "session_start" {
            if let Some(session) = text(line, &["id", "sessionId"]) {
                session.clone_into(&mut self.session);
            }
            self.cwd = text_or_empty(line, "cwd");
        }
    }

    fn take(&mut self, line: &Value, start: u64, out: &mut CallQueue) {
        let content = &line["message"]["content"];
        let envelope = Envelope { call: self.envelope(line, start), start };
        if line["message"]["role"] == "assistant" {
            return take_calls(content, &envelope, None, Some(&mut self.pending), out);
        }
        for block in list(content).iter().filter(|block| block["type"] == "tool_result") {
            let Some(call) = text(block, &["tool_use_id"]).and_then(|id| self.pending.take(id)) else {
                continue;
            };
            let is_error = block["is_error"].as_bool().unwrap_or_default();
            out.push_back(HistoryCall {
                outcome: outcome(&call.action, is_error, &block["content"]),
                ..call
            });
        }
    }

    fn finish(&mut self, is_settled: bool, out: &mut CallQueue) {
        if is_settled {
            self.pending.release(out);
        }
    }

    fn waiting_since(&self) -> Option<u64> {
        self.pending.start()
    }
}

impl DroidParser {
    fn envelope(&self, line: &Value, start: u64) -> HistoryCall {
        let at = time(&line["timestamp"]);
        let record = text(line, &["id"]).map_or_else(|| format!("@{start}"), |id| format!("/{id}"));
        HistoryCall {
            session: self.session.clone(),
            cwd: self.cwd.clone(),
            at: at.unwrap_or(self.modified),
            is_time_estimated: at.is_none(),
            record: format!("{}{record}", self.session),
            action: AgentAction::Offered(Vec::new()),
            outcome: CallOutcome::Unknown,
            tokens: None,
        }
    }
}
