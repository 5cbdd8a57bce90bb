//! Parts of a text by lines.

use crate::fault::Fault;

/// The first lines of a text, and how many were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excerpt<'a> {
    /// The bytes kept, as they are.
    pub bytes: &'a [u8],
    /// Lines that follow and were cut; 0 when nothing was.
    pub lines_cut: u32,
}

/// A number of lines that was asked for.
///
/// # Errors
/// E100 for 0.
pub fn lines_max(asked: Option<u32>) -> Result<Option<u32>, Fault> {
    match asked {
        Some(0) => Err(Fault::invalid_option("--max-lines 0 would show nothing; give 1 or more")),
        other => Ok(other),
    }
}

/// Cuts a text after `lines_max` lines; without a maximum it is kept whole.
pub fn cut(bytes: &[u8], lines_max: Option<u32>) -> Excerpt<'_> {
    let Some(lines_max) = lines_max else { return Excerpt { bytes, lines_cut: 0 } };
    let end = end_of_line(bytes, lines_max);
    Excerpt { bytes: &bytes[..end], lines_cut: crate::section::count_lines(&bytes[end..]) }
}

/// The bytes from line `start` (1-based) to before line `end`; lines that do not exist are empty.
pub fn lines(bytes: &[u8], start: u32, end: u32) -> &[u8] {
    let from = end_of_line(bytes, start.saturating_sub(1));
    let kept = &bytes[from..];
    &kept[..end_of_line(kept, end.saturating_sub(start))]
}

/// The byte after the `count`-th line break; the length of the text when it has fewer.
fn end_of_line(bytes: &[u8], count: u32) -> usize {
    let mut at = 0;
    for _ in 0..count {
        match bytes[at..].iter().position(|byte| *byte == b'\n') {
            Some(found) => at += found + 1,
            None => return bytes.len(),
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0002:C-OPEN
    #[test]
    fn a_text_is_cut_on_lines_and_says_how_many_are_missing() {
        let cut = |text: &'static str, max| {
            let e = cut(text.as_bytes(), max);
            (std::str::from_utf8(e.bytes).unwrap(), e.lines_cut)
        };
        assert_eq!(cut("a\nb\nc", Some(2)), ("a\nb\n", 1));
        assert_eq!(cut("a\nb\n", Some(2)), ("a\nb\n", 0));
        assert_eq!(cut("a", Some(9)), ("a", 0));
        assert_eq!(cut("a\r\nb", None), ("a\r\nb", 0));
        assert!(lines_max(Some(0)).is_err());
    }

    #[test]
    fn lines_are_taken_by_number() {
        assert_eq!(lines(b"a\nb\nc\n", 2, 3), b"b\n");
        assert_eq!(lines(b"a\nb\nc", 2, 9), b"b\nc");
        assert_eq!(lines(b"a", 3, 4), b"");
    }
}
