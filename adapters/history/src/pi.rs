//! pi: `sessions/--<folder>--/<time>_<session>.jsonl`.

use crate::blocks::{Envelope, outcome, take_calls};
use crate::json::{between, text, text_or_empty, texts, time};
use crate::session::{self, Session, SessionParser};
use crate::walk;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, SkillChooser};
use skillc_ports::{HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError};
use std::path::Path;

/// Reads pi's sessions.
pub struct PiHistory;

impl HistorySource for PiHistory {
    fn agent(&self) -> &'static str {
        "pi"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        walk::files(root, |path| walk::ends_with(path, ".jsonl"))
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        session::open(file, how, Session::of(file), PiParser)
    }
}

struct PiParser;

impl SessionParser for PiParser {
    fn begin(&mut self, line: &Value, session: &mut Session) {
        if line["type"] == "session" {
            session.id = text_or_empty(line, "id");
            session.cwd = text_or_empty(line, "cwd");
        }
    }

    fn take(&mut self, line: &Value, start: u64, session: &mut Session) {
        let message = &line["message"];
        let at = time(&line["timestamp"]).or_else(|| time(&message["timestamp"]));
        let envelope = Envelope::of_line(session, line, at, start);
        match message["role"].as_str() {
            Some("assistant") => {
                take_calls(&message["content"], &envelope, None, true, session);
            }
            Some("toolResult") => {
                let is_error = message["isError"].as_bool().unwrap_or_default();
                if let Some(id) = text(message, &["toolCallId"]) {
                    session.settle(id, |action| outcome(action, is_error, &message["content"]));
                }
            }
            Some("user") => {
                let found = texts(&message["content"]).into_iter().find_map(put_in);
                session.calls.extend(found.map(|action| HistoryCall {
                    action,
                    outcome: CallOutcome::Succeeded,
                    ..envelope.call
                }));
            }
            _ => {}
        }
    }
}

/// A skill that the user's command inserted into the message.
fn put_in(text: &str) -> Option<AgentAction> {
    let tag = between(text.trim_start().strip_prefix("<skill ")?, "", ">")?;
    let attribute = |name: &str| between(tag, &format!("{name}=\""), "\"").map(str::to_owned);
    let name = attribute("name")?;
    Some(AgentAction::Loaded { name, path: attribute("location"), by: SkillChooser::User })
}
