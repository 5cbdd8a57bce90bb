//! Compares the sections and anchors of Markdown with markdown-it-py and GitHub's algorithm, through
//! `tools/read_markdown.py`.
//!
//! `SKC_MARKDOWN_CORPUS` names a folder with more Markdown files to compare. Without it, the files of this repository
//! and random texts are used: `SKC_AGREEMENT_TEXTS` of them (400), from the seed `SKC_AGREEMENT_SEED` (1).

use super::{ask, repository};
use crate::random::{Random, number};
use serde_json::{Value, json};
use skillc_domain::frontmatter::{Opening, body};
use skillc_lint::anchors::Anchors;
use skillc_lint::cut_sample::cut_samples;
use skillc_markdown::MarkdownReader;
use skillc_ports::DocumentReader;
use std::fs;
use std::path::PathBuf;
use walkdir::WalkDir;

/// Larger files are skipped, because skc does not read them either.
const BYTES_MAX: u64 = 2 << 20;

/// Pieces of Markdown, complete and broken. Three are missing because the other parser differs: it ends a paragraph
/// after a definition, and takes `| a |` above `---` for a table; and GitHub drops `²` and `½` from anchors.
const PIECES: &[&str] = &[
    "# A",
    "## B b",
    "### `c` *d*",
    "#### [e](f)",
    "###### g ##",
    "#h",
    "text",
    "two  ",
    "a\\",
    "===",
    "---",
    "***",
    "> # q",
    "> text",
    "- # l",
    "- item",
    "  - nested",
    "  # two",
    "   # three",
    "    # code",
    "\t# tab",
    "1. # n",
    "2) x",
    "```",
    "```sh",
    "~~~",
    "````",
    "<div>",
    "</div>",
    "<!--",
    "-->",
    "<!-- # c -->",
    "<pre>",
    "</pre>",
    "<b>x</b>",
    "| a | b |",
    "|---|---|",
    "[r]",
    "![i](j)",
    "\\# x",
    "# é 設定",
    "# m Ⅷ a_b-c",
    "# A",
    "# A-1",
    "#",
    "##",
    "# \\#",
    "# &amp; &#35;",
    "# a  b",
    "# İ ẞ",
    "# हिन्दी",
    "# 🚀 Start!",
    "",
    "",
    "",
    "",
];

fn random_text(random: &mut Random) -> String {
    let newline = random.word(&["\n", "\n", "\n", "\r\n"]);
    let mut text = String::new();
    for _ in 0..random.below(24) {
        text += random.word(PIECES);
        text += newline;
    }
    text
}

fn files() -> Vec<(String, String)> {
    let corpus = std::env::var_os("SKC_MARKDOWN_CORPUS").map(PathBuf::from);
    let is_built = |entry: &walkdir::DirEntry| {
        !matches!(entry.file_name().to_str(), Some("target" | ".git" | "node_modules"))
    };
    let mut found = Vec::new();
    for folder in [Some(repository()), corpus].into_iter().flatten() {
        for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(is_built).flatten() {
            let is_markdown =
                entry.path().extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
            let is_small =
                entry.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= BYTES_MAX);
            if let Some(text) =
                (is_markdown && is_small).then(|| fs::read_to_string(entry.path()).ok()).flatten()
            {
                found.push((entry.path().display().to_string(), text));
            }
        }
    }
    found
}

/// The sections as `[level, line, line after the end, heading]`.
fn sections(text: &str) -> Vec<Value> {
    let sections = MarkdownReader.document(text, Opening::Either).sections();
    sections.iter().map(|s| json!([s.level, s.start_line, s.end_line, plain(&s.text)])).collect()
}

/// A heading without spaces, which the two parsers handle differently.
fn plain(heading: &str) -> String {
    heading.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// RFC-0004:C-FORMATS
#[test]
fn sections_and_anchors_are_those_of_another_reader() {
    let seed = number("SKC_AGREEMENT_SEED", 1);
    let mut texts = files();
    let count = texts.len();
    let random = (seed..seed + number("SKC_AGREEMENT_TEXTS", 400))
        .map(|seed| (format!("seed {seed}"), random_text(&mut Random::new(seed))));
    texts.extend(random);
    // Front matter is not Markdown, so the other parser gets only the body. Byte order marks and lone CR are tested
    // elsewhere.
    texts.retain(|(_, text)| {
        !text.starts_with('\u{feff}') && !text.replace("\r\n", "").contains('\r') && !text.contains('\0')
    });
    let bodies: Vec<&str> = texts.iter().map(|(_, text)| body_of(text)).collect();
    let Some(theirs) = ask("read_markdown.py", "markdown_it", &bodies) else {
        return eprintln!("NOT CHECKED: python3 has no markdown-it-py here");
    };
    let (mut compared, mut anchors, mut wrong) = (0, 0, Vec::new());
    for (((name, _), body), theirs) in texts.iter().zip(&bodies).zip(&theirs) {
        let theirs = theirs.as_array().unwrap();
        let expected: Vec<Value> =
            theirs.iter().map(|s| json!([s[0], s[1], s[2], plain(s[3].as_str().unwrap())])).collect();
        let ours = sections(body);
        compared += expected.len();
        if ours != expected {
            let first = (0..).find(|&at| ours.get(at) != expected.get(at)).unwrap();
            wrong.push(format!(
                "{name}: section {first}: {:?}, not {:?} in {body:?}",
                ours.get(first),
                expected.get(first)
            ));
            continue;
        }
        let markup = MarkdownReader.markup(body, Opening::Either);
        let held = Anchors::of(body, &markup, &cut_samples(body, &markup));
        for section in theirs {
            let anchor = section[4].as_str().unwrap();
            anchors += 1;
            if !held.holds(anchor) {
                wrong.push(format!("{name}: no anchor '{anchor}' of {}", section[3]));
            }
        }
    }
    println!(
        "{count} files, {} random texts from seed {seed}: {compared} sections, {anchors} anchors",
        texts.len() - count
    );
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

/// The text after the front matter. Everything, if the rest would begin with front matter again.
fn body_of(text: &str) -> &str {
    let rest = body(text);
    rest.strip_prefix("---").map_or(rest, |rest| rest.trim_start_matches('-'))
}
