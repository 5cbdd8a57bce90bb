//! Parses a line from a client into requests, and writes responses as lines (RFC-0012:C-FRAMING). It performs no I/O.

use crate::contract::Command;
use crate::rpc_error::RpcError;
use serde_json::{Value, json};
use skillc_ops::serve::json_rpc::{self, JsonLine};

/// Requests in one batch; larger batches would delay the lines after them.
pub const BATCH_MAX: usize = 64;

#[derive(Debug, PartialEq)]
pub enum IncomingMessage {
    /// Nothing to answer: a blank line, a notification or a response.
    Ignored,
    Single(Request),
    /// An array of requests, without the messages that need no answer.
    Batch(Vec<Request>),
}

/// A message that must be answered.
#[derive(Debug, PartialEq)]
pub struct Request {
    /// The id as the client sent it; null if it is unknown or invalid.
    pub id: Value,
    /// The parsed command, or the error that answers the message.
    pub command: Result<Command, RpcError>,
}

pub fn parse(line: &[u8]) -> IncomingMessage {
    match json_rpc::parse(line) {
        JsonLine::Ignored => IncomingMessage::Ignored,
        JsonLine::Json(Value::Array(messages)) => batch(messages),
        JsonLine::Json(message) => request(message).map_or(IncomingMessage::Ignored, IncomingMessage::Single),
        JsonLine::Unreadable { id, message } => {
            let id = id.filter(is_id).unwrap_or_default();
            IncomingMessage::Single(Request { id, command: Err(RpcError::parse(message)) })
        }
    }
}

fn batch(messages: Vec<Value>) -> IncomingMessage {
    if messages.is_empty() {
        return without_id(RpcError::request("empty batch"));
    }
    if messages.len() > BATCH_MAX {
        return without_id(RpcError::request(format!("the batch exceeds the limit of {BATCH_MAX} messages")));
    }
    let requests: Vec<Request> = messages.into_iter().filter_map(request).collect();
    if requests.is_empty() { IncomingMessage::Ignored } else { IncomingMessage::Batch(requests) }
}

/// The answer to a line that exceeds the limit.
pub fn too_long(bytes_max: usize) -> IncomingMessage {
    without_id(RpcError::request(json_rpc::too_long(bytes_max)))
}

/// Parses a message; `None` if it needs no answer.
fn request(message: Value) -> Option<Request> {
    if json_rpc::is_response(&message) {
        return None;
    }
    let version_error = json_rpc::version_error(&message);
    let Value::Object(mut fields) = message else {
        let command = Err(RpcError::request("a message must be an object"));
        return Some(Request { id: Value::Null, command });
    };
    let id = fields.remove("id");
    let usable_id = id.clone().filter(is_id).unwrap_or_default();
    let invalid = |message| Some(Request { id: usable_id.clone(), command: Err(RpcError::request(message)) });
    if let Some(message) = version_error {
        return invalid(message);
    }
    let Some(Value::String(method)) = fields.remove("method") else {
        return invalid("'method' must be a string");
    };
    let params = fields.remove("params");
    if params.as_ref().is_some_and(|params| !params.is_object() && !params.is_array()) {
        return invalid("'params' must be an object");
    }
    match id {
        // A notification. It is ignored, since methods have no effect other than their results.
        None => None,
        Some(id) if is_id(&id) => Some(Request { id, command: command(&method, params) }),
        Some(_) => invalid("'id' must be a string, an integer or null"),
    }
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64() || id.is_u64() || id.is_null()
}

fn command(method: &str, params: Option<Value>) -> Result<Command, RpcError> {
    if !Command::METHODS.contains(&method) {
        return Err(RpcError::method(method));
    }
    Command::parse(method, params).map_err(RpcError::params)
}

fn without_id(error: RpcError) -> IncomingMessage {
    IncomingMessage::Single(Request { id: Value::Null, command: Err(error) })
}

/// A response as JSON, without a line break.
pub fn response(id: Value, result: Result<Value, RpcError>) -> Vec<u8> {
    let mut response = json!({ "jsonrpc": json_rpc::VERSION, "id": id });
    match result {
        Ok(result) => response["result"] = result,
        Err(error) => response["error"] = error.json(),
    }
    response.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code and id of an error; `true` and id of a command; null for an ignored line; a list for a batch.
    fn parsed(line: impl AsRef<[u8]>) -> Value {
        let one = |request: Request| match request.command {
            Ok(_) => json!([true, request.id]),
            Err(error) => json!([error.json()["code"], request.id]),
        };
        match parse(line.as_ref()) {
            IncomingMessage::Ignored => Value::Null,
            IncomingMessage::Single(request) => one(request),
            IncomingMessage::Batch(requests) => {
                json!({ "batch": requests.into_iter().map(one).collect::<Vec<_>>() })
            }
        }
    }

    /// RFC-0012:C-ERRORS
    #[test]
    fn an_error_has_the_id_of_its_request() {
        let unknown = r#"{"jsonrpc":"2.0","id":"a","method":"no.such"}"#;
        assert_eq!(parsed(unknown), json!([-32601, "a"]));
        assert_eq!(parsed(unknown.replace("2.0", "1.0")), json!([-32600, "a"]));
        assert_eq!(parsed(unknown.replace("\"a\"", "{}")), json!([-32600, null]));
        assert_eq!(parsed(&unknown[1..]), json!([-32700, null]));
    }

    /// RFC-0012:C-FRAMING, RFC-0012:C-ERRORS
    #[test]
    fn each_line_is_answered_or_skipped() {
        let list = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"skills.list"}}"#);
        let with =
            |params: &str| format!(r#"{{"jsonrpc":"2.0","id":7,"method":"skill.search","params":{params}}}"#);
        let cases: &[(Vec<u8>, Value)] = &[
            (b"".to_vec(), json!(null)),
            (b" \t\r\n".to_vec(), json!(null)),
            (b"\xEF\xBB\xBF".to_vec(), json!(null)),
            (list("7").into(), json!([true, 7])),
            (format!("\u{feff}{}\r\n", list("7")).into(), json!([true, 7])),
            (list("\"a\"").into(), json!([true, "a"])),
            (list("null").into(), json!([true, null])),
            (list("-1").into(), json!([true, -1])),
            (list("18446744073709551615").into(), json!([true, 18446744073709551615u64])),
            (list("1.5").into(), json!([-32600, null])),
            (list("[]").into(), json!([-32600, null])),
            (list("18446744073709551616").into(), json!([-32600, null])),
            (with(r#"{"query":"x"}"#).into(), json!([true, 7])),
            (with(r#"{"query":"x","limit":null}"#).into(), json!([true, 7])),
            (with(r#"{"query":5}"#).into(), json!([-32602, 7])),
            (with(r#"["x"]"#).into(), json!([-32602, 7])),
            (with("{}").into(), json!([-32602, 7])),
            (with("5").into(), json!([-32600, 7])),
            (br#"{"jsonrpc":"2.0","id":7,"method":"no.such"}"#.to_vec(), json!([-32601, 7])),
            (br#"{"jsonrpc":"2.0","id":"a","method":5}"#.to_vec(), json!([-32600, "a"])),
            (br#"{"jsonrpc":"1.0","id":7,"method":"skills.list"}"#.to_vec(), json!([-32600, 7])),
            (br#"{"id":7,"method":"skills.list"}"#.to_vec(), json!([-32600, 7])),
            (br#"{"jsonrpc":"2.0","id":7}"#.to_vec(), json!([-32600, 7])),
            (br#"{"jsonrpc":"2.0","id":7,"result":{}}"#.to_vec(), json!(null)),
            (br#"{"jsonrpc":"2.0","id":null,"error":{}}"#.to_vec(), json!(null)),
            // Notifications, known or not.
            (br#"{"jsonrpc":"2.0","method":"skills.list"}"#.to_vec(), json!(null)),
            (br#"{"jsonrpc":"2.0","method":"no.such","params":{"a":1}}"#.to_vec(), json!(null)),
            (br#"{"foo":1}"#.to_vec(), json!([-32600, null])),
            (b"[]".to_vec(), json!([-32600, null])),
            (b"[1,[]]".to_vec(), json!({ "batch": [[-32600, null], [-32600, null]] })),
            (
                format!(r#"[{},1,{{"jsonrpc":"2.0","method":"skills.list"}}]"#, list("7")).into(),
                json!({ "batch": [[true, 7], [-32600, null]] }),
            ),
            (br#"[{"jsonrpc":"2.0","method":"skills.list"}]"#.to_vec(), json!(null)),
            (format!("[{}1]", "1,".repeat(BATCH_MAX)).into(), json!([-32600, null])),
            (b"5".to_vec(), json!([-32600, null])),
            (b"null".to_vec(), json!([-32600, null])),
            (b"{".to_vec(), json!([-32700, null])),
            (b"hello".to_vec(), json!([-32700, null])),
            (b"{}{}".to_vec(), json!([-32700, null])),
            (b"\x00".to_vec(), json!([-32700, null])),
            (
                b"{\"jsonrpc\":\"2.0\",\"id\":\"\xFF\",\"method\":\"skills.list\"}".to_vec(),
                json!([-32700, null]),
            ),
            ("[".repeat(100_000).into(), json!([-32700, null])),
            (with(&"[".repeat(100_000)).into(), json!([-32700, 7])),
            (with(&format!("{}1{}", "[".repeat(200), "]".repeat(200))).into(), json!([-32700, 7])),
            (with(r#"{"query":"\ud800"}"#).into(), json!([-32700, 7])),
            (b"{\"id\":\"a\",\"method\":\"p\xFFng\"}".to_vec(), json!([-32700, "a"])),
            (
                br#"{"x":"\ud800","id":18446744073709551615}"#.to_vec(),
                json!([-32700, 18446744073709551615u64]),
            ),
            (br#"{"x":"\ud800","id":1.5}"#.to_vec(), json!([-32700, null])),
            (br#"{"id":7,"x":"\ud800","id":8}"#.to_vec(), json!([-32700, 8])),
            (format!(r#"[{},"\ud800"]"#, list("7")).into(), json!([-32700, null])),
            (br#"{"method":"skills.list","params":{"cwd":"\ud800"}}"#.to_vec(), json!(null)),
            (br#"{"id":7,"result":"\ud800"}"#.to_vec(), json!(null)),
        ];
        for (line, expected) in cases {
            let shown = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
            assert_eq!(parsed(line), *expected, "{shown}");
        }
    }

    #[test]
    fn an_answer_is_one_line_whatever_it_holds() {
        let bytes = response(json!("a\nb"), Ok(json!({ "text": "x\ny\u{2028}" })));
        assert!(!bytes.contains(&b'\n'));
        let read: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(read, json!({ "jsonrpc": "2.0", "id": "a\nb", "result": { "text": "x\ny\u{2028}" } }));
    }
}
