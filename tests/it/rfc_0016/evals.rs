//! RFC-0016:C-EVALS: lint of the files with which a skill is evaluated.

use crate::site::Site;
use serde_json::Value;

/// The rule, file and line of each finding.
fn findings(site: &Site) -> Vec<(String, String, u64)> {
    let reply = site.skc(["lint", "x", "-o", "json"]).json();
    let all = reply["diagnostics"].as_array().unwrap().iter();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    all.map(|finding| (text(finding, "rule"), text(finding, "file"), finding["line"].as_u64().unwrap()))
        .collect()
}

fn found(rule: &str, file: &str, line: u64) -> (String, String, u64) {
    (rule.to_owned(), file.to_owned(), line)
}

fn scene() -> Site {
    let site = Site::new();
    let description = "Merges scanned invoices into one ledger. Use when invoices arrive as images.";
    site.write("x", "SKILL.md", format!("---\nname: x\ndescription: {description}\n---\n\n# X\n\nText.\n"));
    site
}

/// RFC-0016:C-EVALS
#[test]
fn cases_and_queries_are_checked_with_the_lines_of_their_faults() {
    let site = scene();
    let cases = r#"{"skill_name": "x", "evals": [
  {"id": 1, "prompt": "a", "expected_output": "b", "assertions": []},
  {"id": "1", "prompt": "c", "expected_output": "d", "expectations": []}
]}"#;
    let queries = r#"[
  {"query": "merge scanned invoices into one ledger", "should_trigger": true},
  {"query": "what did we pay in May", "should_trigger": true},
  {"query": "these photos are bills", "should_trigger": true},
  {"query": "add up the receipts", "should_trigger": true}
]"#;
    site.write("x", "evals/evals.json", cases);
    site.write("x", "evals/eval_queries.json", queries);
    assert_eq!(
        findings(&site),
        [
            found("SKL412", "evals/eval_queries.json", 2),
            found("SKL413", "evals/eval_queries.json", 2),
            found("SKL410", "evals/evals.json", 3),
            found("SKL411", "evals/evals.json", 3),
        ]
    );
}

/// RFC-0016:C-EVALS
#[test]
fn a_file_that_no_program_can_run_is_one_finding() {
    for (text, line) in [("{\"evals\": [\n,]}", 2), ("[]", 1), ("{\"evals\": [\n{\"id\": 1}]}", 2)] {
        let site = scene();
        site.write("x", "evals/evals.json", text);
        assert_eq!(findings(&site), [found("SKL409", "evals/evals.json", line)], "{text}");
    }
    let site = scene();
    site.write("x", "evals/other.json", "{");
    assert_eq!(findings(&site), [], "another file is its author's own");
}
