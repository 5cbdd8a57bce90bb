//! Line-framed JSON-RPC 2.0, one message per line, as the servers share it. It performs no I/O and knows no methods.

mod line_decoder;
mod requester;

pub use line_decoder::LineDecoder;
use requester::{Requester, requester};
use serde_json::Value;

/// The value of `jsonrpc` in every message.
pub const VERSION: &str = "2.0";

/// A line parsed as JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum JsonLine {
    /// A blank line, or an unreadable notification or response: it gets no answer.
    Ignored,
    /// Any JSON value.
    Json(Value),
    /// Not JSON, not UTF-8 or nested too deeply.
    Unreadable {
        /// The `id` of the request, if it can be recovered.
        id: Option<Value>,
        /// The reason, for the client.
        message: String,
    },
}

/// The content of a line without byte order mark and surrounding white space; `None` for a blank line.
pub fn content(line: &[u8]) -> Option<&[u8]> {
    let content = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    (!content.is_empty()).then_some(content)
}

/// Parses the content of a line.
pub fn parse(line: &[u8]) -> JsonLine {
    let Some(line) = content(line) else { return JsonLine::Ignored };
    let error = match serde_json::from_slice(line) {
        Ok(value) => return JsonLine::Json(value),
        Err(error) => error,
    };
    let id = match requester(line) {
        Requester::Request(id) => Some(id),
        Requester::Unknown => None,
        Requester::None => return JsonLine::Ignored,
    };
    JsonLine::Unreadable { id, message: format!("the message is not JSON: {error}") }
}

/// The message for a line that was not read because it exceeds the limit.
pub fn too_long(bytes_max: usize) -> String {
    format!("the message exceeds the limit of {bytes_max} bytes")
}

/// Whether a message is a response. Clients get no answer to an invalid response.
pub fn is_response(message: &Value) -> bool {
    let has = |key| message.get(key).is_some();
    !has("method") && (has("result") || has("error"))
}

/// Why the `jsonrpc` member of a message is invalid; `None` if it is valid.
pub fn version_error(message: &Value) -> Option<&'static str> {
    (message.get("jsonrpc").and_then(Value::as_str) != Some(VERSION)).then_some("'jsonrpc' must be '2.0'")
}
