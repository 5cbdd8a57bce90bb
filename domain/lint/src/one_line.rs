//! Formats values for messages: on one line, and truncated.

use std::borrow::Cow;

/// Number of characters of a value that a message shows; more would distract from the message.
const CHARS_MAX: usize = 80;

/// A value on one line, truncated with `…` if it is long.
pub fn one_line(value: &str) -> Cow<'_, str> {
    if value.chars().nth(CHARS_MAX).is_none() && !value.contains(char::is_control) {
        return Cow::Borrowed(value);
    }
    let mut line: String =
        value.chars().take(CHARS_MAX).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if value.chars().nth(CHARS_MAX).is_some() {
        line.push('…');
    }
    Cow::Owned(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_cut_and_stands_on_one_line() {
        assert_eq!(one_line("é b"), "é b");
        assert_eq!(one_line("a\nb"), "a b");
        assert_eq!(one_line(&"é".repeat(81)), "é".repeat(80) + "…");
    }
}
