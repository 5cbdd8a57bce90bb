//! Recognizes common YAML mistakes: unquoted values that need quotes, and tabs as indentation.
//!
//! Works on lines without parsing, since the YAML has already been rejected by a parser. Reports only obvious
//! mistakes.

use crate::fix::{Edit, Fix, Safety};
use crate::yaml_line::{continuation, indents_with_tab, is_blank, is_block_header, item, item_around, lines};
use std::ops::Range;

/// A mistake that was recognized, and how to correct it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong, worded so that the author can correct it.
    pub hint: String,
    /// The correction, if there is only one.
    pub fix: Option<Fix>,
}

/// The mistake at the byte where parsing the YAML in a range of a text failed.
pub fn find_mistake(text: &str, yaml: Range<usize>, at: usize) -> Option<Mistake> {
    let lines = lines(text, yaml);
    let flawed = lines.partition_point(|line| line.start <= at).checked_sub(1)?;
    if let Some(line) = lines[flawed..].iter().take(2).find(|line| indents_with_tab(&text[(*line).clone()])) {
        let fix = begins_item(text[line.clone()].trim_start()).then(|| blanks_for_tabs(text, &lines));
        return Some(Mistake { hint: "YAML cannot be indented with tabs; use spaces".to_owned(), fix });
    }
    let found = item_around(text, &lines, flawed)?;
    let item = item(text, &lines[found])?;
    if at < item.value.start || item.value.is_empty() {
        return None;
    }
    let more = continuation(text, &lines[found + 1..], item.indent);
    let is_nested = more.iter().any(|line| !is_blank(text, line) && self::item(text, line).is_some());
    let folded = if is_nested { &[] } else { more };
    let hint = match reason(&text[item.value.clone()], at == item.value.start, folded, text) {
        Some(hint) => hint,
        None if is_nested => return Some(Mistake { hint: NESTED.to_owned(), fix: None }),
        None => {
            return quote_inside(&text[item.value.clone()])
                .map(|hint| Mistake { hint: hint.to_owned(), fix: None });
        }
    };
    let end = more.last().map_or(item.value.end, |line| line.end);
    let value = item.value.start..item.value.start + text[item.value.start..end].trim_end().len();
    let after = lines[found + 1 + more.len()..].iter().find(|line| !is_blank(text, line));
    let can_quote = !is_nested
        && !text[value.clone()].contains(" #")
        && (more.is_empty() || !text[value.clone()].starts_with(OPENS_MORE))
        && after.is_none_or(|line| self::item(text, line).is_some_and(|after| after.may_follow(&item)));
    let fix = can_quote.then(|| Fix::safe("quote the value", value.clone(), quoted(&text[value])));
    Some(Mistake { hint, fix })
}

/// Characters that could begin a block, list or mapping if further lines follow.
const OPENS_MORE: &[char] = &['|', '>', '[', '{', '!', '&', '?', '-'];

const NESTED: &str = "a line that is indented deeper belongs to the value above; indent fields alike, and begin a value of \
                      several lines with '>-'";

/// A text in double quotes. Line breaks in it are folded as in unquoted text.
fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

fn blanks_for_tabs(text: &str, lines: &[Range<usize>]) -> Fix {
    let mut edits = Vec::new();
    for line in lines.iter().filter(|line| indents_with_tab(&text[(*line).clone()])) {
        let blanks =
            text[line.clone()].bytes().enumerate().take_while(|(_, byte)| matches!(byte, b' ' | b'\t'));
        let tabs = blanks.filter(|(_, byte)| *byte == b'\t').map(|(at, _)| line.start + at);
        edits.extend(tabs.map(|at| Edit { span: at..at + 1, text: "  ".to_owned() }));
    }
    Fix { safety: Safety::Safe, title: "replace tabs with spaces".to_owned(), edits }
}

fn begins_item(line: &str) -> bool {
    item(line, &(0..line.len())).is_some()
}

/// Why a value needs quotes; `is_start` if parsing failed at its first character.
fn reason(value: &str, is_start: bool, more: &[Range<usize>], text: &str) -> Option<String> {
    let first = value.chars().next()?;
    let begins = || Some(format!("a value that begins with '{first}' needs quotes"));
    match first {
        '"' | '\'' => None,
        '@' | '`' | '%' | '*' | '&' | '!' | ',' | ']' | '}' => begins(),
        '|' | '>' if is_start && !is_block_header(value) => begins(),
        '-' | '?' if value[1..].starts_with(' ') => begins(),
        '[' | '{' => has_text_behind_brackets(value).then(begins).flatten(),
        '|' | '>' => None,
        _ => {
            let mut parts = std::iter::once(value).chain(more.iter().map(|line| text[line.clone()].trim()));
            let has_colon = |part: &str| part.contains(": ") || part.contains(":\t") || part.ends_with(':');
            parts
                .any(has_colon)
                .then(|| "a value with ':' before a blank or at its end needs quotes".to_owned())
        }
    }
}

/// Whether the brackets at the start of a value are closed before its end.
fn has_text_behind_brackets(value: &str) -> bool {
    let mut open = 0_usize;
    for (at, c) in value.char_indices() {
        match c {
            '[' | '{' => open += 1,
            ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return !value[at + c.len_utf8()..].trim_start().trim_start_matches('#').is_empty();
        }
    }
    false
}

/// A hint about a quoted value that ends too early.
fn quote_inside(value: &str) -> Option<&'static str> {
    match value.chars().next()? {
        '\'' => Some("in single quotes, write '' for a quote"),
        '"' => Some("in double quotes, write \\\" for a quote and \\\\ for a backslash"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fix::apply;
    use proptest::prelude::*;

    /// The YAML after fixing the mistake at the first `^`, which is removed; with `!` before it, only the hint.
    fn corrected(marked: &str) -> Option<String> {
        let at = marked.find('^').unwrap();
        let text = marked.replacen('^', "", 1);
        let slip = find_mistake(&text, 0..text.len(), at)?;
        Some(slip.fix.map_or_else(|| format!("! {}", slip.hint), |fix| apply(&text, &[&fix]).0))
    }

    fn check(marked: &str, expected: &str) {
        assert_eq!(corrected(marked).as_deref(), Some(expected), "{marked}");
    }

    #[test]
    fn a_value_with_a_colon_is_quoted() {
        check("description: Use this^: now", "description: \"Use this: now\"");
        check("a: b\r\nc: d \"e\" \\^: f \r\ng: h", "a: b\r\nc: \"d \\\"e\\\" \\\\: f\" \r\ng: h");
        check("m:\n  - k: a^: b\n  - l: c", "m:\n  - k: \"a: b\"\n  - l: c");
        check("d: one\n  two words^: three\n\ne: f", "d: \"one\n  two words: three\"\n\ne: f");
        check("d: ends^:", "d: \"ends:\"");
    }

    #[test]
    fn a_value_that_begins_with_a_sign_is_quoted() {
        for value in [
            "@x",
            "`x` y",
            "%x",
            "*bold* text",
            "**/*.rs",
            "| text",
            "> text",
            "- a",
            "? a",
            "[a] b",
            "{{ x }} y",
            "[a](b)",
        ] {
            check(&format!("name: x\nd: ^{value}\ne: f"), &format!("name: x\nd: \"{value}\"\ne: f"));
        }
        check("paths:\n  - ^**/*.rs\n  - *.ts", "paths:\n  - \"**/*.rs\"\n  - *.ts");
        check("paths:\n- ^@x: y", "paths:\n- \"@x: y\"");
    }

    #[test]
    fn tabs_that_indent_become_blanks() {
        check("m:\n^\ta: x\n\t\tb: y\tz", "m:\n  a: x\n    b: y\tz");
        check("m: ^a\n\tb", "! YAML cannot be indented with tabs; use spaces");
    }

    #[test]
    fn where_two_things_can_be_meant_only_a_hint_is_given() {
        check("name: a\n description^: b", &format!("! {NESTED}"));
        check("d: Use when^:\n  - a", "! a value with ':' before a blank or at its end needs quotes");
        check("d: Use when^:\n- a\nb: c", "! a value with ':' before a blank or at its end needs quotes");
        check("d: fix this^: use #1 # x", "! a value with ':' before a blank or at its end needs quotes");
        check("d: 'it'^s'", "! in single quotes, write '' for a quote");
        check("d: \"C:^\\d\"", "! in double quotes, write \\\" for a quote and \\\\ for a backslash");
        check("d: ^> a\n  b", "! a value that begins with '>' needs quotes");
    }

    #[test]
    fn other_mistakes_are_left_alone() {
        for marked in
            ["a: [b, c^", "d: >\n  a: b^: c", "a: b\n^c", "^", "a: |\n  b: c: d\n\n  e^: f", "a^: b"]
        {
            assert_eq!(corrected(marked), None, "{marked}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "([a-c:é\"'\\[{@#>|*-]|[ \t\r\n]|: |- ){0,40}", at in 0_usize..60) {
            let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
            if let Some(Mistake { fix: Some(fix), .. }) = find_mistake(&text, 0..text.len(), at) {
                prop_assert_eq!(apply(&text, &[&fix]).1, [0]);
            }
        }
    }
}
