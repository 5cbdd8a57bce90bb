//! RFC-0007:C-EXPLAIN.

use crate::site::Site;
use std::fs;
use std::path::Path;

/// RFC-0007:C-EXPLAIN
#[test]
fn explain_knows_every_code_and_no_other() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("rfc/0005-diagnostics.md");
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| E") || line.starts_with("| W"));
    let codes: Vec<&str> = rows.map(|row| row.split('|').nth(1).unwrap().trim()).collect();
    assert!(codes.len() > 30 && codes.contains(&"W300"));
    let site = Site::without_project();
    let rules = skillc_lint::RULES.iter().map(|rule| rule.id);
    for code in codes.iter().copied().chain(rules) {
        let lower = code.to_lowercase();
        let reply = site.skc(["explain", &lower, "--format", "json"]).ok().json();
        assert_eq!(reply["code"], *code);
        assert!(["meaning", "remedy"].iter().all(|key| !reply[key].as_str().unwrap().is_empty()), "{code}");
        let shown = site.skc(["explain", code]).ok().out;
        assert!(
            ["meaning", "remedy"].iter().all(|key| shown.contains(reply[key].as_str().unwrap())),
            "{shown}"
        );
    }
    for unknown in ["E998", "W000", "E1", "E0011", "nonsense", ""] {
        assert!(!codes.contains(&unknown));
        site.skc(["explain", unknown]).fails("E100");
    }
}

/// RFC-0007:C-EXPLAIN
#[test]
fn explain_says_how_to_switch_a_rule_off() {
    let site = Site::new();
    let reply = site.skc(["explain", "SKL204", "--format", "json"]).ok().json();
    assert_eq!((reply["tier"].as_str(), reply["switch_off"].as_array().unwrap().len()), (Some("style"), 5));
    let shown = site.skc(["explain", "SKL204"]).ok().out;
    for way in
        ["--ignore SKL204", "[lint.rules]", ".skilllint.toml", "<!-- skilllint-disable-line SKL204 -->"]
    {
        assert!(shown.contains(way), "{way}: {shown}");
    }
    assert!(site.skc(["explain", "E001", "--format", "json"]).ok().json()["switch_off"].is_null());
}
