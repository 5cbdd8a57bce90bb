//! Text measured in terminal columns, where wide characters take two. Text of skills has its control characters
//! escaped.

use skillc_ops::render::plain;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The end of a truncated text.
const ELLIPSIS: char = '…';
/// The replacement of a tab.
const TAB: &str = "    ";

/// Joins a text to one line: runs of white space become one blank, control characters are escaped.
pub fn one_line(text: &str) -> String {
    plain(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A line with tabs expanded and control characters escaped.
pub fn clean_line(line: &str) -> String {
    plain(&line.replace('\t', TAB))
}

/// The width of a text in columns.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// Truncates a text to `columns_max` columns, with `…` at the end if anything was cut.
pub fn cut(text: &str, columns_max: usize) -> String {
    if columns(text) <= columns_max {
        return text.to_owned();
    }
    let end = fitting(text, columns_max.saturating_sub(1));
    let mut start = text[..end].to_owned();
    if columns_max > 0 {
        start.push(ELLIPSIS);
    }
    start
}

/// Truncates or pads a text with blanks to exactly `width` columns.
pub fn padded(text: &str, width: usize) -> String {
    let mut text = cut(text, width);
    text.push_str(&" ".repeat(width.saturating_sub(columns(&text))));
    text
}

/// The length in bytes of the longest prefix of at most `columns_max` columns.
fn fitting(text: &str, columns_max: usize) -> usize {
    let mut taken = 0;
    for (at, c) in text.char_indices() {
        taken += c.width().unwrap_or_default();
        if taken > columns_max {
            return at;
        }
    }
    text.len()
}

/// Wraps a line at blanks into lines of at most `columns_max` columns. Leading blanks are preserved.
pub fn wrap(line: &str, columns_max: usize, lines: &mut Vec<String>) {
    let columns_max = columns_max.max(1);
    let mut rest = line;
    loop {
        if columns(rest) <= columns_max {
            lines.push(rest.to_owned());
            return;
        }
        // At least one character, so that the loop ends even if a wide character meets a single column.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = fitting(rest, columns_max).max(first);
        // A blank right after the last word that fits counts too.
        let window = &rest[..rest[end..].chars().next().filter(|c| *c == ' ').map_or(end, |_| end + 1)];
        // Before a long run without blanks, such as Chinese, breaking early would leave a short line.
        let is_long = |at: &usize| columns(window[..*at].trim_start()) * 3 > columns_max;
        let at = window.rfind(' ').filter(is_long).unwrap_or(end);
        lines.push(rest[..at].trim_end().to_owned());
        rest = rest[at..].trim_start_matches(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(line: &str, columns_max: usize) -> Vec<String> {
        let mut lines = Vec::new();
        wrap(line, columns_max, &mut lines);
        lines
    }

    #[test]
    fn a_text_is_cut_by_columns_and_never_inside_a_character() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("日本語", 6), "日本語");
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("日本語", 2), "…");
        assert_eq!(cut("🦀🦀", 3), "🦀…");
        assert_eq!(cut("e\u{301}e\u{301}", 1), "…");
        assert_eq!((cut("abc", 1), cut("abc", 0)), ("…".to_owned(), String::new()));
        assert_eq!(padded("日本語", 4), "日… ");
        assert_eq!(padded("", 2), "  ");
    }

    #[test]
    fn text_of_a_skill_cannot_steer_the_terminal() {
        assert_eq!(one_line(" a\n\tb\u{1b}[2J\u{202e} "), "a b\\u{1b}[2J\\u{202e}");
        assert_eq!(clean_line("\ta\r\u{7f}"), "    a\\r\\u{7f}");
    }

    #[test]
    fn a_line_is_broken_at_blanks_where_there_are_any() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrapped("日本語です", 4), ["日本", "語で", "す"]);
        assert_eq!(wrapped("日本", 1), ["日", "本", ""], "it ends, though nothing fits");
        assert_eq!(wrapped("日 本語です", 8), ["日 本語", "です"]);
        assert_eq!(wrapped("", 5), [""]);
        assert_eq!(wrapped("  - item of a list", 10), ["  - item", "of a list"]);
        for width in 0..20 {
            let all = wrapped("a 日本 🦀 \u{301}x  y", width).concat();
            assert!(all.contains('🦀'), "{width}");
        }
    }
}
