//! Qwen Code: `projects/<folder>/chats/<session>.jsonl`, with messages like Gemini's in envelopes like Claude Code's.

use crate::json::{list, text, text_or_empty, time};
use crate::session::{self, Session, SessionParser};
use crate::tools::{action, counted_from_zero};
use crate::walk;
use serde_json::Value;
use skillc_domain::history::{CallOutcome, HistoryCall};
use skillc_ports::{HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError};
use std::path::Path;

/// Reads Qwen's chats.
pub struct QwenHistory;

impl HistorySource for QwenHistory {
    fn agent(&self) -> &'static str {
        "qwen-code"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        walk::files(root, |path| walk::ends_with(path, ".jsonl"))
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        session::open(file, how, Session::of(file), QwenParser)
    }
}

struct QwenParser;

impl SessionParser for QwenParser {
    fn take(&mut self, line: &Value, start: u64, session: &mut Session) {
        for (at, part) in list(&line["message"]["parts"]).iter().enumerate() {
            take_call(line, &part["functionCall"], at, start, session);
            take_result(line, &part["functionResponse"], session);
        }
    }
}

fn take_call(line: &Value, function: &Value, at: usize, start: u64, session: &mut Session) {
    let args = &function["args"];
    let Some(found) = text(function, &["name"]).and_then(|name| action(name, args)) else { return };
    let id = text_or_empty(line, "sessionId");
    let record = text(line, &["uuid"]).map_or_else(|| format!("{id}@{start}"), str::to_owned);
    let call = HistoryCall {
        session: id,
        cwd: text_or_empty(line, "cwd"),
        action: counted_from_zero(found, args),
        ..session.call(time(&line["timestamp"]), format!("{record}/{at}"))
    };
    match text(function, &["id"]) {
        Some(id) => session.add_pending(id, start, call),
        None => session.calls.push_back(call),
    }
}

fn take_result(line: &Value, response: &Value, session: &mut Session) {
    let Some(id) = text(response, &["id"]) else { return };
    let status = line["toolCallResult"]["status"].as_str();
    let is_error =
        matches!(status, Some("error" | "cancelled")) || response["response"].get("error").is_some();
    let outcome = if is_error { CallOutcome::Failed } else { CallOutcome::Succeeded };
    session.settle(id, |_| outcome);
}
