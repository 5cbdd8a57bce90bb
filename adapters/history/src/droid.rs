//! Droid: `sessions/**/*.jsonl`, with messages like those of Claude Code.

use crate::blocks::{Envelope, outcome, take_calls};
use crate::json::{list, text, text_or_empty, time};
use crate::session::{self, Session, SessionParser};
use crate::walk;
use serde_json::Value;
use skillc_ports::{HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError};
use std::path::Path;

/// Reads Droid's sessions.
pub struct DroidHistory;

impl HistorySource for DroidHistory {
    fn agent(&self) -> &'static str {
        "droid"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        walk::files(root, |path| walk::ends_with(path, ".jsonl"))
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        session::open(file, how, Session { id: walk::stem(&file.path), ..Session::of(file) }, DroidParser)
    }
}

struct DroidParser;

impl SessionParser for DroidParser {
    fn begin(&mut self, line: &Value, session: &mut Session) {
        if line["type"] == "session_start" {
            if let Some(id) = text(line, &["id", "sessionId"]) {
                id.clone_into(&mut session.id);
            }
            session.cwd = text_or_empty(line, "cwd");
        }
    }

    fn take(&mut self, line: &Value, start: u64, session: &mut Session) {
        let content = &line["message"]["content"];
        let envelope = Envelope::of_line(session, line, time(&line["timestamp"]), start);
        if line["message"]["role"] == "assistant" {
            return take_calls(content, &envelope, None, true, session);
        }
        for block in list(content).iter().filter(|block| block["type"] == "tool_result") {
            let is_error = block["is_error"].as_bool().unwrap_or_default();
            if let Some(id) = text(block, &["tool_use_id"]) {
                session.settle(id, |action| outcome(action, is_error, &block["content"]));
            }
        }
    }
}
