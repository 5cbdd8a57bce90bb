//! RFC-0001:C-SECTIONS: the list in the stub.

use super::{listing, site_of_outlines, stub};

/// The list in the stub of a skill with this body and these further files.
#[track_caller]
fn check(body: &str, files: &[(&str, &str)], wanted: &[&str]) {
    let site = site_of_outlines();
    site.write_skill("x", body);
    for (path, text) in files {
        site.write("x", path, text);
    }
    site.skc(["build", "x"]).ok();
    assert_eq!(listing(&stub(&site, "x")), wanted);
}

/// RFC-0001:C-SECTIONS
#[test]
fn the_stub_lists_h1_and_h2_of_skill_md() {
    check(
        "# First `code` *and* [link](x)\n\n## Flow\n\n### Deep\n\n```\n# not one\n```\n\nSetext\n======\n\nSub\n---\n\n#### Deeper\n",
        &[],
        &["- First code and link", "  - Flow", "- Setext", "  - Sub"],
    );
}

/// RFC-0001:C-SECTIONS
#[test]
fn a_cut_list_in_the_stub_names_the_command_that_shows_the_rest() {
    let h2: String = (0..20).map(|i| format!("## Below {i}\n")).collect();
    let mixed = list("# Top\n", &h2);
    check(&mixed.0, &[], &strs(&mixed.1));
    let h1: String = (0..14).map(|i| format!("# Top {i}\n")).collect();
    let wanted: Vec<_> =
        (0..12).map(|i| format!("- Top {i}")).chain(["- … (2 more): `skc outline x`".to_owned()]).collect();
    check(&h1, &[], &strs(&wanted));
    let files: Vec<_> = (0..20).map(|i| (format!("r/{i:02}.md"), format!("# R{i:02}\n"))).collect();
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let mut wanted = vec!["- Top".to_owned(), "- References".to_owned()];
    wanted.extend((0..15).map(|i| format!("  - R{i:02}")));
    wanted.push("  - … (5 more): `skc sources x`".to_owned());
    check("# Top\n", &files, &strs(&wanted));
}

fn list(top: &str, h2: &str) -> (String, Vec<String>) {
    let mut wanted = vec!["- Top".to_owned()];
    wanted.extend((0..14).map(|i| format!("  - Below {i}")));
    wanted.push("- … (6 more): `skc outline x`".to_owned());
    (format!("{top}{h2}"), wanted)
}

fn strs(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

/// RFC-0001:C-SECTIONS
#[test]
fn other_markdown_files_are_listed_as_references() {
    check("# Top\n", &[("notes.txt", "# Text\n"), (".hidden.md", "# Hidden\n")], &["- Top"]);
    check(
        "# Top\n",
        &[
            ("a/b.md", "text\n\n## Only H2\n"),
            ("a.md", "## Before\n\n# First\n\n# Second\n"),
            ("Z.md", "# Upper\n"),
            ("ä.md", "# Umlaut\n"),
            ("empty.md", ""),
        ],
        &["- Top", "- References", "  - Upper", "  - First", "  - a/b.md", "  - empty.md", "  - Umlaut"],
    );
}

/// RFC-0001:C-SECTIONS
#[test]
fn a_reference_description_is_cut_at_120_characters() {
    let (fits, long) = ("a".repeat(120), "a".repeat(121));
    let file = |description: &str| format!("---\ndescription: {description}\n---\n# T\n");
    let check = |description: &str, line: &str| {
        check("# Top\n", &[("a.md", &file(description))], &["- Top", "- References", line]);
    };
    check(&fits, &format!("  - T — {fits}"));
    check(&long, &format!("  - T — {}…", "a".repeat(119)));
    check("''", "  - T");
}

/// RFC-0001:C-SECTIONS
#[test]
fn long_lists_in_the_stub_are_cut_to_their_bytes() {
    let h2: String = (0..9).map(|i| format!("## Below, with {} {i}\n", "b".repeat(30))).collect();
    let file = |title: &str| format!("---\ndescription: {}\n---\n# {title}\n", "d".repeat(70));
    let files = ["A", "B", "C"].map(|title| (format!("{title}.md"), file(title)));
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let below = |i: usize| format!("  - Below, with {} {i}", "b".repeat(30));
    let mut wanted = vec!["- Top".to_owned()];
    wanted.extend((0..3).map(below));
    wanted.push("- … (6 more): `skc outline x`".to_owned());
    wanted.extend(["- References", "  - A", "  - B", "  - C"].map(str::to_owned));
    check(&format!("# Top\n{h2}"), &files, &strs(&wanted));
    let described = |title: &str| format!("  - {title} — {}", "d".repeat(70));
    let wanted = ["- Top".to_owned(), "- References".to_owned(), described("A"), described("B")];
    check("# Top\n", &files[..2], &strs(&wanted));
}

/// RFC-0001:C-SECTIONS
#[test]
fn references_are_sorted_by_their_mentions_and_told_apart_by_their_paths() {
    check(
        "# Top\n\nFirst [z](references/z.md), then `b/api.md`.\n",
        &[
            ("a/api.md", "# API\n"),
            ("b/api.md", "# API\n"),
            ("c.md", "---\ntitle: Of the front matter\n---\n# Of the text\n"),
            ("references/z.md", "# Last by path\n"),
        ],
        &[
            "- Top",
            "- References",
            "  - Last by path",
            "  - API — b/api.md",
            "  - API — a/api.md",
            "  - Of the front matter — c.md",
        ],
    );
}
