//! The stub: the compiled SKILL.md that shows an agent what there is and how to ask for it.

use crate::limits::{
    REFERENCE_DESCRIPTION_CHARS_MAX, STUB_LINES_MAX, STUB_REFERENCES_MAX, STUB_SECTIONS_MAX,
    STUB_TOP_HEADINGS_MAX,
};
use crate::section::Heading;
use crate::text::shell::argument;

/// A reference file as the stub lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Its first H1, or its path when it has none.
    pub title: String,
    /// The description in its front matter.
    pub description: Option<String>,
}

/// What a stub is made of.
#[derive(Clone, Debug)]
pub struct StubInput<'a> {
    /// The name by which the skill resolves: its folder's name.
    pub resolves_as: &'a str,
    /// `name` of the front matter.
    pub name: &'a str,
    /// Headings of SKILL.md.
    pub headings: &'a [Heading],
    /// The first reference files by path; more than `STUB_REFERENCES_MAX` are not looked at.
    pub references: &'a [Reference],
    /// How many reference files the skill has in all.
    pub references_total: usize,
}

/// The stub below its front matter. The same input always gives the same bytes.
pub fn body(input: &StubInput<'_>) -> String {
    let skill = argument(input.resolves_as);
    let mut lines: Vec<String> = vec![
        String::new(),
        format!("# {}", one_line(input.name)),
        String::new(),
        "This is an outline, compiled by skillc. Do not read the source files of this skill directly: ask for the".into(),
        "parts that you need.".into(),
        String::new(),
        "If the skillc MCP server is available, prefer its tools (`skc_outline`, `skc_show`, `skc_search`, `skc_open`,"
            .into(),
        "`skc_sources`): they are faster and answer with structured data. Otherwise use these commands:".into(),
        String::new(),
        format!("- `skc outline {skill}` lists every section"),
        format!("- `{}` reads one section", show_command(input.resolves_as)),
        format!("- `skc search {skill} \"<words>\"` finds sections by their text"),
        format!("- `skc open {skill} <path>` reads one file"),
        format!("- `skc sources {skill}` lists the files"),
        String::new(),
        "## Top Sections".into(),
        String::new(),
    ];
    let head = lines.len();
    lines.extend(section_lines(input.headings));
    lines.extend(reference_lines(input));
    if lines.len() == head {
        lines.push(format!("This skill has no headings: `skc open {skill} SKILL.md` reads it."));
    }
    debug_assert!(lines.len() + 4 <= STUB_LINES_MAX, "the limits of the lists keep the stub short");
    lines.join("\n") + "\n"
}

fn section_lines(headings: &[Heading]) -> Vec<String> {
    let listed = headings.iter().filter(|h| h.level <= 2 && !h.text.is_empty());
    let total = listed.clone().count();
    let (mut lines, mut tops) = (Vec::new(), 0);
    for heading in listed {
        tops += usize::from(heading.level == 1);
        if lines.len() == STUB_SECTIONS_MAX || tops > STUB_TOP_HEADINGS_MAX {
            break;
        }
        let indent = if heading.level == 1 { "" } else { "  " };
        lines.push(format!("{indent}- {}", without_control_characters(&heading.text)));
    }
    if total > lines.len() {
        lines.push(format!("- … ({} more)", total - lines.len()));
    }
    lines
}

fn reference_lines(input: &StubInput<'_>) -> Vec<String> {
    if input.references.is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["- References (query by title only)".to_owned()];
    for reference in input.references.iter().take(STUB_REFERENCES_MAX) {
        let description = reference.description.as_deref().map(one_line).filter(|d| !d.is_empty());
        let tail = description.map(|d| format!(" — {}", shorten(&d))).unwrap_or_default();
        lines.push(format!("  - {}{tail}", without_control_characters(&reference.title)));
    }
    let listed = lines.len() - 1;
    if input.references_total > listed {
        lines.push(format!("  - … ({} more)", input.references_total - listed));
    }
    lines
}

fn shorten(description: &str) -> String {
    if description.chars().count() <= REFERENCE_DESCRIPTION_CHARS_MAX {
        return description.to_owned();
    }
    let beginning: String = description.chars().take(REFERENCE_DESCRIPTION_CHARS_MAX - 1).collect();
    format!("{}…", beginning.trim_end())
}

/// A heading without line breaks, but with its spaces unchanged, so that `show` finds it by this text.
fn without_control_characters(heading: &str) -> String {
    heading.replace(char::is_control, " ")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn show_command(name: &str) -> String {
    let skill = argument(name);
    match name.starts_with('-') {
        true => format!("skc show --section \"<heading>\" {skill}"),
        false => format!("skc show {skill} --section \"<heading>\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(level: u8, text: &str) -> Heading {
        Heading { level, text: text.into(), line: 1, offset: 0 }
    }

    fn listing(headings: &[Heading], references: &[Reference], references_total: usize) -> Vec<String> {
        let input = StubInput { resolves_as: "x", name: "x", headings, references, references_total };
        let body = body(&input);
        assert!(body.lines().count() + 4 <= STUB_LINES_MAX);
        body.lines().skip_while(|l| *l != "## Top Sections").skip(2).map(str::to_owned).collect()
    }

    /// RFC-0001:C-SECTIONS
    #[test]
    fn the_stub_lists_h1_and_h2_and_references_by_title() {
        let headings =
            [heading(1, "Rust CLI"), heading(2, "Default Flow"), heading(3, "Deep"), heading(1, "Advanced")];
        let references = [
            Reference { title: "Clap Patterns".into(), description: Some("Advanced\n parsing".into()) },
            Reference { title: "docs/tui.md".into(), description: None },
        ];
        assert_eq!(
            listing(&headings, &references, 2),
            [
                "- Rust CLI",
                "  - Default Flow",
                "- Advanced",
                "- References (query by title only)",
                "  - Clap Patterns — Advanced parsing",
                "  - docs/tui.md",
            ]
        );
    }

    /// RFC-0001:C-SECTIONS
    #[test]
    fn a_heading_is_listed_with_its_blanks() {
        let headings = [heading(1, "Two  blanks\u{a0}and one"), heading(1, "no\u{1b}escape")];
        assert_eq!(listing(&headings, &[], 0), ["- Two  blanks\u{a0}and one", "- no escape"]);
    }

    /// RFC-0001:C-SECTIONS
    #[test]
    fn a_long_listing_is_cut_and_says_how_many_more() {
        let h2s: Vec<_> = (0..20).map(|i| heading(2, &format!("s{i}"))).collect();
        let lines = listing(&h2s, &[], 0);
        assert_eq!((lines.len(), lines[15].as_str()), (16, "- … (5 more)"));
        let h1s: Vec<_> = (0..14).map(|i| heading(1, &format!("s{i}"))).collect();
        let lines = listing(&h1s, &[], 0);
        assert_eq!((lines.len(), lines[12].as_str()), (13, "- … (2 more)"));
        let references: Vec<_> = (0..15)
            .map(|i| Reference { title: format!("r{i}"), description: Some("ä".repeat(121)) })
            .collect();
        let lines = listing(&[], &references, 40);
        assert_eq!((lines.len(), lines[16].as_str()), (17, "  - … (25 more)"));
        assert_eq!(lines[1].chars().count(), "  - r0 — ".chars().count() + 120);
    }

    /// RFC-0001:C-STUB
    #[test]
    fn a_name_with_blanks_is_quoted_in_the_commands() {
        assert_eq!(show_command("my skill"), "skc show 'my skill' --section \"<heading>\"");
        assert_eq!(show_command("-2chat"), "skc show --section \"<heading>\" -- -2chat");
    }
}
