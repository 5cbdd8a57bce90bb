//! RFC-0007:C-SHIPPED: the skill that ships with the program.

use crate::site::{Site, put, skill_md};
use std::fs;

/// RFC-0007:C-SHIPPED
#[test]
fn the_shipped_skill_is_read_file_by_file() {
    let site = Site::new();
    for (path, bytes) in skillc::SHIPPED_SKILL {
        assert_eq!(site.skc(["open", "using-skc", path]).ok().bytes, *bytes, "{path}");
    }
    assert!(site.skc(["outline", "using-skc"]).ok().out.contains("references/reading.md"));
    let load = site.skc(["load", "using-skc", "--format", "json"]).ok().json();
    let folder = site.home().join(".skillc/shipped/using-skc");
    assert_eq!(load["dir"], *folder.to_string_lossy());
    assert!(load["text"].as_str().unwrap().contains("references/reading.md</file>"), "{load}");
}

/// RFC-0007:C-SHIPPED
#[test]
fn the_shipped_skill_is_built_and_deployed_for_the_user() {
    let site = Site::new();
    site.skc(["show", "using-skc", "-s", "Using skc"]).fails("E002");
    site.skc(["build", "using-skc"]).ok();
    let stub = fs::read_to_string(site.home().join(".claude/skills/using-skc/SKILL.md")).unwrap();
    assert!(stub.contains("## Top Sections"), "{stub}");
    site.skc(["show", "using-skc", "-s", "Four words that recur"]).ok();
    assert!(site.skc(["search", "using-skc", "retry"]).ok().out.contains("references/"));
    site.skc(["undeploy", "using-skc"]).ok();
    assert!(!site.home().join(".claude/skills/using-skc").exists());
}

/// RFC-0007:C-SHIPPED
#[test]
fn a_skill_of_its_name_takes_the_place_of_the_shipped_one() {
    let site = Site::new();
    let found = |site: &Site| {
        let results = site.skc(["find", "using-skc", "--format", "json"]).ok().json()["results"].take();
        let results = results.as_array().unwrap().clone();
        results.into_iter().filter(|result| result["name"] == "using-skc").collect::<Vec<_>>()
    };
    assert_eq!(found(&site).len(), 1);
    site.skc(["build", "using-skc"]).ok();
    assert_eq!(found(&site).len(), 1, "its stub is no second skill");
    site.skc(["load", "using-skc"]).ok();
    put(&site.skill("using-skc").join("SKILL.md"), skill_md("using-skc", "# Mine\n"));
    assert!(site.skc(["open", "using-skc", "SKILL.md"]).ok().out.contains("# Mine"));
}
