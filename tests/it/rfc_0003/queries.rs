//! RFC-0003:C-QUERIES and RFC-0003:C-SCHEMA.

use super::{Row, data, site_with, stats, varied};
use serde_json::{Value, json};

/// RFC-0003:C-QUERIES
#[test]
fn the_summary_has_totals_and_period() {
    let site = site_with(&varied());
    let reply = stats(&site, &["--group-by", "summary"]);
    assert_eq!(
        reply["data"],
        json!({"total_accesses": 13, "reads": 12, "unique_sections": 3, "unique_files": 2, "error_count": 3})
    );
    assert_eq!(reply["period"], json!({"start": "2026-01-10T12:00:00Z", "end": "2026-01-12T23:59:59Z"}));
    let days = json!([
        {"day": "2026-01-10", "count": 11}, {"day": "2026-01-11", "count": 1}, {"day": "2026-01-12", "count": 1}
    ]);
    assert_eq!(reply["days"], days);
}

/// RFC-0003:C-QUERIES
#[test]
fn without_a_grouping_it_is_the_summary() {
    let site = site_with(&varied());
    assert_eq!(stats(&site, &[]), stats(&site, &["--group-by", "summary"]));
    assert_eq!(stats(&site, &[])["query"], "summary");
}

/// RFC-0003:C-QUERIES
#[test]
fn sections_are_counted_by_file_and_heading() {
    let expected = json!([
        {"section": "Usage", "file": "SKILL.md", "count": 2},
        {"section": "Usage", "file": "api.md", "count": 1},
        {"section": "Äpfel", "file": "api.md", "count": 1},
    ]);
    assert_eq!(data(&site_with(&varied()), "sections"), expected);
}

/// RFC-0003:C-QUERIES
#[test]
fn files_are_counted_with_their_sections() {
    let expected = json!([{"file": "SKILL.md", "count": 3}, {"file": "api.md", "count": 2}]);
    assert_eq!(data(&site_with(&varied()), "files"), expected);
}

/// RFC-0003:C-QUERIES
#[test]
fn every_command_is_a_key() {
    let expected = json!({"show": 6, "open": 2, "search": 4, "dream": 1});
    assert_eq!(data(&site_with(&varied()), "commands"), expected);
}

/// RFC-0003:C-QUERIES
#[test]
fn projects_are_counted_by_working_directory() {
    let expected = json!([
        {"project": "/work/a", "count": 10}, {"project": "/work/a/src", "count": 1},
        {"project": "/work/ab", "count": 1}, {"project": "/work/b", "count": 1},
    ]);
    assert_eq!(data(&site_with(&varied()), "projects"), expected);
}

/// RFC-0003:C-QUERIES
#[test]
fn failed_accesses_are_counted_by_target_command_and_message() {
    let expected = json!([
        {"target": "Nope", "command": "show", "error": "error[E020]: section not found: 'Nope'", "count": 2},
        {"target": "x", "command": "open", "error": "error[E021]: file not found: 'x'", "count": 1},
    ]);
    assert_eq!(data(&site_with(&varied()), "errors"), expected);
}

/// RFC-0003:C-QUERIES
#[test]
fn searches_are_counted_by_query() {
    let expected = json!([
        {"query": "auth", "count": 2, "without_hit": 0}, {"query": "api", "count": 1, "without_hit": 0},
        {"query": "zoo", "count": 1, "without_hit": 0},
    ]);
    assert_eq!(data(&site_with(&varied()), "search"), expected);
}

/// RFC-0003:C-QUERIES
#[test]
fn each_use_is_counted() {
    let site = site_with(&[]);
    for line in ["show demo --section usage", "open demo SKILL.md", "search demo second", "outline demo"] {
        site.skc(line.split(' ')).ok();
    }
    site.skc(["show", "demo", "--section", "nope"]).fails("E020");
    site.skc(["search", "demo", "no such word"]).ok();
    let found = json!([
        {"section": "Usage", "file": "SKILL.md", "count": 2},
        {"section": "Changelog", "file": "SKILL.md", "count": 1},
        {"section": "Demo", "file": "SKILL.md", "count": 1},
    ]);
    assert_eq!(data(&site, "sections"), found, "the heading as it stands in the file");
    assert_eq!(data(&site, "files"), json!([{"file": "SKILL.md", "count": 2}]));
    assert_eq!(data(&site, "commands"), json!({"show": 2, "open": 1, "search": 2, "outline": 1}));
    assert_eq!(data(&site, "errors")[0]["target"], "nope");
    assert_eq!(data(&site, "search").as_array().unwrap().len(), 2);
}

/// RFC-0003:C-QUERIES
#[test]
fn an_unknown_grouping_is_e030() {
    let site = site_with(&[]);
    for other in ["", "Summary", "section", "all"] {
        let run = site.skc(["stats", "demo", "--group-by", other]).fails("E030");
        assert!(run.err.starts_with(&format!("error[E030]: invalid query type: '{other}'")), "{}", run.err);
    }
}

/// RFC-0003:C-QUERIES
#[test]
fn sections_never_read_are_listed() {
    let site = site_with(&varied());
    let unused = &stats(&site, &["--group-by", "sections"])["unused_sections"];
    let expected =
        json!([{"section": "Demo", "file": "SKILL.md"}, {"section": "Changelog", "file": "SKILL.md"}]);
    assert_eq!(*unused, expected);
    for grouping in ["summary", "sections"] {
        let text = site.skc(["stats", "demo", "--group-by", grouping]).ok().out;
        let (_, below) = text.split_once("Unused sections:").unwrap();
        assert!(below.contains("Changelog") && below.contains("Demo"), "{text}");
        assert!(!below.split("\n\n").next().unwrap().contains("Usage"), "{text}");
    }
}

/// RFC-0003:C-SCHEMA
#[test]
fn the_reply_has_the_fields_of_the_rfc() {
    let site = site_with(&varied());
    for grouping in ["summary", "sections", "files", "commands", "projects", "errors", "search"] {
        let reply = stats(&site, &["--group-by", grouping]);
        assert_eq!(reply["skill"], "demo");
        assert_eq!(reply["skill_path"], site.skill("demo").to_str().unwrap());
        assert_eq!(reply["query"], grouping);
        assert_eq!(reply["filters"], json!({"since": null, "until": null, "projects": []}));
        assert_eq!(reply["period"]["start"], "2026-01-10T12:00:00Z");
        assert_eq!(reply["unreadable"], json!({"timestamps": 0, "arguments": 0}));
        assert!(reply.get("data").is_some());
    }
}

/// RFC-0003:C-SCHEMA
#[test]
fn the_data_has_the_form_of_its_query() {
    let site = site_with(&varied());
    let keys = |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    for (grouping, expected) in [
        ("sections", &["count", "file", "section"][..]),
        ("files", &["count", "file"]),
        ("projects", &["count", "project"]),
        ("errors", &["command", "count", "error", "target"]),
        ("search", &["count", "query", "without_hit"]),
    ] {
        for entry in data(&site, grouping).as_array().unwrap() {
            assert_eq!(keys(entry), expected, "{grouping}");
        }
    }
    assert_eq!(
        keys(&data(&site, "summary")),
        ["error_count", "reads", "total_accesses", "unique_files", "unique_sections"]
    );
    assert!(data(&site, "commands").as_object().unwrap().values().all(Value::is_u64));
    let empty = site_with(&[]);
    assert_eq!(data(&empty, "commands"), json!({}));
    assert_eq!(data(&empty, "sections"), json!([]));
}

/// RFC-0003:C-CLI
#[test]
fn text_tells_what_json_tells() {
    let site = site_with(&varied());
    for (grouping, words) in [
        ("summary", &["13", "2026-01-10", "2026-01-12"][..]),
        ("sections", &["Usage", "Äpfel", "api.md"]),
        ("files", &["SKILL.md", "api.md"]),
        ("commands", &["show", "6", "dream"]),
        ("projects", &["/work/a/src", "/work/ab"]),
        ("errors", &["Nope", "E020", "x", "E021"]),
        ("search", &["auth", "zoo"]),
    ] {
        let text = site.skc(["stats", "demo", "--group-by", grouping]).ok().out;
        for word in words {
            assert!(text.contains(word), "{grouping} without {word}: {text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

/// RFC-0003:C-CLI
#[test]
fn csv_has_the_figures_of_json() {
    let site = site_with(&varied());
    let csv = |grouping| site.skc(["stats", "demo", "--group-by", grouping, "--format", "csv"]).ok().out;
    let strip = |text: String| text.replace(['"', '\r'], "");
    assert_eq!(strip(csv("search")), "query,count,without_hit\nauth,2,0\napi,1,0\nzoo,1,0\n");
    let sections = strip(csv("sections"));
    assert_eq!(sections.lines().next(), Some("file,section,count"));
    assert!(sections.contains("SKILL.md,Usage,2") && sections.contains("api.md,Äpfel,1"), "{sections}");
    assert!(strip(csv("summary")).contains("total_accesses,"));
    let formula = Row { command: "search", args: r#"{"query":"=1+1"}"#, ..super::ROW };
    let text = site_with(&[formula]);
    let text = text.skc(["stats", "demo", "--group-by", "search", "--format", "csv"]).ok().out;
    assert!(text.contains("'=1+1"), "no cell is a formula: {text}");
}
