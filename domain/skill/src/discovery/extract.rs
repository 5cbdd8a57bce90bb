//! What a skill says about itself where no front matter does.

use crate::raw_value::RawValue;

/// Characters of a built-in skill that stand for its description (semantic discovery document).
const BUILTIN_CHARS: usize = 500;

/// The first characters of a built-in skill's text.
pub fn builtin_text(content: &str) -> String {
    content.chars().take(BUILTIN_CHARS).collect()
}

/// Name and description in the manifest of a Python skill: `name`, else `id`, and `description`, which may be empty. What
/// holds nothing but blanks, or is no text, is missing; `None` without a name.
pub fn manifest_text(table: &[(String, RawValue)]) -> Option<(String, String)> {
    let word = |key: &str| {
        table.iter().find_map(|(own, value)| match value {
            RawValue::Word(word) if own == key => Some(word.trim()).filter(|word| !word.is_empty()),
            _ => None,
        })
    };
    let name = word("name").or_else(|| word("id"))?;
    Some((name.to_owned(), word("description").unwrap_or_default().to_owned()))
}

/// The first paragraph of a Markdown text that is no heading, on one line.
pub fn first_paragraph(text: &str) -> String {
    let is_prose = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let lines = text.lines().map(str::trim).skip_while(|line| !is_prose(line)).take_while(is_prose);
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_paragraph_is_that_of_prose() {
        assert_eq!(first_paragraph("# Title\n\nSends a\n  message.\n\nMore.\n"), "Sends a message.");
        assert_eq!(first_paragraph("# Title\n"), "");
        assert_eq!(builtin_text(&"ü".repeat(600)).chars().count(), 500);
    }

    /// RFC-0011:C-TEXT
    #[test]
    fn a_manifest_names_a_skill_by_its_name_and_else_by_its_id() {
        let said = |pairs: &[(&str, &str)]| {
            let word = |text: &str| RawValue::Word(text.to_owned());
            let table: Vec<_> = pairs.iter().map(|(key, text)| ((*key).to_owned(), word(text))).collect();
            manifest_text(&table)
        };
        let text = |name: &str, description: &str| Some((name.to_owned(), description.to_owned()));
        let whole = [("id", "n"), ("name", " Note "), ("description", " Sends.\n")];
        assert_eq!(said(&whole), text("Note", "Sends."));
        assert_eq!(said(&[("id", "n"), ("name", " \t"), ("description", " ")]), text("n", ""));
        for nameless in [&[("description", "Sends.")][..], &[("name", ""), ("id", " ")], &[]] {
            assert_eq!(said(nameless), None, "{nameless:?}");
        }
        assert_eq!(manifest_text(&[("name".to_owned(), RawValue::Number(1))]), None);
    }
}
