//! Recovers the `id` of an unreadable request, so that its client gets an error instead of waiting forever.
//!
//! Only the members of the outermost object are scanned, up to the first unexpected byte. Values are skipped by their
//! quotes and brackets alone, in one pass without recursion, so an unpaired surrogate, invalid UTF-8 or a thousand
//! levels of nesting inside a value do not hide the `id`.

use serde_json::Value;

/// Maximum length of a member name that is decoded, in bytes: `method` with every letter escaped, and two quotes.
const NAME_BYTES_MAX: usize = 6 * "method".len() + 2;

/// The request that an unreadable line belongs to.
#[derive(Clone, Debug, PartialEq)]
pub enum Requester {
    /// The request with this `id`; the last one if the member is repeated, as in readable messages.
    Request(Value),
    /// No request: the line is a notification or a response.
    None,
    /// It cannot be determined.
    Unknown,
}

/// Finds the request that an unreadable line belongs to.
pub fn requester(line: &[u8]) -> Requester {
    let mut members = Members::default();
    let is_whole = scan(line, |name, value| members.add(name, value)).unwrap_or(false);
    match members {
        Members { has_outcome: true, has_method: false, .. } => Requester::None,
        Members { id: Some(id), .. } => id.map_or(Requester::Unknown, Requester::Request),
        Members { has_method: true, .. } if is_whole => Requester::None,
        Members { .. } => Requester::Unknown,
    }
}

/// The members of a message that distinguish requests from notifications and responses.
#[derive(Default)]
struct Members {
    /// The inner `None` means that the `id` itself is unreadable.
    id: Option<Option<Value>>,
    has_method: bool,
    has_outcome: bool,
}

impl Members {
    fn add(&mut self, name: &[u8], value: &[u8]) {
        if name.len() > NAME_BYTES_MAX {
            return;
        }
        match serde_json::from_slice::<String>(name).as_deref() {
            Ok("id") => self.id = Some(serde_json::from_slice(value).ok()),
            Ok("method") => self.has_method = true,
            Ok("result" | "error") => self.has_outcome = true,
            Ok(_) | Err(_) => {}
        }
    }
}

/// Calls back with the name (quotes included) and the value of each member of the outermost object. Returns
/// `Some(true)` if nothing follows the object, and `None` if the object is cut off or malformed.
fn scan<'a>(line: &'a [u8], mut on_member: impl FnMut(&'a [u8], &'a [u8])) -> Option<bool> {
    let mut rest = Rest(line.trim_ascii());
    rest.take(b'{')?;
    loop {
        rest.blanks();
        let name = rest.string()?;
        rest.blanks();
        rest.take(b':')?;
        rest.blanks();
        let value = rest.value()?;
        on_member(name, value);
        rest.blanks();
        if rest.take(b',').is_none() {
            rest.take(b'}')?;
            return Some(rest.0.is_empty());
        }
    }
}

/// The bytes not scanned yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    fn blanks(&mut self) {
        self.0 = self.0.trim_ascii_start();
    }

    fn cut(&mut self, at: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(at);
        self.0 = rest;
        taken
    }

    /// Takes a string, quotes included.
    fn string(&mut self) -> Option<&'a [u8]> {
        let end = string_end(self.0)?;
        Some(self.cut(end))
    }

    fn value(&mut self) -> Option<&'a [u8]> {
        let end = match self.0.first()? {
            b'"' => string_end(self.0)?,
            b'{' | b'[' => nested_end(self.0)?,
            // A number or word at the very end may be cut off, so a byte has to follow it.
            _ => self.0.iter().position(|byte| b",}] \t\r\n\"".contains(byte)).filter(|end| *end > 0)?,
        };
        Some(self.cut(end))
    }
}

/// The end of the string at the start of a text, after its closing quote.
fn string_end(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    text.first().filter(|first| **first == b'"')?;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The end of the list or object at the start of a text, after its closing bracket; `None` if brackets do not match.
fn nested_end(text: &[u8]) -> Option<usize> {
    let (mut open, mut at) = (Vec::new(), 0);
    loop {
        match text.get(at)? {
            b'"' => at += string_end(&text[at..])? - 1,
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            close @ (b'}' | b']') => {
                open.pop().filter(|expected| expected == close)?;
            }
            _ => {}
        }
        at += 1;
        if open.is_empty() {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn request(id: Value) -> Requester {
        Requester::Request(id)
    }

    /// L3
    #[test]
    fn the_id_of_a_request_is_found_wherever_it_stands() {
        let deep = "[".repeat(1_000_000);
        let closed = format!("{deep}{}", "]".repeat(1_000_000));
        for (line, expected) in [
            (r#"{"id":7,"method":"x","params":"\ud800"}"#.to_owned(), request(json!(7))),
            (r#"{"method":"\ud800","id":"a"}"#.to_owned(), request(json!("a"))),
            (r#" { "\ud800" : 1 , "id" : -7 } "#.to_owned(), request(json!(-7))),
            (r#"{"id":"\"\\\u00e9,}","x":"\ud800"}"#.to_owned(), request(json!("\"\\é,}"))),
            (r#"{"\u0069d":7,"x":"\ud800"}"#.to_owned(), request(json!(7))),
            (r#"{"params":{"id":1,"a":[{"id":2}]},"id":3}"#.to_owned(), request(json!(3))),
            (r#"{"x":"\"id\":4","id":3}"#.to_owned(), request(json!(3))),
            (format!(r#"{{"params":{closed},"id":3}}"#), request(json!(3))),
            (format!(r#"{{"id":3,"params":{deep}"#), request(json!(3))),
            (r#"{"id":3,"params":{"a":"#.to_owned(), request(json!(3))),
            (r#"{"id":3}{"id":4}"#.to_owned(), request(json!(3))),
            (r#"{"id":3,"x":"\ud800","id":4}"#.to_owned(), request(json!(4))),
            (r#"{"id":18446744073709551615,"#.to_owned(), request(json!(u64::MAX))),
        ] {
            assert_eq!(requester(line.as_bytes()), expected, "{}", &line[..line.len().min(80)]);
        }
        assert_eq!(requester(b"{\"id\":1,\"method\":\"p\xFFng\"}"), request(json!(1)));
    }

    /// L3
    #[test]
    fn an_id_that_is_not_certain_is_none() {
        let deep = "[".repeat(1_000_000);
        for line in [
            "",
            "{",
            "{}",
            "hello",
            r#"{"id":7"#,
            r#"{"id":"7"#,
            r#"{"id":"\ud800"}"#,
            r#"{"id":3,"id":"\ud800"}"#,
            r#"{"ID":3}"#,
            r#"{"params":{"id":3},"x":"\ud800"}"#,
            r#"{"params":{"a":],"id":3}}"#,
            r#"{"params":[{]},"id":3}"#,
            r#"{"a":,"id":3}"#,
            r#"{"a" "id":3}"#,
            r#"{"method":"x","params":{"#,
            r#"[{"id":3,"x":"\ud800"}]"#,
            r#""id":3"#,
            &format!(r#"{{"params":{deep},"id":3}}"#),
            &format!(r#"{{"{}":1,"x":"\ud800"}}"#, "id".repeat(1_000)),
        ] {
            assert_eq!(requester(line.as_bytes()), Requester::Unknown, "{}", &line[..line.len().min(80)]);
        }
    }

    /// L3
    #[test]
    fn a_notification_and_an_answer_that_cannot_be_read_ask_nothing() {
        for line in [
            r#"{"method":"notifications/progress","params":{"message":"\ud800"}}"#,
            r#"{"id":7,"result":{"text":"\ud800"}}"#,
            r#"{"error":{"message":"\ud800"},"id":7}"#,
            r#"{"id":7,"result":1,"x":{"#,
        ] {
            assert_eq!(requester(line.as_bytes()), Requester::None, "{line}");
        }
        let both = r#"{"id":7,"method":"x","result":"\ud800"}"#;
        assert_eq!(requester(both.as_bytes()), request(json!(7)));
    }

    /// L3
    #[test]
    fn any_line_is_passed_over_in_one_pass() {
        for line in ["[".repeat(4 << 20), "\"\\".repeat(2 << 20), "{\"id\":".repeat(600_000)] {
            assert_eq!(requester(line.as_bytes()), Requester::Unknown);
        }
    }
}
