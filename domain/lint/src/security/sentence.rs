//! The sentence, word and paragraph around a position in a text.

use crate::security::context_window::floor;
use skillc_domain::text::invisible::is_unseen;
use std::ops::Range;

/// Number of bytes examined on each side. Longer sentences are cut, so that a text without sentence ends stays cheap.
const REACH_BYTES: usize = 600;
/// Number of characters of a text that a message shows.
const SHOWN_CHARS: usize = 80;

/// A sentence, divided at a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sentence<'a> {
    /// The text before the span.
    pub before: &'a str,
    /// The text of the span.
    pub hit: &'a str,
    /// The text after the span.
    pub after: &'a str,
}

/// The sentence around a span: from a full stop, a blank line, or the start of a list item, a heading or a table row.
pub fn sentence<'a>(text: &'a str, span: &Range<usize>) -> Sentence<'a> {
    let paragraph = paragraph(text, span);
    let before = &text[paragraph.start..span.start];
    let after = &text[span.end..paragraph.end];
    let start = ends(before).last().unwrap_or(0);
    let end = ends(after).next().unwrap_or(after.len());
    Sentence { before: &before[start..], hit: &text[span.clone()], after: &after[..end] }
}

/// The offsets after each end of a sentence.
fn ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.char_indices().filter_map(|(at, c)| {
        let end = at + c.len_utf8();
        let is_end = match c {
            '.' | '!' | '?' => {
                let rest = text[end..].trim_start_matches(['"', '\'', ')', '*', '_', '”']);
                rest.is_empty() || (rest.starts_with(char::is_whitespace) && !is_abbreviation(&text[..at]))
            }
            '。' | '！' | '？' => true,
            _ => false,
        };
        is_end.then_some(end)
    })
}

fn is_abbreviation(before: &str) -> bool {
    ["e.g", "i.e", "etc", "vs", "cf", " ex"].iter().any(|short| before.to_ascii_lowercase().ends_with(short))
}

/// The lines around a span that belong together: one list item, heading or table row, or the lines between these and
/// blank lines.
pub fn paragraph(text: &str, span: &Range<usize>) -> Range<usize> {
    let (floor, ceiling) =
        (floor(text, span.start.saturating_sub(REACH_BYTES)), floor(text, span.end + REACH_BYTES));
    let mut start = text[floor..span.start].rfind('\n').map_or(floor, |at| floor + at + 1);
    while start > floor && !begins_block(&text[start..]) {
        let above = text[floor..start - 1].rfind('\n').map_or(floor, |at| floor + at + 1);
        let line = &text[above..start - 1];
        if line.trim().is_empty() || line.trim_start().starts_with(['#', '|']) {
            break;
        }
        start = above;
    }
    let mut end = text[span.end..ceiling].find('\n').map_or(ceiling, |at| span.end + at);
    while end < ceiling && !is_alone(&text[start..end]) {
        let next = &text[end + 1..ceiling];
        let line = next.split('\n').next().unwrap_or_default();
        if line.trim().is_empty() || begins_block(line) {
            break;
        }
        end += 1 + line.len();
    }
    start..end
}

/// Whether a block ends with its line, as headings and table rows do.
fn is_alone(block: &str) -> bool {
    block.trim_start().starts_with(['#', '|'])
}

/// Whether a line begins a new block: a list item, heading, table row or fence.
fn begins_block(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < line.len() && number.starts_with(['.', ')']);
    is_numbered || ["- ", "* ", "+ ", "#", "|", "```", "~~~"].iter().any(|mark| line.starts_with(mark))
}

/// The text around a span, up to the nearest spaces.
pub fn word_around(text: &str, span: Range<usize>) -> &str {
    let (before, after) = (&text[floor(text, span.start.saturating_sub(40))..span.start], &text[span.end..]);
    let head = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let tail = after.split(char::is_whitespace).next().unwrap_or_default();
    &text[span.start - head.len()..span.end + tail.len()]
}

/// Formats a text for a message: escaped, with single spaces, at most 80 characters.
pub fn cut(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = joined.chars().take(SHOWN_CHARS).map(escaped).collect();
    if joined.chars().nth(SHOWN_CHARS).is_some() {
        shown.push('…');
    }
    shown
}

/// A visible character as it is, an invisible one as its code.
fn escaped(c: char) -> String {
    if is_unseen(c) { c.escape_unicode().to_string() } else { c.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(text: &'static str, hit: &str) -> (&'static str, &'static str) {
        let at = text.find(hit).unwrap();
        let found = sentence(text, &(at..at + hit.len()));
        (found.before.trim(), found.after.trim())
    }

    #[test]
    fn a_sentence_ends_at_full_stops_and_at_blocks() {
        assert_eq!(around("One. Two HIT three! Four.", "HIT"), ("Two", "three!"));
        assert_eq!(around("One\nHIT two\n\nThree", "HIT"), ("One", "two"));
        assert_eq!(around("Lead:\n- one\n- HIT\n  more\n- two", "HIT"), ("-", "more"));
        assert_eq!(around("# Title HIT\nText", "HIT"), ("# Title", ""));
        assert_eq!(around("Watch for text, e.g. HIT there", "HIT"), ("Watch for text, e.g.", "there"));
        assert_eq!(around("前。HIT後。", "HIT"), ("", "後。"));
    }

    #[test]
    fn a_message_shows_what_is_not_seen() {
        assert_eq!(cut("a\u{200b}b\n  'c'"), "a\\u{200b}b 'c'");
        assert_eq!(cut(&"é".repeat(90)).chars().count(), 81);
        assert_eq!(word_around("one tw\u{200b}o three", 6..9), "tw\u{200b}o");
    }
}
