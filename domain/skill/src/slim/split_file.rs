//! Splits a file into one file per part if each session reads only one part.

use super::linked::{SlimmedFile, can_be_linked, link_out};
use super::reads::FileReads;
use super::sessions::{SectionSessions, Sessions};
use super::tokens::{READ_TOKENS, tokens_of};
use crate::section::{Heading, Section, sections};
use std::collections::BTreeSet;

/// Minimum number of sessions that have read a part by its lines.
const SESSIONS_MIN: usize = 5;
/// Minimum estimated size of a part, in tokens, that is worth a file.
const PART_TOKENS_MIN: u64 = 100;

/// Splits a file into its outermost sections if every session that read it by lines read one of them, and at least
/// two were read. `None` otherwise, and if reading the whole file would not cost more. `tokens` is what such a read
/// saves, including the read of a part. `taken` are the skill's existing files.
pub fn split_file(
    file: &str,
    text: &str,
    headings: &[Heading],
    reads: &FileReads,
    sessions: &SectionSessions,
    taken: &BTreeSet<String>,
) -> Option<SlimmedFile> {
    if reads.whole == 0 || reads.are_vague() || !super::reads::are_unique(headings) {
        return None;
    }
    let lines = u32::try_from(text.lines().count()).ok()?;
    let all = sections(headings, text.len(), lines);
    let parts = outermost(&all);
    let readers: Vec<Sessions> = parts.iter().map(|part| readers(part, &all, file, sessions)).collect();
    let counted: usize = readers.iter().map(BTreeSet::len).sum();
    let different: Sessions = readers.iter().flatten().copied().collect();
    let read_parts = readers.iter().filter(|sessions| !sessions.is_empty()).count();
    // A session that read two parts would be counted twice.
    if counted < SESSIONS_MIN || counted != different.len() || read_parts < 2 {
        return None;
    }
    let may_move = |part: &&&Section| {
        tokens_of(&text[part.bytes.clone()]) >= PART_TOKENS_MIN && can_be_linked(file, text, part)
    };
    let moved: Vec<&Section> = parts.iter().filter(may_move).copied().collect();
    if moved.len() < 2 {
        return None;
    }
    let read_again: u64 = parts
        .iter()
        .zip(&readers)
        .filter(|(part, _)| moved.iter().any(|moved| moved.bytes == part.bytes))
        .map(|(part, readers)| (tokens_of(&text[part.bytes.clone()]) + READ_TOKENS) * readers.len() as u64)
        .sum();
    let slimmed = link_out(file, text, &moved, taken);
    let tokens = slimmed.tokens.saturating_sub(read_again.div_ceil(counted as u64));
    (tokens > 0).then_some(SlimmedFile { tokens, ..slimmed })
}

/// The sections of the highest level that occurs at least twice.
fn outermost(all: &[Section]) -> Vec<&Section> {
    let of_level = |level: u8| all.iter().filter(|section| section.level == level).collect::<Vec<_>>();
    (1..=6).map(of_level).find(|found| found.len() > 1).unwrap_or_default()
}

/// The sessions that read any section of a part.
fn readers(part: &Section, all: &[Section], file: &str, sessions: &SectionSessions) -> Sessions {
    let within = all
        .iter()
        .filter(|section| part.bytes.start <= section.bytes.start && section.bytes.end <= part.bytes.end);
    within.filter_map(|section| sessions.of(file, &section.text)).flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::super::reads::headings_of;
    use super::*;

    fn text() -> String {
        let long = "word ".repeat(200);
        format!(
            "# Forms\n\nintro\n\n## Fill\n\n{long}\n\n### Deep\n\nx\n\n## Sign\n\n{long}\n\n## Send\n\n{long}\n"
        )
    }

    fn split(reads: &[(&str, &str)], whole: u64) -> Option<SlimmedFile> {
        let mut sessions = SectionSessions::default();
        reads.iter().for_each(|(session, heading)| sessions.add(session, "references/f.md", heading));
        let reads = FileReads { whole, of_lines: reads.len() as u64, ..FileReads::default() };
        let text = text();
        split_file("references/f.md", &text, &headings_of(&text), &reads, &sessions, &BTreeSet::new())
    }

    const ONE_EACH: [(&str, &str); 6] =
        [("1", "Fill"), ("1", "Deep"), ("2", "Fill"), ("3", "Sign"), ("4", "Sign"), ("5", "Forms")];

    /// RFC-0014:C-SLIM
    #[test]
    fn a_file_of_which_each_session_reads_one_part_is_split() {
        let reads: Vec<_> = ONE_EACH.into_iter().chain([("6", "Deep")]).collect();
        let found = split(&reads, 3).unwrap();
        let files: Vec<&str> = found.moved.iter().map(|moved| moved.file.as_str()).collect();
        assert_eq!(files, ["references/fill.md", "references/sign.md", "references/send.md"]);
        assert!(found.text.starts_with("# Forms\n\nintro\n\n## Fill\n\nSee [Fill](fill.md).\n\n## Sign\n"));
        assert!(found.moved[0].text.contains("### Deep\n\nx\n"));
        // Two of three parts, without the cost of another read.
        assert!((350..500).contains(&found.tokens), "{}", found.tokens);
    }

    /// RFC-0014:C-SLIM
    #[test]
    fn a_file_stays_whole_where_a_session_reads_two_parts_or_nothing_is_saved() {
        assert_eq!(split(&ONE_EACH, 3), None, "four sessions");
        let with = |more: &[(&'static str, &'static str)]| [&ONE_EACH[..], more].concat();
        assert!(split(&with(&[("6", "Deep")]), 3).is_some());
        assert_eq!(split(&with(&[("6", "Deep"), ("6", "Send")]), 3), None, "two parts in one session");
        assert_eq!(split(&with(&[("6", "Deep")]), 0), None, "nobody reads it whole");
        let one: Vec<_> = ["1", "2", "3", "4", "5", "6"].map(|session| (session, "Fill")).into();
        assert_eq!(split(&one, 3), None, "the other parts can be moved");
    }
}
