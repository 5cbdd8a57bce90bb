//! Qwen Code: `projects/<folder>/chats/<session>.jsonl`, an envelope like Claude Code's around messages like Gemini's.

use crate::json::{list, text, text_or_empty, time};
use crate::pending::{CallQueue, PendingCalls};
use crate::session::{self, SessionParser};
use crate::tools::{DEFAULT_LINES, action};
use crate::walk;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, LineRange};
use skillc_ports::{HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError};
use std::path::Path;

/// Qwen's chats.
pub struct QwenHistory;

impl HistorySource for QwenHistory {
    fn agent(&self) -> &'static str {
        "qwen-code"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        walk::files(root, |path| walk::ends_with(path, ".jsonl"))
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        session::open(file, how, QwenParser { modified: file.modified, ..QwenParser::default() })
    }
}

#[derive(Default)]
struct QwenParser {
    modified: i64,
    pending: PendingCalls,
}

impl SessionParser for QwenParser {
    fn needs(&self, line: &[u8]) -> bool {
        self.pending.are_named_in(line)
    }

    fn take(&mut self, line: &Value, start: u64, out: &mut CallQueue) {
        for (at, part) in list(&line["message"]["parts"]).iter().enumerate() {
            self.take_call(line, &part["functionCall"], at, start, out);
            self.take_result(line, &part["functionResponse"], out);
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

impl QwenParser {
    fn take_call(&mut self, line: &Value, function: &Value, at: usize, start: u64, out: &mut CallQueue) {
        let Some(found) = text(function, &["name"]).and_then(|name| read_or_other(name, &function["args"]))
        else {
            return;
        };
        let session = text_or_empty(line, "sessionId");
        let record = text(line, &["uuid"]).map_or_else(|| format!("{session}@{start}"), str::to_owned);
        let time = time(&line["timestamp"]);
        let call = HistoryCall {
            session,
            cwd: text_or_empty(line, "cwd"),
            at: time.unwrap_or(self.modified),
            is_time_estimated: time.is_none(),
            record: format!("{record}/{at}"),
            action: found,
            outcome: CallOutcome::Unknown,
            tokens: None,
        };
        match text(function, &["id"]) {
            Some(id) => self.pending.add(id, start, call, out),
            None => out.push_back(call),
        }
    }

    fn take_result(&mut self, line: &Value, response: &Value, out: &mut CallQueue) {
        let Some(id) = text(response, &["id"]) else { return };
        let status = line["toolCallResult"]["status"].as_str();
        let is_error =
            matches!(status, Some("error" | "cancelled")) || response["response"].get("error").is_some();
        self.pending.settle(id, if is_error { CallOutcome::Failed } else { CallOutcome::Succeeded }, out);
    }
}

/// As in the table of tools, but offsets count from 0.
fn read_or_other(name: &str, args: &Value) -> Option<AgentAction> {
    match (action(name, args)?, args["offset"].as_u64()) {
        (AgentAction::Read { path, .. }, Some(offset)) => {
            let lines =
                LineRange::of_offset(Some(offset.saturating_add(1)), args["limit"].as_u64(), DEFAULT_LINES);
            Some(AgentAction::Read { path, lines })
        }
        (other, _) => Some(other),
    }
}
