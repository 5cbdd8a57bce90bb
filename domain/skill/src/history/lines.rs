//! Line ranges that were read, and the sections in them.

use crate::section::Heading;
use std::fmt;

/// Lines that a read returns if only its start is given.
const DEFAULT_LINES: u32 = 2_000;

/// The lines of a file that were read; 1-based and inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineRange {
    /// The whole file.
    Whole,
    /// From the first line to the last, or to the end of the file if there is no last.
    Lines(u32, Option<u32>),
    /// A part; the history does not say which.
    Unknown,
}

impl LineRange {
    /// A range from a start and a number of lines, as most tools take them; 2,000 lines if only the start is given.
    pub fn of_offset(offset: Option<u64>, limit: Option<u64>) -> Self {
        if offset.is_none() && limit.is_none() {
            return Self::Whole;
        }
        let first = u32::try_from(offset.unwrap_or(1)).unwrap_or(u32::MAX).max(1);
        let count = limit.map_or(DEFAULT_LINES, |limit| u32::try_from(limit).unwrap_or(u32::MAX)).max(1);
        Self::Lines(first, Some(first.saturating_add(count - 1)))
    }

    /// A range between two lines. A missing or negative last line means the end of the file.
    pub fn between(first: Option<i64>, last: Option<i64>) -> Self {
        let line = |number: i64| u32::try_from(number).ok();
        let last = last.and_then(line).filter(|last| *last > 0);
        match (first.and_then(line), last) {
            (None, None) => Self::Whole,
            (first, last) => Self::Lines(first.unwrap_or(1).max(1), last),
        }
    }

    /// First and last line; `None` if they are unknown.
    pub fn ends(self) -> Option<(u32, Option<u32>)> {
        match self {
            Self::Lines(first, last) => Some((first, last)),
            Self::Whole | Self::Unknown => None,
        }
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("all"),
            Self::Lines(first, Some(last)) => write!(f, "{first}-{last}"),
            Self::Lines(first, None) => write!(f, "{first}-"),
            Self::Unknown => f.write_str("some"),
        }
    }
}

/// The headings whose own text overlaps a range, without duplicates. A heading's own text ends at the next heading of
/// any level.
pub fn sections_in<'h>(headings: &'h [Heading], range: LineRange) -> Vec<&'h str> {
    let Some((first, last)) = range.ends() else { return Vec::new() };
    let mut found: Vec<&'h str> = Vec::new();
    for (at, heading) in headings.iter().enumerate() {
        let next = headings.get(at + 1).map_or(u32::MAX, |next| next.line);
        let overlaps = heading.line <= last.unwrap_or(u32::MAX) && first < next;
        if overlaps && !found.contains(&heading.text.as_str()) {
            found.push(&heading.text);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(level: u8, text: &str, line: u32) -> Heading {
        Heading { level, text: text.to_owned(), line, offset: 0 }
    }

    /// RFC-0014:C-SECTIONS
    #[test]
    fn a_range_reads_the_headings_whose_own_text_it_overlaps() {
        let headings =
            [heading(1, "Top", 5), heading(2, "One", 10), heading(3, "Deep", 14), heading(2, "Two", 20)];
        let read = |first, last| sections_in(&headings, LineRange::Lines(first, last));
        assert_eq!(read(10, Some(13)), ["One"], "neither the parent nor the child");
        assert_eq!(read(13, Some(14)), ["One", "Deep"]);
        assert_eq!(read(1, Some(4)), Vec::<&str>::new(), "front matter belongs to no heading");
        assert_eq!(read(15, None), ["Deep", "Two"]);
        assert_eq!(read(500, Some(600)), ["Two"], "the last heading reaches to the end");
        assert!(sections_in(&headings, LineRange::Whole).is_empty());
        assert!(sections_in(&headings, LineRange::Unknown).is_empty());
    }

    /// RFC-0014:C-RECORDS
    #[test]
    fn an_offset_and_a_limit_are_lines_from_one() {
        let of = |offset, limit| LineRange::of_offset(offset, limit).to_string();
        assert_eq!(of(None, None), "all");
        assert_eq!(of(Some(10), Some(20)), "10-29");
        assert_eq!(of(None, Some(20)), "1-20");
        assert_eq!(of(Some(0), Some(0)), "1-1");
        assert_eq!(of(Some(10), None), "10-2009");
        assert_eq!(of(Some(u64::MAX), Some(u64::MAX)), "4294967295-4294967295");
        assert_eq!(LineRange::between(Some(10), Some(-1)).to_string(), "10-");
        assert_eq!(LineRange::between(None, Some(5)).to_string(), "1-5");
    }

    /// RFC-0014:C-SECTIONS
    #[test]
    fn a_heading_that_occurs_twice_in_a_range_is_read_once() {
        let headings = [heading(1, "Top", 1), heading(2, "Same", 3), heading(2, "Same", 5)];
        assert_eq!(sections_in(&headings, LineRange::Lines(2, Some(5))), ["Top", "Same"]);
        assert_eq!(sections_in(&headings, LineRange::Lines(3, Some(3))), ["Same"]);
    }

    /// RFC-0014:C-RECORDS
    #[test]
    fn a_range_between_two_lines_begins_at_the_first_and_may_be_open() {
        for (first, last, range) in [
            (None, None, "all"),
            (None, Some(0), "all"),
            (Some(-3), None, "all"),
            (Some(0), None, "1-"),
            (Some(3), Some(0), "3-"),
            (Some(3), Some(1), "3-1"),
            (Some(-3), Some(1), "1-1"),
        ] {
            assert_eq!(LineRange::between(first, last).to_string(), range, "{first:?} {last:?}");
        }
        assert_eq!(LineRange::Unknown.to_string(), "some");
        assert_eq!(LineRange::Lines(3, None).ends(), Some((3, None)));
        assert_eq!([LineRange::Whole, LineRange::Unknown].map(LineRange::ends), [None, None]);
    }
}
