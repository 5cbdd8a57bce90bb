//! One line of a client as a message, or as the error that answers it. Knows no streams.

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, RequestId, ServerJsonRpcMessage};
use serde_json::Value;
use skillc_ops::serve::{Asker, asker};

/// What a line says.
pub enum Line {
    /// A message of the protocol.
    Message(Box<ClientJsonRpcMessage>),
    /// None, and this is its answer: with its id, where it has one that can be given back.
    Refused(Box<ServerJsonRpcMessage>),
    /// Nothing that is answered: a blank line, or an answer or notification that cannot be read.
    Skipped,
}

/// Requests whose parameters have a shape. With any other they come as requests that nobody knows.
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

/// Reads a line without its end.
pub fn read(line: &[u8]) -> Line {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Line::Skipped;
    }
    match serde_json::from_slice::<ClientJsonRpcMessage>(line) {
        Ok(ClientJsonRpcMessage::Request(request)) => match &request.request {
            ClientRequest::CustomRequest(custom) if METHODS.contains(&custom.method.as_str()) => {
                misshapen(&custom.method, Some(request.id))
            }
            _ => Line::Message(Box::new(ClientJsonRpcMessage::Request(request))),
        },
        Ok(message) => Line::Message(Box::new(message)),
        Err(_) => why(line),
    }
}

/// The answer to a line that is longer than what is read.
pub fn too_long(bytes_max: usize) -> Line {
    invalid(format!("the message exceeds the limit of {bytes_max} bytes"), None)
}

/// What is wrong with a line that is no message.
fn why(line: &[u8]) -> Line {
    let value = match serde_json::from_slice::<Value>(line) {
        Ok(value) => value,
        Err(error) => return unreadable(line, &error),
    };
    match &value {
        Value::Object(fields) if !fields.contains_key("method") => match fields.contains_key("id") {
            // An answer is not answered, also where it cannot be read.
            true if fields.contains_key("result") || fields.contains_key("error") => Line::Skipped,
            _ => invalid("missing 'method'", id(&value)),
        },
        Value::Object(fields) if !fields.contains_key("id") => Line::Skipped,
        Value::Object(fields) if id(&value).is_none() => {
            invalid(format!("'id' must be a string or an integer, got {}", kind(&fields["id"])), None)
        }
        Value::Object(fields) if fields.get("jsonrpc") != Some(&Value::from("2.0")) => {
            invalid("'jsonrpc' must be '2.0'", id(&value))
        }
        Value::Object(fields) if METHODS.iter().any(|known| fields["method"] == *known) => {
            misshapen(fields["method"].as_str().unwrap_or_default(), id(&value))
        }
        Value::Object(_) => invalid("not a message of the protocol", id(&value)),
        Value::Array(_) => invalid("a message must be one object; batches are not supported", None),
        _ => invalid(format!("a message must be an object, got {}", kind(&value)), None),
    }
}

/// The answer to a line that is no JSON, or too deep, or text that is none: to whoever waits for it.
fn unreadable(line: &[u8], error: &serde_json::Error) -> Line {
    let error = ErrorData::parse_error(format!("the message is not JSON: {error}"), None);
    match asker(line) {
        Asker::Request(id) => refused(error, request_id(&id)),
        Asker::Nobody => Line::Skipped,
        Asker::Unknown => refused(error, None),
    }
}

fn id(message: &Value) -> Option<RequestId> {
    message.get("id").and_then(request_id)
}

fn request_id(id: &Value) -> Option<RequestId> {
    let id = Some(id).filter(|id| id.is_i64() || id.is_string())?;
    serde_json::from_value(id.clone()).ok()
}

fn misshapen(method: &str, id: Option<RequestId>) -> Line {
    let message = format!("invalid parameters for '{method}'");
    refused(ErrorData::invalid_params(message, None), id)
}

fn invalid(message: impl Into<String>, id: Option<RequestId>) -> Line {
    refused(ErrorData::invalid_request(message.into(), None), id)
}

fn refused(error: ErrorData, id: Option<RequestId>) -> Line {
    Line::Refused(Box::new(ServerJsonRpcMessage::error(error, id)))
}

/// What a value is, in the words of messages.
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

    /// Code and id of the answer; `null` where the line is skipped, `true` where it is a message.
    fn answer(line: impl AsRef<[u8]>) -> Value {
        match read(line.as_ref()) {
            Line::Message(_) => json!(true),
            Line::Skipped => json!(null),
            Line::Refused(reply) => {
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
