//! The stub: the compiled SKILL.md, an outline with the commands that fetch the text, or the whole text of a small skill.

use crate::discovery::block::one_line;
use crate::limits::{
    REFERENCE_DESCRIPTION_CHARS_MAX, STUB_LINES_MAX, STUB_REFERENCES_MAX, STUB_SECTIONS_MAX,
    STUB_TOP_HEADINGS_MAX,
};
use crate::section::Heading;
use crate::text::shell::argument;
use std::collections::HashMap;

/// The first line of an outline.
const OUTLINE_ONLY: &str =
    "Outline only. Do not read the source files: use the MCP tools `skc_search` and `skc_show`, or run";

/// Whether a stub is an outline, without the text.
pub fn is_outline(stub: &str) -> bool {
    stub.lines().any(|line| line == OUTLINE_ONLY)
}

/// A reference file as the stub lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Relative to the skill.
    pub path: String,
    /// `title` of its front matter, or else its first H1; `None` if it has neither.
    pub title: Option<String>,
    /// Whether the title is a heading, by which `show` finds it.
    pub is_heading: bool,
    /// The description in its front matter.
    pub description: Option<String>,
}

/// What the outline of a stub is made of.
#[derive(Clone, Debug)]
pub struct StubInput<'a> {
    /// The name by which the skill resolves: its folder's name.
    pub resolves_as: &'a str,
    /// Headings of SKILL.md.
    pub headings: &'a [Heading],
    /// The first reference files in their order; more than `STUB_REFERENCES_MAX` are ignored.
    pub references: &'a [Reference],
    /// How many reference files the skill has in all.
    pub references_total: usize,
    /// Whether the skill has files that are not Markdown, such as scripts.
    pub has_other_files: bool,
}

impl StubInput<'_> {
    fn listed_references(&self) -> &[Reference] {
        &self.references[..self.references.len().min(STUB_REFERENCES_MAX)]
    }
}

/// Whether a stub holds the whole text: a skill without reference files, whose SKILL.md has at most this many bytes below its
/// front matter.
pub fn is_whole(body: &str, references_total: usize, whole_bytes_max: u32) -> bool {
    references_total == 0 && body.len() <= whole_bytes_max as usize
}

/// The stub below its front matter, with the whole text of SKILL.md below its own. The same input always gives the same bytes.
pub fn whole(resolves_as: &str, body: &str, has_other_files: bool) -> String {
    let files = has_other_files.then(|| format!("\n{}\n", files_line(resolves_as)));
    let gap = if body.starts_with(['\n', '\r']) { "" } else { "\n" };
    let end = if body.ends_with('\n') { "" } else { "\n" };
    format!("{}{gap}{body}{end}", files.unwrap_or_default())
}

/// The stub below its front matter, with an outline. The same input always gives the same bytes.
pub fn outline(input: &StubInput<'_>) -> String {
    let skill = argument(input.resolves_as);
    // A file without a heading to show is opened by its path.
    let open = input.listed_references().iter().any(|reference| reference.title.is_none());
    let open = if open { format!(", `skc open {skill} <path>`") } else { String::new() };
    let mut lines: Vec<String> = vec![
        String::new(),
        OUTLINE_ONLY.to_owned(),
        format!("`skc search {skill} \"<words>\"`, `{}`{open}.", show_command(input.resolves_as)),
    ];
    if input.has_other_files {
        lines.push(files_line(input.resolves_as));
    }
    lines.extend([String::new(), "## Top Sections".to_owned(), String::new()]);
    let head = lines.len();
    lines.extend(section_lines(input.headings, &skill));
    lines.extend(reference_lines(input, &skill));
    if lines.len() == head {
        lines.push(format!("This skill has no headings: `skc open {skill} SKILL.md` reads it."));
    }
    debug_assert!(lines.len() + 4 <= STUB_LINES_MAX, "the limits of the lists keep the stub short");
    lines.join("\n") + "\n"
}

fn files_line(resolves_as: &str) -> String {
    format!("Scripts and assets: `skc sources {}`.", argument(resolves_as))
}

fn section_lines(headings: &[Heading], skill: &str) -> Vec<String> {
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
        lines.push(format!("- … ({} more): `skc outline {skill}`", total - lines.len()));
    }
    lines
}

fn reference_lines(input: &StubInput<'_>, skill: &str) -> Vec<String> {
    if input.references.is_empty() {
        return Vec::new();
    }
    let shown = input.listed_references();
    let name = |reference: &Reference| {
        without_control_characters(reference.title.as_deref().unwrap_or(&reference.path))
    };
    let mut names: HashMap<String, usize> = HashMap::new();
    shown.iter().for_each(|reference| *names.entry(name(reference)).or_default() += 1);
    let mut lines = vec!["- References".to_owned()];
    for reference in shown {
        let (name, path) = (name(reference), without_control_characters(&reference.path));
        let needs_path = reference.title.is_some() && (!reference.is_heading || names[&name] > 1);
        let name = if needs_path { format!("{name} — {path}") } else { name };
        let description = reference.description.as_deref().map(one_line).filter(|d| !d.is_empty());
        let tail = description.map(|d| format!(" — {}", shorten(&d))).unwrap_or_default();
        lines.push(format!("  - {name}{tail}"));
    }
    let listed = lines.len() - 1;
    if input.references_total > listed {
        lines.push(format!("  - … ({} more): `skc sources {skill}`", input.references_total - listed));
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

fn show_command(name: &str) -> String {
    let skill = argument(name);
    match name.starts_with('-') {
        true => format!("skc show -s \"<heading>\" {skill}"),
        false => format!("skc show {skill} -s \"<heading>\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(level: u8, text: &str) -> Heading {
        Heading { level, text: text.into(), line: 1, offset: 0 }
    }

    fn listing(headings: &[Heading], references: &[Reference], references_total: usize) -> Vec<String> {
        let input =
            StubInput { resolves_as: "x", headings, references, references_total, has_other_files: true };
        let body = outline(&input);
        assert!(body.lines().count() + 4 <= STUB_LINES_MAX);
        body.lines().skip_while(|l| *l != "## Top Sections").skip(2).map(str::to_owned).collect()
    }

    fn reference(path: &str, title: Option<&str>, description: Option<&str>) -> Reference {
        Reference {
            path: path.to_owned(),
            title: title.map(str::to_owned),
            is_heading: true,
            description: description.map(str::to_owned),
        }
    }

    /// RFC-0001:C-SECTIONS
    #[test]
    fn the_stub_lists_h1_and_h2_and_references_by_title() {
        let headings =
            [heading(1, "Rust CLI"), heading(2, "Default Flow"), heading(3, "Deep"), heading(1, "Advanced")];
        let references = [
            reference("clap.md", Some("Clap Patterns"), Some("Advanced\n parsing")),
            reference("docs/tui.md", None, None),
        ];
        assert_eq!(
            listing(&headings, &references, 2),
            [
                "- Rust CLI",
                "  - Default Flow",
                "- Advanced",
                "- References",
                "  - Clap Patterns — Advanced parsing",
                "  - docs/tui.md",
            ]
        );
    }

    /// RFC-0001:C-SECTIONS
    #[test]
    fn references_of_one_title_are_listed_with_their_paths() {
        let references = [
            reference("a/api.md", Some("API"), Some("one")),
            reference("b/api.md", Some("API"), None),
            reference("c.md", Some("Other"), None),
        ];
        assert_eq!(
            listing(&[], &references, 3),
            ["- References", "  - API — a/api.md — one", "  - API — b/api.md", "  - Other"]
        );
        let references = [
            reference("a.md", Some("b.md"), None),
            reference("b.md", None, None),
            Reference { is_heading: false, ..reference("c.md", Some("Of the front matter"), None) },
        ];
        assert_eq!(
            listing(&[], &references, 3),
            ["- References", "  - b.md — a.md", "  - b.md", "  - Of the front matter — c.md"]
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
    fn a_long_listing_is_cut_and_says_how_to_see_the_rest() {
        let h2s: Vec<_> = (0..20).map(|i| heading(2, &format!("s{i}"))).collect();
        let lines = listing(&h2s, &[], 0);
        assert_eq!((lines.len(), lines[15].as_str()), (16, "- … (5 more): `skc outline x`"));
        let h1s: Vec<_> = (0..14).map(|i| heading(1, &format!("s{i}"))).collect();
        let lines = listing(&h1s, &[], 0);
        assert_eq!((lines.len(), lines[12].as_str()), (13, "- … (2 more): `skc outline x`"));
        let long = "ä".repeat(121);
        let references: Vec<_> =
            (0..15).map(|i| reference(&format!("{i}.md"), Some(&format!("r{i}")), Some(&long))).collect();
        let lines = listing(&[], &references, 40);
        assert_eq!((lines.len(), lines[16].as_str()), (17, "  - … (25 more): `skc sources x`"));
        assert_eq!(lines[1].chars().count(), "  - r0 — ".chars().count() + 120);
    }

    /// RFC-0001:C-WHOLE
    #[test]
    fn a_whole_text_comes_back_byte_by_byte_and_ends_with_a_line_break() {
        assert_eq!(whole("x", "# A\n\ntext", false), "\n# A\n\ntext\n");
        assert_eq!(whole("x", "\n# A\n", false), "\n# A\n");
        assert!(whole("a b", "# A\n", true).starts_with("\nScripts and assets: `skc sources 'a b'`"));
        assert!(is_whole("12345", 0, 5) && !is_whole("12345", 0, 4) && !is_whole("1", 1, 5));
    }

    /// RFC-0001:C-STUB
    #[test]
    fn a_name_with_blanks_is_quoted_in_the_commands() {
        assert_eq!(show_command("my skill"), "skc show 'my skill' -s \"<heading>\"");
        assert_eq!(show_command("-2chat"), "skc show -s \"<heading>\" -- -2chat");
    }
}
