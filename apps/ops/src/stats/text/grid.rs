//! Columns of a terminal: width of texts, cutting and padding, bars and sparklines.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A variation selector that makes the character before it an emoji, two columns wide.
const EMOJI_MARK: char = '\u{fe0f}';
/// Maximum number of characters per column, so that zero-width combining marks cannot bypass a cut.
const CHARS_PER_COLUMN_MAX: usize = 4;
/// Replaces text that was cut.
const CUT: &str = "…";

/// Width of a text in columns.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Maximum width of a character in columns.
fn char_width(c: char) -> usize {
    if c == EMOJI_MARK { 1 } else { UnicodeWidthChar::width(c).unwrap_or(1) }
}

/// The number of characters that fit into a width.
fn fitting(chars: impl Iterator<Item = char>, columns: usize) -> usize {
    let mut used = 0;
    let is_in = |(at, c): &(usize, char)| {
        used += char_width(*c);
        used <= columns && *at < columns * CHARS_PER_COLUMN_MAX
    };
    chars.enumerate().take_while(is_in).count()
}

fn fits(text: &str, columns: usize) -> bool {
    text.chars().count() <= columns * CHARS_PER_COLUMN_MAX && width(text) <= columns
}

/// A text cut at the end to a width.
pub fn cut_end(text: &str, columns: usize) -> String {
    if fits(text, columns) {
        return text.to_owned();
    }
    let head = fitting(text.chars(), columns.saturating_sub(1));
    let beginning: String = text.chars().take(head).collect();
    format!("{}{CUT}", beginning.trim_end())
}

/// A path cut in the middle to a width, with more of its end than of its beginning.
pub fn cut_middle(text: &str, columns: usize) -> String {
    if fits(text, columns) {
        return text.to_owned();
    }
    let shown = columns.saturating_sub(1);
    let head: String = text.chars().take(fitting(text.chars(), shown / 3)).collect();
    let mut tail: Vec<char> =
        text.chars().rev().take(fitting(text.chars().rev(), shown - shown / 3)).collect();
    tail.reverse();
    format!("{head}{CUT}{}", String::from_iter(tail))
}

/// A text padded on the right.
pub fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// A text padded on the left.
pub fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// A bar in eighths of a column, `columns` wide for the largest count; never empty for a count above zero.
pub fn bar(count: u64, largest: u64, columns: usize) -> String {
    let whole = u128::from(largest.max(1));
    let eighths = (u128::from(count) * 8 * columns as u128 + whole / 2) / whole;
    let eighths = if count == 0 { 0 } else { eighths.clamp(1, 8 * columns as u128) as usize };
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{}{rest}", "█".repeat(eighths / 8))
}

/// A block for each count, as high as its share of the largest; the lowest block means zero.
pub fn sparkline(counts: impl Iterator<Item = u64> + Clone) -> String {
    const BLOCKS: [char; 7] = ['▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let largest = u128::from(counts.clone().max().unwrap_or_default().max(1));
    let block = |count: u64| match count {
        0 => '▁',
        _ => BLOCKS[((u128::from(count) * 7).div_ceil(largest) as usize).clamp(1, 7) - 1],
    };
    counts.map(block).collect()
}

/// Widths of columns within a sum: columns that need less than an equal share get what they need; the others share the
/// rest.
pub fn shared(widths_max: &[usize], sum: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..widths_max.len()).collect();
    order.sort_by_key(|at| widths_max[*at]);
    let (mut widths, mut rest) = (vec![0; widths_max.len()], sum);
    for (done, at) in order.into_iter().enumerate() {
        widths[at] = widths_max[at].min(rest / (widths_max.len() - done));
        rest -= widths[at];
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_keeps_to_its_width() {
        for (text, columns, end, middle) in [
            ("Installation", 12, "Installation", "Installation"),
            ("Installation", 8, "Install…", "In…ation"),
            ("Getting Started", 9, "Getting…", "Ge…tarted"),
            ("安装与配置指南", 14, "安装与配置指南", "安装与配置指南"),
            ("安装与配置指南", 9, "安装与配…", "安…置指南"),
            ("", 3, "", ""),
            ("abc", 0, "…", "…"),
        ] {
            assert_eq!(cut_end(text, columns), end, "{text} {columns}");
            assert_eq!(cut_middle(text, columns), middle, "{text} {columns}");
        }
    }

    #[test]
    fn marks_without_a_width_are_cut_too() {
        let zalgo = format!("a{}", "\u{301}".repeat(10_000));
        assert!(cut_end(&zalgo, 10).chars().count() <= 41);
        let hearts = "❤\u{fe0f}".repeat(30);
        assert!(width(&cut_end(&hearts, 11)) <= 11);
        assert!(width(&cut_middle(&hearts, 11)) <= 11);
    }

    #[test]
    fn a_bar_is_as_long_as_its_part() {
        for (count, largest, columns, expected) in [
            (8, 8, 4, "████"),
            (4, 8, 4, "██"),
            (1, 8, 4, "▌"),
            (1, 1_000, 4, "▏"),
            (0, 8, 4, ""),
            (0, 0, 4, ""),
            (u64::MAX, u64::MAX, 3, "███"),
            (7, 8, 4, "███▌"),
        ] {
            assert_eq!(bar(count, largest, columns), expected, "{count} of {largest}");
        }
    }

    #[test]
    fn the_lowest_block_of_a_sparkline_is_zero_and_the_highest_the_largest() {
        assert_eq!(sparkline([0, 1, 7, 4, 0].into_iter()), "▁▂█▅▁");
        assert_eq!(sparkline([1, 1_000_000].into_iter()), "▂█");
        assert_eq!(sparkline([u64::MAX, 0].into_iter()), "█▁");
        assert_eq!(sparkline([].into_iter()), "");
    }

    #[test]
    fn columns_that_want_little_leave_the_rest_to_the_others() {
        assert_eq!(shared(&[5, 50, 8], 40), [5, 27, 8]);
        assert_eq!(shared(&[50, 50], 41), [20, 21]);
        assert_eq!(shared(&[3, 4], 40), [3, 4]);
        assert!(shared(&[], 40).is_empty());
    }
}
