//! Bounds the nesting of quotes and list items, all of which the Markdown parser visits on each line.

use std::borrow::Cow;

/// Maximum nesting of quotes and list items: four million lines at this depth take a second or two, and no reader
/// follows a tenth of it. Deeper lines become plain text.
const DEPTH_MAX: usize = 256;
/// Minimum number of columns per list item, marker or indentation.
const COLUMNS_PER_LEVEL: usize = 2;

/// Bytes of the shortest line that can be too deep: a tab counts as four columns.
const LINE_BYTES_MIN: usize = DEPTH_MAX * COLUMNS_PER_LEVEL / 4;

/// Overwrites each line that nests too deep with as many letters, so that offsets stay valid.
pub fn overwrite_deep_lines(text: &str) -> Cow<'_, str> {
    // Most texts have no line that is long enough.
    let mut long = text.split('\n').filter(|line| line.len() > LINE_BYTES_MIN);
    if !long.any(|line| line.split('\r').any(|line| is_too_deep(line.as_bytes()))) {
        return Cow::Borrowed(text);
    }
    let lines = text.split_inclusive(['\n', '\r']);
    let bounded =
        lines.map(|line| if is_too_deep(line.as_bytes()) { overwritten(line) } else { line.into() });
    Cow::Owned(bounded.collect())
}

fn overwritten(line: &str) -> Cow<'_, str> {
    let content = line.trim_end_matches(['\n', '\r']);
    Cow::Owned("x".repeat(content.len()) + &line[content.len()..])
}

/// Whether the beginning of a line may hold too many levels and opens one. Each open level needs its own `>` or
/// indentation on the line, so no other line matters.
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
            let plain = overwrite_deep_lines(&text);
            assert_eq!(plain, format!("# a\n{}\r\n# b\n", "x".repeat(line.len())));
        }
        for line in
            ["- ".repeat(256), ">".repeat(256), "-".repeat(2_000), " ".repeat(2_000), " ".repeat(2_000) + "é"]
        {
            assert!(matches!(overwrite_deep_lines(&line), Cow::Borrowed(_)), "{line}");
        }
    }
}
