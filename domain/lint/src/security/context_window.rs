//! Bounded windows of text around an offset, so that many lookups in one long line stay linear.

use std::ops::Range;

/// Number of bytes on each side of an offset that count as its line; minified files have lines of megabytes.
pub const LINE_BYTES_MAX: usize = 1_000;
/// Number of bytes above an offset that are examined, however many lines they contain.
pub const ABOVE_BYTES_MAX: usize = 4_000;

/// The line around an offset without its line break, limited to [`LINE_BYTES_MAX`] on each side.
pub fn line(text: &str, at: usize) -> Range<usize> {
    let at = floor(text, at);
    let from = floor(text, at.saturating_sub(LINE_BYTES_MAX));
    let to = floor(text, (at + LINE_BYTES_MAX).min(text.len()));
    let start = text[from..at].rfind(['\n', '\r']).map_or(from, |newline| from + newline + 1);
    let end = text[at..to].find(['\n', '\r']).map_or(to, |newline| at + newline);
    start..end
}

/// The part of the line before an offset.
pub fn before(text: &str, at: usize) -> &str {
    &text[line(text, at).start..floor(text, at)]
}

/// The part of the line from an offset on.
pub fn rest(text: &str, at: usize) -> &str {
    &text[floor(text, at)..line(text, at).end]
}

/// The text above the line of an offset, at most [`ABOVE_BYTES_MAX`] bytes of it.
pub fn above(text: &str, at: usize) -> &str {
    let end = line(text, at).start;
    &text[floor(text, end.saturating_sub(ABOVE_BYTES_MAX))..end]
}

/// The lines above that of an offset, nearest first.
pub fn lines_above(text: &str, at: usize, count: usize) -> impl Iterator<Item = &str> {
    above(text, at).lines().rev().take(count)
}

/// The text from an offset on, at most `bytes_max` bytes.
pub fn after(text: &str, at: usize, bytes_max: usize) -> &str {
    let at = floor(text, at);
    &text[at..floor(text, (at + bytes_max).min(text.len()))]
}

/// The nearest character boundary at or before an offset.
pub fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_its_bound_and_between_characters() {
        assert_eq!(line("a\nbé\nc", 3), 2..5);
        assert_eq!(line("", 0), 0..0);
        let long = "é".repeat(5_000);
        assert_eq!(line(&long, 5_001), 4_000..6_000);
        assert_eq!(above("a\nb\nc", 4), "a\nb\n");
        assert_eq!(after(&long, 1, 3), "é");
        assert_eq!((before("a\nbé c", 4), rest("a\nbé c", 4), rest("a", 9)), ("b", "é c", ""));
    }
}
