//! Edits of a text that leave all other bytes unchanged.

use crate::newline::newline;
use std::ops::Range;

/// A range of bytes and its replacement.
pub type Splice = (Range<usize>, String);

/// Adds lines at the end of a text, after a blank line.
pub fn at_end(text: &str, lines: &[&str]) -> Splice {
    let newline = newline(text);
    let gap = match text {
        "" => String::new(),
        text if text.ends_with('\n') => newline.to_owned(),
        _ => newline.repeat(2),
    };
    (text.len()..text.len(), format!("{gap}{}{newline}", lines.join(newline)))
}
