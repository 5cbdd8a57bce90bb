//! Messages whose content is a list of blocks: text, calls of tools, and their results, as several agents write them.

use crate::json::{list, text, texts};
use crate::pending::{CallQueue, PendingCalls};
use crate::tools::action;
use serde_json::Value;
use skillc_domain::history::{AgentAction, CallOutcome, HistoryCall, TokenUse};

/// The envelope of a message: everything of a call but its action.
pub struct Envelope {
    /// A call without an action of its own; the index of the block completes its record.
    pub call: HistoryCall,
    /// Where the line begins.
    pub start: u64,
}

/// Whether a result says, in good form, that a skill does not exist.
fn is_unknown_skill(content: &Value) -> bool {
    let signs = ["unknown skill", "not found"];
    // A skill's text may say so too, further down.
    texts(content).iter().any(|text| {
        let start: String = text.chars().take(120).collect::<String>().to_lowercase();
        signs.iter().any(|sign| start.contains(sign))
    })
}

/// What came of a call, by its result.
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

/// Adds the calls of a message's blocks. With results to come they wait for them, else they are returned at once.
pub fn take_calls(
    content: &Value,
    envelope: &Envelope,
    mut tokens: Option<TokenUse>,
    mut pending: Option<&mut PendingCalls>,
    out: &mut CallQueue,
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
        match (&mut pending, text(block, &["id"])) {
            (Some(pending), Some(id)) => pending.add(id, envelope.start, call, out),
            _ => out.push_back(call),
        }
    }
}
