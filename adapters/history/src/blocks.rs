//! Messages whose content is a list of blocks (text, tool calls and their results), as several agents write them.

use crate::json::{list, text, texts};
use crate::session::Session;
use crate::tools::action;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, TokenUse};
use skillc_domain::time::UnixNs;

/// The common parts of a message's calls: everything but the action.
pub struct Envelope {
    /// A call without an action. The index of the block completes its record.
    pub call: HistoryCall,
    /// Byte offset of the line.
    pub start: u64,
}

impl Envelope {
    /// The envelope of a line, identified by its id or its offset.
    pub fn of_line(session: &Session, line: &Value, at: Option<UnixNs>, start: u64) -> Self {
        let record = text(line, &["id"]).map_or_else(|| format!("@{start}"), |id| format!("/{id}"));
        Self { call: session.call(at, format!("{}{record}", session.id)), start }
    }
}

/// Whether a result marked as a success says that a skill does not exist.
fn is_unknown_skill(content: &Value) -> bool {
    let signs = ["unknown skill", "not found"];
    // The text of a skill may contain the same words further down.
    texts(content).iter().any(|text| {
        let start: String = text.chars().take(120).collect::<String>().to_lowercase();
        signs.iter().any(|sign| start.contains(sign))
    })
}

/// The outcome of a call according to its result.
pub fn outcome(action: &AgentAction, is_error: bool, content: &Value) -> CallOutcome {
    let status = || {
        texts(content)
            .first()?
            .split_once("xit code")?
            .1
            .trim_start_matches([':', ' '])
            .lines()
            .next()?
            .trim()
            .parse()
            .ok()
    };
    match action {
        AgentAction::Loaded { .. } if is_error || is_unknown_skill(content) => CallOutcome::Failed,
        AgentAction::Shell { .. } if is_error => status().map_or(CallOutcome::Failed, CallOutcome::Exited),
        _ if is_error => CallOutcome::Failed,
        _ => CallOutcome::Succeeded,
    }
}

/// Adds the calls in a message's blocks. They wait for their results if those are still to come; otherwise they are
/// returned at once.
pub fn take_calls(
    content: &Value,
    envelope: &Envelope,
    mut tokens: Option<TokenUse>,
    has_results: bool,
    session: &mut Session,
) {
    for (at, block) in list(content).iter().enumerate() {
        let is_call = matches!(block["type"].as_str(), Some("tool_use" | "toolCall"));
        let input = block.get("input").or_else(|| block.get("arguments")).unwrap_or(&Value::Null);
        let Some(found) = block["name"].as_str().filter(|_| is_call).and_then(|name| action(name, input))
        else {
            continue;
        };
        let call = HistoryCall {
            record: format!("{}/{at}", envelope.call.record),
            action: found,
            tokens: tokens.take(),
            ..envelope.call.clone()
        };
        match text(block, &["id"]).filter(|_| has_results) {
            Some(id) => session.add_pending(id, envelope.start, call),
            None => session.calls.push_back(call),
        }
    }
}
