//! The stub: the compiled SKILL.md. Either an outline with the commands that fetch the text, or the whole text of a
//! small skill.

use crate::discovery::block::one_line;
use crate::limits::{
    REFERENCE_DESCRIPTION_CHARS_MAX, STUB_LINES_MAX, STUB_LIST_BYTES_MAX, STUB_REFERENCES_MAX,
    STUB_SECTIONS_MAX, STUB_TOP_HEADINGS_MAX,
};
use crate::section::Heading;
use crate::text::shell::argument;
use std::collections::HashMap;

/// The first line of an outline.
const OUTLINE_ONLY: &str =
    "Outline only. Do not read source files: use MCP tools `skc_search`, `skc_show`, or";

/// The first line of outlines built by skc 0.1.
const OUTLINE_ONLY_BEFORE: &str =
    "Outline only. Do not read the source files: use the MCP tools `skc_search` and `skc_show`, or run";

/// Whether a stub is an outline rather than the whole text.
pub fn is_outline(stub: &str) -> bool {
    stub.lines().any(|line| [OUTLINE_ONLY, OUTLINE_ONLY_BEFORE].contains(&line))
}

/// A reference file as the stub lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Path relative to the skill.
    pub path: String,
    /// `title` of its front matter, otherwise its first H1; `None` if it has neither.
    pub title: Option<String>,
    /// Whether the title is a heading that `show` can find.
    pub is_heading: bool,
    /// The description in its front matter.
    pub description: Option<String>,
}

/// The inputs of an outline.
#[derive(Clone, Debug)]
pub struct StubInput<'a> {
    /// The name by which the skill is resolved: its folder's name.
    pub resolves_as: &'a str,
    /// The headings of SKILL.md.
    pub headings: &'a [Heading],
    /// The first reference files in stub order; more than `STUB_REFERENCES_MAX` are ignored.
    pub references: &'a [Reference],
    /// Number of all reference files of the skill.
    pub references_total: usize,
    /// Whether the skill has files that are not Markdown, such as scripts.
    pub has_other_files: bool,
}

impl StubInput<'_> {
    fn listed_references(&self) -> &[Reference] {
        &self.references[..self.references.len().min(STUB_REFERENCES_MAX)]
    }
}

/// Whether a stub contains the whole text: the skill has no reference files, and its SKILL.md has at most this many
/// bytes below the front matter.
pub fn is_whole(body: &str, references_total: usize, whole_bytes_max: u32) -> bool {
    references_total == 0 && body.len() <= whole_bytes_max as usize
}

/// A stub's body with the whole text of SKILL.md. The same input always yields the same bytes.
pub fn whole(resolves_as: &str, body: &str, has_other_files: bool) -> String {
    let files = has_other_files.then(|| format!("\n{}\n", files_line(resolves_as)));
    let gap = if body.starts_with(['\n', '\r']) { "" } else { "\n" };
    let end = if body.ends_with('\n') { "" } else { "\n" };
    format!("{}{gap}{body}{end}", files.unwrap_or_default())
}

/// A stub's body with an outline. The same input always yields the same bytes.
pub fn outline(input: &StubInput<'_>) -> String {
    let mut lines: Vec<String> = vec![String::new(), OUTLINE_ONLY.to_owned(), commands(input)];
    lines.extend([String::new(), "## Top Sections".to_owned(), String::new()]);
    let head = lines.len();
    lines.extend(lists(input));
    if lines.len() == head {
        let skill = argument(input.resolves_as);
        lines.push(format!("This skill has no headings: `skc open {skill} SKILL.md` reads it."));
    }
    debug_assert!(lines.len() + 4 <= STUB_LINES_MAX, "the limits of the lists keep the stub short");
    lines.join("\n") + "\n"
}

/// The commands that fetch the text. A file without a heading is opened by its path.
fn commands(input: &StubInput<'_>) -> String {
    let skill = argument(input.resolves_as);
    let mut commands = format!("`skc search {skill} \"<words>\"`, `{}`", show_command(input.resolves_as));
    if input.listed_references().iter().any(|reference| reference.title.is_none()) {
        commands += &format!(", `skc open {skill} <path>`");
    }
    if input.has_other_files {
        commands += &format!(", `skc sources {skill}` (scripts, assets)");
    }
    commands + "."
}

fn files_line(resolves_as: &str) -> String {
    format!("Scripts and assets: `skc sources {}`.", argument(resolves_as))
}

/// The lists of headings and references, within their limits: each list may use half of the bytes and whatever the
/// other leaves.
fn lists(input: &StubInput<'_>) -> Vec<String> {
    let skill = argument(input.resolves_as);
    let headings = input.headings.iter().filter(|h| h.level <= 2 && !h.text.is_empty());
    let total = headings.clone().count();
    let references = input.listed_references();
    let names = reference_lines(references, false);
    let for_headings = STUB_LIST_BYTES_MAX - bytes(&names).min(STUB_LIST_BYTES_MAX / 2);
    let mut lines = fitting(heading_lines(headings), for_headings);
    let left = STUB_LIST_BYTES_MAX.saturating_sub(bytes(&lines));
    if total > lines.len() {
        lines.push(format!("- … ({} more): `skc outline {skill}`", total - lines.len()));
    }
    if references.is_empty() {
        return lines;
    }
    let described = reference_lines(references, true);
    let shown = fitting(if bytes(&described) <= left { described } else { names }, left);
    let more = input.references_total.saturating_sub(shown.len());
    lines.push("- References".to_owned());
    lines.extend(shown);
    match (more, input.has_other_files) {
        (0, _) => {}
        // The commands above already say how to get the rest.
        (_, true) => lines.push(format!("  - … ({more} more)")),
        (_, false) => lines.push(format!("  - … ({more} more): `skc sources {skill}`")),
    }
    lines
}

/// The first lines that together have at most this many bytes; always at least one.
fn fitting(mut lines: Vec<String>, bytes_max: usize) -> Vec<String> {
    let fits = |count: &usize| bytes(&lines[..*count]) <= bytes_max;
    let count = (1..=lines.len()).take_while(fits).last().unwrap_or(1);
    lines.truncate(count);
    lines
}

fn bytes(lines: &[String]) -> usize {
    lines.iter().map(|line| line.len() + 1).sum()
}

fn heading_lines<'a>(headings: impl Iterator<Item = &'a Heading>) -> Vec<String> {
    let mut tops = 0;
    let is_within = |heading: &&Heading| {
        tops += usize::from(heading.level == 1);
        tops <= STUB_TOP_HEADINGS_MAX
    };
    let line = |heading: &Heading| {
        let indent = if heading.level == 1 { "" } else { "  " };
        format!("{indent}- {}", without_control_characters(&heading.text))
    };
    headings.take(STUB_SECTIONS_MAX).take_while(is_within).map(line).collect()
}

fn reference_lines(references: &[Reference], is_described: bool) -> Vec<String> {
    let name = |reference: &Reference| {
        without_control_characters(reference.title.as_deref().unwrap_or(&reference.path))
    };
    let mut names: HashMap<String, usize> = HashMap::new();
    references.iter().for_each(|reference| *names.entry(name(reference)).or_default() += 1);
    let line = |reference: &Reference| {
        let (name, path) = (name(reference), without_control_characters(&reference.path));
        let needs_path = reference.title.is_some() && (!reference.is_heading || names[&name] > 1);
        let name = if needs_path { format!("{name} — {path}") } else { name };
        let description = reference.description.as_deref().filter(|_| is_described).map(one_line);
        let description = description.filter(|description| !description.is_empty());
        let tail = description.map(|d| format!(" — {}", shorten(&d))).unwrap_or_default();
        format!("  - {name}{tail}")
    };
    references.iter().map(line).collect()
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
            StubInput { resolves_as: "x", headings, references, references_total, has_other_files: false };
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
        let references: Vec<_> =
            (0..15).map(|i| reference(&format!("{i}.md"), Some(&format!("r{i}")), None)).collect();
        let lines = listing(&[], &references, 40);
        assert_eq!((lines.len(), lines[16].as_str()), (17, "  - … (25 more): `skc sources x`"));
        let long = reference("0.md", Some("r0"), Some(&"ä".repeat(121)));
        let lines = listing(&[], std::slice::from_ref(&long), 1);
        assert_eq!(lines[1], "  - r0", "with its description it has more bytes than fit");
        let lines = listing(&[], &[reference("0.md", Some("r0"), Some(&"a".repeat(121)))], 1);
        assert_eq!(lines[1].chars().count(), "  - r0 — ".chars().count() + 120);
    }

    /// RFC-0001:C-SECTIONS
    #[test]
    fn long_lists_share_their_bytes_and_show_one_line_each_at_least() {
        let long = "h".repeat(300);
        let lines =
            listing(&[heading(1, &long), heading(1, "B")], &[reference("a.md", Some(&long), None)], 3);
        assert_eq!(
            lines,
            [
                format!("- {long}"),
                "- … (1 more): `skc outline x`".to_owned(),
                "- References".to_owned(),
                format!("  - {long}"),
                "  - … (2 more): `skc sources x`".to_owned(),
            ]
        );
        let of_50_bytes = |at: usize| format!("{at:045}");
        let headings: Vec<_> = (0..15).map(|at| heading(2, &of_50_bytes(at))).collect();
        let references: Vec<_> =
            (0..15).map(|at| reference("a.md", Some(&of_50_bytes(at)), Some("described"))).collect();
        let counts = |lines: &[String]| {
            let end = lines.iter().position(|line| line == "- References").unwrap_or(lines.len());
            (end - 1, lines.len().saturating_sub(end + 2))
        };
        assert_eq!(counts(&listing(&headings, &references, 15)), (2, 2));
        assert_eq!(counts(&listing(&headings, &[], 0)), (4, 0));
        assert_eq!(counts(&listing(&headings, &references[..1], 9)), (3, 1));
        let lines = listing(&headings[..1], &references, 15);
        assert_eq!(lines.iter().filter(|line| line.starts_with("  - 0")).count(), 1 + 3);
    }

    /// RFC-0001:C-STUB
    #[test]
    fn an_outline_that_an_older_skc_built_is_known_as_one() {
        let input = StubInput {
            resolves_as: "x",
            headings: &[],
            references: &[],
            references_total: 0,
            has_other_files: false,
        };
        assert!(is_outline(&outline(&input)));
        assert!(is_outline(&format!("---\nname: x\n---\n\n{OUTLINE_ONLY_BEFORE}\n")));
        assert!(!is_outline(&whole("x", "# Text\n", false)));
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
