//! Copilot CLI: `session-state/<session>/events.jsonl`, formerly `history-session-state`.

use crate::blocks::outcome;
use crate::json::{text, text_or_empty, time};
use crate::needles::is_in_skill;
use crate::pending::{CallQueue, PendingCalls};
use crate::session::{self, SessionParser};
use crate::tools::action;
use crate::walk;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, SkillChooser};
use skillc_ports::{HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError};
use std::path::Path;

/// Copilot's sessions.
pub struct CopilotHistory;

impl HistorySource for CopilotHistory {
    fn agent(&self) -> &'static str {
        "github-copilot"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        let is_session = |path: &Path| walk::ends_with(path, ".jsonl");
        let sessions = walk::files(&root.join("session-state"), is_session)?;
        Ok(Box::new(sessions.chain(walk::files(&root.join("history-session-state"), is_session)?)))
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        session::open(file, how, CopilotParser { modified: file.modified, ..CopilotParser::default() })
    }
}

#[derive(Default)]
struct CopilotParser {
    modified: i64,
    session: String,
    cwd: String,
    pending: PendingCalls,
}

impl SessionParser for CopilotParser {
    fn needs(&self, line: &[u8]) -> bool {
        is_in_skill(&self.cwd) || self.pending.are_named_in(line)
    }

    fn begin(&mut self, line: &Value) {
        if line["type"] == "session.start" {
            self.session = text_or_empty(&line["data"], "sessionId");
            self.cwd = text_or_empty(&line["data"]["context"], "cwd");
        }
    }

    fn take(&mut self, line: &Value, start: u64, out: &mut CallQueue) {
        let data = &line["data"];
        match line["type"].as_str() {
            Some("skill.invoked") => out.extend(self.invoked(line)),
            Some("tool.execution_start") => self.take_call(line, start, out),
            Some("tool.execution_complete") => self.take_result(data, out),
            _ => {}
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

impl CopilotParser {
    fn call(&self, line: &Value, action: AgentAction, outcome: CallOutcome) -> HistoryCall {
        let at = time(&line["timestamp"]);
        HistoryCall {
            session: self.session.clone(),
            cwd: self.cwd.clone(),
            at: at.unwrap_or(self.modified),
            is_time_estimated: at.is_none(),
            record: format!("{}/{}", self.session, text_or_empty(line, "id")),
            action,
            outcome,
            tokens: None,
        }
    }

    fn invoked(&self, line: &Value) -> Option<HistoryCall> {
        let data = &line["data"];
        let by = match data["trigger"].as_str() {
            Some("user-invoked") => SkillChooser::User,
            _ => SkillChooser::Agent,
        };
        let name = text(data, &["name"])?.to_owned();
        let path = text(data, &["path"]).map(str::to_owned);
        Some(self.call(line, AgentAction::Loaded { name, path, by }, CallOutcome::Succeeded))
    }

    fn take_call(&mut self, line: &Value, start: u64, out: &mut CallQueue) {
        let data = &line["data"];
        let found = text(data, &["toolName"]).and_then(|tool| action(tool, &data["arguments"]));
        if let Some((found, id)) = found.zip(text(data, &["toolCallId"])) {
            let call = self.call(line, found, CallOutcome::Unknown);
            self.pending.add(id, start, call, out);
        }
    }

    fn take_result(&mut self, data: &Value, out: &mut CallQueue) {
        let Some(call) = text(data, &["toolCallId"]).and_then(|id| self.pending.take(id)) else { return };
        let is_error = data["success"].as_bool() == Some(false);
        let outcome = outcome(&call.action, is_error, &data["result"]["content"]);
        let is_load = matches!(call.action, AgentAction::Loaded { .. });
        // A successful load is `skill.invoked` too.
        if !is_load || outcome == CallOutcome::Failed {
            out.push_back(HistoryCall { outcome, ..call });
        }
    }
}
