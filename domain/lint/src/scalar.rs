//! Scalars in front matter: lists them, locates a part of one, and formats one.

use skillc_domain::frontmatter::{FrontMatter, Node, Value};
use std::ops::Range;

/// A scalar that is a value or a list item.
#[derive(Clone, Debug)]
pub struct Scalar<'a> {
    /// The keys that lead to it. A list item has the keys of its list.
    pub keys: Vec<&'a str>,
    /// Its bytes in the file.
    pub node: &'a Node,
    /// Its text.
    pub text: &'a str,
    /// Whether it is neither quoted nor a block.
    pub is_plain: bool,
}

impl Scalar<'_> {
    /// Its keys, joined by dots.
    pub fn shown(&self) -> String {
        self.keys.join(".")
    }
}

/// All scalars that are values or list items, in written order. A key that is not text counts as empty.
pub fn scalars(front: &FrontMatter) -> Vec<Scalar<'_>> {
    let mut found = Vec::new();
    front.fields.iter().for_each(|(key, value)| collect(&mut vec![key_text(key)], value, &mut found));
    found
}

/// The front matter parser bounds the depth of recursion.
fn collect<'a>(keys: &mut Vec<&'a str>, node: &'a Node, found: &mut Vec<Scalar<'a>>) {
    match &node.value {
        Value::Null => {}
        Value::Scalar { text, is_plain } => {
            found.push(Scalar { keys: keys.clone(), node, text, is_plain: *is_plain });
        }
        Value::List(items) => items.iter().for_each(|item| collect(keys, item, found)),
        Value::Map(fields) => {
            for (key, value) in fields {
                keys.push(key_text(key));
                collect(keys, value, found);
                keys.pop();
            }
        }
    }
}

fn key_text(key: &Node) -> &str {
    key.text().unwrap_or_default()
}

/// All mappings in front matter, beginning with the top-level one.
pub fn maps(front: &FrontMatter) -> Vec<&[(Node, Node)]> {
    let mut found: Vec<&[(Node, Node)]> = vec![&front.fields];
    let mut open: Vec<&Node> = front.fields.iter().rev().map(|(_, value)| value).collect();
    while let Some(node) = open.pop() {
        match &node.value {
            Value::Null | Value::Scalar { .. } => {}
            Value::List(items) => open.extend(items.iter().rev()),
            Value::Map(fields) => {
                found.push(fields);
                open.extend(fields.iter().rev().map(|(_, value)| value));
            }
        }
    }
    found
}

/// The position in the file of a part of a scalar's text: of that part if the file contains it literally, otherwise
/// of the whole scalar.
pub fn part_of(file: &str, node: &Node, part: Range<usize>) -> Range<usize> {
    let (Some(text), Some(written)) = (node.text(), file.get(node.span.clone())) else {
        return node.span.clone();
    };
    match written.find(text) {
        Some(start) if start <= 1 => node.span.start + start + part.start..node.span.start + start + part.end,
        _ => node.span.clone(),
    }
}

/// A text in double quotes on one line, as every YAML parser reads it back.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A one-line text as a scalar: plain if every parser reads that as the same text, otherwise quoted.
pub fn written(text: &str) -> String {
    // The longest word that YAML reads as a boolean or null is `false`.
    let is_bare = text.len() > "false".len()
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
    if is_bare { text.to_owned() } else { quoted(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::frontmatter::Position;

    fn node(value: Value, span: Range<usize>) -> Node {
        Node { value, at: Position { line: 2, column: 1 }, span, tag: None }
    }

    fn text(text: &str) -> Node {
        node(Value::Scalar { text: text.into(), is_plain: true }, 0..0)
    }

    #[test]
    fn scalars_are_told_with_the_keys_that_lead_to_them() {
        let list = node(Value::List(vec![text("x"), node(Value::Null, 0..0)]), 0..0);
        let map = node(Value::Map(vec![(text("b"), list), (text("c"), text("y"))]), 0..0);
        let front = FrontMatter { fields: vec![(text("a"), map), (text("d"), text("z"))] };
        let shown: Vec<_> = scalars(&front).iter().map(|s| format!("{}={}", s.shown(), s.text)).collect();
        assert_eq!(shown, ["a.b=x", "a.c=y", "d=z"]);
        assert_eq!(maps(&front).iter().map(|fields| fields.len()).collect::<Vec<_>>(), [2, 2]);
    }

    #[test]
    fn a_part_is_found_where_the_text_is_written_as_it_reads() {
        for (file, text, expected) in [
            ("Read Write", "Read Write", 5..10),
            ("\"Read Write\"", "Read Write", 6..11),
            ("\"Read\\x20Write\"", "Read Write", 0..15),
            (">\n  Read Write", "Read Write", 0..14),
        ] {
            let node = node(Value::Scalar { text: text.into(), is_plain: true }, 0..file.len());
            assert_eq!(part_of(file, &node, 5..10), expected, "{file}");
        }
    }

    #[test]
    fn a_text_is_quoted_where_a_reader_could_take_it_for_something_else() {
        for (text, expected) in [
            ("Bash(git:*) Read", "Bash(git:*) Read"),
            ("Read: Write", "\"Read: Write\""),
            ("a \"b\" \\ é\n\u{7f}", "\"a \\\"b\\\" \\\\ é\\n\\u007f\""),
            ("true", "\"true\""),
            ("", "\"\""),
        ] {
            assert_eq!(written(text), expected);
        }
    }
}
