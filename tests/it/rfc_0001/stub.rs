//! RFC-0001:C-STUB: the text that an agent sees first.

use super::{listing, site_of_outlines, stub};
use crate::site::Site;
use skillc_markdown::MarkdownReader;
use skillc_ports::DocumentReader;
use std::fs;

/// RFC-0001:C-STUB
#[test]
fn name_and_description_come_back_from_the_built_stub() {
    for (name, description) in [
        ("it's \"x\": #1", "Quotes \" and ', a colon: here, # and \\ too"),
        ("名前", "Größe 🦀\nsecond line\n\n--- \n---\nafter a fence"),
        ("yes", "0x1F"),
    ] {
        let site = Site::new();
        let json = |text: &str| serde_json::to_string(text).unwrap();
        site.write(
            "x",
            "SKILL.md",
            format!("---\nname: {}\ndescription: {}\n---\n", json(name), json(description)),
        );
        site.skc(["build", "x"]).ok();
        let front = MarkdownReader.front_matter(&stub(&site, "x")).unwrap().unwrap();
        let field = |key: &str| front.get(key).and_then(|node| node.text()).unwrap().to_owned();
        assert_eq!((field("name"), field("description")), (name.to_owned(), description.to_owned()));
    }
}

/// RFC-0001:C-STUB
#[test]
fn the_stub_tells_agents_to_use_the_gateway() {
    let site = site_of_outlines();
    site.write_skill("x", "# X\n");
    site.skc(["build", "x"]).ok();
    let text = stub(&site, "x");
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("no {words:?} in {text}"));
    place("Do not read source files");
    let mcp = place("use MCP tools `skc_search`, `skc_show`");
    for command in ["`skc search x", "`skc show x -s"] {
        assert!(place(command) > mcp, "{command}");
    }
    assert!(!text.contains("skc sources"), "there is nothing but text: {text}");
    assert!(!text.contains("skc open"), "each file has a heading: {text}");
    site.write("x", "scripts/run.sh", "echo");
    site.write("x", "references/plain.md", "No heading.\n");
    site.skc(["build", "x"]).ok();
    let text = stub(&site, "x");
    assert!(text.contains("`skc open x <path>`, `skc sources x` (scripts, assets)."), "{text}");
}

/// RFC-0001:C-STUB
#[test]
fn the_commands_in_the_stub_work() {
    for folder in ["x", "with blanks", "it's", "技能", "$HOME", "-x"] {
        let site = site_of_outlines();
        let h2: String = (0..20).map(|i| format!("## Sub {i}\n")).collect();
        let text = format!("---\nname: another name\ndescription: d\n---\n# Top\n\nneedle\n\n{h2}");
        site.write(folder, "SKILL.md", text);
        site.write(folder, "run.sh", "");
        site.write(folder, "plain.md", "No heading.\n");
        site.skc(["build", "--all"]).ok();
        let stub = stub(&site, folder);
        let commands: Vec<_> = stub.split('`').filter(|quoted| quoted.starts_with("skc ")).collect();
        assert_eq!(commands.len(), 5, "{stub}");
        for command in commands {
            let command = command["skc ".len()..]
                .replace("<heading>", "Top")
                .replace("<words>", "needle")
                .replace("<path>", "SKILL.md");
            let run = site.skc(shell_words(&command)).ok();
            let wanted = if command.starts_with("sources") { "SKILL.md" } else { "Top" };
            assert!(run.out.contains(wanted), "{command}: {}", run.out);
        }
    }
}

/// RFC-0001:C-STUB
#[test]
fn the_stub_holds_headings_but_no_content() {
    let site = site_of_outlines();
    site.write_skill("x", "before\n\n# Top\n\nbody\n\n## Sub\n\n- item\n\n### Deep\n\n```\ncode\n```\n");
    site.write("x", "references/a.md", "---\ndescription: told\nother: untold\n---\n# A\n\nprose\n");
    site.write("x", "data.txt", "plain\n");
    site.skc(["build", "x"]).ok();
    let stub = stub(&site, "x");
    assert_eq!(listing(&stub), ["- Top", "  - Sub", "- References", "  - A — told"]);
    for word in ["before", "body", "item", "Deep", "code", "untold", "prose", "plain", "data.txt", "a.md"] {
        assert!(!stub.contains(word), "{word}: {stub}");
    }
    assert!(!stub.contains(&*site.root().to_string_lossy()), "{stub}");
}

/// RFC-0001:C-STUB
#[test]
fn the_same_source_gives_the_same_stub() {
    let site = Site::new();
    site.write_skill("x", "# Top\n\n## Sub\n");
    for i in 0..30 {
        site.write("x", &format!("references/{i}.md"), format!("# Title {i}\n"));
    }
    site.skc(["build", "x"]).ok();
    let first = stub(&site, "x");
    let other = Site::new();
    fs::rename(site.skill("x"), other.skill("x")).unwrap();
    fs::remove_dir_all(site.runtime("x")).unwrap();
    other.skc(["build", "x"]).ok();
    assert_eq!(stub(&other, "x"), first);
}

/// RFC-0001:C-CONSTRAINTS
#[test]
fn the_stub_has_at_most_one_hundred_lines() {
    let site = Site::new();
    let lines = "line: \u{2028} of many\n".repeat(300);
    let json = serde_json::to_string(&lines).unwrap();
    let body: String = (0..200).map(|i| format!("# Heading {i}\n\n## Below {i}\n\n")).collect();
    site.write("x", "SKILL.md", format!("---\nname: {json}\ndescription: {json}\n---\n{body}"));
    for i in 0..200 {
        let front = format!("---\ndescription: {json}\n---\n# Reference {i}\n");
        site.write("x", &format!("r/{i}.md"), front);
    }
    site.skc(["build", "x"]).ok();
    let stub = stub(&site, "x");
    assert!(stub.lines().count() <= 100, "{}", stub.lines().count());
    assert!(stub.contains("- … (392 more): ") && stub.contains("  - … (194 more): "), "{stub}");
}

/// The words of a command line as a POSIX shell splits it.
fn shell_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, ' ') => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
