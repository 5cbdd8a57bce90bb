//! The blocks of a text in which expressions are tried: lines up to an empty one.

use std::ops::Range;

/// Bytes of a block, at most: of 176,550 that published skills hold, one is larger. A file without any empty line would be
/// one block however large it is, and some expressions take the square of what they are tried on.
const BLOCK_BYTES_MAX: usize = 64 * 1024;

/// The blocks of a text, from one in which something was found to the next.
pub struct Blocks<'a> {
    text: &'a str,
    /// Lines between two empty ones around the block.
    paragraph: Range<usize>,
    block: Range<usize>,
    /// The block without the line break at its end.
    shown: Range<usize>,
    number: u32,
}

impl<'a> Blocks<'a> {
    /// None yet.
    pub fn of(text: &'a str) -> Self {
        Self { text, paragraph: 0..0, block: 0..0, shown: 0..0, number: 0 }
    }

    /// The number of the block around a range, from 1, and its bytes without the line break at its end; `None` when the
    /// range crosses its end. Ranges are asked for in the order of their ends, and none is empty.
    pub fn around(&mut self, range: Range<usize>) -> Option<(u32, Range<usize>)> {
        if range.end > self.block.end {
            if range.start < self.block.end {
                return None;
            }
            self.advance(range.start);
        }
        let is_inside = self.shown.start <= range.start && range.end <= self.shown.end;
        is_inside.then(|| (self.number, self.shown.clone()))
    }

    /// To the block that holds an offset behind the one before.
    fn advance(&mut self, offset: usize) {
        self.number = self.number.saturating_add(1);
        let mut start = self.block.end;
        if self.paragraph.end <= offset {
            start = first_line(self.text, self.paragraph.end, offset);
            self.paragraph = start..last_line(self.text, offset);
        }
        let mut end = cut(self.text, start, self.paragraph.end);
        while end <= offset {
            start = end;
            end = cut(self.text, start, self.paragraph.end);
        }
        self.block = start..end;
        self.shown = start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len();
    }
}

/// Where the paragraph around an offset begins; not before `floor`, which begins a line.
fn first_line(text: &str, floor: usize, offset: usize) -> usize {
    let line = |end: usize| text[floor..end].rfind('\n').map_or(floor, |at| floor + at + 1);
    let mut start = line(offset);
    while start > floor {
        let before = line(start - 1);
        if is_empty(&text[before..start]) {
            break;
        }
        start = before;
    }
    start
}

/// Where the paragraph around an offset ends, with its line break.
fn last_line(text: &str, offset: usize) -> usize {
    let mut lines = text[offset..].split_inclusive('\n');
    let rest = lines.next().unwrap_or_default().len();
    offset + rest + lines.take_while(|line| !is_empty(line)).map(str::len).sum::<usize>()
}

fn is_empty(line: &str) -> bool {
    line.bytes().all(|byte| byte.is_ascii_whitespace())
}

/// Where a block ends that begins at `start`: with its paragraph, or with its last line that fits, or where it must.
fn cut(text: &str, start: usize, end: usize) -> usize {
    if end - start <= BLOCK_BYTES_MAX {
        return end;
    }
    let mut most = start + BLOCK_BYTES_MAX;
    while !text.is_char_boundary(most) {
        most -= 1;
    }
    text[start..most].rfind('\n').map_or(most, |at| start + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks around each place where a word stands.
    fn around<'a>(text: &'a str, word: &str) -> Vec<(u32, &'a str)> {
        let mut blocks = Blocks::of(text);
        let found = text.match_indices(word).filter_map(|(at, _)| blocks.around(at..at + word.len()));
        found.map(|(number, block)| (number, &text[block])).collect()
    }

    #[test]
    fn a_block_is_the_lines_up_to_an_empty_one() {
        assert_eq!(around("x", "x"), [(1, "x")]);
        assert_eq!(
            around("a\nx\nb\n\nc\n \t\r\n\nd\r\nx x\r\n\r\nx\n", "x"),
            [(1, "a\nx\nb"), (2, "d\r\nx x"), (2, "d\r\nx x"), (3, "x"),]
        );
        assert_eq!(around("\n\nx\n\n", "x"), [(1, "x")]);
        assert_eq!(around("a x\n\nb", "x\n\nb"), []);
    }

    #[test]
    fn a_long_block_ends_with_a_line_that_fits() {
        let lines = "é23456789\n".repeat(BLOCK_BYTES_MAX / 5);
        let text = format!("{lines}x\n{lines}x");
        let found = around(&text, "x");
        assert_eq!(found.len(), 2);
        for (_, block) in found {
            assert!(block.len() <= BLOCK_BYTES_MAX && block.starts_with('é') && block.contains('x'));
        }
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let text = "é".repeat(BLOCK_BYTES_MAX * 2 + 1) + "x";
        let found = around(&text, "x");
        assert_eq!(found, [(1, "éx")]);
    }
}
