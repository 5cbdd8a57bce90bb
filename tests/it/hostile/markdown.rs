//! Random Markdown with known headings, because it is composed of blocks: the outline must contain them and no
//! others, each section must be shown as it is in the file, and all sections together must equal the file.
//!
//! `SKC_MARKDOWN_FILES` sets their number (200), `SKC_MARKDOWN_SEED` the seed (1).

use crate::mcp::{Client, Lifecycle};
use crate::random::{Random, number};
use crate::site::Site;
use serde_json::{Value, json};

/// Blocks without headings, though some look like one; blank lines separate them.
const BLOCKS: &[&str] = &[
    "plain text\nof two lines",
    "#no space",
    "####### seven",
    "\\# escaped",
    "```\n# in a fence\n## and more\n```",
    "~~~~md\n# in another\n~~~\n# still\n~~~~",
    "    # indented by four\n    as code",
    "<div>\n# in HTML\n</div>",
    "<!--\n# in a comment\n\n# still\n-->",
    "<pre>\n# kept\n\n# as it is\n</pre>",
    "- item\n- other\n\n  continued\n\nafter the list",
    "1. one\n2. two\n\nafter the list",
    "| a | b |\n|---|---|\n| # | x |",
    "[ref]: https://example.com 'title'",
    "text with `# code` and **bold**",
    "***",
    "\u{65e5}\u{672c}\u{8a9e} \u{1f600} e\u{301}",
    "trailing spaces  \nand a break",
    "\t# after a tab",
    "&#35; entity",
    "a\u{a0}b\u{2028}c",
    "",
];

/// A heading as it is written, and its text.
fn heading(random: &mut Random, at: usize, level: usize) -> (String, String) {
    let text =
        format!("{} {at}", random.word(&["Setup", "Über", "設定", "a-b", "x: y", "Q?", "1.", "v2", "C#"]));
    let written = match random.below(8) {
        // A number with a dot would begin a list.
        0 | 1 if text.starts_with('1') => format!("{} {text}", "#".repeat(level)),
        0 if level == 1 => format!("{text}\n==="),
        1 if level == 2 => format!("{text}\n-----"),
        2 => format!("{} {text} {}", "#".repeat(level), "#".repeat(1 + random.below(5))),
        3 => format!("  {} {text}", "#".repeat(level)),
        4 => format!("{}   {text}   ", "#".repeat(level)),
        5 => format!("{} **{text}**", "#".repeat(level)),
        6 => format!("{} `{text}`", "#".repeat(level)),
        _ => format!("{} {text}", "#".repeat(level)),
    };
    (written, text)
}

/// A file, and its headings as level, text and line offset.
fn file(random: &mut Random, name: usize) -> (String, Vec<(u64, String, usize)>) {
    let newline = random.word(&["\n", "\n", "\r\n"]);
    let (mut text, mut headings) = (String::new(), Vec::new());
    if random.percent(15) {
        text.push('\u{feff}');
    }
    if random.percent(15) {
        text += &["---", "title: x", "# comment: no heading", "---", ""].join(newline);
    }
    for at in 0..random.below(12) {
        if random.percent(45) {
            let level = 1 + random.below(6);
            let (written, shown) = heading(random, name * 100 + at, level);
            // A byte order mark belongs to the first line.
            let offset = if text == "\u{feff}" { 0 } else { text.len() };
            headings.push((level as u64, shown, offset));
            text += &written.replace('\n', newline);
        } else {
            text += &random.word(BLOCKS).replace('\n', newline);
        }
        text += newline;
        text += newline;
    }
    if random.percent(30) {
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
    }
    (text, headings)
}

/// The end of each section: the start of the next heading of the same or a higher level.
fn end(headings: &[(u64, String, usize)], at: usize, bytes: usize) -> usize {
    let later = &headings[at + 1..];
    later.iter().find(|(level, ..)| *level <= headings[at].0).map_or(bytes, |(.., offset)| *offset)
}

fn content(result: &Value) -> &str {
    result["structuredContent"]["content"].as_str().unwrap_or_else(|| panic!("{result}"))
}

/// Decisions 17 and 18.
#[test]
fn sections_of_random_markdown_are_shown_exactly_and_add_up_to_their_file() {
    let (count, seed) = (number("SKC_MARKDOWN_FILES", 200) as usize, number("SKC_MARKDOWN_SEED", 1));
    let site = Site::new();
    site.write_skill("demo", "# Top\n");
    let files: Vec<_> = (0..count).map(|at| file(&mut Random::new(seed + at as u64), at)).collect();
    for (at, (text, _)) in files.iter().enumerate() {
        site.write("demo", &format!("f/{at}.md"), text);
    }
    site.skc(["build", "demo"]).ok();
    let outline = site.skc(["outline", "demo", "-o", "json"]).ok().json();
    let mut client = Client::start(&site, Lifecycle::Initialize("2025-11-25"));
    let mut sections = 0;
    for (at, (text, headings)) in files.iter().enumerate() {
        let path = format!("f/{at}.md");
        assert_eq!(outlined(&outline, &path), named(headings), "seed {}: {text:?}", seed + at as u64);
        let mut whole = text[..headings.first().map_or(text.len(), |(.., offset)| *offset)].to_owned();
        for (number, (_, name, offset)) in headings.iter().enumerate() {
            let shown = client.call("skc_show", json!({ "skill": "demo", "section": name, "file": path }));
            let section = &text[*offset..end(headings, number, text.len())];
            assert_eq!(content(&shown), section, "seed {}: {name} of {text:?}", seed + at as u64);
            // Its own part, up to the next heading of any level.
            let own = headings.get(number + 1).map_or(text.len(), |(.., next)| *next) - offset;
            whole += &content(&shown)[..own];
            sections += 1;
        }
        assert_eq!(whole, *text);
    }
    println!("{count} files from seed {seed}, {sections} sections");
}

fn named(headings: &[(u64, String, usize)]) -> Vec<(u64, String)> {
    headings.iter().map(|(level, text, _)| (*level, text.clone())).collect()
}

/// The headings of a file in an outline.
fn outlined(outline: &Value, path: &str) -> Vec<(u64, String)> {
    let files = outline["files"].as_array().unwrap_or_else(|| panic!("{outline}"));
    let file = files.iter().find(|file| file["file"] == path);
    let headings = file.and_then(|file| file["headings"].as_array()).into_iter().flatten();
    headings.map(|h| (h["level"].as_u64().unwrap(), h["text"].as_str().unwrap().to_owned())).collect()
}
