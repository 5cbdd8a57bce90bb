//! Splits texts into lines, which end at LF, CRLF or a lone CR, as in CommonMark and YAML.

/// Number of lines: the line breaks, plus one if the last line has none.
pub fn count(text: &[u8]) -> u32 {
    let unfinished = !text.is_empty() && !is_ended(text);
    u32::try_from(breaks(text) + usize::from(unfinished)).unwrap_or(u32::MAX)
}

/// Number of line breaks. A CR at the end of the text counts, whatever may follow it.
pub fn breaks(text: &[u8]) -> usize {
    let carriage_returns = count_of(text, b'\r');
    // Most texts have no CR, or one before each LF.
    let pairs = if carriage_returns == 0 { 0 } else { text.windows(2).filter(|two| *two == b"\r\n").count() };
    count_of(text, b'\n') + carriage_returns - pairs
}

/// Sums in bytes, in blocks of at most 255, so that the compiler can vectorize it.
fn count_of(text: &[u8], sought: u8) -> usize {
    text.chunks(255).map(|part| usize::from(part.iter().map(|b| u8::from(*b == sought)).sum::<u8>())).sum()
}

/// Whether a text ends with a line break.
pub fn is_ended(text: &[u8]) -> bool {
    matches!(text.last(), Some(b'\n' | b'\r'))
}

/// Length of the first line with its break.
pub fn first_len(text: &[u8]) -> usize {
    match text.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        Some(at) if text[at..].starts_with(b"\r\n") => at + 2,
        Some(at) => at + 1,
        None => text.len(),
    }
}

/// Length of the line break that a text begins with.
pub fn first_break_len(text: &[u8]) -> usize {
    if is_ended(&text[..text.len().min(1)]) { first_len(text) } else { 0 }
}

/// The lines, each with its line break.
pub fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (line, behind) = rest.split_at(first_len(rest));
        rest = behind;
        (!line.is_empty()).then_some(line)
    })
}

/// The lines of a text, each with its line break.
pub fn split_text(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (line, behind) = rest.split_at(first_len(rest.as_bytes()));
        rest = behind;
        (!line.is_empty()).then_some(line)
    })
}

/// The line that contains an offset, without its line break.
pub fn around(text: &str, offset: usize) -> std::ops::Range<usize> {
    let start = text[..offset].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    // An offset between CR and LF belongs to the end of its line.
    let start = if offset > 0 && start == offset && is_halved(text, offset) {
        start_before(text, offset)
    } else {
        start
    };
    let end = text[start..].find(['\n', '\r']).map_or(text.len(), |at| start + at);
    start..end
}

fn is_halved(text: &str, offset: usize) -> bool {
    text[..offset].ends_with('\r') && text[offset..].starts_with('\n')
}

fn start_before(text: &str, offset: usize) -> usize {
    text[..offset - 1].rfind(['\n', '\r']).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// L4
    #[test]
    fn lines_are_counted_with_and_without_a_last_break() {
        for (text, lines) in [
            ("", 0),
            ("a", 1),
            ("a\n", 1),
            ("a\nb", 2),
            ("\n\n", 2),
            ("\r\r\n\n\r", 4),
            ("a\rb", 2),
            ("a\r\n", 1),
        ] {
            assert_eq!(count(text.as_bytes()), lines, "{text:?}");
            assert_eq!(split(text.as_bytes()).count(), lines as usize, "{text:?}");
        }
    }

    #[test]
    fn a_line_is_found_around_each_of_its_offsets() {
        let text = "ab\r\nc\rd\n";
        let found: Vec<_> = (0..=text.len()).map(|at| around(text, at)).collect();
        assert_eq!(found, [0..2, 0..2, 0..2, 0..2, 4..5, 4..5, 6..7, 6..7, 8..8]);
    }

    proptest! {
        /// L4
        #[test]
        fn the_lines_are_the_text_and_as_many_as_are_counted(
            parts in prop::collection::vec(prop::sample::select(vec!["a", "é", "\n", "\r", "\r\n"]), 0..40),
        ) {
            let text = parts.concat();
            let lines: Vec<_> = split_text(&text).collect();
            prop_assert_eq!(lines.concat(), text.as_str());
            prop_assert_eq!(lines.len(), count(text.as_bytes()) as usize);
            prop_assert_eq!(lines.len(), text.replace("\r\n", "\n").replace('\r', "\n").lines().count());
            prop_assert_eq!(split(text.as_bytes()).collect::<Vec<_>>().concat(), text.as_bytes());
        }
    }
}
