//! Extracts a skill's name and description from its text (RFC-0011:C-TEXT).

use crate::frontmatter::FrontMatter;
use crate::limits::SKILL_DESCRIPTION_CHARS_MAX;
use crate::raw_value::RawValue;

/// A built-in skill is described by this many characters of its text (semantic discovery document).
const BUILTIN_CHARS: usize = 500;

/// The name and description in a Python skill's manifest: `name`, otherwise `id`; and `description`, otherwise empty.
/// Blank values count as missing; `None` without a name.
pub fn extract_python_skill_text(manifest: &[(String, RawValue)]) -> Option<(String, String)> {
    let word = |key: &str| {
        manifest.iter().find_map(|(own, value)| match value {
            RawValue::Word(word) if own == key => Some(word.trim()).filter(|word| !word.is_empty()),
            _ => None,
        })
    };
    let name = word("name").or_else(|| word("id"))?;
    Some((name.to_owned(), word("description").unwrap_or_default().to_owned()))
}

/// The name and description in a Markdown skill's front matter. A missing name is replaced by `file_name`, a missing
/// description by the first paragraph of the body, cut to the maximum length of a description and possibly empty.
pub fn extract_markdown_skill_text(front: &FrontMatter, body: &str, file_name: &str) -> (String, String) {
    let field = |key: &str| front.required(key).ok().map(|text| text.trim().to_owned());
    let name = field("name").unwrap_or_else(|| file_name.to_owned());
    let paragraph = || first_paragraph(body).chars().take(SKILL_DESCRIPTION_CHARS_MAX).collect();
    (name, field("description").unwrap_or_else(paragraph))
}

/// The name of a built-in skill, and as its description the first 500 characters of its content.
pub fn extract_builtin_skill_text(skill_name: &str, content: &str) -> (String, String) {
    (skill_name.to_owned(), content.trim_start().chars().take(BUILTIN_CHARS).collect())
}

/// The first paragraph of a Markdown text that is not a heading, on one line.
fn first_paragraph(text: &str) -> String {
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
    }

    /// RFC-0011:C-TEXT
    #[test]
    fn extract_builtin_skill_text_truncates() {
        let (name, description) = extract_builtin_skill_text("guide", &"é".repeat(600));
        assert_eq!((name.as_str(), description.chars().count()), ("guide", 500));
        assert_eq!(extract_builtin_skill_text("guide", "\nshort").1, "short");
    }

    /// RFC-0011:C-TEXT
    #[test]
    fn a_manifest_names_a_skill_by_its_name_and_else_by_its_id() {
        let said = |pairs: &[(&str, &str)]| {
            let word = |text: &str| RawValue::Word(text.to_owned());
            let table: Vec<_> = pairs.iter().map(|(key, text)| ((*key).to_owned(), word(text))).collect();
            extract_python_skill_text(&table)
        };
        let text = |name: &str, description: &str| Some((name.to_owned(), description.to_owned()));
        let whole = [("id", "n"), ("name", " Note "), ("description", " Sends.\n")];
        assert_eq!(said(&whole), text("Note", "Sends."));
        assert_eq!(said(&[("id", "n"), ("name", " \t"), ("description", " ")]), text("n", ""));
        for nameless in [&[("description", "Sends.")][..], &[("name", ""), ("id", " ")], &[]] {
            assert_eq!(said(nameless), None, "{nameless:?}");
        }
        assert_eq!(extract_python_skill_text(&[("name".to_owned(), RawValue::Number(1))]), None);
    }
}
