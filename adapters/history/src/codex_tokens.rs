//! The tokens of Codex's messages. `token_count` follows the calls of a message and precedes their results.

use crate::needles::holds;
use crate::session::Session;
use serde_json::Value;
use skillc_domain::history::TokenUse;

/// The call that the next count belongs to, and the last count.
#[derive(Default)]
pub struct CodexTokens {
    /// The first call since the last count.
    call: Option<String>,
    /// The session's total in the last count. A count is repeated when the account's limits change.
    sum: Option<Value>,
    /// The model of the current turn.
    pub model: String,
}

impl CodexTokens {
    /// Whether a line is a token count.
    pub fn are_in(line: &[u8]) -> bool {
        holds(line, "\"token_count\"")
    }

    /// Registers a call that waits for its tokens, unless another one of the same message does.
    pub fn add_call(&mut self, id: &str) {
        self.call.get_or_insert_with(|| id.to_owned());
    }

    /// Unregisters a call that has ended.
    pub fn settle(&mut self, id: &str) {
        self.call.take_if(|call| call == id);
    }

    /// Assigns the tokens of a count to the call that waits for them.
    pub fn take(&mut self, info: &Value, session: &mut Session) {
        let sum = &info["total_token_usage"];
        if sum.is_null() || self.sum.as_ref() == Some(sum) {
            return;
        }
        self.sum = Some(sum.clone());
        let found = self.call.take().and_then(|id| session.pending.get_mut(&id));
        if let Some((call, tokens)) = found.zip(tokens(&info["last_token_usage"])) {
            call.tokens = Some(tokens);
            self.model.clone_into(&mut call.model);
        }
    }
}

/// Parses tokens. Codex includes cached tokens in the input tokens.
fn tokens(usage: &Value) -> Option<TokenUse> {
    let number = |key: &str| usage[key].as_u64().unwrap_or_default();
    let (cache_read, cache_write) = (number("cached_input_tokens"), number("cache_write_input_tokens"));
    usage.is_object().then(|| TokenUse {
        input: number("input_tokens").saturating_sub(cache_read).saturating_sub(cache_write),
        output: number("output_tokens"),
        cache_read,
        cache_write,
    })
}
