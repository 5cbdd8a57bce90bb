//! Adds a server to a JSON file and removes it by splices, so that every other byte stays.
//!
//! The layout records how to undo an addition. A member on the line of its object's opening brace was added to an
//! existing empty object; an object whose only member is on a line of its own was created for it, and is removed with
//! it.

use super::removal::Removal;
use crate::clients::table::{ConfigValue, quoted};
use crate::newline::newline;
use jsonc_parser::ast::{Object, ObjectProp, Value as Parsed};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

/// The extensions of JSON that a client accepts.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// Comments.
    pub comments: bool,
    /// A comma after the last member.
    pub trailing_commas: bool,
}

pub struct JsonConfig<'a> {
    text: &'a str,
    root: Object<'a>,
    tokens: Vec<TokenAndRange<'a>>,
}

/// Replaces a range of bytes with a text.
struct Splice {
    from: usize,
    to: usize,
    text: String,
}

/// The layout of a new member.
struct Layout {
    /// Indentation of the member.
    indent: String,
    /// Whether each of its own members gets a line.
    is_open: bool,
    /// Indentation of one further level.
    unit: String,
    /// The line break of the file.
    newline: &'static str,
}

impl<'a> JsonConfig<'a> {
    /// Parses a text.
    ///
    /// # Errors
    /// The syntax error and its position.
    pub fn parse(text: &'a str, dialect: Dialect) -> Result<Self, String> {
        let options = ParseOptions {
            allow_comments: dialect.comments,
            allow_trailing_commas: dialect.trailing_commas,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let collected = CollectOptions { tokens: true, ..CollectOptions::default() };
        let found = parse_to_ast(text, &collected, &options).map_err(|error| error.to_string())?;
        match found.value {
            Some(Parsed::Object(root)) => Ok(Self { text, root, tokens: found.tokens.unwrap_or_default() }),
            Some(_) => Err("the root is not an object".to_owned()),
            None => Err("it is empty".to_owned()),
        }
    }

    /// The whole file; if a key is repeated, its last value.
    pub fn value(&self) -> Value {
        object_value(&self.root)
    }

    /// Whether this path of keys leads to an object.
    pub fn has(&self, keys: &[&str]) -> bool {
        let step = |object: Option<&Object<'a>>, key: &&str| -> bool {
            object.is_some_and(|o| o.get(key).is_some())
        };
        let mut at = Some(&self.root);
        keys.iter().all(|key| {
            let is_there = step(at, key);
            at = at.and_then(|object| object.get_object(key));
            is_there && at.is_some()
        })
    }

    /// The text with an entry at this path of keys; `None` if it is unchanged.
    ///
    /// # Errors
    /// A value on the path that is not an object, or a duplicate key.
    pub fn put(&self, keys: &[&str], entry: &[(&str, ConfigValue)]) -> Result<Option<String>, String> {
        let mut object = &self.root;
        for (at, key) in keys.iter().enumerate() {
            let Some(found) = only(object, key)? else {
                return Ok(Some(apply(self.text, self.insert(object, &keys[at..], entry))));
            };
            if at + 1 == keys.len() {
                return Ok(self.replace(found, entry).map(|splice| apply(self.text, vec![splice])));
            }
            object = found.value.as_object().ok_or_else(|| format!("{} is not an object", quoted(key)))?;
        }
        Ok(None)
    }

    /// Removes the entry at this path of keys.
    ///
    /// # Errors
    /// A duplicate key on the path.
    pub fn remove(&self, keys: &[&str]) -> Result<Removal, String> {
        let mut way: Vec<(&Object<'a>, &ObjectProp<'a>)> = Vec::new();
        let mut next = Some(&self.root);
        for key in keys {
            let Some(object) = next else { return Ok(Removal::Absent) };
            let Some(found) = only(object, key)? else { return Ok(Removal::Absent) };
            way.push((object, found));
            next = found.value.as_object();
        }
        while let Some((object, member)) = way.pop() {
            if !self.is_made_for(object, member) || (way.is_empty() && !self.is_all(object)) {
                return Ok(Removal::Text(apply(self.text, self.delete(object, member))));
            }
        }
        Ok(Removal::All)
    }

    /// Replaces a value with the entry, unless it already has all members of the entry.
    fn replace(&self, found: &ObjectProp<'a>, entry: &[(&str, ConfigValue)]) -> Option<Splice> {
        let old = found.value.as_object();
        let says = |(key, value): &(&str, ConfigValue)| {
            old.and_then(|old| old.get(key)).is_some_and(|p| is(&p.value, value))
        };
        if entry.iter().all(says) {
            return None;
        }
        let range = found.value.range();
        let layout = self.layout(found.start(), self.text[range.start..range.end].contains('\n'));
        Some(Splice { from: range.start, to: range.end, text: object_text(entry, &layout) })
    }

    fn insert(&self, object: &Object<'a>, keys: &[&str], entry: &[(&str, ConfigValue)]) -> Vec<Splice> {
        let at = |at: usize, text: String| Splice { from: at, to: at, text };
        let (open, close) = (object.start() + 1, object.end() - 1);
        let inside = &self.text[open..close];
        if inside.trim().is_empty() {
            let layout = self.layout(object.start(), false);
            return vec![at(open, member_text(keys, entry, &layout))];
        }
        let end = open + inside.trim_end().len();
        let Some(last) = object.properties.last() else {
            let layout = self.layout_below(object);
            return vec![at(
                end,
                format!("{}{}{}", layout.newline, layout.indent, member_text(keys, entry, &layout)),
            )];
        };
        let comma = self.comma_after(last.end());
        let has_comment = end > comma.unwrap_or(last.end());
        let (layout, before) = if self.is_on_own_line(object, last) {
            let layout = self.layout(last.start(), true);
            let before = format!("{}{}", layout.newline, layout.indent);
            (layout, before)
        } else if has_comment {
            let layout = self.layout_below(object);
            let before = format!("{}{}", layout.newline, layout.indent);
            (layout, before)
        } else {
            (self.layout(object.start(), false), " ".to_owned())
        };
        let member = member_text(keys, entry, &layout);
        match comma {
            Some(_) => vec![at(end, format!("{before}{member},"))],
            None => vec![at(last.end(), ",".to_owned()), at(end, format!("{before}{member}"))],
        }
    }

    fn delete(&self, object: &Object<'a>, member: &ObjectProp<'a>) -> Vec<Splice> {
        let cut = |from: usize, to: usize| Splice { from, to, text: String::new() };
        let from = self.text[..member.start()].trim_end().len().max(object.start() + 1);
        let comma = self.comma_after(member.end());
        let is_last = object.properties.last().is_some_and(|last| last.start() == member.start());
        let before = object.properties.iter().rev().find(|other| other.end() <= member.start());
        match (comma, before) {
            (None, Some(before)) if is_last => {
                let comma = self.comma_after(before.end()).unwrap_or(before.end());
                let own = cut(from.max(comma), member.end());
                vec![cut(comma.saturating_sub(1), comma), own]
            }
            _ => vec![cut(from, comma.unwrap_or(member.end()))],
        }
    }

    /// Whether the object holds only this member, on a line of its own.
    fn is_made_for(&self, object: &Object<'a>, member: &ObjectProp<'a>) -> bool {
        let end = self.comma_after(member.end()).unwrap_or(member.end());
        self.is_on_own_line(object, member)
            && self.text[object.start() + 1..member.start()].trim().is_empty()
            && self.text[end..object.end() - 1].trim().is_empty()
    }

    /// Whether only white space surrounds the object.
    fn is_all(&self, object: &Object<'a>) -> bool {
        self.text[..object.start()].trim().is_empty() && self.text[object.end()..].trim().is_empty()
    }

    fn is_on_own_line(&self, object: &Object<'a>, member: &ObjectProp<'a>) -> bool {
        let before = self.text[object.start() + 1..member.start()].rsplit_once('\n');
        before.is_some_and(|(_, blanks)| blanks.trim().is_empty())
    }

    /// The end of the comma that follows a member.
    fn comma_after(&self, end: usize) -> Option<usize> {
        let next = self.tokens.partition_point(|token| token.start() < end);
        self.tokens.get(next).filter(|token| token.token == Token::Comma).map(|token| token.end())
    }

    /// The layout of a member on the line of a position.
    fn layout(&self, place: usize, is_open: bool) -> Layout {
        let newline = newline(self.text);
        let first = self.root.properties.first().filter(|first| self.is_on_own_line(&self.root, first));
        let unit = first.map(|first| self.blanks(first.start())).filter(|blanks| !blanks.is_empty());
        Layout { indent: self.blanks(place), is_open, unit: unit.unwrap_or("  ".to_owned()), newline }
    }

    /// The layout of a member on a line of its own below the object's.
    fn layout_below(&self, object: &Object<'a>) -> Layout {
        let layout = self.layout(object.start(), true);
        Layout { indent: format!("{}{}", layout.indent, layout.unit), ..layout }
    }

    /// The indentation of the line of a position.
    fn blanks(&self, place: usize) -> String {
        let line = &self.text[self.text[..place].rfind('\n').map_or(0, |at| at + 1)..];
        line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
    }
}

/// The member with a key; an error if the key is duplicated.
fn object_value(object: &Object<'_>) -> Value {
    object.properties.iter().map(|member| (member.name.as_str().to_owned(), value(&member.value))).collect()
}

fn value(parsed: &Parsed<'_>) -> Value {
    match parsed {
        Parsed::StringLit(text) => Value::from(text.value.as_ref()),
        Parsed::NumberLit(number) => number.value.parse().map_or(Value::Null, Value::Number),
        Parsed::BooleanLit(is_true) => Value::from(is_true.value),
        Parsed::Object(object) => object_value(object),
        Parsed::Array(list) => list.elements.iter().map(value).collect(),
        Parsed::NullKeyword(_) => Value::Null,
    }
}

fn only<'o, 'a>(object: &'o Object<'a>, key: &str) -> Result<Option<&'o ObjectProp<'a>>, String> {
    let mut found = object.properties.iter().filter(|member| member.name.as_str() == key);
    match (found.next(), found.next()) {
        (_, Some(_)) => Err(format!("duplicate key {}", quoted(key))),
        (found, None) => Ok(found),
    }
}

fn is(parsed: &Parsed<'_>, value: &ConfigValue) -> bool {
    let is_text =
        |parsed: &Parsed<'_>, text: &str| parsed.as_string_lit().is_some_and(|lit| lit.value == text);
    match value {
        ConfigValue::Text(text) => is_text(parsed, text),
        ConfigValue::List(texts) => parsed.as_array().is_some_and(|array| {
            array.elements.len() == texts.len()
                && array.elements.iter().zip(texts).all(|(p, t)| is_text(p, t))
        }),
    }
}

/// A member at a path of keys, with the objects on the path, each with its member on a line of its own.
fn member_text(keys: &[&str], entry: &[(&str, ConfigValue)], layout: &Layout) -> String {
    let Some((key, rest)) = keys.split_first() else { return String::new() };
    if rest.is_empty() {
        return format!("{}: {}", quoted(key), object_text(entry, layout));
    }
    let Layout { indent, unit, newline, .. } = layout;
    let below = Layout { indent: format!("{indent}{unit}"), is_open: true, unit: unit.clone(), newline };
    let inner = member_text(rest, entry, &below);
    format!("{}: {{{newline}{}{inner}{newline}{indent}}}", quoted(key), below.indent)
}

fn object_text(entry: &[(&str, ConfigValue)], layout: &Layout) -> String {
    let members: Vec<String> =
        entry.iter().map(|(key, value)| format!("{}: {}", quoted(key), value.written())).collect();
    let Layout { indent, unit, newline, is_open } = layout;
    match is_open {
        true => format!(
            "{{{newline}{indent}{unit}{}{newline}{indent}}}",
            members.join(&format!(",{newline}{indent}{unit}"))
        ),
        false => format!("{{{}}}", members.join(", ")),
    }
}

/// A new file with only this entry.
pub fn fresh(keys: &[&str], entry: &[(&str, ConfigValue)]) -> String {
    let layout = Layout { indent: "  ".to_owned(), is_open: true, unit: "  ".to_owned(), newline: "\n" };
    format!("{{\n  {}\n}}\n", member_text(keys, entry, &layout))
}

/// Applies splices, which are sorted and do not overlap.
fn apply(text: &str, splices: Vec<Splice>) -> String {
    let mut out = String::with_capacity(text.len() + 256);
    let mut done = 0;
    for splice in splices {
        out.push_str(&text[done..splice.from]);
        out.push_str(&splice.text);
        done = splice.to;
    }
    out.push_str(&text[done..]);
    out
}

#[cfg(test)]
mod tests;
