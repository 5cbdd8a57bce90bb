//! Who asked by a line of JSON-RPC that cannot be read, so that nobody waits for an answer in vain.
//!
//! Only the members of the outermost object are looked at, up to the first byte that fits nowhere. Values are passed over by
//! their quotes and brackets alone, without recursion, in one pass: half a surrogate pair, a byte that is no UTF-8 or a
//! thousand levels within them hide no `id`.

use serde_json::Value;

/// Bytes of a member's name that is looked at: `method`, each letter written as an escape, and two quotes.
const NAME_BYTES_MAX: usize = 6 * "method".len() + 2;

/// Who asked by a line that cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub enum Asker {
    /// The request with this `id`; of several, the last, as where a message can be read.
    Request(Value),
    /// Nobody: it is a notification, or an answer.
    Nobody,
    /// That cannot be told.
    Unknown,
}

/// Who asked by a line.
pub fn asker(line: &[u8]) -> Asker {
    let mut seen = Seen::default();
    let is_whole = members(line, |name, value| seen.member(name, value)).unwrap_or(false);
    match seen {
        Seen { has_outcome: true, has_method: false, .. } => Asker::Nobody,
        Seen { id: Some(id), .. } => id.map_or(Asker::Unknown, Asker::Request),
        Seen { has_method: true, .. } if is_whole => Asker::Nobody,
        Seen { .. } => Asker::Unknown,
    }
}

/// What is known of a message.
#[derive(Default)]
struct Seen {
    /// Within, `None` for one that cannot be read itself.
    id: Option<Option<Value>>,
    has_method: bool,
    has_outcome: bool,
}

impl Seen {
    fn member(&mut self, name: &[u8], value: &[u8]) {
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

/// Tells the members of the outermost object, whose names still have their quotes. `Some(true)` when nothing is left after
/// it; `None` when it breaks off.
fn members<'a>(line: &'a [u8], mut tell: impl FnMut(&'a [u8], &'a [u8])) -> Option<bool> {
    let mut rest = Rest(line.trim_ascii());
    rest.take(b'{')?;
    loop {
        rest.blanks();
        let name = rest.string()?;
        rest.blanks();
        rest.take(b':')?;
        rest.blanks();
        let value = rest.value()?;
        tell(name, value);
        rest.blanks();
        if rest.take(b',').is_none() {
            rest.take(b'}')?;
            return Some(rest.0.is_empty());
        }
    }
}

/// What is not read yet.
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

    /// A string with its quotes.
    fn string(&mut self) -> Option<&'a [u8]> {
        let end = string_end(self.0)?;
        Some(self.cut(end))
    }

    fn value(&mut self) -> Option<&'a [u8]> {
        let end = match self.0.first()? {
            b'"' => string_end(self.0)?,
            b'{' | b'[' => nested_end(self.0)?,
            // One that is cut off could be another, so there has to be something after it.
            _ => self.0.iter().position(|byte| b",}] \t\r\n\"".contains(byte)).filter(|end| *end > 0)?,
        };
        Some(self.cut(end))
    }
}

/// Where a string that begins here ends, behind its quote.
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

/// Where a list or object that begins here ends, behind its bracket. Each bracket has to be closed by its like.
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

    fn request(id: Value) -> Asker {
        Asker::Request(id)
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
            assert_eq!(asker(line.as_bytes()), expected, "{}", &line[..line.len().min(80)]);
        }
        assert_eq!(asker(b"{\"id\":1,\"method\":\"p\xFFng\"}"), request(json!(1)));
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
            assert_eq!(asker(line.as_bytes()), Asker::Unknown, "{}", &line[..line.len().min(80)]);
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
            assert_eq!(asker(line.as_bytes()), Asker::Nobody, "{line}");
        }
        let both = r#"{"id":7,"method":"x","result":"\ud800"}"#;
        assert_eq!(asker(both.as_bytes()), request(json!(7)));
    }

    /// L3
    #[test]
    fn any_line_is_passed_over_in_one_pass() {
        for line in ["[".repeat(4 << 20), "\"\\".repeat(2 << 20), "{\"id\":".repeat(600_000)] {
            assert_eq!(asker(line.as_bytes()), Asker::Unknown);
        }
    }
}
