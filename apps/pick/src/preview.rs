//! What a skill holds, as far as a person wants to see before picking it: its sections, and its text.

use crate::text::{clean_line, one_line, wrap};

/// A skill's SKILL.md, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// Level, 1 to 6, and text of each heading.
    pub sections: Vec<(u8, String)>,
    /// Its text without front matter.
    pub text: String,
    /// Why there is none.
    pub problem: Option<String>,
}

/// A line of the preview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewLine {
    /// What it is.
    pub part: Part,
    /// In the columns that there are, harmless.
    pub text: String,
}

/// What a line of the preview is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The name, or the title of what follows.
    Title,
    /// Where it stands.
    Path,
    /// Of the description or the text.
    Text,
    /// A heading of the list.
    Section,
    /// Something went wrong.
    Problem,
}

/// Headings that are listed; the text has all of them.
const SECTIONS_MAX: usize = 200;

/// The lines of a preview in so many columns.
pub fn lines(
    title: &str,
    path: &str,
    description: &str,
    preview: &Preview,
    columns: usize,
) -> Vec<PreviewLine> {
    let mut lines = Vec::new();
    let mut add = |part: Part, text: &str| {
        let mut broken = Vec::new();
        wrap(text, columns, &mut broken);
        lines.extend(broken.into_iter().map(|text| PreviewLine { part, text }));
    };
    add(Part::Title, &one_line(title));
    add(Part::Path, &one_line(path));
    add(Part::Text, &one_line(description));
    if let Some(problem) = &preview.problem {
        add(Part::Problem, &one_line(problem));
    }
    if !preview.sections.is_empty() {
        add(Part::Text, "");
        add(Part::Title, "Sections");
    }
    for (level, heading) in preview.sections.iter().take(SECTIONS_MAX) {
        add(
            Part::Section,
            &format!("{}{}", "  ".repeat(usize::from(level.saturating_sub(1))), one_line(heading)),
        );
    }
    if preview.sections.len() > SECTIONS_MAX {
        add(Part::Section, &format!("… ({} more)", preview.sections.len() - SECTIONS_MAX));
    }
    if !preview.text.is_empty() {
        add(Part::Text, "");
        add(Part::Title, "Text");
        preview.text.lines().for_each(|line| add(Part::Text, &clean_line(line)));
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
        let of =
            |part: Part| lines.iter().filter(|l| l.part == part).map(|l| l.text.as_str()).collect::<Vec<_>>();
        assert_eq!(of(Part::Title), ["name", "Sections", "Text"]);
        assert_eq!(of(Part::Section)[..1], ["Top\\u{1b}[31"]);
    }
}
