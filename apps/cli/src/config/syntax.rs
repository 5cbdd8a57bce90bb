//! Parses TOML with figment. Errors contain position and kind, and never quote the text, since the file may be a
//! different one than intended.

use figment::Figment;
use figment::providers::{Format, Toml};
use figment::value::Dict;
use toml_edit::{ImDocument, TomlError};

/// The kinds of errors, as prefixes of the parser's messages; the rest of a message may quote the text.
const KINDS: &[&str] = &[
    "invalid table header",
    "invalid key",
    "invalid string",
    "invalid basic string",
    "invalid literal string",
    "invalid multiline basic string",
    "invalid multiline literal string",
    "invalid inline table",
    "invalid array",
    "invalid number",
    "duplicate key",
];

/// Parses a text into a table.
///
/// # Errors
/// Kind and position of the syntax error.
pub fn table(text: &str) -> Result<Dict, String> {
    // The file of a new project is empty.
    if text.is_empty() {
        return Ok(Dict::new());
    }
    let read = Figment::from(Toml::string(text)).extract::<Dict>();
    read.map_err(|_| document(text).err().unwrap_or_else(|| "it is not TOML".to_owned()))
}

/// Parses a text with the spans of keys and values.
///
/// # Errors
/// As [`table`].
pub fn document(text: &str) -> Result<ImDocument<&str>, String> {
    ImDocument::parse(text).map_err(|error| described(text, &error))
}

fn described(text: &str, error: &TomlError) -> String {
    let kind = KINDS.iter().find(|kind| error.message().starts_with(**kind)).unwrap_or(&"not TOML");
    let Some(span) = error.span() else { return (*kind).to_owned() };
    let before = &text[..text.floor_char_boundary(span.start)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{kind} at line {line}, column {column}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D6, RFC-0009:C-FILES
    #[test]
    fn errors_are_reported_by_position_and_kind_and_never_quote_the_text() {
        for (text, said) in [
            ("AWS_KEY=hunter2", "line 1, column 9"),
            ("machine x login y password hunter2\n", "line 1, column 9"),
            ("a = 1\n\n  [hunter2\n", "invalid table header at line 3, column"),
            ("hunter2 = 1\nhunter2 = 2", "duplicate key at line 2, column 1"),
            ("a = \"hunter2", "invalid basic string at line 1, column"),
            ("hunter2\u{0}PATH=/bin", "line 1, column"),
            ("a.hunter2 = 1\n[a.hunter2.x]\n", "line"),
            ("x = hunter2e99999999999999999999", "line 1"),
        ] {
            let told = table(text).unwrap_err();
            assert!(told.contains(said), "{text:?}: {told}");
            assert!(!told.contains("hunter2") && !told.contains("PATH"), "{told}");
        }
    }
}
