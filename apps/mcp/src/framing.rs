//! Parses a line from a client into a message, or into the error that answers it. It performs no I/O.

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, RequestId, ServerJsonRpcMessage};
use serde_json::Value;
use skillc_ops::serve::json_rpc::{self, JsonLine};

pub enum Line {
    /// A message of the protocol.
    Message(Box<ClientJsonRpcMessage>),
    /// An invalid message and the error that answers it, with its id if it has a usable one.
    Invalid(Box<ServerJsonRpcMessage>),
    /// A blank line, or an unreadable response or notification: it gets no answer.
    Ignored,
}

/// Requests whose parameters are typed. If the parameters do not fit, `rmcp` parses them as custom requests.
const METHODS: &[&str] = &[
    "initialize",
    "server/discover",
    "completion/complete",
    "logging/setLevel",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/directory/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
    "tasks/get",
    "tasks/update",
    "tasks/cancel",
    "skills/list",
    "skills/get",
];

/// Parses a line, with or without its line break.
pub fn parse(line: &[u8]) -> Line {
    let Some(content) = json_rpc::content(line) else { return Line::Ignored };
    match serde_json::from_slice::<ClientJsonRpcMessage>(content) {
        Ok(ClientJsonRpcMessage::Request(request)) => match &request.request {
            ClientRequest::CustomRequest(custom) if METHODS.contains(&custom.method.as_str()) => {
                invalid_params(&custom.method, Some(request.id))
            }
            _ => Line::Message(Box::new(ClientJsonRpcMessage::Request(request))),
        },
        Ok(message) => Line::Message(Box::new(message)),
        Err(_) => match json_rpc::parse(line) {
            JsonLine::Ignored => Line::Ignored,
            JsonLine::Json(value) => explain(&value),
            JsonLine::Unreadable { id, message } => {
                error(ErrorData::parse_error(message, None), id.as_ref().and_then(request_id))
            }
        },
    }
}

/// The answer to a line that exceeds the limit.
pub fn too_long(bytes_max: usize) -> Line {
    invalid(json_rpc::too_long(bytes_max), None)
}

/// The error for JSON that is not a protocol message.
fn explain(value: &Value) -> Line {
    let Value::Object(fields) = value else {
        return match value {
            Value::Array(_) => invalid("a message must be one object; batches are not supported", None),
            _ => invalid(format!("a message must be an object, got {}", kind(value)), None),
        };
    };
    let id = fields.get("id").and_then(request_id);
    match (fields.get("method"), fields.get("id")) {
        (None, Some(_)) if json_rpc::is_response(value) => Line::Ignored,
        (None, _) => invalid("missing 'method'", id),
        (Some(_), None) => Line::Ignored,
        (Some(_), Some(given)) if id.is_none() => {
            invalid(format!("'id' must be a string or an integer, got {}", kind(given)), None)
        }
        (Some(method), Some(_)) => match (json_rpc::version_error(value), method.as_str()) {
            (Some(message), _) => invalid(message, id),
            (None, Some(method)) if METHODS.contains(&method) => invalid_params(method, id),
            (None, _) => invalid("not a protocol message", id),
        },
    }
}

fn request_id(id: &Value) -> Option<RequestId> {
    let id = Some(id).filter(|id| id.is_i64() || id.is_string())?;
    serde_json::from_value(id.clone()).ok()
}

fn invalid_params(method: &str, id: Option<RequestId>) -> Line {
    error(ErrorData::invalid_params(format!("invalid parameters for '{method}'"), None), id)
}

fn invalid(message: impl Into<String>, id: Option<RequestId>) -> Line {
    error(ErrorData::invalid_request(message.into(), None), id)
}

fn error(error: ErrorData, id: Option<RequestId>) -> Line {
    Line::Invalid(Box::new(ServerJsonRpcMessage::error(error, id)))
}

/// The JSON type of a value with its article, for messages.
pub fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Code and id of the error; `null` for an ignored line, `true` for a message.
    fn answer(line: impl AsRef<[u8]>) -> Value {
        match parse(line.as_ref()) {
            Line::Message(_) => json!(true),
            Line::Ignored => json!(null),
            Line::Invalid(reply) => {
                let reply = serde_json::to_value(reply).unwrap();
                json!([reply["error"]["code"], reply["id"]])
            }
        }
    }

    /// RFC-0007:C-MCP-SERVER
    #[test]
    fn each_line_is_a_message_or_answered_or_skipped() {
        let call =
            |params: &str| format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#);
        let cases: &[(Vec<u8>, Value)] = &[
            (b"".to_vec(), json!(null)),
            (b" \t\r".to_vec(), json!(null)),
            (b"\xEF\xBB\xBF".to_vec(), json!(null)),
            (call(r#"{"name":"skc_list","arguments":{}}"#).into(), json!(true)),
            (call(r#"{"name":"skc_list","unknown":1}"#).into(), json!(true)),
            (call(r#"{"name":5}"#).into(), json!([-32602, 7])),
            (call("[]").into(), json!([-32602, 7])),
            (call(r#"{"name":"x","arguments":3}"#).into(), json!([-32602, 7])),
            (br#"{"jsonrpc":"2.0","id":7,"method":"no/such"}"#.to_vec(), json!(true)),
            (br#"{"jsonrpc":"2.0","id":"a","method":5}"#.to_vec(), json!([-32600, "a"])),
            (br#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#.to_vec(), json!([-32600, 7])),
            (br#"{"id":7,"method":"ping"}"#.to_vec(), json!([-32600, 7])),
            (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_vec(), json!([-32600, null])),
            (br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#.to_vec(), json!([-32600, null])),
            (br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#.to_vec(), json!([-32600, null])),
            (
                br#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#.to_vec(),
                json!([-32600, null]),
            ),
            (br#"{"jsonrpc":"2.0","id":7}"#.to_vec(), json!([-32600, 7])),
            (br#"{"jsonrpc":"2.0","id":7,"error":5}"#.to_vec(), json!(null)),
            (b"[]".to_vec(), json!([-32600, null])),
            (br#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#.to_vec(), json!([-32600, null])),
            (b"5".to_vec(), json!([-32600, null])),
            (b"{".to_vec(), json!([-32700, null])),
            (b"hello".to_vec(), json!([-32700, null])),
            (b"{}{}".to_vec(), json!([-32700, null])),
            (b"{\"jsonrpc\":\"2.0\",\"id\":\"\xFF\",\"method\":\"ping\"}".to_vec(), json!([-32700, null])),
            ("[".repeat(100_000).into(), json!([-32700, null])),
            (call(&"[".repeat(100_000)).into(), json!([-32700, 7])),
            (call(&format!("{}1{}", "[".repeat(200), "]".repeat(200))).into(), json!([-32700, 7])),
            (call(r#"{"name":"\ud800"}"#).into(), json!([-32700, 7])),
            (b"{\"id\":7,\"method\":\"p\xFFng\"}".to_vec(), json!([-32700, 7])),
            (br#"{"x":"\ud800","id":"\u0061"}"#.to_vec(), json!([-32700, "a"])),
            (br#"{"id":1.5,"method":"ping","x":"\ud800"}"#.to_vec(), json!([-32700, null])),
            (br#"{"id":7,"x":"\ud800","id":8}"#.to_vec(), json!([-32700, 8])),
            (br#"[{"id":7,"method":"ping","x":"\ud800"}]"#.to_vec(), json!([-32700, null])),
            (br#"{"method":"notifications/progress","params":"\ud800"}"#.to_vec(), json!(null)),
            (br#"{"id":7,"result":"\ud800"}"#.to_vec(), json!(null)),
        ];
        for (line, expected) in cases {
            let shown = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
            assert_eq!(answer(line), *expected, "{shown}");
        }
    }
}
