//! Adds a server to a TOML file and removes it by splices, so that every other byte stays.
//!
//! The layout records how to undo an addition. An entry at the very start of a file created the file; an entry without
//! a final line break follows a line that had none either.

use super::removal::Removal;
use crate::clients::table::ConfigValue;
use crate::config::syntax::document;
use crate::newline::newline;
use serde_json::Value as JsonValue;
use std::ops::Range;
use toml_edit::{ImDocument, Item, Table, TableLike, Value as Parsed};

pub struct TomlConfig<'a> {
    text: &'a str,
    document: ImDocument<&'a str>,
}

impl<'a> TomlConfig<'a> {
    /// Parses a text.
    ///
    /// # Errors
    /// The syntax error and its position.
    pub fn parse(text: &'a str) -> Result<Self, String> {
        Ok(Self { text, document: document(text)? })
    }

    /// The whole file, with times as text.
    pub fn value(&self) -> JsonValue {
        table_value(self.document.as_table())
    }

    /// The text with an entry as the table `[servers.name]`; `None` if it is unchanged.
    ///
    /// # Errors
    /// A form of the table that cannot be spliced.
    pub fn put(
        &self,
        servers: &str,
        name: &str,
        entry: &[(&str, ConfigValue)],
    ) -> Result<Option<String>, String> {
        let found = match self.document.get(servers) {
            None => None,
            Some(Item::Table(table)) => table.get(name),
            Some(_) => return Err(format!("'{servers}' is an inline table")),
        };
        match found {
            None => Ok(Some(self.append(&block(servers, name, entry, newline(self.text))))),
            Some(item) if entry.iter().all(|(key, value)| item.get(key).is_some_and(|i| is(i, value))) => {
                Ok(None)
            }
            Some(Item::Table(table)) => self.update(table, entry).map(Some),
            Some(item) => {
                let members: Vec<String> =
                    entry.iter().map(|(key, value)| format!("{key} = {}", value.written())).collect();
                let span = item.span().ok_or("the entry is written in dotted keys")?;
                Ok(Some(self.spliced(&[(span, format!("{{ {} }}", members.join(", ")))])))
            }
        }
    }

    /// Removes the table `[servers.name]`.
    ///
    /// # Errors
    /// A form of the table that cannot be spliced.
    pub fn remove(&self, servers: &str, name: &str) -> Result<Removal, String> {
        let Some(found) = self.document.get(servers).and_then(|servers| servers.get(name)) else {
            return Ok(Removal::Absent);
        };
        let mut spans = Vec::new();
        match (found, self.document.get(servers)) {
            (Item::Table(table), _) => collect(table, &mut spans)?,
            (Item::Value(_), Some(Item::Table(servers))) => {
                let key = servers
                    .key(name)
                    .and_then(|key| key.span())
                    .ok_or("the entry is written in dotted keys")?;
                spans.push(key.start..found.span().map_or(key.end, |span| span.end));
            }
            _ => return Err(format!("'{servers}' is an inline table")),
        }
        spans.sort_by_key(|span| span.start);
        let is_first = spans.first().is_some_and(|span| span.start == 0);
        let cuts: Vec<_> = spans.into_iter().map(|span| (self.lines_of(span), String::new())).collect();
        let left = self.spliced(&cuts);
        Ok(if is_first && left.is_empty() { Removal::All } else { Removal::Text(left) })
    }

    /// Appends an entry after a blank line; it ends with a line break only if the file does.
    fn append(&self, block: &str) -> String {
        let newline = newline(self.text);
        match self.text.is_empty() || self.text.ends_with('\n') {
            true => format!("{}{newline}{block}{newline}", self.text),
            false => format!("{}{newline}{newline}{block}", self.text),
        }
    }

    /// Sets the keys of the entry in a table with a header; other keys stay.
    fn update(&self, table: &Table, entry: &[(&str, ConfigValue)]) -> Result<String, String> {
        let header =
            table.span().filter(|_| !table.is_dotted()).ok_or("the entry is written in dotted keys")?;
        let after_header =
            header.start + self.text[header.start..].find('\n').unwrap_or(self.text.len() - header.start);
        let newline = newline(self.text);
        let mut splices: Vec<(Range<usize>, String)> = Vec::new();
        for (key, value) in entry {
            match table.get(key).and_then(Item::span) {
                Some(span) => splices.push((span, value.written())),
                None => {
                    let at = self.text[..after_header].trim_end_matches('\r').len();
                    splices.push((at..at, format!("{newline}{key} = {}", value.written())));
                }
            }
        }
        splices.sort_by_key(|(span, _)| span.start);
        Ok(self.spliced(&splices))
    }

    /// The whole lines of a span, with one blank line before them.
    fn lines_of(&self, span: Range<usize>) -> Range<usize> {
        let start = self.text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[span.end..].find('\n').map(|at| span.end + at + 1);
        let one_less = |text: &str| -> Option<usize> {
            let text = text.strip_suffix('\n')?;
            Some(text.strip_suffix('\r').unwrap_or(text).len())
        };
        let before = one_less(&self.text[..start]).filter(|at| *at == 0 || self.text[..*at].ends_with('\n'));
        let from = before.unwrap_or(start);
        match end {
            Some(end) => from..end,
            // The line before had no break either.
            None => one_less(&self.text[..from]).unwrap_or(from)..self.text.len(),
        }
    }

    /// Applies splices, which are sorted.
    fn spliced(&self, splices: &[(Range<usize>, String)]) -> String {
        let mut out = String::with_capacity(self.text.len() + 256);
        let mut done = 0;
        for (span, text) in splices {
            out.push_str(self.text.get(done..span.start).unwrap_or_default());
            out.push_str(text);
            done = span.end.max(done);
        }
        out.push_str(&self.text[done..]);
        out
    }
}

/// Collects the spans of a table and its subtables, each from its header to its last value.
fn collect(table: &Table, spans: &mut Vec<Range<usize>>) -> Result<(), String> {
    if table.is_dotted() {
        return Err("the entry is written in dotted keys".to_owned());
    }
    spans.extend(table.span());
    for (_, item) in table.iter() {
        match item {
            Item::Table(below) if !below.is_dotted() => collect(below, spans)?,
            Item::ArrayOfTables(below) => below.iter().try_for_each(|table| collect(table, spans))?,
            _ => {}
        }
    }
    Ok(())
}

fn is(item: &Item, value: &ConfigValue) -> bool {
    match value {
        ConfigValue::Text(text) => item.as_str() == Some(text),
        ConfigValue::List(texts) => {
            let found = item.as_array().map(|array| array.iter().map(Parsed::as_str).collect::<Vec<_>>());
            found == Some(texts.iter().map(|text| Some(text.as_str())).collect())
        }
    }
}

/// The table of an entry, without a final line break.
fn block(servers: &str, name: &str, entry: &[(&str, ConfigValue)], newline: &str) -> String {
    let lines = entry.iter().map(|(key, value)| format!("{newline}{key} = {}", value.written()));
    format!("[{servers}.{name}]{}", lines.collect::<String>())
}

/// A new file with only this entry.
pub fn fresh(servers: &str, name: &str, entry: &[(&str, ConfigValue)]) -> String {
    block(servers, name, entry, "\n") + "\n"
}

fn table_value(table: &dyn TableLike) -> JsonValue {
    table.iter().map(|(key, item)| (key.to_owned(), item_value(item))).collect()
}

fn item_value(item: &Item) -> JsonValue {
    match item {
        Item::None => JsonValue::Null,
        Item::Value(value) => plain_value(value),
        Item::Table(table) => table_value(table),
        Item::ArrayOfTables(tables) => tables.iter().map(|table| table_value(table)).collect(),
    }
}

fn plain_value(value: &Parsed) -> JsonValue {
    match value {
        Parsed::String(text) => JsonValue::from(text.value().as_str()),
        Parsed::Integer(number) => JsonValue::from(*number.value()),
        Parsed::Float(number) => JsonValue::from(*number.value()),
        Parsed::Boolean(is_true) => JsonValue::from(*is_true.value()),
        Parsed::Datetime(time) => JsonValue::from(time.value().to_string()),
        Parsed::Array(list) => list.iter().map(plain_value).collect(),
        Parsed::InlineTable(table) => table_value(table),
    }
}

#[cfg(test)]
mod tests;
