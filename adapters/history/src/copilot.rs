//! Copilot CLI: `session-state/<session>/events.jsonl`, formerly `history-session-state`.

use crate::blocks::outcome;
use crate::json::{text, text_or_empty, time};
use crate::session::{self, Session, SessionParser};
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
        session::open(file, how, Session::of(file), CopilotParser)
    }
}

struct CopilotParser;

impl SessionParser for CopilotParser {
    fn begin(&mut self, line: &Value, session: &mut Session) {
        if line["type"] == "session.start" {
            session.id = text_or_empty(&line["data"], "sessionId");
            session.cwd = text_or_empty(&line["data"]["context"], "cwd");
        }
    }

    fn take(&mut self, line: &Value, start: u64, session: &mut Session) {
        match line["type"].as_str() {
            Some("skill.invoked") => session.calls.extend(invoked(line, session)),
            Some("tool.execution_start") => take_call(line, start, session),
            Some("tool.execution_complete") => take_result(&line["data"], session),
            _ => {}
        }
    }
}

fn call(line: &Value, session: &Session, action: AgentAction, outcome: CallOutcome) -> HistoryCall {
    let record = format!("{}/{}", session.id, text_or_empty(line, "id"));
    HistoryCall { action, outcome, ..session.call(time(&line["timestamp"]), record) }
}

fn invoked(line: &Value, session: &Session) -> Option<HistoryCall> {
    let data = &line["data"];
    let by = match data["trigger"].as_str() {
        Some("user-invoked") => SkillChooser::User,
        _ => SkillChooser::Agent,
    };
    let name = text(data, &["name"])?.to_owned();
    let path = text(data, &["path"]).map(str::to_owned);
    Some(call(line, session, AgentAction::Loaded { name, path, by }, CallOutcome::Succeeded))
}

fn take_call(line: &Value, start: u64, session: &mut Session) {
    let data = &line["data"];
    let found = text(data, &["toolName"]).and_then(|tool| action(tool, &data["arguments"]));
    if let Some((found, id)) = found.zip(text(data, &["toolCallId"])) {
        let call = call(line, session, found, CallOutcome::Unknown);
        session.add_pending(id, start, call);
    }
}

fn take_result(data: &Value, session: &mut Session) {
    let Some(call) = text(data, &["toolCallId"]).and_then(|id| session.pending.take(id)) else { return };
    let is_error = data["success"].as_bool() == Some(false);
    let outcome = outcome(&call.action, is_error, &data["result"]["content"]);
    let is_load = matches!(call.action, AgentAction::Loaded { .. });
    // A successful load is `skill.invoked` too.
    if !is_load || outcome == CallOutcome::Failed {
        session.calls.push_back(HistoryCall { outcome, ..call });
    }
}
