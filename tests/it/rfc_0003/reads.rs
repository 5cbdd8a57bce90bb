//! RFC-0003:C-QUERIES: reads, files that were read as a whole, and searches without a hit.

use super::{ROW, Row, site_with, stats};
use crate::site::{Site, put};
use serde_json::json;

/// A skill with two files, an index and no events.
fn site() -> Site {
    let site = Site::new();
    site.write_skill("demo", "# Demo\n\nfirst\n\n## Usage\n\nsecond\n");
    site.write("demo", "references/api.md", "# API\n\n## Errors\n\nthird\n\n## Limits\n");
    site.skc(["build", "demo"]).ok();
    site.skc(["log", "forget", "demo"]).ok();
    site
}

/// RFC-0003:C-QUERIES
#[test]
fn reads_are_the_accesses_of_readers() {
    let site = site();
    site.skc(["log", "forget", "demo"]).ok();
    for line in
        ["outline demo", "show demo -s Usage", "open demo SKILL.md", "sources demo", "search demo second"]
    {
        site.skc(line.split(' ')).ok();
    }
    site.skc(["show", "demo", "-s", "Nothing"]).fails("E020");
    for line in
        ["build demo", "build --force demo", "lint demo", "stats demo", "stats demo --group-by errors"]
    {
        site.skc(line.split(' '));
    }
    let data = &stats(&site, &[])["data"];
    assert_eq!((&data["reads"], &data["total_accesses"]), (&json!(6), &json!(11)), "{data}");
    let text = site.skc(["stats", "demo"]).ok().out;
    let reads = text.find("Reads: 6").expect("reads in the text");
    assert!(reads < text.find("Total accesses: 9").expect("accesses in the text"), "{text}");
    let page = site.project().join("page.html");
    site.skc(["stats", "demo", "--html", page.to_str().unwrap()]).ok();
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.find("<dt>Reads</dt>").unwrap() < page.find("<dt>Total accesses</dt>").unwrap());
    let csv = site.skc(["stats", "demo", "--format", "csv"]).ok().out;
    assert!(csv.starts_with("metric,value\r\n\"reads\",6\r\n"), "{csv}");
}

/// RFC-0003:C-QUERIES
#[test]
fn loading_a_skill_is_a_read() {
    let site = site();
    site.skc(["load", "demo"]).ok();
    let reply = site.skc(["stats", "--all", "--format", "json"]).ok().json();
    assert_eq!(
        (&reply["data"]["reads"], &reply["data"]["total_accesses"]),
        (&json!(1), &json!(1)),
        "{reply}"
    );
}

/// RFC-0003:C-QUERIES
#[test]
fn a_file_read_whole_counts_for_the_sections_in_it() {
    let site = site();
    site.skc(["open", "demo", "references/api.md"]).ok();
    site.skc(["open", "demo", "references/api.md", "--max-lines", "100"]).ok();
    site.skc(["show", "demo", "-s", "Errors"]).ok();
    site.skc(["open", "demo", "SKILL.md", "--max-lines", "2"]).ok();
    let reply = stats(&site, &["--group-by", "sections"]);
    let expected = json!([
        {"section": "Errors", "file": "references/api.md", "count": 3},
        {"section": "API", "file": "references/api.md", "count": 2},
        {"section": "Limits", "file": "references/api.md", "count": 2},
    ]);
    assert_eq!(reply["data"], expected);
    let unused = json!([{"section": "Demo", "file": "SKILL.md"}, {"section": "Usage", "file": "SKILL.md"}]);
    assert_eq!(reply["unused_sections"], unused, "a part of a file is no section");
    assert_eq!(stats(&site, &[])["data"]["unique_sections"], 3);
    let files = &stats(&site, &["--group-by", "files"])["data"];
    assert_eq!(files[0], json!({"file": "references/api.md", "count": 3}));
    let all = site.skc(["stats", "--all", "--group-by", "sections", "--format", "json"]).ok().json();
    assert_eq!(all["data"][0]["count"], 3);
}

/// RFC-0003:C-QUERIES
#[test]
fn searches_without_a_hit_are_marked_and_come_first() {
    let site = site();
    for query in ["first", "first", "second", "zebra", "giraffe", "giraffe"] {
        site.skc(["search", "demo", query]).ok();
    }
    let reply = stats(&site, &["--group-by", "search"]);
    let expected = json!([
        {"query": "giraffe", "count": 2, "without_hit": 2},
        {"query": "zebra", "count": 1, "without_hit": 1},
        {"query": "first", "count": 2, "without_hit": 0},
        {"query": "second", "count": 1, "without_hit": 0},
    ]);
    assert_eq!(reply["data"], expected);
    let text = site.skc(["stats", "demo", "--group-by", "search"]).ok().out;
    assert!(text.contains("Searches (3 without a hit):") && text.contains("No hit"), "{text}");
    let csv = site.skc(["stats", "demo", "--group-by", "search", "--format", "csv"]).ok().out;
    assert!(csv.starts_with("query,count,without_hit\r\n\"giraffe\",2,2\r\n"), "{csv}");
    let page = site.project().join("page.html");
    site.skc(["stats", "demo", "--html", page.to_str().unwrap()]).ok();
    assert!(std::fs::read_to_string(page).unwrap().contains("(2 without a hit)"));
}

/// RFC-0003:C-QUERIES
#[test]
fn rows_of_other_programs_say_the_same() {
    let rows = [
        Row { command: "search", args: r#"{"query":"none","result_count":0}"#, ..ROW },
        Row { command: "search", args: r#"{"query":"some","result_count":3}"#, ..ROW },
        Row { command: "search", args: r#"{"query":"failed","result_count":0}"#, error: Some("E002"), ..ROW },
        Row { command: "open", args: r#"{"path":"SKILL.md","max_lines":null}"#, ..ROW },
        Row { command: "open", args: r#"{"path":"SKILL.md","max_lines":1}"#, ..ROW },
        Row { command: "build", ..ROW },
    ];
    let site = site_with(&rows);
    let searches = json!([
        {"query": "none", "count": 1, "without_hit": 1},
        {"query": "failed", "count": 1, "without_hit": 0},
        {"query": "some", "count": 1, "without_hit": 0},
    ]);
    for _ in 0..2 {
        assert_eq!(stats(&site, &["--group-by", "search"])["data"], searches);
        assert_eq!(stats(&site, &["--group-by", "sections"])["data"][0]["count"], 1);
        // The next writer migrates the rows.
        put(&site.project().join("x"), "");
        site.skc(["lint", "demo"]);
    }
    assert_eq!(stats(&site, &[])["data"]["reads"], 5);
}
