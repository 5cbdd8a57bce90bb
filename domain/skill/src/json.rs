//! JSON documents as values with their positions in the text, for manifests that people and other programs edit too.

use std::ops::Range;

/// A value and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonNode {
    /// The value.
    pub value: JsonValue,
    /// Byte range in the text.
    pub span: Range<usize>,
}

/// A JSON value. Numbers keep their text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonValue {
    /// `null`.
    Null,
    /// `true` or `false`.
    Flag(bool),
    /// A number.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<JsonNode>),
    /// An object, in written order; keys may repeat.
    Object(Vec<JsonMember>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonMember {
    /// The key, unescaped.
    pub key: String,
    /// Byte range of the key, including the quotes.
    pub key_span: Range<usize>,
    /// Its value.
    pub node: JsonNode,
}

/// Why a text is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonFlaw {
    /// The reason, without the position.
    pub message: String,
    /// Byte offset of the problem.
    pub at: usize,
}

/// A step from a value to one inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonStep {
    /// The member of an object with this key.
    Key(String),
    /// The item of a list at this 0-based position; the list's length appends an item.
    Item(usize),
}

/// A change of one value in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonEdit {
    /// The path to the value. Missing objects along it are created.
    pub path: Vec<JsonStep>,
    /// The new value; `None` removes it.
    pub value: Option<JsonValue>,
}

impl JsonNode {
    /// The member of an object with this key; if the key repeats, the last one, as for `JSON.parse`.
    pub fn get(&self, key: &str) -> Option<&JsonNode> {
        self.members().iter().rev().find(|member| member.key == key).map(|member| &member.node)
    }

    /// The members of an object; empty for any other value.
    pub fn members(&self) -> &[JsonMember] {
        match &self.value {
            JsonValue::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of a list; empty for any other value.
    pub fn items(&self) -> &[JsonNode] {
        match &self.value {
            JsonValue::List(items) => items,
            _ => &[],
        }
    }

    /// The text of a string.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            JsonValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value at the end of a path.
    pub fn at(&self, path: &[JsonStep]) -> Option<&JsonNode> {
        path.iter().try_fold(self, |node, step| match step {
            JsonStep::Key(key) => node.get(key),
            JsonStep::Item(index) => node.items().get(*index),
        })
    }
}

impl JsonValue {
    /// Makes a string.
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// Makes a list of strings.
    pub fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::List(texts.into_iter().map(|text| Self::text(text.as_ref()).into()).collect())
    }

    /// Makes an object with these members.
    pub fn object<K: Into<String>>(members: impl IntoIterator<Item = (K, JsonValue)>) -> Self {
        let member =
            |(key, value): (K, JsonValue)| JsonMember { key: key.into(), key_span: 0..0, node: value.into() };
        Self::Object(members.into_iter().map(member).collect())
    }

    /// Whether two values are equal, regardless of their positions and of the order of an object's members.
    pub fn equals(&self, other: &JsonValue) -> bool {
        match (self, other) {
            (Self::List(ours), Self::List(theirs)) => {
                ours.len() == theirs.len()
                    && ours.iter().zip(theirs).all(|(our, their)| our.value.equals(&their.value))
            }
            (Self::Object(ours), Self::Object(theirs)) => {
                let is_in = |member: &JsonMember| {
                    theirs
                        .iter()
                        .any(|their| their.key == member.key && their.node.value.equals(&member.node.value))
                };
                ours.len() == theirs.len() && ours.iter().all(is_in)
            }
            _ => self == other,
        }
    }

    /// The kind of value for messages, such as `a list`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Flag(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

impl From<JsonValue> for JsonNode {
    fn from(value: JsonValue) -> Self {
        Self { value, span: 0..0 }
    }
}

impl JsonEdit {
    /// An edit that sets the top-level member with this key.
    pub fn set(key: &str, value: JsonValue) -> Self {
        Self { path: vec![JsonStep::key(key)], value: Some(value) }
    }
}

impl JsonStep {
    /// A step to the member with this key.
    pub fn key(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

/// 1-based line and column of a byte offset; columns count characters.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_repeated_keys_counts() {
        let object = JsonValue::object([("a", JsonValue::text("1")), ("a", JsonValue::text("2"))]);
        assert_eq!(JsonNode::from(object).get("a").and_then(JsonNode::text), Some("2"));
    }

    #[test]
    fn objects_are_equal_in_any_order_and_lists_are_not() {
        let (a, b) = (JsonValue::text("a"), JsonValue::text("b"));
        let object = |first: (&str, &JsonValue), second: (&str, &JsonValue)| {
            JsonValue::object([(first.0, first.1.clone()), (second.0, second.1.clone())])
        };
        assert!(object(("x", &a), ("y", &b)).equals(&object(("y", &b), ("x", &a))));
        assert!(!object(("x", &a), ("y", &b)).equals(&object(("x", &b), ("y", &a))));
        assert!(!JsonValue::texts(["a", "b"]).equals(&JsonValue::texts(["b", "a"])));
    }

    #[test]
    fn a_place_counts_lines_and_characters() {
        assert_eq!(line_and_column("{\n \"é\": x", 8), (2, 6));
        assert_eq!(line_and_column("", 9), (1, 1));
    }

    fn item(value: JsonValue) -> JsonNode {
        value.into()
    }

    #[test]
    fn a_value_is_found_at_the_end_of_its_path() {
        let list = JsonValue::texts(["x", "y"]);
        let root = item(JsonValue::object([("a", JsonValue::object([("b", list)]))]));
        let at = |path: &[JsonStep]| root.at(path).and_then(JsonNode::text);
        assert_eq!(at(&[JsonStep::key("a"), JsonStep::key("b"), JsonStep::Item(1)]), Some("y"));
        assert_eq!(at(&[JsonStep::key("a"), JsonStep::key("b"), JsonStep::Item(2)]), None);
        assert_eq!(at(&[JsonStep::key("b")]), None);
        assert_eq!(root.at(&[]), Some(&root));
        assert_eq!((root.members().len(), root.items().len(), root.text()), (1, 0, None));
        assert_eq!((item(JsonValue::Null).members().len(), item(JsonValue::Null).get("a")), (0, None));
    }

    #[test]
    fn values_of_another_kind_or_length_are_not_equal() {
        let number = |text: &str| JsonValue::Number(text.to_owned());
        let object = |members: &[(&str, &str)]| {
            JsonValue::object(members.iter().map(|(key, value)| (*key, number(value))))
        };
        for (a, b, are_equal) in [
            (number("1"), number("1"), true),
            (number("1"), JsonValue::text("1"), false),
            (JsonValue::Flag(true), JsonValue::Flag(false), false),
            (JsonValue::texts(["a"]), JsonValue::texts(["a", "b"]), false),
            (JsonValue::texts(["a"]), JsonValue::texts(["a"]), true),
            (object(&[("x", "1")]), object(&[("x", "1"), ("y", "2")]), false),
            (object(&[("x", "1")]), object(&[("y", "1")]), false),
            (object(&[("x", "1")]), object(&[("x", "2")]), false),
        ] {
            assert_eq!((a.equals(&b), b.equals(&a)), (are_equal, are_equal), "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_value_is_named_by_its_kind() {
        let values = [
            JsonValue::Null,
            JsonValue::Flag(true),
            JsonValue::Number("1".into()),
            JsonValue::text(""),
            JsonValue::texts([""]),
            JsonValue::object([("a", JsonValue::Null)]),
        ];
        let kinds = ["null", "true or false", "a number", "text", "a list", "an object"];
        assert_eq!(values.map(|value| value.kind()), kinds);
        let edit = JsonEdit::set("a", JsonValue::Null);
        assert_eq!((edit.path, edit.value), (vec![JsonStep::key("a")], Some(JsonValue::Null)));
    }
}
