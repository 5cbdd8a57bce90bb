//! Sets one value in a configuration file by a splice, so that every other byte stays.

use super::setting::SECTIONS;
use super::setting_parser::snake_case;
use super::splice::{Splice, at_end};
use super::syntax::{document, table};
use crate::clients::table::quoted;
use crate::newline::newline;
use figment::value::{Dict, Value as FigmentValue};
use toml_edit::{ImDocument, Item, Table, Value};

/// The text after setting a value; `None` if it is already set.
///
/// # Errors
/// The parse error or the obstacle, on one line.
pub fn changed(text: &str, path: &[String], value: &str) -> Result<Option<String>, String> {
    let document = document(text)?;
    let path = &as_written(&document, path);
    let expected = table(&line(path, value))?;
    let holds = |text: &str| Ok::<_, String>(found(&table(text)?, path) == found(&expected, path));
    if holds(text)? {
        return Ok(None);
    }
    let (range, new) = splice(text, &document, path, value)?;
    let mut changed = text.to_owned();
    changed.replace_range(range, &new);
    match holds(&changed) {
        Ok(true) => Ok(Some(changed)),
        _ => Err(format!("'{}' cannot be set", path.join("."))),
    }
}

/// A line of TOML that sets a value.
pub fn line(path: &[String], value: &str) -> String {
    format!("{} = {value}", dotted(path))
}

fn dotted(path: &[String]) -> String {
    let is_bare = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
    };
    let name = |name: &String| if is_bare(name) { name.clone() } else { quoted(name) };
    path.iter().map(name).collect::<Vec<_>>().join(".")
}

/// The path as spelled in the file, since settings of skills may be in `camelCase`.
fn as_written(document: &ImDocument<&str>, path: &[String]) -> Vec<String> {
    if !SECTIONS.contains(&path[0].as_str()) {
        return path.to_vec();
    }
    let mut here = Some(document.as_item());
    let mut written = Vec::with_capacity(path.len());
    for name in path {
        let inside = here.and_then(Item::as_table_like);
        let is_same = |key: &&str| *key == name.as_str() || snake_case(key) == *name;
        let key = inside.and_then(|table| table.iter().map(|(key, _)| key).find(is_same));
        let key = key.unwrap_or(name).to_owned();
        here = here.and_then(|item| item.get(key.as_str()));
        written.push(key);
    }
    written
}

fn found<'a>(values: &'a Dict, path: &[String]) -> Option<&'a FigmentValue> {
    let (name, rest) = path.split_first()?;
    let value = values.get(name)?;
    if rest.is_empty() { Some(value) } else { found(value.as_dict()?, rest) }
}

/// Where to add a setting that is not in the file.
enum Spot {
    /// At this offset, on a line of its own.
    Line(usize),
    /// At this offset, as the first member of an inline table; the flag says whether others follow.
    Member(usize, bool),
}

/// The splice that sets the value at a path of keys, creating missing tables.
///
/// # Errors
/// Why the value cannot be added, such as a key on the path that is not a table.
pub fn splice(
    text: &str,
    document: &ImDocument<&str>,
    path: &[String],
    value: &str,
) -> Result<Splice, String> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let (mut spot, mut depth_of_spot, mut is_dotted) = (Spot::Line(start), 0, false);
    let mut here = document.as_item();
    for (depth, name) in (1..).zip(path) {
        let Some(item) = here.get(name.as_str()) else { break };
        match item {
            Item::Value(Value::InlineTable(inner)) if depth < path.len() => {
                if let Some(span) = inner.span().filter(|_| !inner.is_dotted()) {
                    (spot, depth_of_spot) = (Spot::Member(span.start + 1, !inner.is_empty()), depth);
                }
            }
            Item::Value(old) if depth == path.len() => {
                return Ok((old.span().ok_or("it cannot be located")?, value.to_owned()));
            }
            Item::Table(inner) if depth < path.len() => {
                is_dotted |= inner.is_dotted();
                if let Some(below) = below_header(text, inner) {
                    (spot, depth_of_spot) = (Spot::Line(below), depth);
                }
            }
            Item::Value(_) => return Err(format!("'{}' is not a table", path[..depth].join("."))),
            _ => return Err(format!("'{}' is written as tables", path[..depth].join("."))),
        }
        here = item;
    }
    let missing = &path[depth_of_spot..];
    let newline = newline(text);
    Ok(match spot {
        Spot::Member(at, has_others) => {
            let end = if has_others { "," } else { " " };
            (at..at, format!(" {}{end}", line(missing, value)))
        }
        Spot::Line(at) if missing.len() == 1 || is_dotted => {
            // The header may be on the last line, without a line break.
            let before = if at > start && !text[..at].ends_with('\n') { newline } else { "" };
            (at..at, format!("{before}{}{newline}", line(missing, value)))
        }
        Spot::Line(_) => {
            let (name, sections) = path.split_last().ok_or("no setting has this name")?;
            let header = format!("[{}]", dotted(sections));
            at_end(text, &[&header, &line(std::slice::from_ref(name), value)])
        }
    })
}

/// The offset after the header of a table; `None` for a table without a header.
fn below_header(text: &str, table: &Table) -> Option<usize> {
    if table.is_dotted() || table.is_implicit() {
        return None;
    }
    let header = table.span()?;
    Some(text[header.start..].find('\n').map_or(text.len(), |at| header.start + at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str, key: &str, value: &str) -> Result<Option<String>, String> {
        let path: Vec<String> = key.split('.').map(str::to_owned).collect();
        changed(text, &path, value)
    }

    /// RFC-0009:C-SET
    #[test]
    fn a_value_is_set_where_its_section_is_and_every_other_byte_stays() {
        let cjk = |before: &str| set(before, "search.tokenizer", "\"cjk\"");
        for (before, after) in [
            ("", "[search]\ntokenizer = \"cjk\"\n"),
            ("# mine\nversion = 1", "# mine\nversion = 1\n\n[search]\ntokenizer = \"cjk\"\n"),
            ("a = 1\r\n", "a = 1\r\n\r\n[search]\r\ntokenizer = \"cjk\"\r\n"),
            ("[search] # s\n[b]\n", "[search] # s\ntokenizer = \"cjk\"\n[b]\n"),
            ("[search]", "[search]\ntokenizer = \"cjk\"\n"),
            ("[search]\ntokenizer  =  'ascii' # why\n", "[search]\ntokenizer  =  \"cjk\" # why\n"),
            ("search = { tokenizer = 'ascii' }\n", "search = { tokenizer = \"cjk\" }\n"),
            ("search = {}\n", "search = { tokenizer = \"cjk\" }\n"),
            ("search.tokenizer = 'ascii'\n", "search.tokenizer = \"cjk\"\n"),
        ] {
            assert_eq!(cjk(before).unwrap().as_deref(), Some(after), "{before:?}");
            assert_eq!(cjk(after), Ok(None), "{after:?}");
        }
    }

    /// RFC-0009:C-SET
    #[test]
    fn a_value_of_a_nested_section_is_set() {
        let most = |before: &str| set(before, "skills.initial.max_entries", "9");
        for (before, after) in [
            ("[skills]\nenabled = true\n", "[skills]\nenabled = true\n\n[skills.initial]\nmax_entries = 9\n"),
            ("[skills.initial]\nmax_bytes = 2000\n", "[skills.initial]\nmax_entries = 9\nmax_bytes = 2000\n"),
            ("[skills.initial]\nmaxEntries = 3\n", "[skills.initial]\nmaxEntries = 9\n"),
            (
                "[skills]\ninitial = { max_bytes = 2000 }\n",
                "[skills]\ninitial = { max_entries = 9, max_bytes = 2000 }\n",
            ),
            ("skills.enabled = true\n", "skills.initial.max_entries = 9\nskills.enabled = true\n"),
        ] {
            assert_eq!(most(before).unwrap().as_deref(), Some(after), "{before:?}");
            assert_eq!(most(after), Ok(None), "{after:?}");
        }
        assert_eq!(
            set("\u{feff}# mine\n", "version", "1"),
            Ok(Some("\u{feff}version = 1\n# mine\n".to_owned()))
        );
        let target = set("", "targets.my agent", "\"x\"").unwrap();
        assert_eq!(target.as_deref(), Some("[targets]\n\"my agent\" = \"x\"\n"));
    }

    /// RFC-0009:C-SET
    #[test]
    fn a_value_that_cannot_be_set_is_reported() {
        for (text, message) in [
            ("[search\n", "invalid table header"),
            ("search = 1\n", "'search' is not a table"),
            ("[[search]]\n", "'search' is written as tables"),
            ("[search.tokenizer]\n", "'search.tokenizer' is written as tables"),
        ] {
            let refused = set(text, "search.tokenizer", "\"cjk\"").unwrap_err();
            assert!(refused.contains(message), "{text:?}: {refused}");
        }
    }
}
