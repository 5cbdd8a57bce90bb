//! Lines that end with CR, LF or CRLF, and files that begin with `---`: every command sees the same lines and
//! headings.

use crate::rfc_0004::in_memory;
use crate::site::{Site, skill_md};
use proptest::prelude::*;
use serde_json::{Value, json};
use skillc_domain::text::lines;
use skillc_memory::MemoryMachine;
use std::collections::BTreeSet;

/// A machine in memory with a skill whose reference is built.
fn machine(reference: &str) -> MemoryMachine {
    let machine = MemoryMachine::new();
    machine.write("/project/.skillc/skills/demo/SKILL.md", skill_md("demo", "text\n"));
    machine.write("/project/.skillc/skills/demo/a.md", reference);
    assert!(in_memory(&machine, "build", json!({ "skill": "demo" })).failures.is_empty());
    machine
}

fn reply(machine: &MemoryMachine, command: &str, arguments: Value) -> Value {
    let answer = in_memory(machine, command, arguments.clone());
    assert!(answer.failures.is_empty(), "{command} {arguments}: {:?}", answer.failures);
    answer.reply.unwrap().json()
}

/// The headings of the reference in the outline, each with its line and what `show` returns for it.
fn headings(machine: &MemoryMachine) -> Vec<(String, usize, Value)> {
    let outline = reply(machine, "outline", json!({ "skill": "demo" }));
    let files = outline["files"].as_array().unwrap();
    let file = files.iter().find(|file| file["file"] == "a.md");
    let all = file.map(|file| file["headings"].as_array().unwrap().clone()).unwrap_or_default();
    let one = |heading: &Value| {
        let text = heading["text"].as_str().unwrap().to_owned();
        let shown = reply(machine, "show", json!({ "skill": "demo", "section": text, "file": "a.md" }));
        (text, heading["line"].as_u64().unwrap() as usize, shown)
    };
    all.iter().map(one).collect()
}

/// Lines with line breaks of any kind; headings have unique names.
fn any_text() -> impl Strategy<Value = String> {
    let line =
        prop::sample::select(vec!["# h", "## h", "### h", "text", "", "> q", "- i", "```", "---", "k: v"]);
    let end = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    prop::collection::vec((line, end), 0..24).prop_map(|parts| {
        let named = |(at, (line, end)): (usize, &(&str, &str))| match line.ends_with('h') {
            true => format!("{line}{at}{end}"),
            false => format!("{line}{end}"),
        };
        parts.iter().enumerate().map(named).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// L4, RFC-0004:C-FORMATS
    #[test]
    fn each_heading_of_the_outline_is_shown_and_the_sections_are_the_file(text in any_text()) {
        let machine = machine(&text);
        let found = headings(&machine);
        // If two headings have the same text, the first is shown for both.
        let names: BTreeSet<&str> = found.iter().map(|(name, ..)| name.as_str()).collect();
        prop_assume!(names.len() == found.len());
        let all: Vec<&str> = lines::split_text(&text).collect();
        let (mut whole, mut next) = (all[..found.first().map_or(all.len(), |first| first.1 - 1)].concat(), 0);
        for (name, line, shown) in &found {
            let number = |key: &str| shown[key].as_u64().unwrap() as usize;
            let content = shown["content"].as_str().unwrap();
            prop_assert_eq!(number("start_line"), *line, "{:?}", name);
            prop_assert_eq!(content, all[line - 1..number("end_line") - 1].concat());
            if *line >= next {
                whole += content;
                next = number("end_line");
            }
        }
        prop_assert_eq!(whole, text.as_str());
    }

    /// L4: only the line breaks themselves differ.
    #[test]
    fn the_headings_are_those_of_the_same_text_with_line_feeds(text in any_text()) {
        let plain = text.replace("\r\n", "\n").replace('\r', "\n");
        let seen = |text: &str| headings(&machine(text)).into_iter().map(|(name, line, _)| (name, line)).collect::<Vec<_>>();
        prop_assert_eq!(seen(&text), seen(&plain));
    }
}

/// L4, RFC-0004:C-FORMATS
#[test]
fn lone_carriage_returns_end_lines_for_every_command() {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n\n[a](a.md)\n");
    site.write("demo", "a.md", "# One\r\rtext\r\r## Two\r\r[x](gone.md)\r\r# Three\rend\r");
    site.skc(["build", "demo"]).ok();
    let shown = |section: &str| site.skc(["show", "demo", "--section", section]).ok().out;
    assert_eq!(shown("One"), "# One\r\rtext\r\r## Two\r\r[x](gone.md)\r\r");
    assert_eq!(shown("Two"), "## Two\r\r[x](gone.md)\r\r");
    assert_eq!(shown("Three"), "# Three\rend\r");
    let cut = site.skc(["open", "demo", "a.md", "--max-lines", "3"]).ok().out;
    assert_eq!(cut, "# One\r\rtext\r... (7 more lines)\n");
    let cut = site.skc(["show", "demo", "--section", "One", "--max-lines", "1"]).ok().out;
    assert_eq!(cut, "# One\r... (7 more lines)\n");
    let found = site.skc(["lint", "demo", "--format", "json"]).json();
    let all = found["diagnostics"].as_array().unwrap().iter();
    let places: Vec<_> = all
        .filter(|one| one["rule"] == "SKL301")
        .map(|one| (one["line"].clone(), one["column"].clone()))
        .collect();
    assert_eq!(places, [(json!(7), json!(5))]);
}

/// L5, RFC-0004:C-FORMATS
#[test]
fn a_reference_that_begins_with_a_thematic_break_has_all_its_headings() {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n\n[a](a.md)\n");
    site.write(
        "demo",
        "a.md",
        "---\n# First\n\nThe marmot whistles.\n\n---\n\n# Second\n\nThe badger digs.\n",
    );
    site.write("demo", "b.md", "---\ntitle: B\n# no heading\n---\n# Real\n\nThe vole hides.\n");
    site.skc(["build", "demo"]).ok();
    let outline = site.skc(["outline", "demo"]).ok().out;
    assert!(
        outline.contains("# First") && outline.contains("# Second") && !outline.contains("no heading"),
        "{outline}"
    );
    let shown = site.skc(["show", "demo", "--section", "First"]).ok().out;
    assert_eq!(shown, "# First\n\nThe marmot whistles.\n\n---\n\n");
    let found = site.skc(["search", "demo", "marmot", "--format", "json"]).json();
    assert_eq!(found["results"][0]["section"], "First");
    site.skc(["show", "demo", "--section", "no heading"]).fails("E020");
}

/// L5: the beginning of SKILL.md is its front matter, even if it cannot be read.
#[test]
fn a_broken_front_matter_of_a_skill_stays_an_error() {
    let site = Site::new();
    for (text, code) in [
        ("---\n# First\n---\n# Second\n", "E011"),
        ("---\nname: x: y\n---\n# Second\n", "E013"),
        ("---\nname: x\n", "E013"),
    ] {
        site.write("demo", "SKILL.md", text);
        site.skc(["build", "demo"]).fails(code);
        let outline = site.skc(["outline", "demo"]).ok().out;
        assert!(!outline.contains("First"), "{outline}");
    }
}
