//! pi: `sessions/--<folder>--/<time>_<session>.jsonl`.

use crate::blocks::{Envelope, outcome, take_calls};
use crate::json::{between, text, text_or_empty, texts, time};
use crate::needles::is_in_skill;
use crate::pending::{CallQueue, PendingCalls};
use crate::session::{self, SessionParser};
use crate::walk;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, SkillChooser};
use skillc_ports::{HistoryFile, HistoryFiles, HistoryRead, HistoryReader, HistorySource, PortError};
use std::path::Path;

/// pi's sessions.
pub struct PiHistory;

impl HistorySource for PiHistory {
    fn agent(&self) -> &'static str {
        "pi"
    }

    fn files(&self, root: &Path) -> Result<HistoryFiles, PortError> {
        walk::files(root, |path| walk::ends_with(path, ".jsonl"))
    }

    fn open(&self, file: &HistoryFile, how: HistoryRead) -> Result<Box<dyn HistoryReader>, PortError> {
        session::open(file, how, PiParser { modified: file.modified, ..PiParser::default() })
    }
}

#[derive(Default)]
struct PiParser {
    modified: i64,
    session: String,
    cwd: String,
    pending: PendingCalls,
}

impl SessionParser for PiParser {
    fn needs(&self, line: &[u8]) -> bool {
        is_in_skill(&self.cwd) || self.pending.are_named_in(line)
    }

    fn begin(&mut self, line: &Value) {
        if line["type"] == "session" {
            self.session = text_or_empty(line, "id");
            self.cwd = text_or_empty(line, "cwd");
        }
    }

    fn take(&mut self, line: &Value, start: u64, out: &mut CallQueue) {
        let message = &line["message"];
        let envelope = Envelope { call: self.envelope(line, start), start };
        match message["role"].as_str() {
            Some("assistant") => {
                take_calls(&message["content"], &envelope, None, Some(&mut self.pending), out)
            }
            Some("toolResult") => {
                let Some(call) = text(message, &["toolCallId"]).and_then(|id| self.pending.take(id)) else {
                    return;
                };
                let is_error = message["isError"].as_bool().unwrap_or_default();
                out.push_back(HistoryCall {
                    outcome: outcome(&call.action, is_error, &message["content"]),
                    ..call
                });
            }
            Some("user") => {
                let found = texts(&message["content"]).into_iter().find_map(put_in);
                out.extend(found.map(|action| HistoryCall {
                    action,
                    outcome: CallOutcome::Succeeded,
                    ..envelope.call
                }));
            }
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

impl PiParser {
    fn envelope(&self, line: &Value, start: u64) -> HistoryCall {
        let at = time(&line["timestamp"]).or_else(|| time(&line["message"]["timestamp"]));
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

/// A skill that the user's command put into the message.
fn put_in(text: &str) -> Option<AgentAction> {
    let tag = between(text.trim_start().strip_prefix("<skill ")?, "", ">")?;
    let attribute = |name: &str| between(tag, &format!("{name}=\""), "\"").map(str::to_owned);
    let name = attribute("name")?;
    Some(AgentAction::Loaded { name, path: attribute("location"), by: SkillChooser::User })
}
