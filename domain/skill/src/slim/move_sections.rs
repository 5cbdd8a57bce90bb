//! Sections that were never read, moved into a file of their own.

use super::reads::FileReads;
use super::tokens::tokens_of;
use crate::section::{Heading, Section, sections};
use std::collections::BTreeSet;

/// Reads of lines of a file that must be recorded: fewer say nothing about what is never read.
const READS_MIN: u64 = 5;
/// Estimated tokens below which a section is not worth a file.
const SECTION_TOKENS_MIN: u64 = 100;
/// Characters of a heading in a file's name.
const SLUG_CHARS_MAX: usize = 40;
/// Where the sections of SKILL.md go.
const REFERENCES: &str = "references/";

/// A section that goes into another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedSection {
    /// Its heading.
    pub heading: String,
    /// The new file, relative to the skill.
    pub file: String,
    /// The text of the new file.
    pub text: String,
}

/// A file without its unread sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlimmedFile {
    /// Its new text: each moved section is a heading with a link.
    pub text: String,
    /// What was moved, in order.
    pub moved: Vec<MovedSection>,
    /// Estimated tokens that a read of the whole file no longer costs.
    pub tokens: u64,
}

/// Moves the sections that no recorded read found into files of their own; `None` if there are none, or too few reads to tell.
/// A section with a relative link stays, unless its new file is in the same folder. `taken` are the files of the skill.
pub fn move_unread_sections(
    file: &str,
    text: &str,
    headings: &[Heading],
    reads: &FileReads,
    taken: &BTreeSet<String>,
) -> Option<SlimmedFile> {
    if reads.of_lines < READS_MIN {
        return None;
    }
    let lines = u32::try_from(text.lines().count()).ok()?;
    let all = sections(headings, text.len(), lines);
    let mut slimmed = SlimmedFile { text: String::new(), moved: Vec::new(), tokens: 0 };
    let mut taken = taken.clone();
    let mut rest_from = 0;
    for section in &all {
        if section.bytes.start < rest_from || !may_move(file, text, section, &all, reads) {
            continue;
        }
        let (heading, body) = split_heading(&text[section.bytes.clone()]);
        let moved = new_file(file, &section.text, &mut taken);
        let link = format!("{heading}\nSee [{}]({}).\n\n", section.text, link_to(file, &moved));
        slimmed.text.push_str(&text[rest_from..section.bytes.start]);
        slimmed.text.push_str(&link);
        slimmed.tokens += tokens_of(&text[section.bytes.clone()]).saturating_sub(tokens_of(&link));
        rest_from = section.bytes.end;
        let text = format!("# {}\n{body}", section.text);
        slimmed.moved.push(MovedSection { heading: section.text.clone(), file: moved, text });
    }
    slimmed.text.push_str(&text[rest_from..]);
    (!slimmed.moved.is_empty()).then_some(slimmed)
}

/// Whether a section with all that is below it was never read, and can be elsewhere.
fn may_move(file: &str, text: &str, section: &Section, all: &[Section], reads: &FileReads) -> bool {
    let bytes = &text[section.bytes.clone()];
    let is_within =
        |other: &&Section| section.bytes.start <= other.bytes.start && other.bytes.end <= section.bytes.end;
    let headings: Vec<&str> = all.iter().filter(is_within).map(|section| section.text.as_str()).collect();
    let is_linked = !moves_beside(file) && has_relative_link(bytes);
    // The title of a file stays in it.
    section.level > 1
        && is_plain(&section.text)
        && tokens_of(bytes) >= SECTION_TOKENS_MIN
        && !is_linked
        && reads.of_section(&headings, &(section.start_line..section.end_line)) == 0
}

/// Whether a heading can be the text of a link.
fn is_plain(heading: &str) -> bool {
    !heading.is_empty() && !heading.contains(['[', ']', '\\', '<', '`'])
}

/// Whether what is moved out of a file goes into the file's own folder.
fn moves_beside(file: &str) -> bool {
    file.contains('/')
}

/// Whether a text has a link or an image whose target is no address: a file or an anchor. Reference definitions count too.
fn has_relative_link(text: &str) -> bool {
    let targets = text.split("](").skip(1).chain(text.split("]: ").skip(1));
    let is_relative = |target: &str| {
        !(target.starts_with("http://") || target.starts_with("https://") || target.starts_with("mailto:"))
    };
    targets.map(|target| target.trim_start_matches(['<', ' '])).any(is_relative)
}

/// The heading's line or lines, and the rest.
fn split_heading(section: &str) -> (&str, &str) {
    let first = section.split_inclusive('\n').next().unwrap_or(section);
    let rest = &section[first.len()..];
    let second = rest.split_inclusive('\n').next().unwrap_or_default();
    let is_underline = !second.trim().is_empty() && second.trim().chars().all(|c| c == '=' || c == '-');
    let is_underlined = !first.trim_start().starts_with('#') && is_underline;
    let end = if is_underlined { first.len() + second.len() } else { first.len() };
    section.split_at(end)
}

/// A path that no file of the skill has.
fn new_file(file: &str, heading: &str, taken: &mut BTreeSet<String>) -> String {
    let slug = slug(heading);
    let folder = match file.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/"),
        None => REFERENCES.to_owned(),
    };
    let numbers = std::iter::once(String::new()).chain((2..).map(|number| format!("-{number}")));
    let mut paths = numbers.map(|number| format!("{folder}{slug}{number}.md"));
    let path = paths.find(|path| !taken.contains(path)).unwrap_or_default();
    taken.insert(path.clone());
    path
}

/// Letters and digits of a heading, joined by hyphens.
fn slug(heading: &str) -> String {
    let lower: String = heading
        .chars()
        .take(SLUG_CHARS_MAX)
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' })
        .collect();
    let slug = lower.split_whitespace().collect::<Vec<_>>().join("-");
    if slug.is_empty() { "section".to_owned() } else { slug }
}

/// A file as a link from another one has it.
fn link_to(from: &str, to: &str) -> String {
    match moves_beside(from) {
        true => to.rsplit('/').next().unwrap_or(to).to_owned(),
        false => to.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Forms\n\nintro\n\n## Filling\n\nread\n\n## Legacy forms\n\nBODY\n\n### Old readers\n\ndeep\n\n## End\n\nlast\n";

    fn headings(text: &str) -> Vec<Heading> {
        let mut offset = 0;
        let mut found = Vec::new();
        for (at, line) in text.split_inclusive('\n').enumerate() {
            let level = line.chars().take_while(|c| *c == '#').count();
            if level > 0 {
                let text = line[level..].trim().to_owned();
                found.push(Heading { level: level as u8, text, line: at as u32 + 1, offset });
            }
            offset += line.len();
        }
        found
    }

    fn slimmed(file: &str, body: &str, reads: &FileReads) -> Option<SlimmedFile> {
        let text = TEXT.replace("BODY", body);
        move_unread_sections(file, &text, &headings(&text), reads, &BTreeSet::new())
    }

    fn reads(sections: &[&str]) -> FileReads {
        let sections = sections.iter().map(|section| ((*section).to_owned(), 2)).collect();
        FileReads { of_lines: 9, sections, ..FileReads::default() }
    }

    /// RFC-0014:C-SLIM
    #[test]
    fn a_section_that_was_never_read_becomes_a_link() {
        let body = "word ".repeat(200);
        let found = slimmed("SKILL.md", &body, &reads(&["Filling", "End"])).unwrap();
        assert!(found.text.contains(
            "## Legacy forms\n\nSee [Legacy forms](references/legacy-forms.md).\n\n## End\n\nlast\n"
        ));
        let [moved] = &found.moved[..] else { panic!("{found:?}") };
        assert_eq!(
            (moved.heading.as_str(), moved.file.as_str()),
            ("Legacy forms", "references/legacy-forms.md")
        );
        assert!(
            moved.text.starts_with("# Legacy forms\n\nword ")
                && moved.text.ends_with("### Old readers\n\ndeep\n\n")
        );
        assert!((200..300).contains(&found.tokens), "{}", found.tokens);
        let beside = slimmed("references/a.md", &body, &reads(&["Filling"])).unwrap();
        assert!(
            beside.text.contains("(legacy-forms.md)") && beside.moved[0].file == "references/legacy-forms.md"
        );
    }

    /// RFC-0014:C-SLIM
    #[test]
    fn what_was_read_or_cannot_be_told_stays() {
        let body = "word ".repeat(200);
        assert_eq!(slimmed("SKILL.md", &body, &reads(&["Legacy forms"])), None);
        assert_eq!(slimmed("SKILL.md", &body, &reads(&["Old readers"])), None, "something below it");
        assert_eq!(slimmed("SKILL.md", "short", &reads(&[])), None, "not worth a file");
        assert_eq!(
            slimmed("SKILL.md", &format!("{body}[a](b.md)"), &reads(&[])),
            None,
            "its link would lead elsewhere"
        );
        assert!(slimmed("references/x.md", &format!("{body}[a](b.md)"), &reads(&[])).is_some());
        let few = FileReads { of_lines: 4, ..FileReads::default() };
        assert_eq!(slimmed("SKILL.md", &body, &few), None);
        let older = FileReads { of_older_lines: [((10, Some(12)), 1)].into(), ..reads(&[]) };
        assert_eq!(slimmed("SKILL.md", &body, &older), None, "lines of another text may have been these");
        let before = FileReads { of_older_lines: [((1, Some(5)), 1)].into(), ..reads(&[]) };
        assert!(slimmed("SKILL.md", &body, &before).is_some());
        let unknown = FileReads { of_unknown_lines: 1, ..reads(&[]) };
        assert_eq!(slimmed("SKILL.md", &body, &unknown), None);
    }

    #[test]
    fn names_of_new_files_are_free() {
        let mut taken = BTreeSet::from(["references/a-b.md".to_owned()]);
        assert_eq!(new_file("SKILL.md", "A & b", &mut taken), "references/a-b-2.md");
        assert_eq!(new_file("SKILL.md", "a b", &mut taken), "references/a-b-3.md");
        assert_eq!(new_file("SKILL.md", "技能", &mut taken), "references/section.md");
    }
}
