//! Findings with lines, columns and excerpts, as every output shows them.

use crate::finding::{Finding, SECRET_CHARS_SHOWN};
use crate::fix::Safety;
use crate::report::IssueLocation;
use crate::rule::Severity;
use crate::view::LintFile;
use skillc_domain::text::lines;
use std::ops::Range;

/// Number of characters of a source line that are shown.
const EXCERPT_CHARS_MAX: usize = 120;
/// Number of characters kept before the marked part of a longer line.
const EXCERPT_LEAD_CHARS: usize = 40;

/// A range as editors show it: 1-based lines, 1-based columns in characters, exclusive end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// First line.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
}

/// A source line with a marked part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The line, or the part of it around the marked text, with tabs replaced by spaces.
    pub text: String,
    /// Number of characters before the marked text.
    pub lead: usize,
    /// Number of marked characters, at least one.
    pub marked: usize,
}

/// A finding with its position in the file.
#[derive(Clone, Debug)]
pub struct Located {
    /// The rule, severity and issue.
    pub finding: Finding,
    /// Its position; line 1 and column 1 for a file that is not text.
    pub lines: Lines,
    /// The source line; `None` for a file that is not text.
    pub excerpt: Option<Excerpt>,
    /// The ranges of its fix's edits, in order.
    pub edits: Vec<Lines>,
}

impl Located {
    /// `E300` or `W300`.
    pub fn code(&self) -> &'static str {
        if self.finding.severity == Severity::Error { "E300" } else { "W300" }
    }

    /// Whether `--fix` can fix it: `None` if not, otherwise the safety of the fix.
    pub fn fix_safety(&self) -> Option<Safety> {
        self.finding.fix.as_ref().map(|fix| fix.safety)
    }

    /// Identifies a finding even after lines have moved: by rule, file and source line.
    pub fn identity(&self) -> String {
        let source = match &self.finding.location {
            IssueLocation::Span(_) => self.excerpt.as_ref().map_or("", |e| e.text.trim()),
            IssueLocation::Whole(_) | IssueLocation::File => "",
        };
        format!("{}\0{}\0{source}", self.finding.rule.id, self.finding.path)
    }
}

/// Computes the lines and columns of the findings in one file. Linear in the text and the number of findings, however
/// many are on one line.
pub fn locate(file: Option<&LintFile>, findings: Vec<Finding>) -> Vec<Located> {
    let text = file.and_then(|file| file.text.as_deref());
    let source = text.map(|text| Source::of(text, &findings));
    let place = |finding: Finding| {
        let Some(source) = &source else {
            return Located { finding, lines: FIRST, excerpt: None, edits: Vec::new() };
        };
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
        let edits = edits.map(|edit| source.lines(&source.clamped(edit.span.clone()))).collect();
        if finding.location == IssueLocation::File {
            return Located { finding, lines: FIRST, excerpt: None, edits };
        }
        let span = source.clamped(finding.span());
        let (lines, excerpt) = (source.lines(&span), Some(source.excerpt(&span)));
        Located { finding, lines, excerpt, edits }
    };
    findings.into_iter().map(place).collect()
}

const MARK: char = '\u{feff}';
const FIRST: Lines = Lines { line: 1, column: 1, end_line: 1, end_column: 1 };

/// A text that is prepared for many position lookups.
struct Source<'a> {
    text: &'a str,
    /// Range of each line, without its line break. A byte order mark is not part of the first line, since no editor
    /// shows it.
    rows: Vec<Range<usize>>,
    characters: Characters<'a>,
    /// Ranges to mask, in order and disjoint.
    hidden: Vec<Range<usize>>,
}

impl<'a> Source<'a> {
    fn of(text: &'a str, findings: &[Finding]) -> Self {
        let secrets = findings.iter().filter(|finding| finding.is_secret).map(|finding| finding.span());
        Self { text, rows: rows(text), characters: Characters::of(text), hidden: hidden(text, secrets) }
    }

    fn clamped(&self, span: Range<usize>) -> Range<usize> {
        let floor = |mut at: usize| {
            at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = floor(span.start);
        start..floor(span.end).max(start)
    }

    fn line_of(&self, at: usize) -> usize {
        self.rows.partition_point(|row| row.start <= at).saturating_sub(1)
    }

    fn lines(&self, span: &Range<usize>) -> Lines {
        let place = |at: usize| {
            let line = self.line_of(at);
            let column = self.characters.within(&(self.rows[line].start..at)) + 1;
            (number(line + 1), number(column))
        };
        let ((line, column), (end_line, end_column)) = (place(span.start), place(span.end));
        Lines { line, column, end_line, end_column }
    }

    fn excerpt(&self, span: &Range<usize>) -> Excerpt {
        let row = &self.rows[self.line_of(span.start)];
        // A byte order mark precedes the first line.
        let meant = span.start.max(row.start)..span.end.min(row.end);
        let is_long = self.characters.within(row) > EXCERPT_CHARS_MAX;
        let from = if is_long { self.before(row.start..meant.start, EXCERPT_LEAD_CHARS) } else { row.start };
        let shown = self.shown(from..row.end.max(from));
        let lead = self.characters.within(&(from..meant.start));
        let room = shown.chars().count().saturating_sub(lead);
        let marked = self.characters.within(&meant).min(room).max(1);
        Excerpt { text: shown, lead, marked }
    }

    /// The position this many characters before the end of a range, or the start of the range.
    fn before(&self, range: Range<usize>, characters: usize) -> usize {
        let last = self.text[range.clone()].char_indices().rev().take(characters).last();
        last.map_or(range.end, |(at, _)| range.start + at)
    }

    /// The first characters of a range, formatted for display.
    fn shown(&self, range: Range<usize>) -> String {
        let seen = |(at, c): (usize, char)| match c {
            _ if self.is_hidden(range.start + at) => '*',
            '\t' => ' ',
            c => c,
        };
        self.text[range.clone()].char_indices().take(EXCERPT_CHARS_MAX).map(seen).collect()
    }

    fn is_hidden(&self, at: usize) -> bool {
        let next = self.hidden.partition_point(|hidden| hidden.end <= at);
        self.hidden.get(next).is_some_and(|hidden| hidden.start <= at)
    }
}

/// The lines of a text, without line breaks; the last one may be empty.
fn rows(text: &str) -> Vec<Range<usize>> {
    let mut start = if text.starts_with(MARK) { MARK.len_utf8() } else { 0 };
    let mut rows: Vec<Range<usize>> = Vec::new();
    for line in lines::split_text(&text[start..]) {
        rows.push(start..start + line.trim_end_matches(['\n', '\r']).len());
        start += line.len();
    }
    if rows.is_empty() || lines::is_ended(text.as_bytes()) {
        rows.push(start..start);
    }
    rows
}

/// The ranges of secrets to mask, merged so that none touch.
fn hidden(text: &str, secrets: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let behind_shown = |secret: Range<usize>| {
        let shown: usize =
            text.get(secret.clone())?.chars().take(SECRET_CHARS_SHOWN).map(char::len_utf8).sum();
        Some(secret.start + shown..secret.end)
    };
    let mut all: Vec<Range<usize>> = secrets.filter_map(behind_shown).collect();
    all.sort_by_key(|hidden| hidden.start);
    let mut apart: Vec<Range<usize>> = Vec::new();
    for hidden in all {
        match apart.last_mut().filter(|last| hidden.start <= last.end) {
            Some(last) => last.end = last.end.max(hidden.end),
            None => apart.push(hidden),
        }
    }
    apart
}

/// Counts characters between two positions of a text by looking at no more than `STEP_BYTES` of it.
struct Characters<'a> {
    bytes: &'a [u8],
    /// Number of characters before each step.
    steps: Vec<usize>,
}

/// An entry per step takes an eighth of the text's memory, and counting 64 bytes takes almost no time.
const STEP_BYTES: usize = 64;

impl<'a> Characters<'a> {
    fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut count = 0;
        let before = |step: &'a [u8]| {
            let before = count;
            count += beginning(step);
            before
        };
        let steps = bytes.chunks(STEP_BYTES).map(before).collect();
        Self { bytes, steps }
    }

    /// Number of characters in a range; 0 for one whose end precedes its start, as before the first line.
    fn within(&self, range: &Range<usize>) -> usize {
        self.before(range.end).saturating_sub(self.before(range.start))
    }

    fn before(&self, at: usize) -> usize {
        let step = (at / STEP_BYTES).min(self.steps.len().saturating_sub(1));
        self.steps.get(step).map_or(0, |count| count + beginning(&self.bytes[step * STEP_BYTES..at]))
    }
}

/// Number of characters that begin in a piece of UTF-8.
fn beginning(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fix::Fix;
    use crate::report::Report;
    use crate::rules::RULES;
    use skillc_domain::path::RelPath;

    fn found(check: impl FnOnce(&mut Report<'_>)) -> Vec<Finding> {
        Finding::collect(RULES[0], Severity::Error, &RelPath::default(), check)
    }

    fn located(text: &str, span: Range<usize>) -> Located {
        let file = LintFile { text: Some(text.to_owned()), ..LintFile::default() };
        locate(Some(&file), found(|report| _ = report.at(span, "x"))).remove(0)
    }

    /// RFC-0008:C-DIAGNOSTICS
    #[test]
    fn columns_count_characters_from_one() {
        let found = located("é\n日本 x\n", 3..9);
        assert_eq!(found.lines, Lines { line: 2, column: 1, end_line: 2, end_column: 3 });
        assert_eq!(found.excerpt.unwrap(), Excerpt { text: "日本 x".into(), lead: 0, marked: 2 });
        let end = located("ab", 2..2);
        assert_eq!((end.lines.line, end.lines.column, end.excerpt.unwrap().marked), (1, 3, 1));
    }

    /// RFC-0008:C-DIAGNOSTICS
    #[test]
    fn a_long_line_is_cut_around_what_is_meant() {
        let text = "x".repeat(500) + "HERE" + &"y".repeat(500);
        let excerpt = located(&text, 500..504).excerpt.unwrap();
        assert_eq!((excerpt.lead, excerpt.marked, excerpt.text.chars().count()), (40, 4, 120));
        assert!(located("a\r\nb", 0..3).excerpt.unwrap().text == "a");
    }

    #[test]
    fn a_byte_order_mark_is_no_character_of_the_first_line() {
        let found = located("\u{feff}abc\n\u{feff}d\n", 4..6);
        assert_eq!((found.lines.column, found.lines.end_column), (2, 4));
        assert_eq!(found.excerpt.unwrap(), Excerpt { text: "abc".into(), lead: 1, marked: 2 });
        assert_eq!(located("\u{feff}", 0..3).lines, FIRST);
        assert_eq!(located("\u{feff}a\n\u{feff}d\n", 8..9).lines.column, 2);
    }

    #[test]
    fn edits_of_a_fix_have_their_places() {
        let file = LintFile { text: Some("ab\ncd\n".to_owned()), ..LintFile::default() };
        let found = found(|report| _ = report.at(0..1, "x").fix(Fix::safe("f", 1..4, "")));
        let edits = &locate(Some(&file), found)[0].edits;
        assert_eq!(edits[..], [Lines { line: 1, column: 2, end_line: 2, end_column: 2 }]);
    }

    #[test]
    fn a_span_beyond_the_text_or_inside_a_character_is_clamped() {
        assert_eq!(located("é", 1..99).lines, Lines { line: 1, column: 1, end_line: 1, end_column: 2 });
    }
}
