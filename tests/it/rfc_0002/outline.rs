//! RFC-0002:C-OUTLINE.

use crate::site::Site;
use rusqlite::Connection;
use serde_json::json;
use std::fs;

/// RFC-0002:C-OUTLINE
#[test]
fn outline_lists_every_heading_by_file_without_a_build() {
    let site = Site::new();
    site.write_skill("x", "# Skill\n\n## Start\n\n# Again\n");
    site.write("x", "references/b.md", "# B\n\n```\n# code\n```\n");
    site.write("x", "references/a.MD", "Set\n===\n\n## *A* `a`\n");
    site.write("x", "references.md", "# References\n");
    site.write("x", "a.md", "# Small\n");
    site.write("x", "A.md", "# Large\n");
    site.write("x", "no-heading.md", "text\n");
    site.write("x", "notes.txt", "# No Markdown\n");
    let expected = "A.md\n  # Large\nSKILL.md\n  # Skill\n  ## Start\n  # Again\na.md\n  # Small\n\
                    references.md\n  # References\nreferences/a.MD\n  # Set\n  ## A a\nreferences/b.md\n  # B\n";
    assert_eq!(site.skc(["outline", "x"]).ok().out, expected);
    assert!(!site.runtime("x").join("SKILL.md").exists(), "it has built");
}

/// RFC-0002:C-OUTLINE
#[test]
fn outline_indents_each_level_below_two() {
    let site = Site::new();
    site.write_skill("x", "# a\n## b\n### c\n#### d\n##### e\n###### f\n");
    let expected = "SKILL.md\n  # a\n  ## b\n    ### c\n      #### d\n        ##### e\n          ###### f\n";
    assert_eq!(site.skc(["outline", "x"]).ok().out, expected);
}

/// RFC-0002:C-OUTLINE
#[test]
fn outline_level_drops_deeper_headings() {
    let site = Site::new();
    site.write_skill("x", "# a\n## b\n### c\n#### d\n## e\n");
    assert_eq!(site.skc(["outline", "x", "--level", "2"]).ok().out, "SKILL.md\n  # a\n  ## b\n  ## e\n");
}

/// RFC-0002:C-OUTLINE
#[test]
fn outline_as_json_gives_level_text_and_file() {
    let site = Site::new();
    site.write_skill("x", "# One\n## Two\n");
    site.write("x", "references/a.md", "### Three\n");
    let reply = site.skc(["outline", "x", "--format", "json"]).ok().json();
    let mut headings = Vec::new();
    for file in reply["files"].as_array().unwrap() {
        for heading in file["headings"].as_array().unwrap() {
            headings.push(json!([heading["level"], heading["text"], file["file"]]));
        }
    }
    let expected = [
        json!([1, "One", "SKILL.md"]),
        json!([2, "Two", "SKILL.md"]),
        json!([3, "Three", "references/a.md"]),
    ];
    assert_eq!(headings, expected);
}

/// RFC-0002:C-OUTLINE
#[test]
fn outline_of_a_large_skill_comes_from_its_index_only_while_that_is_fresh() {
    let site = Site::new();
    let long = "word ".repeat(25_000);
    site.write_skill("x", "# Skill\n");
    let edited = site.write("x", "a.md", format!("# First\n\n{long}\n## Second\n"));
    site.write("x", "b.md", "no heading\n");
    site.write("x", "c.md", b"# Latin \xe4\n");
    let parsed = site.skc(["outline", "x"]).ok();
    site.skc(["build", "x"]).ok();
    let built = site.skc(["outline", "x"]).ok();
    assert_eq!((&built.out, &built.err), (&parsed.out, &parsed.err), "a file without headings is read");
    assert!(built.err.contains("c.md"), "{}", built.err);
    let index = Connection::open(site.index("x")).unwrap();
    index.execute("UPDATE headings SET text = 'Indexed' WHERE text = 'Second'", []).unwrap();
    drop(index);
    let outline = || site.skc(["outline", "x"]).ok().out;
    assert!(outline().contains("## Indexed"), "the files were parsed");
    assert!(!site.skc(["outline", "x", "--level", "1"]).ok().out.contains("Indexed"));
    // For a file with a new modification time, the content is compared.
    fs::write(&edited, fs::read(&edited).unwrap()).unwrap();
    assert!(outline().contains("## Indexed"), "the files were parsed");
    fs::write(&edited, format!("# First\n\n{long}\n## Edited\n")).unwrap();
    assert!(outline().contains("## Edited") && !outline().contains("Indexed"), "a stale answer");
}
