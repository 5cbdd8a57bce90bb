//! RFC-0001:C-INPUT and C-CONSTRAINTS: which files are compiled, and which are not.

use super::{listing, site_of_outlines, stub};
use crate::site::{Site, put, skill_md};
use std::os::unix::fs::symlink;

/// RFC-0001:C-INPUT
#[test]
fn a_skill_without_its_required_parts_is_refused() {
    let site = Site::new();
    site.write("bare", "notes.md", "# No SKILL.md here\n");
    site.skc(["build", "bare"]).fails("E010");
    for (front, field) in [
        ("", "name"),
        ("---\ndescription: d\n---\n", "name"),
        ("---\nname: x\n---\n", "description"),
        ("---\nname:\ndescription: d\n---\n", "name"),
        ("---\nname: x\ndescription: '  '\n---\n", "description"),
    ] {
        site.write("x", "SKILL.md", format!("{front}# Body\n"));
        let run = site.skc(["build", "x"]).fails("E011");
        assert!(run.err.contains(&format!("'{field}'")), "{front:?}: {}", run.err);
    }
    assert!(!site.runtime("x").join("SKILL.md").exists());
}

/// RFC-0001:C-INPUT
#[test]
fn a_build_tells_line_and_column_of_broken_front_matter() {
    let site = Site::new();
    site.write("x", "SKILL.md", "---\nname: x\ndescription: use when: broken\n---\n");
    let run = site.skc(["build", "x"]).fails("E013");
    assert!(run.err.contains("at line 3 column 22'"), "{}", run.err);
}

/// RFC-0001:C-INPUT
#[test]
fn a_skill_with_any_yaml_in_its_front_matter_is_built() {
    let site = Site::new();
    let front = "name: x\ndescription: >-\n  Two\n  lines.\nallowed-tools:\n  - Read\n  - Bash(git:*)\n\
                 metadata: {a: [1, {b: c}], d: |\n  text\n  }\nno-such-key: 3\n";
    site.write("x", "SKILL.md", format!("---\n{}---\n# Body\n", front.replace("d: |\n  text\n  ", "d: e")));
    site.skc(["build", "x"]).ok();
    assert!(stub(&site, "x").contains("description: \"Two lines.\""));
    site.write("y", "SKILL.md", "---\nname: y\ndescription: |\n  One: a\n  Two: b\nlist:\n- 1\n- [2]\n---\n");
    site.skc(["build", "y"]).ok();
    assert!(stub(&site, "y").contains(r#"description: "One: a\nTwo: b\n""#));
}

/// RFC-0001:C-INPUT
#[test]
fn a_skill_with_a_byte_order_mark_and_crlf_is_built() {
    let site = site_of_outlines();
    let text = format!("\u{feff}{}", skill_md("x", "# One\n\n## Two\n\ntext\n")).replace('\n', "\r\n");
    site.write("x", "SKILL.md", text);
    site.skc(["build", "x"]).ok();
    assert_eq!(listing(&stub(&site, "x")), ["- One", "  - Two"]);
    assert!(site.skc(["show", "x", "--section", "two"]).ok().out.contains("text"));
}

/// RFC-0001:C-INPUT
#[test]
fn a_build_of_too_many_files_names_the_limit() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    // 320 links to a folder of 320 files make 102,400.
    for i in 0..320 {
        site.write("x", &format!("many/{i}"), "");
        symlink("many", site.skill("x").join(format!("link{i}"))).unwrap();
    }
    let run = site.skc(["build", "x"]).fails("E016");
    assert!(run.err.contains("100000"), "{}", run.err);
}

/// RFC-0001:C-CONSTRAINTS
#[test]
fn a_link_that_leaves_the_skill_is_refused_by_build() {
    for (link, to) in [
        ("out.md", "../../../secret.md"),
        ("deep/er/out.md", "../../../y/SKILL.md"),
        ("folder", "/"),
        ("SKILL.md", "../y/SKILL.md"),
    ] {
        let site = Site::new();
        put(&site.project().join("secret.md"), "# Secret\n");
        site.write_skill("y", "# Y\n");
        site.write("x", "deep/er/inside.md", "# Inside\n");
        if link != "SKILL.md" {
            site.write_skill("x", "# X\n");
        }
        symlink(to, site.skill("x").join(link)).unwrap();
        let run = site.skc(["build", "x"]).fails("E012");
        assert!(run.err.contains(&format!("'{link}'")), "{}", run.err);
        assert!(!site.runtime("x").join("SKILL.md").exists());
    }
}

/// RFC-0001:C-CONSTRAINTS
#[test]
fn a_link_that_stays_in_the_skill_is_built() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.write("x", "real/a.md", "# Inside\n");
    symlink("real", site.skill("x").join("again")).unwrap();
    symlink("../SKILL.md", site.skill("x").join("real/up.md")).unwrap();
    site.skc(["build", "x"]).ok();
}

/// RFC-0001:C-CONSTRAINTS
#[test]
fn outline_and_show_know_markdown_files_only() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.write("x", "notes.txt", "# Only Text\n");
    site.write("x", "run.py", "# Only Code\n");
    site.write("x", "image.bin", [0, 159, 146, 150]);
    site.skc(["build", "x"]).ok();
    let outline = site.skc(["outline", "x"]).ok().out;
    assert!(outline.contains("# X") && !outline.contains("Only"), "{outline}");
    site.skc(["show", "x", "--section", "Only Text"]).fails("E020");
    site.skc(["show", "x", "--section", "Only Code"]).fails("E020");
    let sources = site.skc(["sources", "x"]).ok().out;
    for (file, bytes) in [
        ("notes.txt", &b"# Only Text\n"[..]),
        ("run.py", b"# Only Code\n"),
        ("image.bin", &[0, 159, 146, 150]),
    ] {
        assert!(sources.contains(file), "{sources}");
        assert_eq!(site.skc(["open", "x", file]).ok().bytes, bytes);
    }
}
