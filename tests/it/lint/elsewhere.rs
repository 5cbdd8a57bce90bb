//! RFC-0008:C-REGISTRY: files that SKILL.md names and that are not in the skill, but near it.

use crate::site::{Site, put};

/// The tiers of the findings of SKL407 for a skill with this body.
fn tiers(site: &Site, body: &str) -> Vec<String> {
    site.write_skill("demo", &format!("# demo\n\n{body}\n\nSee [more](more.md).\n"));
    site.write("demo", "more.md", "# More\n\nText.\n");
    let reply = site.skc(["lint", "demo", "--select", "SKL407", "--format", "json"]).json();
    let tier = |found: &serde_json::Value| found["tier"].as_str().unwrap().to_owned();
    reply["diagnostics"].as_array().unwrap().iter().map(tier).collect()
}

/// RFC-0008:C-REGISTRY
#[test]
fn a_file_of_the_project_or_of_a_named_skill_is_not_missing_here() {
    let site = Site::new();
    assert_eq!(tiers(&site, "Run `scripts/check.py`."), ["breaks"], "nowhere");
    put(&site.root().join("scripts/check.py"), "print(1)\n");
    assert_eq!(tiers(&site, "Run `scripts/check.py`."), ["style"], "in the project");
    site.write_skill("other", "# other\n");
    let line = "What is legal is in `other` (see `references/rules.md`).";
    assert_eq!(tiers(&site, line), ["breaks"], "the other skill lacks it as well");
    site.write("other", "references/rules.md", "# Rules\n");
    assert!(tiers(&site, line).is_empty(), "the other skill has it");
    assert_eq!(tiers(&site, "See `references/rules.md`."), ["breaks"], "no skill is named");
}
