//! Scans texts in large steps: most of a text is ASCII without long gaps.

use std::ops::Range;

/// Number of bytes examined together. Short enough that a text with occasional non-ASCII letters still benefits.
const STEP: usize = 64;

/// The characters of a text that are not ASCII, with their offsets.
pub fn non_ascii(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        at = next_foreign(text.as_bytes(), at)?;
        let c = text[at..].chars().next()?;
        let found = (at, c);
        at += c.len_utf8();
        Some(found)
    })
}

/// The first byte from `at` on that is not ASCII.
fn next_foreign(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let rest = bytes.get(at..)?;
        let step = &rest[..rest.len().min(STEP)];
        match step.is_ascii() {
            true if step.len() == rest.len() => return None,
            true => at += STEP,
            false => return step.iter().position(|byte| !byte.is_ascii()).map(|found| at + found),
        }
    }
}

/// Runs of white space of at least `bytes_min` bytes, including line breaks, that are followed by text.
pub fn gaps(text: &str, bytes_min: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let (mut at, step) = (0, bytes_min.max(2) / 2);
    std::iter::from_fn(move || {
        while at < text.len() {
            // Most bytes are letters, which need no closer look.
            if text.as_bytes()[at].is_ascii_graphic() {
                at += step;
                continue;
            }
            let mut inside = at;
            while !text.is_char_boundary(inside) {
                inside -= 1;
            }
            let gap = gap_around(text, inside);
            at = gap.end.max(at) + step;
            if gap.len() >= bytes_min && gap.end < text.len() {
                return Some(gap);
            }
        }
        None
    })
}

/// The white space around a character boundary; empty if the character there is not white space.
fn gap_around(text: &str, at: usize) -> Range<usize> {
    let (before, after) = text.split_at(at);
    let end = text.len() - after.trim_start_matches(is_blank).len();
    if end == at {
        return at..at;
    }
    before.trim_end_matches(is_blank).len()..end
}

/// Whether a character is displayed as nothing: any white space, and blank letters.
pub fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\n' | '\t' | '\r')
        || (!c.is_ascii() && (c.is_whitespace() || matches!(c, '\u{2800}' | '\u{3164}')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_beyond_ascii_are_found_wherever_they_stand() {
        let text = format!("{}é{}😀", "a".repeat(63), "b".repeat(200));
        assert_eq!(non_ascii(&text).collect::<Vec<_>>(), [(63, 'é'), (265, '😀')]);
        assert_eq!(non_ascii("").count() + non_ascii("plain").count(), 0);
    }

    #[test]
    fn a_long_gap_is_found_once_and_only_with_text_behind() {
        let gap = |text: &str| gaps(text, 10).map(|gap| (gap.start, gap.end)).collect::<Vec<_>>();
        assert_eq!(gap(&format!("a{}b", " ".repeat(10))), [(1, 11)]);
        assert_eq!(gap(&format!("a{}b", " ".repeat(9))), []);
        assert_eq!(gap(&format!("a{}", " ".repeat(99))), []);
        assert_eq!(gap(&format!("ä{}ö{}ü", "\u{3000}".repeat(8), " \n".repeat(30))), [(2, 26), (28, 88)]);
    }
}
