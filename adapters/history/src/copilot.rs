//! Copilot CLI: `session-state/<session>/events.jsonl`, formerly `history-session-state`.

use crate::blocks::outcome;
use crate::json::{list, text, text_or_empty, time};
use crate::needles::may_concern_skill;
use crate::session::{self, Session, SessionParser};
use crate::tools::action;
use crate::walk;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, SkillChooser, TokenUse};
use skillc_ports::{HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError};
use std::path::Path;

/// Reads Copilot's sessions.
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
        session::open(file, how, Session::of(file), CopilotParser::default())
    }
}

/// The tokens of a message, and its model.
type MessageTokens = (TokenUse, String);

#[derive(Default)]
struct CopilotParser {
    /// The last message with its tokens. The message's first call that may concern a skill gets them.
    message: Option<(String, MessageTokens)>,
    /// The tokens of a call that loads a skill, until `skill.invoked` confirms it.
    loading: Option<MessageTokens>,
}

impl SessionParser for CopilotParser {
    fn begin(&mut self, line: &Value, session: &mut Session) {
        if line["type"] == "session.start" {
            session.id = text_or_empty(&line["data"], "sessionId");
            session.cwd = text_or_empty(&line["data"]["context"], "cwd");
        }
    }

    fn take(&mut self, line: &Value, start: u64, session: &mut Session) {
        match line["type"].as_str() {
            Some("assistant.message") => self.message = message_tokens(&line["data"]),
            Some("skill.invoked") => session.calls.extend(self.invoked(line, session)),
            Some("tool.execution_start") => self.take_call(line, start, session),
            Some("tool.execution_complete") => self.take_result(&line["data"], session),
            _ => {}
        }
    }
}

fn call(line: &Value, session: &Session, action: AgentAction, outcome: CallOutcome) -> HistoryCall {
    let record = format!("{}/{}", session.id, text_or_empty(line, "id"));
    HistoryCall { action, outcome, ..session.call(time(&line["timestamp"]), record) }
}

impl CopilotParser {
    fn invoked(&mut self, line: &Value, session: &Session) -> Option<HistoryCall> {
        let data = &line["data"];
        let by = match data["trigger"].as_str() {
            Some("user-invoked") => SkillChooser::User,
            _ => SkillChooser::Agent,
        };
        let name = text(data, &["name"])?.to_owned();
        let path = text(data, &["path"]).map(str::to_owned);
        let call = call(line, session, AgentAction::Loaded { name, path, by }, CallOutcome::Succeeded);
        Some(match by {
            SkillChooser::Agent => with_tokens(call, self.loading.take()),
            SkillChooser::User => call,
        })
    }

    fn take_call(&mut self, line: &Value, start: u64, session: &mut Session) {
        let data = &line["data"];
        let found = text(data, &["toolName"]).and_then(|tool| action(tool, &data["arguments"]));
        let Some((found, id)) = found.zip(text(data, &["toolCallId"])) else { return };
        let tokens = self.message.take_if(|(call, _)| call == id).map(|(_, tokens)| tokens);
        if matches!(found, AgentAction::Loaded { .. }) {
            self.loading.clone_from(&tokens);
        }
        let call = call(line, session, found, CallOutcome::Unknown);
        session.add_pending(id, start, with_tokens(call, tokens));
    }

    fn take_result(&mut self, data: &Value, session: &mut Session) {
        let Some(call) = text(data, &["toolCallId"]).and_then(|id| session.pending.take(id)) else { return };
        let is_error = data["success"].as_bool() == Some(false);
        let outcome = outcome(&call.action, is_error, &data["result"]["content"]);
        let is_load = matches!(call.action, AgentAction::Loaded { .. });
        if is_load {
            self.loading = None;
        }
        // A successful load is also reported as `skill.invoked`.
        if !is_load || outcome == CallOutcome::Failed {
            session.calls.push_back(HistoryCall { outcome, ..call });
        }
    }
}

fn with_tokens(call: HistoryCall, tokens: Option<MessageTokens>) -> HistoryCall {
    match tokens {
        Some((tokens, model)) => HistoryCall { tokens: Some(tokens), model, ..call },
        None => call,
    }
}

/// The tokens of a message. Only output tokens are recorded per message.
fn message_tokens(data: &Value) -> Option<(String, MessageTokens)> {
    let output = data["outputTokens"].as_u64()?;
    let may_concern_skill = |request: &&Value| may_concern_skill(request.to_string().as_bytes());
    let request = list(&data["toolRequests"]).iter().find(may_concern_skill)?;
    let tokens = TokenUse { output, ..TokenUse::default() };
    Some((text(request, &["toolCallId"])?.to_owned(), (tokens, text_or_empty(data, "model"))))
}
