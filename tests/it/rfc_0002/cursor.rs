//! RFC-0002:C-CURSOR.

use crate::mcp::{Client, Lifecycle};
use crate::site::{Run, Site};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;

/// A built skill that is long enough in every respect for its answers to be split.
fn skill() -> Site {
    let site = Site::new();
    let body: String = (1..=9).map(|i| format!("## Part {i}\n\nöne two three {i}\n\n")).collect();
    site.write_skill("x", &format!("# X\n\n{body}"));
    for path in ["a/b/c/one.md", "a/b/c/two.md", "a/three.md", "z.md"] {
        site.write("x", path, format!("# Title of {path}\n\n## Below\n"));
    }
    site.skc(["build", "x"]).ok();
    site
}

/// The four commands with their arguments.
const COMMANDS: [&[&str]; 4] =
    [&["show", "x", "-s", "X"], &["open", "x", "SKILL.md"], &["outline", "x"], &["sources", "x"]];

fn run(site: &Site, words: &[&str], more: &[&str]) -> Run {
    site.skc(words.iter().chain(more))
}

/// Every part of a command's answer, with a limit on the bytes of each part.
fn answers(site: &Site, words: &[&str], bytes_max: &str) -> Vec<Value> {
    let mut answers = vec![run(site, words, &["--max-bytes", bytes_max, "-o", "json"]).ok().json()];
    while let Some(cursor) = answers.last().unwrap()["next_cursor"].as_str() {
        let more = ["--max-bytes", bytes_max, "--cursor", cursor, "-o", "json"];
        answers.push(run(site, words, &more).ok().json());
        assert!(answers.len() < 1_000, "it gets no further");
    }
    answers
}

fn texts(answers: &[Value]) -> String {
    answers.iter().map(|answer| answer["content"].as_str().unwrap()).collect()
}

/// RFC-0002:C-CURSOR
#[test]
fn the_parts_that_cursors_lead_to_are_the_whole() {
    let site = skill();
    for words in COMMANDS {
        let whole = run(&site, words, &["-o", "json"]).ok().json();
        assert_eq!(whole.get("next_cursor"), None, "{words:?}");
        for bytes_max in ["1", "7", "40", "100"] {
            let parts = answers(&site, words, bytes_max);
            assert!(parts.len() > 1, "{words:?} {bytes_max}");
            match words[0] {
                "show" | "open" => {
                    assert_eq!(texts(&parts), whole["content"].as_str().unwrap(), "{words:?} {bytes_max}")
                }
                "outline" => assert_eq!(headings(&parts), headings(std::slice::from_ref(&whole))),
                _ => assert_eq!(entries(&parts), entries(std::slice::from_ref(&whole))),
            }
        }
    }
}

fn headings(answers: &[Value]) -> Vec<Value> {
    let files = answers.iter().flat_map(|answer| answer["files"].as_array().unwrap());
    let pairs = files.flat_map(|file| {
        file["headings"].as_array().unwrap().iter().map(|heading| json!([file["file"], heading]))
    });
    pairs.collect()
}

fn entries(answers: &[Value]) -> Vec<Value> {
    answers.iter().flat_map(|answer| answer["entries"].as_array().unwrap().clone()).collect()
}

/// RFC-0002:C-CURSOR
#[test]
fn max_bytes_cuts_at_the_end_of_a_line() {
    let site = Site::built("x", "# X\none\ntwo\nthree\n");
    site.write("x", "long.txt", "中文字\nend");
    let cut = |words: &[&str], n: &str| run(&site, words, &["--max-bytes", n]).ok().out;
    let built = ["show", "x", "-s", "X"];
    site.skc(["build", "x"]).ok();
    assert_eq!(cut(&built, "11"), "# X\none\n... (2 more lines)\n");
    assert_eq!(cut(&built, "18"), "# X\none\ntwo\nthree\n");
    let long = ["open", "x", "long.txt"];
    assert_eq!(cut(&long, "8"), "中文\n... (2 more lines)\n", "a longer line is cut between characters");
    assert_eq!(
        run(&site, &built, &["--max-bytes", "99", "--max-lines", "1"]).ok().out,
        "# X\n... (3 more lines)\n"
    );
    for words in COMMANDS {
        run(&site, words, &["--max-bytes", "0"]).fails("E100");
    }
}

/// RFC-0002:C-CURSOR
#[test]
fn an_outline_that_was_cut_counts_the_headings_left() {
    let site = skill();
    let first = run(&site, &["outline", "x"], &["--max-lines", "3"]).ok();
    assert_eq!(first.out, "SKILL.md\n  # X\n  ## Part 1\n... (16 more headings)\n");
    let cursor = first.err.trim().rsplit_once("continue with --cursor ").unwrap().1.to_owned();
    let next = run(&site, &["outline", "x"], &["--max-lines", "2", "--cursor", &cursor]).ok();
    assert_eq!(next.out, "SKILL.md\n  ## Part 2\n... (15 more headings)\n", "the path stands over each part");
}

/// RFC-0002:C-CURSOR
#[test]
fn a_listing_goes_on_inside_its_folders() {
    let site = skill();
    let first = run(&site, &["sources", "x"], &["--limit", "4"]).ok();
    assert_eq!(
        first.out,
        "x/\n├── a/\n│   └── b/\n│       └── c/\n│           └── one.md\n└── ... (4 more)\n"
    );
    let cursor = first.err.trim().rsplit_once("continue with --cursor ").unwrap().1.to_owned();
    let next = run(&site, &["sources", "x"], &["--limit", "2", "--cursor", &cursor]).ok();
    assert_eq!(
        next.out,
        "x/\n├── a/\n│   ├── b/\n│   │   └── c/\n│   │       └── two.md\n│   └── three.md\n└── ... (2 more)\n"
    );
}

/// RFC-0002:C-CURSOR
#[test]
fn a_cursor_that_fits_no_more_is_refused() {
    let site = skill();
    let cursor = |words: &[&str]| {
        run(&site, words, &["--max-bytes", "9", "-o", "json"]).ok().json()["next_cursor"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let own: Vec<String> = COMMANDS.iter().map(|words| cursor(words)).collect();
    for (at, words) in COMMANDS.iter().enumerate() {
        for other in
            own.iter().map(String::as_str).filter(|cursor| *cursor != own[at]).chain(["", "0", "9-1", "é"])
        {
            let refused = run(&site, words, &["--cursor", other]).fails("E100");
            assert!(
                refused.err.contains("hint: leave out the cursor to begin from the start"),
                "{}",
                refused.err
            );
        }
        run(&site, words, &["--cursor", &own[at]]).ok();
    }
    for (words, other) in
        [(1, ["open", "x", "z.md"]), (2, ["outline", "x", "--level=1"]), (3, ["sources", "x", "--depth=1"])]
    {
        run(&site, &other, &["--cursor", &own[words]]).fails("E100");
    }
    site.write("x", "z.md", "# Changed\n");
    let changed = fs::read_to_string(site.skill("x").join("SKILL.md")).unwrap() + "more\n";
    site.write("x", "SKILL.md", changed);
    site.write("x", "new.md", "# New\n");
    site.skc(["build", "x"]).ok();
    for (words, cursor) in COMMANDS.iter().zip(&own) {
        run(&site, words, &["--cursor", cursor]).fails("E100");
    }
}

/// RFC-0002:C-CURSOR
#[test]
fn tokens_are_estimated_from_the_text_form() {
    let site = skill();
    for words in COMMANDS {
        for more in [&[][..], &["--max-bytes", "30"]] {
            let text = run(&site, words, more).ok().bytes.len();
            let told = run(&site, words, &[more, &["-o", "json"]].concat()).ok().json()["tokens"].clone();
            assert_eq!(told, text.div_ceil(4), "{words:?} {more:?}");
        }
    }
}

/// RFC-0002:C-CURSOR
#[test]
fn a_tool_returns_64_kib_at_most_unless_it_is_asked_for_more() {
    let limit = 64 * 1024;
    let site = Site::new();
    site.write_skill("x", &format!("# X\n{}", "0123456\n".repeat(limit / 8)));
    site.skc(["build", "x"]).ok();
    let whole = run(&site, &["show", "x", "-s", "X"], &[]).ok();
    assert!(
        whole.bytes.len() > limit && !whole.err.contains("cursor"),
        "no default bound on the command line"
    );
    let client = RefCell::new(Client::start(&site, Lifecycle::Initialize("2025-11-25")));
    let show = |more: Value| {
        let mut arguments = json!({"skill": "x", "section": "X"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.borrow_mut().call("skc_show", arguments)["structuredContent"].clone()
    };
    let length = |answer: &Value| answer["content"].as_str().unwrap().len();
    let first = show(json!({}));
    assert!(length(&first) <= limit && length(&first) > limit - 16, "{}", length(&first));
    let answer = client.borrow_mut().call("skc_show", json!({"skill": "x", "section": "X"}));
    let text = &answer["content"][0]["text"];
    let cursor = first["next_cursor"].as_str().unwrap();
    assert!(text.as_str().unwrap().contains(cursor), "a client that reads no data sees it");
    let next = show(json!({"cursor": cursor}));
    assert_eq!(length(&first) + length(&next), whole.bytes.len());
    assert_eq!(length(&show(json!({"max_bytes": 100_000}))), whole.bytes.len());
    assert!(length(&show(json!({"max_lines": 100_000}))) <= limit, "a line may have any length");
}
