//! What a skill without a description says about itself.

/// Characters of a built-in skill that stand for its description (semantic discovery document).
const BUILTIN_CHARS: usize = 500;

/// The first characters of a built-in skill's text.
pub fn builtin_text(content: &str) -> String {
    content.chars().take(BUILTIN_CHARS).collect()
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
}
