//! Findings with lines and columns, as people and programs are told.

use super::finding::{Finding, Place, SECRET_CHARS_SHOWN};
use super::fix::Safety;
use super::rule::Severity;
use super::view::LintFile;
use crate::lines;
use std::ops::Range;

/// Characters of a source line that are shown.
const EXCERPT_CHARS_MAX: usize = 120;
/// Characters before the marked part that are kept of a longer line.
const EXCERPT_LEAD_CHARS: usize = 40;

/// A place as an editor shows it: 1-based lines, 1-based columns in characters; the end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// First line.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column behind the last character.
    pub end_column: u32,
}

/// A source line with the part that is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The line, or the part of it around what is meant; tabs are blanks.
    pub text: String,
    /// Characters of it before what is meant.
    pub lead: usize,
    /// Characters that are meant, at least one.
    pub marked: usize,
}

/// A finding with its place in the file.
#[derive(Clone, Debug)]
pub struct Located {
    /// What was found.
    pub finding: Finding,
    /// Where; line 1 and column 1 for a file that is no text.
    pub lines: Lines,
    /// The source; `None` for a file that is no text.
    pub excerpt: Option<Excerpt>,
    /// Where the edits of its fix stand, in their order.
    pub edits: Vec<Lines>,
}

impl Located {
    /// `E300` or `W300`.
    pub fn code(&self) -> &'static str {
        if self.finding.severity == Severity::Error { "E300" } else { "W300" }
    }

    /// Whether `--fix` mends it: `None` for no, else whether it does so without `--unsafe`.
    pub fn fix_safety(&self) -> Option<Safety> {
        self.finding.fix.as_ref().map(|fix| fix.safety)
    }

    /// By which a finding is known again although lines have moved: rule, file and the source line.
    pub fn identity(&self) -> String {
        let source = match &self.finding.place {
            Place::Span(_) => self.excerpt.as_ref().map_or("", |e| e.text.trim()),
            Place::Whole(_) | Place::File => "",
        };
        format!("{}\0{}\0{source}", self.finding.rule.id, self.finding.path)
    }
}

/// Finds lines and columns of what was found in one file. Linear in its text.
pub fn locate(file: Option<&LintFile>, findings: Vec<Finding>) -> Vec<Located> {
    let text = file.and_then(|file| file.text.as_deref());
    let starts = text.map(line_starts);
    let secrets: Vec<Range<usize>> =
        findings.iter().filter(|finding| finding.is_secret).map(Finding::span).collect();
    let secrets: Vec<_> = secrets
        .into_iter()
        .filter(|span| text.is_some_and(|text| text.get(span.clone()).is_some()))
        .collect();
    let place = |finding: Finding| {
        let (Some(text), Some(starts)) = (text, &starts) else {
            return Located { finding, lines: FIRST, excerpt: None, edits: Vec::new() };
        };
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
        let edits = edits.map(|edit| lines(text, starts, &clamped(text, edit.span.clone()))).collect();
        if finding.place == Place::File {
            return Located { finding, lines: FIRST, excerpt: None, edits };
        }
        let span = clamped(text, finding.span());
        let (lines, excerpt) = (lines(text, starts, &span), Some(excerpt(text, starts, &span, &secrets)));
        Located { finding, lines, excerpt, edits }
    };
    findings.into_iter().map(place).collect()
}

const MARK: char = '\u{feff}';
const FIRST: Lines = Lines { line: 1, column: 1, end_line: 1, end_column: 1 };

/// Starts of lines, first to last. A byte order mark is no part of the first one: no editor shows it.
fn line_starts(text: &str) -> Vec<usize> {
    let first = if text.starts_with(MARK) { MARK.len_utf8() } else { 0 };
    let mut end = 0;
    let ends = lines::split_text(text).map(|line| {
        end += line.len();
        (end, lines::is_ended(line.as_bytes()))
    });
    std::iter::once(first).chain(ends.filter(|(_, is_ended)| *is_ended).map(|(end, _)| end)).collect()
}

fn clamped(text: &str, span: Range<usize>) -> Range<usize> {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start);
    start..floor(span.end).max(start)
}

fn lines(text: &str, starts: &[usize], span: &Range<usize>) -> Lines {
    let place = |at: usize| {
        let line = starts.partition_point(|start| *start <= at).saturating_sub(1);
        let column = characters(text, starts[line]..at) + 1;
        (number(line + 1), number(column))
    };
    let ((line, column), (end_line, end_column)) = (place(span.start), place(span.end));
    Lines { line, column, end_line, end_column }
}

/// Characters of a range; none of one that ends before it begins, as before the first line.
fn characters(text: &str, range: Range<usize>) -> usize {
    text.get(range).map_or(0, |part| part.chars().count())
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn excerpt(text: &str, starts: &[usize], span: &Range<usize>, secrets: &[Range<usize>]) -> Excerpt {
    let line = starts.partition_point(|start| *start <= span.start).saturating_sub(1);
    let end = starts.get(line + 1).map_or(text.len(), |next| next - 1);
    let source = text[starts[line]..end.max(span.start).max(starts[line])].trim_end_matches(['\n', '\r']);
    let before = characters(text, starts[line]..span.start);
    let cut = if source.chars().nth(EXCERPT_CHARS_MAX).is_some() {
        before.saturating_sub(EXCERPT_LEAD_CHARS)
    } else {
        0
    };
    let is_hidden = |at: usize| {
        let shown_of = |secret: &Range<usize>| {
            text[secret.clone()].chars().take(SECRET_CHARS_SHOWN).map(char::len_utf8).sum::<usize>()
        };
        secrets.iter().any(|secret| secret.contains(&at) && at >= secret.start + shown_of(secret))
    };
    let seen = |(at, c): (usize, char)| match c {
        _ if is_hidden(starts[line] + at) => '*',
        '\t' => ' ',
        c => c,
    };
    let shown: String = source.char_indices().skip(cut).take(EXCERPT_CHARS_MAX).map(seen).collect();
    let lead = before - cut;
    let meant = characters(text, span.start.max(starts[line])..span.end.min(end));
    let marked = meant.min(shown.chars().count().saturating_sub(lead)).max(1);
    Excerpt { text: shown, lead, marked }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::rules::RULES;

    fn located(text: &str, span: Range<usize>) -> Located {
        let file = LintFile { text: Some(text.to_owned()), ..LintFile::default() };
        let mut found = Vec::new();
        let path = crate::path::RelPath::default();
        crate::lint::Report::new(RULES[0], Severity::Error, &path, &mut found).at(span, "x");
        locate(Some(&file), found).remove(0)
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
        let mut found = Vec::new();
        let path = crate::path::RelPath::default();
        let mut report = crate::lint::Report::new(RULES[0], Severity::Error, &path, &mut found);
        report.at(0..1, "x").fix(crate::lint::fix::Fix::safe("f", 1..4, ""));
        let edits = &locate(Some(&file), found)[0].edits;
        assert_eq!(edits[..], [Lines { line: 1, column: 2, end_line: 2, end_column: 2 }]);
    }

    #[test]
    fn a_span_beyond_the_text_or_inside_a_character_is_clamped() {
        assert_eq!(located("é", 1..99).lines, Lines { line: 1, column: 1, end_line: 1, end_column: 2 });
    }
}
