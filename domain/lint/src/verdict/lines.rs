//! Front matter line by line, and its types, as loaders written in JavaScript see them.

use crate::yaml_type::{YamlType, yaml_1_1, yaml_1_2};
use skillc_domain::frontmatter::{Node, Value};
use std::ops::Range;

/// A line without its line break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLine<'a> {
    /// The text, without a carriage return.
    pub text: &'a str,
    /// Byte offset in the file.
    pub start: usize,
}

/// The lines in a byte range.
pub fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = FieldLine<'_>> {
    let mut start = range.start;
    text.get(range).unwrap_or_default().split_inclusive('\n').map(move |line| {
        let found = FieldLine { text: line.trim_end_matches(['\n', '\r']), start };
        start += line.len();
        found
    })
}

impl<'a> FieldLine<'a> {
    /// The text after `key:`, trimmed, and its byte range in the file.
    pub fn value_of(&self, key: &str) -> Option<(&'a str, Range<usize>)> {
        let value = self.text.trim_start().strip_prefix(key)?.strip_prefix(':')?;
        let start = self.start + self.text.len() - value.trim_start().len();
        let value = value.trim();
        Some((value, start..start + value.len()))
    }

    /// Whether it is indented and not blank, and so continues the entry above.
    pub fn is_continuation(&self) -> bool {
        !self.indentation().is_empty() && !self.text.trim().is_empty()
    }

    /// The spaces and tabs at its start.
    pub fn indentation(&self) -> &'a str {
        &self.text[..self.text.len() - self.text.trim_start_matches([' ', '\t']).len()]
    }
}

/// Whether js-yaml reads a scalar as text. Its numbers are those of both YAML versions, its booleans those of 1.2,
/// and it supports dates.
pub fn is_js_text(node: &Node) -> bool {
    match &node.value {
        Value::Scalar { is_plain: false, .. } => true,
        Value::Scalar { text, is_plain: true } => {
            let is_old_number = matches!(yaml_1_1(text), YamlType::Int | YamlType::Float | YamlType::Date);
            yaml_1_2(text) == YamlType::Text && !is_old_number
        }
        Value::Null | Value::List(_) | Value::Map(_) => false,
    }
}

/// What js-yaml reads a value as if not as text, with an article; `None` for null.
pub fn js_kind(node: &Node) -> Option<&'static str> {
    match &node.value {
        Value::Null => None,
        Value::List(_) => Some("a list"),
        Value::Map(_) => Some("a mapping"),
        Value::Scalar { text, .. } => match yaml_1_2(text) {
            YamlType::Text => Some(yaml_1_1(text).with_article()),
            known => Some(known.with_article()),
        },
    }
}
