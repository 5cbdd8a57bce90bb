//! Headings and the lines that contain them.

use skillc_domain::markup::{Markup, RegionKind};
use skillc_domain::section::Heading;
use skillc_domain::text::lines;
use std::ops::Range;

/// Range of the first line of a heading, without surrounding spaces.
pub fn heading_line(text: &str, heading: &Heading) -> Range<usize> {
    let line = text.get(heading.offset..).unwrap_or_default().split(['\n', '\r']).next().unwrap_or_default();
    let start = heading.offset + line.len() - line.trim_start().len();
    start..start + line.trim().len()
}

/// Range of a heading's number signs; `None` if it is underlined instead.
///
/// They may be preceded by the markers of quotes and list items.
pub fn number_signs(text: &str, heading: &Heading) -> Option<Range<usize>> {
    let line = heading_line(text, heading);
    let opens = |c: char| c.is_ascii_digit() || matches!(c, '>' | '-' | '+' | '*' | '.' | ')' | ' ' | '\t');
    let content = text[line.clone()].trim_start_matches(opens);
    let start = line.end - content.len();
    let behind = content.trim_start_matches('#');
    let is_heading = behind.is_empty() || behind.starts_with([' ', '\t']);
    let signs = start..line.end - behind.len();
    (is_heading && signs.len() == usize::from(heading.level)).then_some(signs)
}

/// Line number of the first line in HTML that looks like a title. Markdown does not recognize it as one without an
/// empty line before it.
pub fn in_html(text: &str, markup: &Markup) -> Option<usize> {
    let html = markup.regions.iter().filter(|region| region.kind == RegionKind::Html);
    html.filter_map(|region| {
        let written = text.get(region.span.clone())?;
        let at = if written.starts_with("# ") { 0 } else { written.find("\n# ")? + 1 };
        Some(lines::breaks(&text.as_bytes()[..region.span.start + at]) + 1)
    })
    .next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(level: u8, offset: usize) -> Heading {
        Heading { level, text: String::new(), line: 1, offset }
    }

    #[test]
    fn the_signs_of_a_heading_are_found_behind_quotes_and_list_items() {
        for (text, level, signs) in [
            ("## a ##\n", 2, Some(0..2)),
            ("  > 1. - ### é", 3, Some(9..12)),
            ("#", 1, Some(0..1)),
            ("a\n===", 1, None),
            ("#x\n===", 1, None),
            ("# x", 2, None),
            ("", 1, None),
        ] {
            assert_eq!(number_signs(text, &heading(level, 0)), signs, "{text}");
        }
        assert_eq!(heading_line("é\n  # a \r\n", &heading(1, 3)), 5..8);
    }
}
