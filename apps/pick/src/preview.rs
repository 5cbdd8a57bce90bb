//! The preview of a skill: its sections and its text.

use crate::text::{clean_line, one_line, wrap};

/// A skill's SKILL.md, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// Level, 1 to 6, and text of each heading.
    pub sections: Vec<(u8, String)>,
    /// The text without front matter.
    pub text: String,
    /// The reason the file could not be read.
    pub problem: Option<String>,
}

/// A line of the preview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewLine {
    /// The kind, for its style.
    pub kind: LineKind,
    /// Wrapped to the width of the preview, without control characters.
    pub text: String,
}

/// The kind of a line of the preview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// The name of the skill, or the title of a block.
    Title,
    /// The path of SKILL.md.
    Path,
    /// Description or text.
    Text,
    /// A heading in the list of sections.
    Section,
    /// A read error.
    Problem,
}

/// Sections that are listed; the text has all of them.
const SECTIONS_MAX: usize = 200;

/// The lines of a preview, wrapped to a width in columns.
pub fn lines(
    title: &str,
    path: &str,
    description: &str,
    preview: &Preview,
    columns: usize,
) -> Vec<PreviewLine> {
    let mut lines = Vec::new();
    let mut add = |kind: LineKind, text: &str| {
        let mut wrapped = Vec::new();
        wrap(text, columns, &mut wrapped);
        lines.extend(wrapped.into_iter().map(|text| PreviewLine { kind, text }));
    };
    add(LineKind::Title, &one_line(title));
    add(LineKind::Path, &one_line(path));
    add(LineKind::Text, &one_line(description));
    if let Some(problem) = &preview.problem {
        add(LineKind::Problem, &one_line(problem));
    }
    if !preview.sections.is_empty() {
        add(LineKind::Text, "");
        add(LineKind::Title, "Sections");
    }
    for (level, heading) in preview.sections.iter().take(SECTIONS_MAX) {
        add(
            LineKind::Section,
            &format!("{}{}", "  ".repeat(usize::from(level.saturating_sub(1))), one_line(heading)),
        );
    }
    if preview.sections.len() > SECTIONS_MAX {
        add(LineKind::Section, &format!("… ({} more)", preview.sections.len() - SECTIONS_MAX));
    }
    if !preview.text.is_empty() {
        add(LineKind::Text, "");
        add(LineKind::Title, "Text");
        preview.text.lines().for_each(|line| add(LineKind::Text, &clean_line(line)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::columns;

    #[test]
    fn every_line_fits_and_none_steers_the_terminal() {
        let preview = Preview {
            sections: vec![(1, "Top\u{1b}[31m".to_owned()), (2, "日本語の見出し".to_owned())],
            text: "# Top\n\nA line that is longer than the columns 🦀\u{1b}]0;x\u{7}\n\tcode\n".to_owned(),
            problem: None,
        };
        let lines = lines("name", "/s/name/SKILL.md", "does\nthings", &preview, 12);
        assert!(lines.iter().all(|line| columns(&line.text) <= 12), "{lines:?}");
        assert!(lines.iter().all(|line| !line.text.chars().any(char::is_control)));
        let of = |kind: LineKind| {
            lines.iter().filter(|l| l.kind == kind).map(|l| l.text.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(of(LineKind::Title), ["name", "Sections", "Text"]);
        assert_eq!(of(LineKind::Section)[..1], ["Top\\u{1b}[31"]);
    }
}
