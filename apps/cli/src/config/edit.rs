//! Adds entries to lists of a configuration file and removes them by splices, so that every other byte stays.

use super::source::ConfigFile;
use super::splice::{Splice, at_end};
use super::{assignment, set};
use crate::clients::table::quoted;
use crate::newline::newline;
use skillc_domain::discovery::policy::TOOL;
use skillc_domain::discovery::settings::PermissionRule;
use skillc_ports::{SettingRefusal, SettingsChange, SettingsEditor, SettingsTarget};
use std::ops::Range;
use toml_edit::{Array, ImDocument, Item, Table, Value};

/// Edits TOML by the spans of its keys and values.
#[derive(Clone, Copy, Debug, Default)]
pub struct TomlEditor;

impl SettingsEditor for TomlEditor {
    fn changed(&self, toml: &str, change: &SettingsChange) -> Result<Option<String>, String> {
        if let SettingsChange::Set { path, value } = change {
            return set::changed(toml, path, value);
        }
        let Some(entry) = ListEdit::of(change) else { return Ok(None) };
        let holds = |text: &str| Ok::<_, String>(entry.is_in(&parse(text)?) != entry.is_removal);
        if holds(toml)? {
            return Ok(None);
        }
        let mut text = toml.to_owned();
        // A duplicate entry is removed once per occurrence.
        for _ in 0..=toml.len() {
            let splice = entry.splice(&text)?;
            text.replace_range(splice.0, &splice.1);
            if holds(&text)? {
                return Ok(Some(text));
            }
        }
        Err(format!("'{}.{}' cannot be changed", entry.section, entry.key))
    }

    fn assignment(
        &self,
        file: &SettingsTarget<'_>,
        key: &str,
        text: &str,
    ) -> Result<SettingsChange, SettingRefusal> {
        let SettingsTarget { path, home, is_users } = *file;
        assignment::assignment(&ConfigFile { path, home, is_users }, key, text)
    }

    fn disabled(&self, toml: &str) -> Vec<String> {
        let Ok(document) = parse(toml) else { return Vec::new() };
        let list = document.get("skills").and_then(|section| section.get("disabled"));
        let names = list.and_then(Item::as_array).into_iter().flatten();
        names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
    }
}

fn parse(text: &str) -> Result<ImDocument<&str>, String> {
    super::syntax::document(text)
}

/// An entry to add to a list, or to remove from it.
struct ListEdit<'a> {
    section: &'static str,
    key: &'static str,
    is_removal: bool,
    written: String,
    is: Box<dyn Fn(&Value) -> bool + 'a>,
}

impl<'a> ListEdit<'a> {
    /// `None` for a change that is not about a list.
    fn of(change: &'a SettingsChange) -> Option<Self> {
        let disabled = |name: &'a str, is_removal| Self {
            section: "skills",
            key: "disabled",
            is_removal,
            written: quoted(name),
            is: Box::new(move |value| value.as_str() == Some(name)),
        };
        Some(match change {
            SettingsChange::Set { .. } => return None,
            SettingsChange::Disable(name) => disabled(name, false),
            SettingsChange::Enable(name) => disabled(name, true),
            SettingsChange::AddSourceRoot(folder) => Self {
                section: "sources",
                key: "roots",
                is_removal: false,
                written: quoted(folder),
                is: Box::new(move |value| value.as_str() == Some(folder)),
            },
            SettingsChange::Allow(rule) => Self {
                section: "permissions",
                key: "allow",
                is_removal: false,
                written: written(rule),
                is: Box::new(move |value| says(value, rule)),
            },
        })
    }

    fn is_in(&self, document: &ImDocument<&str>) -> bool {
        let list = document.get(self.section).and_then(|section| section.get(self.key));
        match list {
            Some(Item::Value(Value::Array(list))) => list.iter().any(|value| (self.is)(value)),
            Some(Item::ArrayOfTables(tables)) => {
                tables.iter().any(|table| (self.is)(&Value::InlineTable(table.clone().into_inline_table())))
            }
            _ => false,
        }
    }

    /// The next splice of the edit.
    fn splice(&self, text: &str) -> Result<Splice, String> {
        let document = parse(text)?;
        let path = [self.section.to_owned(), self.key.to_owned()];
        let new_key = || set::splice(text, &document, &path, &format!("[{}]", self.written));
        let Some(section) = document.get(self.section) else { return new_key() };
        match section.get(self.key) {
            Some(Item::Value(Value::Array(list))) if self.is_removal => self.taken_out(text, list),
            Some(Item::Value(Value::Array(list))) => added(text, list, &self.written),
            Some(Item::ArrayOfTables(_)) => Ok(self.new_table(text)),
            Some(_) => Err(format!("'{}.{}' is not a list", self.section, self.key)),
            None if section.as_table().is_some_and(Table::is_dotted) => {
                Err(format!("'{}' is written in dotted keys", self.section))
            }
            None if !section.is_table_like() => Err(format!("'{}' is not a table", self.section)),
            None => new_key(),
        }
    }

    /// Appends a table to an array of tables.
    fn new_table(&self, text: &str) -> Splice {
        let members = self.written.trim_matches(['{', '}', ' ']).replace(", ", newline(text));
        at_end(text, &[&format!("[[{}.{}]]", self.section, self.key), &members])
    }

    /// Removes the entry with its comma, and with its whole lines if nothing else is on them.
    fn taken_out(&self, text: &str, list: &Array) -> Result<Splice, String> {
        let spans = spans(list)?;
        let at = list.iter().position(|value| (self.is)(value)).ok_or("the entry is not in the list")?;
        let own = spans[at].clone();
        let line_start = text[..own.start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &text[own.end..];
        let line_end = rest.find('\n').map(|at| own.end + at + 1);
        let after = rest.lines().next().unwrap_or_default().trim_start().trim_start_matches(',').trim_start();
        let has_own_lines =
            text[line_start..own.start].trim().is_empty() && (after.is_empty() || after.starts_with('#'));
        if let (true, Some(line_end)) = (has_own_lines, line_end) {
            return Ok((line_start..line_end, String::new()));
        }
        let range = match (spans.get(at + 1), at.checked_sub(1).and_then(|before| spans.get(before))) {
            (Some(next), _) => own.start..next.start,
            (None, Some(before)) => before.end..own.end,
            (None, None) => own.start..comma(rest).map_or(own.end, |at| own.end + at + 1),
        };
        Ok((range, String::new()))
    }
}

/// Adds an entry at the end of a list.
fn added(text: &str, list: &Array, written: &str) -> Result<Splice, String> {
    let close = list.span().ok_or("it cannot be located")?.end - 1;
    let spans = spans(list)?;
    let line_start = text[..close].rfind('\n').map_or(0, |at| at + 1);
    let is_alone =
        text[line_start..close].trim().is_empty() && line_start > list.span().map_or(0, |s| s.start);
    let newline = newline(text);
    let Some(last) = spans.last() else {
        let entry = if is_alone { format!("  {written},{newline}") } else { written.to_owned() };
        let at = if is_alone { line_start } else { close };
        return Ok((at..at, entry));
    };
    let has_comma = comma(&text[last.end..close]).is_some();
    if !is_alone {
        let at = last.end;
        return Ok((at..at, format!(", {written}")));
    }
    let indent: String = {
        let start = text[..last.start].rfind('\n').map_or(0, |at| at + 1);
        text[start..last.start].chars().take_while(|c| *c == ' ' || *c == '\t').collect()
    };
    let between = if has_comma { "" } else { "," };
    Ok((last.end..line_start, format!("{between}{}{indent}{written},{newline}", &text[last.end..line_start])))
}

/// The position of a comma that only blanks and comments precede.
fn comma(rest: &str) -> Option<usize> {
    let mut is_comment = false;
    for (at, c) in rest.char_indices() {
        match c {
            '\n' => is_comment = false,
            _ if is_comment => {}
            ',' => return Some(at),
            '#' => is_comment = true,
            c if c.is_whitespace() => {}
            _ => return None,
        }
    }
    None
}

fn spans(list: &Array) -> Result<Vec<Range<usize>>, String> {
    let spans: Option<Vec<_>> = list.iter().map(Value::span).collect();
    spans.ok_or_else(|| "its entries cannot be located".to_owned())
}

fn written(rule: &PermissionRule) -> String {
    let part =
        |key: &str, text: &Option<String>| text.as_ref().map(|text| format!("{key} = {}", quoted(text)));
    let parts = [part("tool", &rule.tool), part("skill_name", &rule.skill_name)];
    format!("{{ {} }}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// Whether a value is equivalent to a rule.
fn says(value: &Value, rule: &PermissionRule) -> bool {
    let word = |key: &str| value.as_inline_table().and_then(|table| table.get(key)).and_then(Value::as_str);
    let name = value.as_str().or_else(|| word("skill_name").or_else(|| word("skillName")));
    name == rule.skill_name.as_deref() && word("tool").unwrap_or(TOOL) == rule.tool.as_deref().unwrap_or(TOOL)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disable(toml: &str, name: &str) -> Result<Option<String>, String> {
        TomlEditor.changed(toml, &SettingsChange::Disable(name.to_owned()))
    }

    fn enable(toml: &str, name: &str) -> Result<Option<String>, String> {
        TomlEditor.changed(toml, &SettingsChange::Enable(name.to_owned()))
    }

    fn allow(toml: &str) -> Option<String> {
        let rule = PermissionRule { tool: Some(TOOL.to_owned()), skill_name: Some("x".to_owned()) };
        TomlEditor.changed(toml, &SettingsChange::Allow(rule)).unwrap()
    }

    /// RFC-0010:C-ENABLE
    #[test]
    fn a_name_comes_into_the_list_and_every_other_byte_stays() {
        for (before, after) in [
            ("", "[skills]\ndisabled = [\"x\"]\n"),
            ("# mine\nversion = 1", "# mine\nversion = 1\n\n[skills]\ndisabled = [\"x\"]\n"),
            ("a = 1\r\n", "a = 1\r\n\r\n[skills]\r\ndisabled = [\"x\"]\r\n"),
            ("[skills] # on\nenabled = true\n", "[skills] # on\ndisabled = [\"x\"]\nenabled = true\n"),
            ("[skills]", "[skills]\ndisabled = [\"x\"]\n"),
            ("[skills.initial]\nmax_bytes = 9999\n", {
                "[skills.initial]\nmax_bytes = 9999\n\n[skills]\ndisabled = [\"x\"]\n"
            }),
            ("skills = { enabled = true }\n", "skills = { disabled = [\"x\"], enabled = true }\n"),
            ("skills = {}\n", "skills = { disabled = [\"x\"] }\n"),
            ("[skills]\ndisabled = []\n", "[skills]\ndisabled = [\"x\"]\n"),
            ("[skills]\ndisabled = [ 'a' ] # why\n", "[skills]\ndisabled = [ 'a', \"x\" ] # why\n"),
            ("[skills]\ndisabled = ['a',]\n", "[skills]\ndisabled = ['a', \"x\",]\n"),
            ("[skills]\ndisabled = [\n  'a', # one, two\n  'b' # two\n]\n", {
                "[skills]\ndisabled = [\n  'a', # one, two\n  'b', # two\n  \"x\",\n]\n"
            }),
            ("[skills]\ndisabled = [\n]\n", "[skills]\ndisabled = [\n  \"x\",\n]\n"),
            ("skills.disabled = ['a']\n", "skills.disabled = ['a', \"x\"]\n"),
        ] {
            assert_eq!(disable(before, "x").unwrap().as_deref(), Some(after), "{before:?}");
            assert_eq!(disable(after, "x"), Ok(None), "{after:?}");
            let back = enable(after, "x").unwrap().unwrap();
            assert_eq!(TomlEditor.disabled(&back), TomlEditor.disabled(before), "{back:?}");
        }
    }

    /// RFC-0010:C-ENABLE
    #[test]
    fn a_name_leaves_the_list_and_every_other_byte_stays() {
        for (before, after) in [
            ("[skills]\ndisabled = ['x']\n", "[skills]\ndisabled = []\n"),
            ("[skills]\ndisabled = ['x', ]\n", "[skills]\ndisabled = [ ]\n"),
            ("[skills]\ndisabled = ['x', 'a']\n", "[skills]\ndisabled = ['a']\n"),
            ("[skills]\ndisabled = ['a', \"x\"] # c\n", "[skills]\ndisabled = ['a'] # c\n"),
            ("[skills]\ndisabled = ['x', 'a', 'x']\n", "[skills]\ndisabled = ['a']\n"),
            ("[skills]\r\ndisabled = [\r\n 'a', # a\r\n 'x', # x\r\n 'b',\r\n]\r\n", {
                "[skills]\r\ndisabled = [\r\n 'a', # a\r\n 'b',\r\n]\r\n"
            }),
            ("[skills]\ndisabled = [\n 'x'\n]\n", "[skills]\ndisabled = [\n]\n"),
        ] {
            assert_eq!(enable(before, "x").unwrap().as_deref(), Some(after), "{before:?}");
        }
        assert_eq!(enable("[skills]\ndisabled = ['a']\n", "x"), Ok(None));
        assert_eq!(enable("", "x"), Ok(None));
    }

    /// RFC-0010:C-POLICY
    #[test]
    fn a_remembered_answer_is_a_rule_among_those_that_are_there() {
        let rule = "{ tool = \"skill_load\", skill_name = \"x\" }";
        for (before, after) in [
            ("", format!("[permissions]\nallow = [{rule}]\n")),
            ("[permissions]\ndeny = ['y']\n", format!("[permissions]\nallow = [{rule}]\ndeny = ['y']\n")),
            ("[permissions]\nallow = ['a-*']\n", format!("[permissions]\nallow = ['a-*', {rule}]\n")),
            ("[[permissions.allow]]\nskill_name = 'a'\n", {
                "[[permissions.allow]]\nskill_name = 'a'\n\n[[permissions.allow]]\ntool = \"skill_load\"\nskill_name = \"x\"\n".to_owned()
            }),
        ] {
            assert_eq!(allow(before), Some(after.clone()), "{before:?}");
            assert_eq!(allow(&after), None, "{after:?}");
        }
        assert_eq!(allow("[permissions]\nallow = ['x']\n"), None);
    }

    /// RFC-0010:C-ENABLE
    #[test]
    fn a_setting_that_cannot_be_changed_is_reported() {
        for (toml, message) in [
            ("[skills\n", "invalid table header"),
            ("skills = 1\n", "'skills' is not a table"),
            ("[skills]\ndisabled = 'x'\n", "'skills.disabled' is not a list"),
            ("skills.enabled = true\n", "'skills' is written in dotted keys"),
        ] {
            let told = disable(toml, "x").unwrap_err();
            assert!(told.contains(message), "{told}");
        }
    }

    #[test]
    fn a_hostile_name_stays_a_name() {
        for name in ["\"]\n[team]\nurl = \"x", "\u{1b}[2J", "'", "é\u{0}", "\\", "#"] {
            let text = disable("a = 1\n", name).unwrap().unwrap();
            assert_eq!(TomlEditor.disabled(&text), [name], "{text:?}");
            assert_eq!(parse(&text).unwrap().iter().count(), 2, "{text:?}");
        }
    }
}
