//! Keeps hostile nesting away from the Markdown parser, which walks all open quotes and list items on each line.

use std::borrow::Cow;

/// Quotes and list items within each other that are understood: four million lines under so many take a second or
/// two, and nobody can read a tenth of it. A deeper line is plain text.
const DEPTH_MAX: usize = 256;
/// A list item takes two columns at least, be they blank or its marker.
const COLUMNS_PER_LEVEL: usize = 2;

/// Bytes of a line that may be too deep: a tab gives four columns.
const LINE_BYTES_MIN: usize = DEPTH_MAX * COLUMNS_PER_LEVEL / 4;

/// The text with each line that nests too deep overwritten by as many bytes of a word: all offsets stay.
pub fn without_deep_lines(text: &str) -> Cow<'_, str> {
    // Short lines are passed over at the speed of looking for their ends.
    let mut long = text.split('\n').filter(|line| line.len() > LINE_BYTES_MIN);
    if !long.any(|line| line.split('\r').any(|line| is_too_deep(line.as_bytes()))) {
        return Cow::Borrowed(text);
    }
    let lines = text.split_inclusive(['\n', '\r']);
    let kept = lines.map(|line| if is_too_deep(line.as_bytes()) { overwritten(line) } else { line.into() });
    Cow::Owned(kept.collect())
}

fn overwritten(line: &str) -> Cow<'_, str> {
    let content = line.trim_end_matches(['\n', '\r']);
    Cow::Owned("x".repeat(content.len()) + &line[content.len()..])
}

/// Whether what a line begins with leaves room for too many levels and opens one. Each level that is open before needs
/// its own `>` or indentation on this line, so one line tells.
fn is_too_deep(line: &[u8]) -> bool {
    let (mut columns, mut opens) = (0, false);
    for (at, byte) in line.iter().enumerate() {
        let is_item = matches!(line.get(at + 1), None | Some(b' ' | b'\t' | b'\n' | b'\r'));
        columns += match byte {
            b' ' | b'0'..=b'9' => 1,
            b'\t' => 4,
            b'>' => COLUMNS_PER_LEVEL,
            b'-' | b'+' | b'*' | b'.' | b')' if is_item => 1,
            _ => break,
        };
        opens |= !matches!(byte, b' ' | b'\t');
    }
    opens && columns > DEPTH_MAX * COLUMNS_PER_LEVEL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_nest_too_deep_are_overwritten() {
        for line in [
            "- ".repeat(257),
            "> ".repeat(200),
            ">".repeat(257),
            "1. ".repeat(200),
            "\t".repeat(200) + "- a é",
        ] {
            let text = format!("# a\n{line}\r\n# b\n");
            let plain = without_deep_lines(&text);
            assert_eq!(plain, format!("# a\n{}\r\n# b\n", "x".repeat(line.len())));
        }
        for line in
            ["- ".repeat(256), ">".repeat(256), "-".repeat(2_000), " ".repeat(2_000), " ".repeat(2_000) + "é"]
        {
            assert!(matches!(without_deep_lines(&line), Cow::Borrowed(_)), "{line}");
        }
    }
}
