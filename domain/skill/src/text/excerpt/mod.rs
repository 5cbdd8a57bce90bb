//! Excerpts of a text, or of a list that is shown as text: limited by lines or bytes, and continued with a cursor.

use crate::cursor::Whole;
use crate::fault::Fault;

/// How much of a text to return; `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Maximum number of lines.
    pub lines_max: Option<u32>,
    /// Maximum number of bytes of the text.
    pub bytes_max: Option<u32>,
}

impl Bounds {
    /// Validates requested bounds.
    ///
    /// # Errors
    /// E100 for 0.
    pub fn asked(lines_max: Option<u32>, bytes_max: Option<u32>) -> Result<Self, Fault> {
        for (argument, asked) in [("max_lines", lines_max), ("max_bytes", bytes_max)] {
            if asked == Some(0) {
                return Err(Fault::invalid_argument(argument, "must be at least 1, got 0"));
            }
        }
        Ok(Self { lines_max, bytes_max })
    }

    /// Adds a byte limit if none was given. A line limit is not enough, since a line can have any length.
    pub fn or_bytes(self, bytes_max: u32) -> Self {
        Self { bytes_max: self.bytes_max.or(Some(bytes_max)), ..self }
    }

    fn hold(&self, size: Size) -> bool {
        let is_within = |size: usize, max: Option<u32>| max.is_none_or(|max| size <= max as usize);
        is_within(size.lines, self.lines_max) && is_within(size.bytes, self.bytes_max)
    }
}

/// How much a piece uses of the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Number of lines.
    pub lines: usize,
    /// Number of bytes, including line breaks.
    pub bytes: usize,
}

/// A part of a text, and the number of lines after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextExcerpt<'a> {
    /// The bytes of the part, unchanged.
    pub bytes: &'a [u8],
    /// Number of lines that were cut off; 0 if none.
    pub lines_cut: u32,
    /// The cursor that continues the text; `None` at the end.
    pub next_cursor: Option<String>,
}

/// A part of a list, as a range of entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRange {
    /// Index of the first entry.
    pub from: usize,
    /// Index after the last entry.
    pub to: usize,
    /// The cursor that continues the list; `None` at the end.
    pub next_cursor: Option<String>,
}

/// How many pieces, starting with the first, fit within the bounds together.
pub fn fit(sizes: impl IntoIterator<Item = Size>, bounds: Bounds) -> usize {
    let mut sum = Size::default();
    let holds = |size: &Size| {
        sum.lines += size.lines;
        sum.bytes += size.bytes;
        bounds.hold(sum)
    };
    sizes.into_iter().take_while(holds).count()
}

/// The part of a text that fits within the bounds, from the beginning or from a cursor.
///
/// It ends at a line break. A line longer than the bound is cut between two characters, but at least one character is
/// returned, so that every call makes progress. `asked` identifies the request that the text answers.
///
/// # Errors
/// E100 for a cursor that does not continue this text.
pub fn excerpt<'a>(
    text: &'a [u8],
    bounds: Bounds,
    cursor: Option<&str>,
    asked: &[&str],
) -> Result<TextExcerpt<'a>, Fault> {
    let whole = || Whole::new(asked, [text]);
    let from = cursor.map_or(Ok(0), |cursor| whole().offset(cursor))?;
    let rest = text.get(from..).unwrap_or_default();
    let end = end_of_part(rest, bounds);
    Ok(TextExcerpt {
        bytes: &rest[..end],
        lines_cut: crate::text::lines::count(&rest[end..]),
        next_cursor: (end < rest.len()).then(|| whole().cursor(from + end)),
    })
}

/// The part of a list that fits within the bounds, but at least one entry, from the beginning or from a cursor.
///
/// `size` says how much an entry uses in a part that begins with the entry of its second argument; `whole` is the
/// answer that a cursor must belong to.
///
/// # Errors
/// E100 for a cursor that does not continue this list.
pub fn page(
    count: usize,
    bounds: Bounds,
    cursor: Option<&str>,
    size: impl Fn(usize, usize) -> Size,
    whole: impl Fn() -> Whole,
) -> Result<PageRange, Fault> {
    let from = cursor.map_or(Ok(0), |cursor| whole().offset(cursor))?.min(count);
    let held =
        if bounds == Bounds::default() { count } else { fit((from..count).map(|at| size(at, from)), bounds) };
    let to = (from + held.max(1)).min(count);
    Ok(PageRange { from, to, next_cursor: (to < count).then(|| whole().cursor(to)) })
}

/// Estimates the tokens of a text: its bytes divided by four, rounded up. English prose takes four bytes per token in
/// common tokenizers; code and other scripts differ by up to half.
pub fn tokens(text_bytes: usize) -> u32 {
    u32::try_from(text_bytes.div_ceil(4)).unwrap_or(u32::MAX)
}

/// The byte offset at which a part ends.
fn end_of_part(text: &[u8], bounds: Bounds) -> usize {
    if bounds == Bounds::default() {
        return text.len();
    }
    let lengths = || crate::text::lines::split(text).map(<[u8]>::len);
    let count = fit(lengths().map(|bytes| Size { lines: 1, bytes }), bounds);
    match bounds.bytes_max {
        Some(bytes_max) if count == 0 => end_of_characters(text, bytes_max as usize),
        _ => lengths().take(count).sum(),
    }
}

/// The end of the last character that ends within `bytes_max`, or of the first character if none does. Bytes that are
/// not UTF-8 may be cut anywhere.
fn end_of_characters(text: &[u8], bytes_max: usize) -> usize {
    let is_inside = |at: usize| text.get(at).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000);
    let end = bytes_max.min(text.len());
    // A character has at most three continuation bytes.
    let back = (end.saturating_sub(3)..=end).rev().find(|at| !is_inside(*at)).unwrap_or(end);
    if back > 0 {
        return back;
    }
    (1..=4).find(|at| !is_inside(*at)).unwrap_or(end).min(text.len())
}

/// The bytes from line `start` (1-based) up to but excluding line `end`. Lines that do not exist are empty.
pub fn lines(bytes: &[u8], start: u32, end: u32) -> &[u8] {
    let from = end_of_line(bytes, start.saturating_sub(1));
    let rest = &bytes[from..];
    &rest[..end_of_line(rest, end.saturating_sub(start))]
}

/// The offset after the `count`-th line break, or the length of the text if it has fewer.
fn end_of_line(bytes: &[u8], count: u32) -> usize {
    let mut at = 0;
    for _ in 0..count {
        at += crate::text::lines::first_len(&bytes[at..]);
        if at == bytes.len() {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests;
