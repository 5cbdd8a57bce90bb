//! RFC-0003:C-CLI and RFC-0003:C-ERRORS.

use super::{ROW, Row, add, log_of, site_with, varied};
use crate::site::{Site, put, skill_md};
use serde_json::json;

/// RFC-0003:C-CLI
#[test]
fn all_counts_every_skill() {
    let site = site_with(&varied());
    put(&site.home().join(".skillc/skills/other/SKILL.md"), skill_md("other", "# Other\n"));
    site.skc(["outline", "other"]).ok();
    let log = site.home().join(".skillc/runtime/other/.skillc-meta/logs.db");
    let usage = r#"{"section":"Usage","file":"SKILL.md"}"#;
    let other = site.home().join(".skillc/skills/other");
    add(&log, &other, &[Row { command: "show", args: usage, ..ROW }]);
    let all = |grouping| site.skc(["stats", "--all", "--group-by", grouping, "--format", "json"]).ok().json();
    let reply = all("summary");
    assert_eq!((&reply["skill"], &reply["skill_path"]), (&json!(null), &json!(null)));
    assert_eq!(reply["data"]["total_accesses"], 15);
    assert_eq!(reply["data"]["unique_sections"], 4);
    assert_eq!(reply["skills"], json!([{"skill": "demo", "count": 13}, {"skill": "other", "count": 2}]));
    assert_eq!(all("commands")["data"]["show"], 7);
    let sections = all("sections")["data"].clone();
    assert_eq!(sections[0], json!({"skill": "demo", "section": "Usage", "file": "SKILL.md", "count": 2}));
    assert!(sections.as_array().unwrap().iter().any(|s| s["skill"] == "other" && s["count"] == 1));
    let text = site.skc(["stats", "--all"]).ok().out;
    assert!(text.contains("demo") && text.contains("other"), "{text}");
    assert_eq!(all("summary")["data"]["total_accesses"], 15, "asking about all is an event of none");
}

/// RFC-0003:C-CLI
#[test]
fn one_damaged_log_does_not_hide_the_others() {
    let site = site_with(&varied());
    site.write_skill("other", "# Other\n");
    put(&log_of(&site, "other"), [7; 4096]);
    let run = site.skc(["stats", "--all", "--format", "json"]).fails("E032");
    assert_eq!(run.json()["data"]["total_accesses"], 13);
    assert!(run.err.contains("other"), "it says which: {}", run.err);
    site.skc(["stats", "other"]).fails("E032");
}

/// RFC-0003:C-ERRORS
#[test]
fn a_skill_or_all_must_be_named() {
    let site = Site::new();
    site.skc(["stats"]).fails("E100");
    site.skc(["stats", "x", "--all"]).fails("E100");
    site.skc(["stats", "--all", "--org", "x"]).fails("E100");
    site.skc(["stats", "--all", "--machine", "x"]).fails("E100");
    site.skc(["stats", "none"]).fails("E001");
    std::fs::create_dir_all(site.skill("empty")).unwrap();
    site.skc(["stats", "empty"]).fails("E010");
}

/// RFC-0003:C-PRIVACY
#[test]
fn without_a_team_nothing_is_sent() {
    let site = site_with(&varied());
    site.skc(["stats", "demo", "--team"]).fails("E043");
    site.skc(["sync", "--team"]).fails("E043");
    for action in ["init", "status", "publish"] {
        site.skc(["team", action]).fails("E043");
    }
}

/// RFC-0003:C-PRIVACY
#[test]
fn the_log_holds_no_text_of_the_skill() {
    let site = Site::built("demo", "# Demo\n\n## Usage\n\nthe-secret-marmot whistles\n");
    site.skc(["show", "demo", "--section", "Usage"]).ok();
    site.skc(["search", "demo", "whistles"]).ok();
    site.skc(["open", "demo", "SKILL.md"]).ok();
    for file in std::fs::read_dir(log_of(&site, "demo").parent().unwrap()).unwrap() {
        let path = file.unwrap().path();
        if path.file_name().unwrap().to_str().unwrap().starts_with("logs.db") {
            let bytes = std::fs::read(&path).unwrap();
            assert!(!bytes.windows(17).any(|w| w == b"the-secret-marmot"), "{}", path.display());
        }
    }
}
