//! Moves sections that were never read into files of their own.

use super::linked::{SlimmedFile, can_be_linked, link_out};
use super::reads::FileReads;
use super::tokens::tokens_of;
use crate::section::{Heading, Section, sections};
use std::collections::BTreeSet;

/// Minimum number of recorded reads by lines of a file; fewer do not show what is never read.
const READS_MIN: u64 = 5;
/// Minimum estimated size of a section, in tokens, that is worth a file.
const SECTION_TOKENS_MIN: u64 = 100;
/// Moves sections that no recorded read reached into files of their own; `None` if there are none, or too few reads
/// to tell. A section with a relative link stays, unless its new file is in the same folder. `taken` are the skill's
/// existing files.
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
    let mut rest_from = 0;
    let mut moved = Vec::new();
    for section in &all {
        if section.bytes.start >= rest_from && may_move(file, text, section, &all, reads) {
            rest_from = section.bytes.end;
            moved.push(section);
        }
    }
    (!moved.is_empty()).then(|| link_out(file, text, &moved, taken))
}

/// Whether a section and its subsections were never read and can be moved.
fn may_move(file: &str, text: &str, section: &Section, all: &[Section], reads: &FileReads) -> bool {
    let bytes = &text[section.bytes.clone()];
    let is_within =
        |other: &&Section| section.bytes.start <= other.bytes.start && other.bytes.end <= section.bytes.end;
    let headings: Vec<&str> = all.iter().filter(is_within).map(|section| section.text.as_str()).collect();
    // The title stays in its file.
    section.level > 1
        && can_be_linked(file, text, section)
        && tokens_of(bytes) >= SECTION_TOKENS_MIN
        && reads.of_section(&headings, &(section.start_line..section.end_line)) == 0
}

#[cfg(test)]
mod tests {
    use super::super::reads::headings_of;
    use super::*;

    const TEXT: &str = "# Forms\n\nintro\n\n## Filling\n\nread\n\n## Legacy forms\n\nBODY\n\n### Old readers\n\ndeep\n\n## End\n\nlast\n";

    fn slimmed(file: &str, body: &str, reads: &FileReads) -> Option<SlimmedFile> {
        let text = TEXT.replace("BODY", body);
        move_unread_sections(file, &text, &headings_of(&text), reads, &BTreeSet::new())
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
    fn sections_that_were_read_or_are_unknown_stay() {
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
}
