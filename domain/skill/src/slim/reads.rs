//! The recorded reads of a file, and which of them a change would have affected.

use crate::section::Heading;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The recorded reads of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileReads {
    /// Number of reads of the whole file.
    pub whole: u64,
    /// Number of reads of lines of the current text.
    pub of_lines: u64,
    /// Number of reads of each section, by heading.
    pub sections: BTreeMap<String, u64>,
    /// Number of reads of lines of an older text, by first and last line.
    pub of_older_lines: BTreeMap<(u32, Option<u32>), u64>,
    /// Number of reads of unrecorded lines.
    pub of_unknown_lines: u64,
}

impl FileReads {
    /// Number of all reads.
    pub fn count(&self) -> u64 {
        self.whole + self.of_lines + self.of_older_lines.values().sum::<u64>() + self.of_unknown_lines
    }

    /// Whether it is unknown which sections some of the reads reached.
    pub fn are_vague(&self) -> bool {
        !self.of_older_lines.is_empty() || self.of_unknown_lines > 0
    }

    /// The number of reads that reached a section with these headings and lines. Reads of the whole file do not
    /// count, since they find the section wherever it is linked.
    pub fn of_section(&self, headings: &[&str], lines: &Range<u32>) -> u64 {
        let named: u64 = headings.iter().filter_map(|heading| self.sections.get(*heading)).sum();
        let overlaps = |(first, last): &(u32, Option<u32>)| {
            *first < lines.end && last.is_none_or(|last| last >= lines.start)
        };
        let older: u64 =
            self.of_older_lines.iter().filter(|(range, _)| overlaps(range)).map(|(_, count)| count).sum();
        named + older + self.of_unknown_lines
    }
}

/// Whether no heading occurs twice, so that each identifies one section.
pub(super) fn are_unique(headings: &[Heading]) -> bool {
    let names: BTreeSet<&str> = headings.iter().map(|heading| heading.text.as_str()).collect();
    names.len() == headings.len()
}

/// The headings of a text that contains no code.
#[cfg(test)]
pub(super) fn headings_of(text: &str) -> Vec<Heading> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0014:C-SLIM
    #[test]
    fn a_section_was_reached_by_its_name_by_its_older_lines_and_perhaps_by_unknown_ones() {
        let reads = FileReads {
            whole: 100,
            of_lines: 9,
            sections: [("One", 2), ("Two", 3), ("Other", 4)].map(|(name, n)| (name.to_owned(), n)).into(),
            of_older_lines: [((1, Some(4)), 10), ((5, Some(5)), 20), ((9, None), 40), ((10, Some(12)), 80)]
                .into(),
            of_unknown_lines: 1_000,
        };
        assert_eq!(reads.of_section(&["One", "Two", "None"], &(5..10)), 5 + 20 + 40 + 1_000);
        assert_eq!(reads.of_section(&[], &(4..5)), 10 + 1_000);
        assert_eq!(reads.count(), 100 + 9 + 150 + 1_000);
    }

    /// RFC-0014:C-SLIM
    #[test]
    fn reads_are_vague_if_their_lines_are_of_an_older_text_or_unknown() {
        let older = FileReads { of_older_lines: [((1, None), 1)].into(), ..FileReads::default() };
        let unknown = FileReads { of_unknown_lines: 1, ..FileReads::default() };
        let clear = FileReads { whole: 1, of_lines: 1, ..FileReads::default() };
        assert_eq!([older, unknown, clear].map(|reads| reads.are_vague()), [true, true, false]);
    }

    #[test]
    fn a_heading_that_occurs_twice_names_no_section() {
        assert!(are_unique(&headings_of("# A\n## B\n")) && are_unique(&[]));
        assert!(!are_unique(&headings_of("# A\n## B\n## A\n")));
    }
}
