//! Whether words are inside a quotation.

use crate::security::context_window::floor;
use crate::view::LintFile;
use std::ops::Range;

/// Number of bytes before a phrase in which a quotation may begin, and after it in which it may end.
const QUOTE_BYTES: usize = 600;

/// Whether a quotation begins before a span and ends after it, in the same paragraph.
pub fn is_quoted(file: &LintFile, text: &str, span: &Range<usize>) -> bool {
    let from = quote_start(file, text, span);
    let end = floor(text, span.end + QUOTE_BYTES);
    let after = text[span.end..end].split("\n\n").next().unwrap_or_default();
    open_quotes(&text[from..span.start]).into_iter().any(|close| after.contains(close))
}

/// The position from which to look for quotation marks; those around a whole front matter value are not a quotation.
fn quote_start(file: &LintFile, text: &str, span: &Range<usize>) -> usize {
    let near = floor(text, span.start.saturating_sub(QUOTE_BYTES));
    let paragraph = text[near..span.start].rfind("\n\n").map_or(near, |at| near + at + 2);
    let value = file.fields().and_then(|fields| {
        fields.fields.iter().map(|(_, value)| &value.span).find(|value| value.contains(&span.start)).cloned()
    });
    match value {
        Some(value) if text[value.start..].starts_with(['"', '\'']) => (value.start + 1).min(span.start),
        Some(value) => value.start.max(paragraph),
        None => paragraph,
    }
}

/// The characters that would close the quotations that a text leaves open.
fn open_quotes(text: &str) -> Vec<char> {
    let mut open: Vec<char> = Vec::new();
    let mut previous = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or('a');
        let closes = match c {
            '“' | '„' | '‟' => Some('”'),
            '«' => Some('»'),
            '「' => Some('」'),
            '『' => Some('』'),
            '‘' => Some('’'),
            '"' => Some('"'),
            '\'' if !previous.is_alphanumeric() && next.is_alphanumeric() => Some('\''),
            '`' => Some('`'),
            _ => None,
        };
        if open.last() == Some(&c) && (c != '\'' || !next.is_alphanumeric()) {
            open.pop();
        } else if let Some(close) = closes {
            open.push(close);
        }
        previous = c;
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_is_open_until_it_is_closed() {
        let quoted = |text: &str| {
            is_quoted(&LintFile::default(), text, &(text.find('X').unwrap()..text.find('X').unwrap() + 1))
        };
        for text in ["say \"X\"", "say “a X b”", "„X”", "'X'", "«a X»", "「X」", "`a X`", "\"a\" and \"X\""]
        {
            assert!(quoted(text), "{text}");
        }
        for text in ["X", "\"a\" X \"b\"", "don't X it's", "users' X's", "\"a X", "\"a\n\nX\""] {
            assert!(!quoted(text), "{text}");
        }
    }
}
