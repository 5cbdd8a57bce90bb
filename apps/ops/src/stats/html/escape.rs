//! Escapes untrusted text for HTML: no markup, no hidden or reordered characters.

use crate::render::plain;

/// Number of characters of a text that a cell shows without collapsing: two lines of a wide screen.
const CELL_CHARS_MAX: usize = 240;
/// Number of characters of a heading or title.
const NAME_CHARS_MAX: usize = 120;

/// A text between tags or in a quoted attribute.
pub fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in plain(text).chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}

/// A name, shown on a single line.
pub fn name(text: &str) -> String {
    match text.char_indices().nth(NAME_CHARS_MAX) {
        Some((end, _)) => escaped(&format!("{}…", &text[..end])),
        None => escaped(text),
    }
}

/// A cell's text, with its writing direction isolated; a long one is collapsed.
pub fn cell(text: &str) -> String {
    folded(text, escaped)
}

/// A path in a cell, with preferred line breaks after slashes.
pub fn path_cell(path: &str) -> String {
    folded(path, |part| escaped(part).replace('/', "/<wbr>"))
}

fn folded(text: &str, shown: impl Fn(&str) -> String) -> String {
    match text.char_indices().nth(CELL_CHARS_MAX) {
        Some((end, _)) => format!(
            "<details class=\"long\"><summary><bdi>{}…</bdi></summary><bdi>{}</bdi></details>",
            shown(&text[..end]),
            shown(text)
        ),
        None => format!("<bdi>{}</bdi>", shown(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_never_markup() {
        for (text, expected) in [
            ("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"),
            ("\" onload=\"x", "&quot; onload=&quot;x"),
            ("a&lt;b", "a&amp;lt;b"),
            ("abc\u{202e}fed\0", "abc\\u{202e}fed\\u{0}"),
            ("]]>--><!--", "]]&gt;--&gt;&lt;!--"),
        ] {
            assert_eq!(escaped(text), expected);
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters_and_kept_whole_below() {
        let long = "漢".repeat(10_000);
        assert_eq!(name(&long).chars().count(), NAME_CHARS_MAX + 1);
        assert!(cell(&long).contains(&format!("<bdi>{long}</bdi>")));
        assert_eq!(cell("short"), "<bdi>short</bdi>");
    }
}
