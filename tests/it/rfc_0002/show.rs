//! RFC-0002:C-SHOW.

use crate::site::{Run, Site, put};
use serde_json::json;
use std::os::unix::fs::symlink;

fn show(site: &Site, section: &str) -> Run {
    site.skc(["show", "x", "--section", section])
}

/// RFC-0002:C-SHOW
#[test]
fn show_returns_a_section_with_its_subsections() {
    let site = Site::built("x", "# X\n\n## Use\nIt.\n\n### Deep\n\n```\n## code\n```\n## Next\n# End\nlast");
    assert_eq!(show(&site, "Use").ok().out, "## Use\nIt.\n\n### Deep\n\n```\n## code\n```\n");
    assert_eq!(show(&site, "Next").ok().out, "## Next\n", "a higher heading ends it");
    assert_eq!(show(&site, "End").ok().out, "# End\nlast\n");
}

/// RFC-0002:C-SHOW
#[test]
fn show_before_a_build_is_an_unusable_index() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    let refused = show(&site, "X").fails("E002");
    assert!(refused.err.contains("skc build x"), "{}", refused.err);
}

/// RFC-0002:C-SHOW
#[test]
fn a_heading_matches_in_any_case() {
    let site = Site::built("x", "# Über Straßen\n\n# ΟΔΟΣ\n\n# Getting *Started*\n");
    for (query, line) in [
        ("über straßen", "# Über Straßen\n\n"),
        ("ÜBER STRASSEN", "# Über Straßen\n\n"),
        ("οδος", "# ΟΔΟΣ\n\n"),
        ("\t getting STARTED  ", "# Getting *Started*\n"),
    ] {
        assert_eq!(show(&site, query).ok().out, line);
    }
}

/// RFC-0002:C-SHOW
#[test]
fn a_dash_suffix_is_cut_only_when_no_heading_matches_whole() {
    let site = Site::built("x", "# Use\nshort\n# Use — with care\nlong\n");
    assert_eq!(show(&site, "use — with care").ok().out, "# Use — with care\nlong\n");
    assert_eq!(show(&site, "Use — as the stub describes it").ok().out, "# Use\nshort\n");
    show(&site, "Use - with a hyphen").fails("E020");
}

/// RFC-0002:C-SHOW
#[test]
fn show_in_one_file_looks_only_there() {
    let site = Site::new();
    site.write_skill("x", "# X\n\n## Use\nskill\n");
    site.write("x", "references/b.md", "# Use\nb\n");
    put(&site.project().join(".skillc/skills/secret.md"), "# Use\nsecret\n");
    site.skc(["build", "x"]).ok();
    let show_in = |file: &str, section: &str| site.skc(["show", "x", "-s", section, "--file", file]);
    let run = show_in("references/b.md", "use").ok();
    assert_eq!((run.out.as_str(), run.err.as_str()), ("# Use\nb\n", ""));
    assert_eq!(show_in("./references/../SKILL.md", "use").ok().out, "## Use\nskill\n");
    show_in("references/b.md", "X").fails("E020");
    for missing in ["b.md", "references", "references/b.md/c"] {
        show_in(missing, "use").fails("E021");
    }
    let absolute = site.skill("x").join("SKILL.md").to_string_lossy().into_owned();
    for outside in ["../secret.md", "../nothing.md", "references/../../secret.md", "/nothing", &absolute] {
        show_in(outside, "use").fails("E012");
    }
}

/// RFC-0002:C-SHOW
#[test]
fn show_in_a_file_that_a_link_leads_to_outside_is_refused() {
    let site = Site::built("x", "# Use\n");
    put(&site.root().join("secret.md"), "# Use\nsecret\n");
    symlink(site.root().join("secret.md"), site.skill("x").join("out.md")).unwrap();
    let run = site.skc(["show", "x", "-s", "Use", "--file", "out.md"]).fails("E012");
    assert!(!run.out.contains("secret"), "{}", run.out);
}

/// RFC-0002:C-SHOW
#[test]
fn several_matches_show_the_first_with_a_warning() {
    let site = Site::new();
    site.write_skill("x", "# Use\nskill\n# use\nagain\n");
    site.write("x", "z.md", "# Use\nz\n");
    site.skc(["build", "x"]).ok();
    let run = show(&site, "USE").ok();
    assert_eq!(run.out, "# Use\nskill\n");
    let warning = "warning[W001]: multiple matches for 'USE'; showing first\nhint: choose with --section:\n";
    let names = "  - SKILL.md#Use (line 5)\n  - SKILL.md#use (line 7)\n  - z.md#Use (line 1)\n";
    assert!(run.err.starts_with(&format!("{warning}{names}")), "{}", run.err);
    assert_eq!(show(&site, "SKILL.md#use (line 7)").ok().out, "# use\nagain\n");
    assert!(!show(&site, "z.md#Use (line 1)").ok().err.contains("W001"));
    site.write("x", "A.md", "# Other\n## USE\nfirst\n");
    site.skc(["build", "x"]).ok();
    assert_eq!(show(&site, "use").ok().out, "## USE\nfirst\n");
}

/// RFC-0002:C-SHOW
#[test]
fn an_unknown_section_is_echoed_with_at_most_five_suggestions() {
    let site = Site::new();
    site.write_skill("x", "# Installing\n## How to INSTALL\n## Other\n");
    site.write("x", "references/a.md", "# install notes\n");
    site.skc(["build", "x"]).ok();
    let run = show(&site, "Install ").fails("E020");
    let mut lines: Vec<&str> = run.err.lines().collect();
    assert_eq!(lines.remove(0), "error[E020]: section not found: 'Install '");
    lines.retain(|line| line.starts_with("  - "));
    let expected =
        ["  - Installing (SKILL.md)", "  - install notes (references/a.md)", "  - How to INSTALL (SKILL.md)"];
    assert_eq!(lines, expected);
    let many: String = (0..9).map(|i| format!("# Part {i}\n")).collect();
    site.write("x", "references/many.md", many);
    site.skc(["build", "x"]).ok();
    let suggested = |run: Run| run.err.lines().filter(|line| line.starts_with("  - ")).count();
    assert_eq!(suggested(show(&site, "part").fails("E020")), 5);
    assert_eq!(suggested(show(&site, "nothing like it").fails("E020")), 0);
}

/// RFC-0002:C-SHOW
#[test]
fn show_and_open_cut_after_max_lines() {
    let site = Site::built("x", "# X\none\ntwo\nthree\n");
    site.write("x", "a.txt", "one\r\ntwo\r\nthree");
    site.skc(["build", "x"]).ok();
    let cut = |args: &[&str], n: &str| site.skc(args.iter().chain(&["--max-lines", n])).ok();
    let (show, open) = (["show", "x", "-s", "X"], ["open", "x", "a.txt"]);
    assert_eq!(cut(&show, "2").out, "# X\none\n... (2 more lines)\n");
    assert_eq!(cut(&show, "4").out, "# X\none\ntwo\nthree\n");
    assert_eq!(cut(&open, "1").out, "one\r\n... (2 more lines)\n");
    assert_eq!(cut(&open, "3").out, "one\r\ntwo\r\nthree");
    let json = |args: &[&str]| cut(&[args, &["--format", "json"]].concat(), "2").json();
    assert_eq!((&json(&show)["content"], &json(&show)["truncated_lines"]), (&"# X\none\n".into(), &2.into()));
    assert_eq!(json(&open)["truncated_lines"], 1);
}

/// RFC-0002:C-SHOW
#[test]
fn show_as_json_has_its_fields() {
    let site = Site::built("x", "# X\n\n## Use\nIt.\n\n## Next\n");
    let reply = site.skc(["show", "x", "-s", "use", "-o", "json"]).ok().json();
    let expected = json!({
        "skill": "x", "dir": site.skill("x"), "file": "SKILL.md", "section": "Use", "level": 2, "start_line": 7, "end_line": 10,
        "content": "## Use\nIt.\n\n", "truncated_lines": 0, "tokens": 3
    });
    assert_eq!(reply, expected);
}

/// RFC-0002:C-SHOW
#[test]
fn a_heading_with_a_dash_of_its_own_is_found_with_its_description() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.write("x", "a.md", "---\ndescription: about it\n---\n# Foo — Bar\n\nright\n");
    site.write("x", "b.md", "# Foo\n\nwrong\n");
    site.skc(["build", "x"]).ok();
    let stub = std::fs::read_to_string(site.runtime("x").join("SKILL.md")).unwrap();
    assert!(stub.contains("  - Foo — Bar — about it\n"), "{stub}");
    let run = site.skc(["show", "x", "-s", "Foo — Bar — about it"]).ok();
    assert!(run.out.contains("right"), "{}", run.out);
}

/// RFC-0002:C-SHOW
#[test]
fn a_heading_with_several_blanks_is_found_as_the_stub_lists_it() {
    let site = Site::new();
    site.write_skill("x", "# X\n\n## Two  blanks\n\nfound\n");
    site.write("x", "references/a.md", "# A\n");
    site.skc(["build", "x"]).ok();
    let stub = std::fs::read_to_string(site.runtime("x").join("SKILL.md")).unwrap();
    let listed = stub.lines().find(|line| line.contains("blanks")).unwrap().trim_start_matches("  - ");
    assert!(site.skc(["show", "x", "-s", listed]).ok().out.contains("found"));
}
