//! Divides a text into blocks, the units in which expressions are tried.

use std::ops::Range;

/// Maximum bytes of a block; of 176,550 blocks in published skills, one is larger. Without a maximum, a file without
/// blank lines would be one block, and some expressions take quadratic time.
const BLOCK_BYTES_MAX: usize = 64 * 1024;

/// Finds blocks: consecutive lines between blank ones, in ascending order.
pub struct Blocks<'a> {
    text: &'a str,
    /// The lines around the block up to the next blank ones. A long paragraph has several blocks.
    paragraph: Range<usize>,
    block: Range<usize>,
    /// The block without its final line break.
    shown: Range<usize>,
    number: u32,
}

impl<'a> Blocks<'a> {
    pub fn of(text: &'a str) -> Self {
        Self { text, paragraph: 0..0, block: 0..0, shown: 0..0, number: 0 }
    }

    /// The number, from 1, and range of the block around a non-empty range; `None` if the range crosses the block's
    /// end. The ends of successive ranges must ascend.
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

    /// Moves on to the block that contains an offset.
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

/// The start of the paragraph around an offset, at least `floor`, which starts a line.
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

/// The end of the paragraph around an offset, including its line break.
fn last_line(text: &str, offset: usize) -> usize {
    let mut lines = text[offset..].split_inclusive('\n');
    let rest = lines.next().unwrap_or_default().len();
    offset + rest + lines.take_while(|line| !is_empty(line)).map(str::len).sum::<usize>()
}

fn is_empty(line: &str) -> bool {
    line.bytes().all(|byte| byte.is_ascii_whitespace())
}

/// The end of a block that begins at `start`: that of the paragraph, else of the last line that fits, else the maximum.
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

    /// The blocks around each occurrence of a word.
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
