//! YAML line by line, as a person sees it: which lines begin a value, and which belong to it.

use skillc_domain::text::lines::split_text;
use std::ops::Range;

/// A line that begins a value: `key: value`, `- value` or `- key: value`.
pub struct YamlItem {
    /// Number of spaces before it.
    pub indent: usize,
    /// Whether it is a list entry.
    pub is_entry: bool,
    /// Byte range of the value on the same line, trimmed; may be empty.
    pub value: Range<usize>,
}

impl YamlItem {
    /// Whether this can follow another item. A list entry cannot follow a key with the same indentation.
    pub fn may_follow(&self, above: &YamlItem) -> bool {
        !self.is_entry || above.is_entry || self.indent < above.indent
    }
}

/// Parses a line as the beginning of a value.
pub fn item(text: &str, line: &Range<usize>) -> Option<YamlItem> {
    let source = &text[line.clone()];
    let indent = indent(text, line);
    let mut rest = &source[indent..];
    let mut is_entry = false;
    while let Some(entry) = rest.strip_prefix("- ") {
        (rest, is_entry) = (entry.trim_start_matches(' '), true);
    }
    let value = match rest.split_once(':') {
        Some((key, value)) if is_key(key) && (value.is_empty() || value.starts_with([' ', '\t'])) => value,
        _ if is_entry => rest,
        _ => return None,
    };
    let start = line.end - value.trim_start().len();
    Some(YamlItem { indent, is_entry, value: start..start + value.trim().len() })
}

fn is_key(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c))
}

/// The line that begins the value to which a line belongs; `None` for a block scalar, whose text is taken literally.
pub fn item_around(text: &str, lines: &[Range<usize>], flawed: usize) -> Option<usize> {
    let mut found = None;
    let mut deeper_than = usize::MAX;
    for at in (0..=flawed).rev() {
        let line = &lines[at];
        if is_blank(text, line) || indent(text, line) >= deeper_than {
            continue;
        }
        let Some(item) = item(text, line) else {
            // A continuation line: the line that it belongs to is indented less.
            deeper_than = indent(text, line).max(1);
            continue;
        };
        let value = &text[item.value.clone()];
        if found.is_some() && is_block_header(value) {
            return None;
        }
        if found.is_none() || !value.is_empty() {
            found = Some(at);
        }
        deeper_than = item.indent;
    }
    found
}

/// Whether a value is only the header of the block scalar below it.
pub fn is_block_header(value: &str) -> bool {
    value
        .strip_prefix(['|', '>'])
        .is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || "+-".contains(c)))
}

/// The lines that belong to the value above them, without trailing blank lines.
pub fn continuation<'a>(text: &str, lines: &'a [Range<usize>], indent: usize) -> &'a [Range<usize>] {
    let belongs = |line: &&Range<usize>| is_blank(text, line) || self::indent(text, line) > indent;
    let count = lines.iter().take_while(belongs).count();
    let used = lines[..count].iter().rposition(|line| !is_blank(text, line)).map_or(0, |last| last + 1);
    &lines[..used]
}

/// The lines without their line breaks.
pub fn lines(text: &str, yaml: Range<usize>) -> Vec<Range<usize>> {
    let mut at = yaml.start;
    let line = |line: &str| {
        let start = at;
        at += line.len();
        start..start + line.trim_end_matches(['\n', '\r']).len()
    };
    split_text(&text[yaml]).map(line).collect()
}

/// Whether a line is empty or blank.
pub fn is_blank(text: &str, line: &Range<usize>) -> bool {
    text[line.clone()].trim().is_empty()
}

fn indent(text: &str, line: &Range<usize>) -> usize {
    let line = &text[line.clone()];
    line.len() - line.trim_start_matches(' ').len()
}

/// Whether the indentation of a line contains a tab.
pub fn indents_with_tab(line: &str) -> bool {
    let content = line.trim_start_matches([' ', '\t']);
    !content.is_empty() && line[..line.len() - content.len()].contains('\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_begins_on_one_line_and_goes_on_below() {
        let text = "a: b\n  - c\n  d: e: f\n\n   g\n\nh: |\n  i: j\n";
        let lines = lines(text, 0..text.len());
        let values: Vec<_> =
            lines.iter().filter_map(|line| item(text, line)).map(|item| &text[item.value]).collect();
        assert_eq!(values, ["b", "c", "e: f", "|", "j"]);
        assert_eq!(continuation(text, &lines[1..], 0).len(), 4);
        let around: Vec<_> = (0..lines.len()).map(|at| item_around(text, &lines, at)).collect();
        assert_eq!(around, [Some(0), Some(0), Some(0), Some(0), Some(0), Some(0), Some(6), None]);
    }
}
