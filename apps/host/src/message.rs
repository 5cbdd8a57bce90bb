//! One line of a client as what it asks for, and answers as lines. Knows no streams (RFC-0012:C-FRAMING).

use crate::contract::Command;
use crate::refusal::Refusal;
use serde_json::{Map, Value, json};
use skillc_ops::serve::{Asker, asker};

/// Requests in one array: more would hold up what comes after them.
pub const BATCH_MAX: usize = 64;

/// What a line says.
#[derive(Debug, PartialEq)]
pub enum Line {
    /// Nothing that is answered: blanks, a notification, an answer.
    Skipped,
    /// One message.
    One(Message),
    /// An array of them; what is not answered is left out.
    Batch(Vec<Message>),
}

/// A message that is answered.
#[derive(Debug, PartialEq)]
pub struct Message {
    /// As the client gave it; null where it cannot be told.
    pub id: Value,
    /// What it asks for, or why not.
    pub command: Result<Command, Refusal>,
}

/// Reads a line.
pub fn read(line: &[u8]) -> Line {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Line::Skipped;
    }
    match serde_json::from_slice(line) {
        Ok(Value::Array(items)) if items.is_empty() => nameless(Refusal::request("empty batch")),
        Ok(Value::Array(items)) if items.len() > BATCH_MAX => {
            nameless(Refusal::request(format!("the batch exceeds the limit of {BATCH_MAX} messages")))
        }
        Ok(Value::Array(items)) => {
            let messages: Vec<Message> = items.into_iter().filter_map(message).collect();
            if messages.is_empty() { Line::Skipped } else { Line::Batch(messages) }
        }
        Ok(value) => message(value).map_or(Line::Skipped, Line::One),
        Err(error) => unreadable(line, &error),
    }
}

/// The answer to a line that is no JSON, or too deep, or text that is none: to whoever waits for it.
fn unreadable(line: &[u8], error: &serde_json::Error) -> Line {
    let refusal = Refusal::parse(format!("the message is not JSON: {error}"));
    match asker(line) {
        Asker::Request(id) => {
            let id = Some(id).filter(is_id).unwrap_or_default();
            Line::One(Message { id, command: Err(refusal) })
        }
        Asker::Nobody => Line::Skipped,
        Asker::Unknown => nameless(refusal),
    }
}

/// The answer to a line that is longer than what is read.
pub fn too_long(bytes_max: usize) -> Line {
    nameless(Refusal::request(format!("the message exceeds the limit of {bytes_max} bytes")))
}

/// `None` for what is not answered.
fn message(value: Value) -> Option<Message> {
    let Value::Object(mut fields) = value else {
        return Some(Message {
            id: Value::Null,
            command: Err(Refusal::request("a message must be an object")),
        });
    };
    let is_answer = fields.contains_key("result") || fields.contains_key("error");
    if is_answer && !fields.contains_key("method") {
        return None;
    }
    let id = fields.remove("id");
    let known = id.clone().filter(is_id).unwrap_or_default();
    let refused = |refusal| Some(Message { id: known.clone(), command: Err(refusal) });
    if fields.get("jsonrpc") != Some(&Value::from("2.0")) {
        return refused(Refusal::request("'jsonrpc' must be '2.0'"));
    }
    let Some(Value::String(method)) = fields.remove("method") else {
        return refused(Refusal::request("'method' must be a string"));
    };
    let params = fields.remove("params");
    if params.as_ref().is_some_and(|params| !params.is_object() && !params.is_array()) {
        return refused(Refusal::request("'params' must be an object"));
    }
    match id {
        // A notification, for which nothing is done: every method answers, and changes nothing but by its answer.
        None => None,
        Some(id) if is_id(&id) => Some(Message { id, command: command(&method, params) }),
        Some(_) => refused(Refusal::request("'id' must be a string, an integer or null")),
    }
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64() || id.is_u64() || id.is_null()
}

fn command(method: &str, params: Option<Value>) -> Result<Command, Refusal> {
    if !Command::METHODS.contains(&method) {
        return Err(Refusal::method(method));
    }
    Command::read(method, params).map_err(Refusal::params)
}

fn nameless(refusal: Refusal) -> Line {
    Line::One(Message { id: Value::Null, command: Err(refusal) })
}

/// An answer as it is written, without a line break.
pub fn answer(id: Value, result: Result<Value, Refusal>) -> Vec<u8> {
    let mut fields = Map::from_iter([("jsonrpc".to_owned(), json!("2.0")), ("id".to_owned(), id)]);
    match result {
        Ok(result) => fields.insert("result".to_owned(), result),
        Err(refusal) => fields.insert("error".to_owned(), refusal.json()),
    };
    Value::Object(fields).to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code and id of what is refused; `true` for a command; null for what is skipped; a list for an array.
    fn told(line: impl AsRef<[u8]>) -> Value {
        let one = |message: Message| match message.command {
            Ok(_) => json!([true, message.id]),
            Err(refusal) => json!([refusal.json()["code"], message.id]),
        };
        match read(line.as_ref()) {
            Line::Skipped => Value::Null,
            Line::One(message) => one(message),
            Line::Batch(messages) => json!({ "batch": messages.into_iter().map(one).collect::<Vec<_>>() }),
        }
    }

    /// RFC-0012:C-ERRORS
    #[test]
    fn an_error_has_the_id_of_its_request() {
        let unknown = r#"{"jsonrpc":"2.0","id":"a","method":"no.such"}"#;
        assert_eq!(told(unknown), json!([-32601, "a"]));
        assert_eq!(told(unknown.replace("2.0", "1.0")), json!([-32600, "a"]));
        assert_eq!(told(unknown.replace("\"a\"", "{}")), json!([-32600, null]));
        assert_eq!(told(&unknown[1..]), json!([-32700, null]));
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
            // Notifications, also such as nobody knows.
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
            assert_eq!(told(line), *expected, "{shown}");
        }
    }

    #[test]
    fn an_answer_is_one_line_whatever_it_holds() {
        let bytes = answer(json!("a\nb"), Ok(json!({ "text": "x\ny\u{2028}" })));
        assert!(!bytes.contains(&b'\n'));
        let read: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(read, json!({ "jsonrpc": "2.0", "id": "a\nb", "result": { "text": "x\ny\u{2028}" } }));
    }
}
