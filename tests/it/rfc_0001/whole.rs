//! RFC-0001:C-WHOLE: the stub of a small skill without reference files contains its whole text.

use super::stub;
use crate::site::{Site, put, skill_md};

const DISCIPLINE: &str =
    "# Test first\n\nNo production code without a failing test.\n\n## Red\n\nWrite it.\n";

/// Whether the stub of a skill contains this text.
#[track_caller]
fn holds(site: &Site, skill: &str, text: &str) -> bool {
    site.skc(["build", skill]).ok();
    stub(site, skill).contains(text)
}

/// RFC-0001:C-WHOLE
#[test]
fn a_reader_of_the_stub_of_a_small_skill_meets_its_rule() {
    let site = Site::new();
    site.write_skill("test-first", DISCIPLINE);
    assert!(holds(&site, "test-first", DISCIPLINE));
    let text = stub(&site, "test-first");
    assert!(text.starts_with("---\nname: \"test-first\"\n") && text.contains("description:"), "{text}");
    assert!(!text.contains("skc "), "nothing is left to be fetched: {text}");
    site.write("test-first", "scripts/check.sh", "echo");
    assert!(holds(&site, "test-first", "`skc sources test-first`"));
    assert!(stub(&site, "test-first").ends_with(DISCIPLINE));
}

/// RFC-0001:C-WHOLE
#[test]
fn a_skill_with_references_or_above_the_limit_is_an_outline() {
    let site = Site::new();
    site.write_skill("x", DISCIPLINE);
    site.write("x", "notes.txt", "more");
    assert!(!holds(&site, "x", "No production code"));
    site.write_skill("long", &format!("{DISCIPLINE}{}", "word ".repeat(2_000)));
    assert!(!holds(&site, "long", "No production code"));
}

/// RFC-0001:C-WHOLE, RFC-0009:C-RESOLUTION
#[test]
fn the_limit_is_a_setting_and_a_build_heeds_a_new_one() {
    let site = Site::new();
    let configure = |text: &str| put(&site.project().join(".skillc/config.toml"), text);
    site.write("x", "SKILL.md", skill_md("x", DISCIPLINE));
    assert!(holds(&site, "x", "No production code"));
    configure("[build]\nwhole_bytes_max = 20\n");
    assert!(!holds(&site, "x", "No production code"));
    assert!(site.skc(["build", "x"]).ok().out.contains("Unchanged"));
    configure("");
    assert!(holds(&site, "x", "No production code"));
}
