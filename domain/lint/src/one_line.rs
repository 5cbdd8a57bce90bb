//! Values in messages: on one line, and truncated.

use std::borrow::Cow;

/// Characters of a value that a message shows; more would hide what the message says.
const CHARS_MAX: usize = 80;

/// A value for a message: on one line, and cut with `…` when it is long.
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
