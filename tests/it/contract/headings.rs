//! `IndexReader`: rows and headings.

use super::index_scene::{Content, IndexScene, file, memory, pairs, pooled, rel, sqlite};
use super::machines::block_on;
use skillc_domain::config::Tokenizer;
use skillc_domain::section::IndexableText;
use skillc_domain::text::case_fold::fold;
use skillc_ports::{IndexChange, IndexedFile};

contract!([memory, sqlite, pooled] {
    each_section_is_a_row,
    text_before_the_first_heading_is_a_row_without_a_name,
    a_text_file_is_one_row,
    a_heading_matches_in_any_case,
    headings_of_equal_fold_are_all_found,
    a_heading_is_looked_up_whole,
    show_in_one_file_looks_only_there,
    headings_come_by_file_and_line_with_level_and_end,
    every_heading_is_listed_by_file_and_line,
});

/// RFC-0004:C-FORMATS
fn each_section_is_a_row(at: &IndexScene) {
    at.replace(&[("a.md", "# Top\nfirst\n## Low\nsecond\n# Next\nthird\n")]);
    assert_eq!(at.hits("first"), pairs(&[("a.md", "Top")]));
    assert_eq!(at.hits("third"), pairs(&[("a.md", "Next")]));
    let mut repeated = at.hits("second");
    repeated.sort();
    assert_eq!(repeated, pairs(&[("a.md", "Low"), ("a.md", "Top")]));
}

/// RFC-0004:C-FORMATS
fn text_before_the_first_heading_is_a_row_without_a_name(at: &IndexScene) {
    at.replace(&[("a.md", "opening\n# Top\nrest\n"), ("b.md", "\n \n# Top\n")]);
    assert_eq!(at.hits("opening"), pairs(&[("a.md", "")]));
    assert_eq!(at.hits("b"), pairs(&[("b.md", "Top")]), "white space alone is no row");
}

/// RFC-0004:C-FORMATS
fn a_text_file_is_one_row(at: &IndexScene) {
    let text = "first\n# no heading\nsecond";
    let plain =
        IndexedFile { text: Some(IndexableText::new(text.to_owned(), Vec::new())), ..file("a.txt", text) };
    at.write(IndexChange::Replace(Tokenizer::Cjk), Content::of_files(vec![plain])).unwrap();
    assert_eq!(at.hits("first second"), pairs(&[("a.txt", "")]));
    assert!(at.all_headings().is_empty());
}

/// RFC-0002:C-SHOW
fn a_heading_matches_in_any_case(at: &IndexScene) {
    let spellings = [
        ("ÄPFEL", "äpfel"),
        ("ΟΔΟΣ", "οδος"),
        ("STRASSE", "straße"),
        ("ПРИВЕТ", "привет"),
        ("Set UP", "sEt uP"),
        ("設定 API", "設定 api"),
    ];
    for (upper, lower) in spellings {
        for (written, asked) in [(upper, lower), (lower, upper), (upper, upper), (lower, lower)] {
            at.replace(&[("a.md", &format!("# {written}\n"))]);
            let found = at.headings(&fold(asked));
            assert_eq!(found.len(), 1, "'{asked}' asked, '{written}' written");
            assert_eq!(found[0].text, written);
        }
    }
}

fn headings_of_equal_fold_are_all_found(at: &IndexScene) {
    at.replace(&[("a.md", "# kelvin\n# \u{212a}elvin\n# KELVIN\n"), ("b.md", "# \u{17f}et\n# SET\n")]);
    assert_eq!(at.headings("kelvin").len(), 3);
    assert_eq!(at.headings("set").len(), 2);
}

fn a_heading_is_looked_up_whole(at: &IndexScene) {
    at.replace(&[("a.md", "# Setup\n# Set\n# The Set\n# S_t\n# S%\n")]);
    for (asked, count) in [("set", 1), ("s_t", 1), ("s%", 1), ("se", 0), ("", 0), ("'", 0)] {
        assert_eq!(at.headings(asked).len(), count, "{asked:?}");
    }
}

/// RFC-0002:C-SHOW
fn show_in_one_file_looks_only_there(at: &IndexScene) {
    at.replace(&[("a.md", "# Set\n# Ä\n"), ("b.md", "# SET\n# ä\n"), ("ab.md", "# Set\n")]);
    let reader = at.reader();
    let in_file = |folded: &str, file: &str| block_on(reader.headings(folded, Some(&rel(file)))).unwrap();
    for folded in ["set", "ä"] {
        let found = in_file(folded, "b.md");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].file, "b.md");
    }
    assert!(in_file("set", "c.md").is_empty());
}

fn headings_come_by_file_and_line_with_level_and_end(at: &IndexScene) {
    at.replace(&[("b.md", "# Set\n"), ("a.md", "text\n## Set\n# Other\n### SET\nend\n")]);
    at.edit(&[("a-b.md", "# set")], &[]);
    let found = at.headings("set");
    let shown: Vec<_> =
        found.iter().map(|h| (h.file.as_str(), h.start_line, h.end_line, h.level, h.text.as_str())).collect();
    let expected = [
        ("a-b.md", 1, 2, 1, "set"),
        ("a.md", 2, 3, 2, "Set"),
        ("a.md", 4, 6, 3, "SET"),
        ("b.md", 1, 2, 1, "Set"),
    ];
    assert_eq!(shown, expected);
}

fn every_heading_is_listed_by_file_and_line(at: &IndexScene) {
    at.replace(&[("b.md", "# Z\n# A\n"), ("a/c.md", "## Ä\n"), ("a.md", "x\n# M\n")]);
    at.edit(&[("a.md", "# M\n# N\n")], &[]);
    let expected =
        [("a.md", 1, "M"), ("a.md", 2, "N"), ("a/c.md", 1, "Ä"), ("b.md", 1, "Z"), ("b.md", 2, "A")];
    assert_eq!(
        at.all_headings(),
        expected.map(|(file, line, text)| (file.to_owned(), line, text.to_owned()))
    );
}
