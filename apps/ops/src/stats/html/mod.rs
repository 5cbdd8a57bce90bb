//! Statistics as one self-contained HTML page: it loads nothing, runs only its own script, and is complete without it.

mod body;
mod chart;
mod escape;
mod histories;
mod table;

use super::UsageReport;
use super::words::{period, title};
use body::body;
pub use escape::{cell, escaped, name};
pub use histories::HistorySections;
use skillc_domain::usage::Grouping;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// SHA-256 of `STYLE` and `SCRIPT` with LF line breaks. A test compares them and prints the correct values.
const STYLE_HASH: &str = "sha256-qfHu0z1w/S7ah5ef/i1bJmm+13j7crMyJivO4vxAXhw=";
const SCRIPT_HASH: &str = "sha256-1Szz30Vo/C400CEHKX1ShgF+rccJ47Iyu9z3OE38fgA=";

/// A page with these reports about one subject, one per grouping; other groupings are omitted.
pub fn render(reports: &[UsageReport], history: &HistorySections) -> Vec<u8> {
    let of = |grouping: Grouping| reports.iter().find(|report| report.query.grouping == grouping);
    let first = of(Grouping::Summary).or_else(|| reports.first());
    let title = first.map_or_else(String::new, |report| {
        name(&format!("{} ({})", title(report), period(&report.query.filter, report.now)))
    });
    let body = first.map_or_else(String::new, |first| body(first, reports, history));
    page(GENERATOR, &title, &body)
}

/// A page with this title and body, both already escaped, and the name of its generator.
pub fn page(generator: &str, title: &str, body: &str) -> Vec<u8> {
    let policy = format!(
        "default-src 'none'; style-src '{STYLE_HASH}'; script-src '{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'"
    );
    filled(PAGE, |hole| match hole {
        "policy" => &policy,
        "generator" => generator,
        "title" => title,
        "style" => STYLE,
        "body" => body,
        "script" => SCRIPT,
        _ => "",
    })
}

/// Identifies a page of statistics.
const GENERATOR: &str = "skc stats";

/// Whether a file was written by `render`.
pub fn is_page(bytes: &[u8]) -> bool {
    is_page_of(GENERATOR, bytes)
}

/// Whether a file was written by `page` for this generator.
pub fn is_page_of(generator: &str, bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(PAGE.len())];
    String::from_utf8_lossy(head).contains(&format!("<meta name=\"generator\" content=\"{generator}\">"))
}

/// Fills each `@hole@` of a template in one pass; inserted text is not searched for holes.
fn filled<'a>(template: &'a str, text: impl Fn(&str) -> &'a str) -> Vec<u8> {
    let parts = template.split('@').enumerate();
    parts.map(|(at, part)| if at % 2 == 0 { part } else { text(part) }).collect::<String>().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::super::words::number;
    use super::escape::escaped;
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use html5gum::{Token, Tokenizer};
    use sha2::{Digest, Sha256};

    fn all(reports: &[UsageReport]) -> String {
        String::from_utf8(render(reports, &HistorySections::default())).unwrap()
    }

    #[test]
    fn the_policy_allows_this_style_and_this_script_alone() {
        for (text, written) in [(STYLE, STYLE_HASH), (SCRIPT, SCRIPT_HASH)] {
            let digest = Sha256::digest(text.replace("\r\n", "\n").as_bytes());
            assert_eq!(written, format!("sha256-{}", STANDARD.encode(digest)));
        }
        let page = all(&sample::every_grouping());
        let policy =
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-";
        assert!(
            page.find(policy).unwrap() < page.find("<style>").unwrap(),
            "the policy stands before what it judges"
        );
        assert!(!STYLE.contains("</") && !SCRIPT.contains("</"), "neither ends its own tag");
    }

    #[test]
    fn neither_style_nor_script_refers_to_anything_outside() {
        for word in
            ["//", "url(", "@import", "@font-face", "fetch(", "XMLHttpRequest", "innerHTML", "import("]
        {
            let mut code = SCRIPT.lines().filter(|line| !line.trim_start().starts_with("// "));
            assert!(!STYLE.contains(word) && !code.any(|line| line.contains(word)), "{word}");
        }
    }

    /// Attributes of the page; none of them loads, runs or styles anything.
    const ATTRIBUTES: &[&str] = &[
        "lang",
        "charset",
        "http-equiv",
        "content",
        "name",
        "class",
        "id",
        "role",
        "scope",
        "colspan",
        "type",
        "value",
        "x",
        "y",
        "width",
        "height",
        "rx",
        "x1",
        "x2",
        "y1",
        "y2",
        "dx",
        "dy",
        "text-anchor",
        "data-rows",
        "aria-label",
        "aria-labelledby",
        "aria-hidden",
        "aria-sort",
    ];

    #[test]
    fn every_tag_that_opens_closes_and_every_attribute_is_ours() {
        for reports in [sample::every_grouping(), sample::hostile(), sample::empty()] {
            let page = all(&reports).replacen(STYLE, "", 1).replacen(SCRIPT, "", 1);
            let (mut open, mut scripts) = (Vec::new(), 0);
            for token in Tokenizer::new(page.as_str()) {
                match token.unwrap() {
                    Token::StartTag(tag) => {
                        let name = String::from_utf8(tag.name.0.clone()).unwrap();
                        scripts += usize::from(name == "script");
                        for attribute in tag.attributes.keys() {
                            let attribute = std::str::from_utf8(attribute).unwrap();
                            assert!(ATTRIBUTES.contains(&attribute), "{name} {attribute}");
                        }
                        if !(matches!(name.as_str(), "meta" | "wbr") || tag.self_closing) {
                            open.push(name);
                        }
                    }
                    Token::EndTag(tag) => {
                        assert_eq!(open.pop().map(String::into_bytes), Some(tag.name.0.clone()), "in order");
                    }
                    Token::Error(error) => panic!("{error:?}"),
                    Token::String(_) | Token::Comment(_) | Token::Doctype(_) => {}
                }
            }
            assert!(open.is_empty(), "left open: {open:?}");
            assert_eq!(scripts, 1);
        }
    }

    /// The page, the CSV and the report contain the same figures.
    #[test]
    fn every_figure_of_a_report_is_in_the_page_and_in_the_csv() {
        let reports = sample::every_grouping();
        let page = all(&reports).replace("<wbr>", "");
        for report in &reports {
            let csv = String::from_utf8(super::super::csv::render(report)).unwrap();
            for tally in &report.usage.tallies {
                let figure = format!("<data value=\"{0}\">{1}</data>", tally.count, number(tally.count));
                let row = page.lines().find(|line| {
                    line.contains(&figure) && tally.key.iter().all(|part| line.contains(&escaped(part)))
                });
                assert!(row.is_some(), "{tally:?}");
                // For searches, the count is followed by the number of those without results.
                let ends = ["\r\n".to_owned(), format!(",{}\r\n", tally.without_hit)];
                let has_count = |end: &String| csv.contains(&format!(",{}{end}", tally.count));
                assert!(ends.iter().any(has_count), "{tally:?}");
            }
        }
        let summary = &reports[0].usage.summary;
        for total in
            [summary.total_accesses, summary.unique_sections, summary.unique_files, summary.error_count]
        {
            assert!(page.contains(&format!("<dd><data value=\"{total}\">")), "{total}");
        }
        for day in &reports[0].usage.days {
            assert!(
                page.contains(&format!(
                    ">{}</th><td class=\"count\"><data value=\"{}\">",
                    day.day, day.count
                ))
            );
        }
        for (_, text) in reports[0].unread.iter() {
            assert!(page.contains(&format!("<li><bdi>{text}</bdi>")), "{text}");
        }
        assert!(page.contains("3 rows could not be read: 2 times, 1 arguments"));
    }

    #[test]
    fn a_page_without_accesses_says_so() {
        let page = all(&sample::empty());
        assert!(page.contains("<p>No accesses recorded yet</p>"), "{page}");
        assert!(!page.contains("<table") && !page.contains("<main>"));
        assert!(all(&[]).starts_with("<!doctype html>"));
    }

    #[test]
    fn values_filled_into_the_page_are_no_template() {
        assert_eq!(filled("a@x@b@y@", |hole| if hole == "x" { "@y@" } else { "z" }), b"a@y@bz");
    }
}
