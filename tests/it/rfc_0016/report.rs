//! RFC-0016:C-REPORT: a benchmark from graded runs.

use crate::site::{Site, put};
use serde_json::{Value, json};
use std::fs;

fn grade(site: &Site, folder: &str, grading: &Value, timing: &Value) {
    let folder = site.project().join("ws").join(folder);
    put(&folder.join("grading.json"), grading.to_string());
    if !timing.is_null() {
        put(&folder.join("timing.json"), timing.to_string());
    }
}

fn outcomes(key: &str, outcomes: &[bool]) -> Value {
    let all: Vec<Value> = outcomes.iter().map(|passed| json!({ "text": "t", "passed": passed })).collect();
    json!({ key: all })
}

fn report(site: &Site) -> Value {
    site.skc(["eval", "report", "ws", "-o", "json"]).ok().json()
}

/// RFC-0016:C-REPORT
#[test]
fn runs_of_a_workspace_become_a_benchmark() {
    let site = Site::new();
    let timing = |tokens: u32, ms: u32| json!({ "total_tokens": tokens, "duration_ms": ms });
    grade(&site, "iteration-1/eval-a/with_skill", &outcomes("expectations", &[false]), &timing(1, 1));
    grade(
        &site,
        "iteration-2/eval-a/with_skill/run-1",
        &outcomes("expectations", &[true, true]),
        &timing(300, 4_000),
    );
    grade(
        &site,
        "iteration-2/eval-a/with_skill/run-2",
        &outcomes("assertion_results", &[true, false]),
        &timing(500, 6_000),
    );
    grade(
        &site,
        "iteration-2/eval-a/without_skill/run-1",
        &outcomes("expectations", &[false, true]),
        &timing(200, 7_000),
    );
    put(
        &site.project().join("ws/iteration-2/eval-a/eval_metadata.json"),
        r#"{"eval_id": 7, "eval_name": "first"}"#,
    );
    let benchmark = report(&site);
    assert_eq!(benchmark["metadata"]["evals_run"], json!([7]));
    assert_eq!(benchmark["metadata"]["runs_per_configuration"], 2);
    let run = &benchmark["runs"][1];
    assert_eq!(
        (&run["eval_name"], &run["configuration"], &run["run_number"]),
        (&json!("first"), &json!("with_skill"), &json!(2))
    );
    let result = json!({ "pass_rate": 0.5, "passed": 1, "failed": 1, "total": 2, "time_seconds": 6.0, "tokens": 500, "tool_calls": null, "errors": null });
    assert_eq!(run["result"], result);
    let summary = &benchmark["run_summary"];
    assert_eq!(summary["with_skill"]["pass_rate"]["mean"], 0.75);
    assert_eq!(
        summary["without_skill"]["tokens"],
        json!({ "mean": 200.0, "stddev": null, "min": 200.0, "max": 200.0 })
    );
    assert_eq!(summary["delta"], json!({ "pass_rate": "+0.25", "time_seconds": "-2.0", "tokens": "+200" }));
    let text = site.skc(["eval", "report", "ws", "--format", "markdown"]).ok().out;
    assert!(text.contains("| with_skill minus without_skill |  | +0.25 | -2.0 | +200 |"), "{text}");
    assert!(text.contains("| first | 0.75 | 0.50 | +0.25 |"), "{text}");
    let text = site.skc(["eval", "report", "ws"]).ok().out;
    assert!(text.contains("with_skill minus without_skill") && text.contains("0.75 ± 0.35"), "{text}");
}

/// RFC-0016:C-REPORT
#[test]
fn values_that_were_not_recorded_are_unknown() {
    let site = Site::new();
    let graded =
        json!({ "summary": { "passed": 3, "total": 4 }, "execution_metrics": { "output_chars": 9000 } });
    grade(&site, "eval-a/with_skill", &graded, &Value::Null);
    grade(&site, "eval-a/old_skill", &outcomes("expectations", &[]), &json!({ "total_tokens": 50 }));
    put(&site.project().join("ws/eval-b/with_skill/grading.json"), "{");
    put(&site.project().join("ws/eval-c/with_skill/timing.json"), r#"{"duration_ms": 1500}"#);
    let empty = json!({ "summary": { "passed": 0, "failed": 0, "total": 0, "pass_rate": 0.0 } });
    grade(&site, "eval-d/with_skill", &empty, &json!({ "total_duration_seconds": -1 }));
    let metrics = r#"{"total_tool_calls": 9, "errors_encountered": 1}"#;
    put(&site.project().join("ws/eval-d/with_skill/outputs/metrics.json"), metrics);
    let benchmark = report(&site);
    let summary = &benchmark["run_summary"];
    assert_eq!(summary["with_skill"]["tokens"], Value::Null, "characters are no tokens: {benchmark}");
    assert_eq!(summary["with_skill"]["pass_rate"]["mean"], 0.75, "one run is graded");
    assert_eq!(summary["with_skill"]["time_seconds"]["mean"], 1.5);
    assert_eq!(summary["old_skill"]["pass_rate"], Value::Null);
    assert_eq!(summary["delta"], json!({ "pass_rate": null, "time_seconds": null, "tokens": null }));
    let runs = benchmark["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 5);
    assert_eq!((&runs[3]["result"]["pass_rate"], &runs[3]["notes"]), (&Value::Null, &json!(["not graded"])));
    assert_eq!((&runs[4]["result"]["tool_calls"], &runs[4]["result"]["errors"]), (&json!(9), &json!(1)));
    let notes = benchmark["notes"].to_string();
    for note in [
        "eval-b/with_skill/grading.json: not read, line 1 column 1",
        "eval-b/with_skill: not graded",
        "eval-c/with_skill: not graded",
        "case 'b' has no run old_skill and is not part of the difference",
    ] {
        assert!(notes.contains(note), "{note}: {notes}");
    }
    assert!(site.skc(["eval", "report", "ws"]).ok().out.contains("unknown"));
}

/// RFC-0016:C-REPORT
#[test]
fn the_difference_is_over_cases_that_have_both() {
    let site = Site::new();
    grade(&site, "eval-a/with_skill", &outcomes("expectations", &[true]), &Value::Null);
    grade(&site, "eval-a/without_skill", &outcomes("expectations", &[true]), &Value::Null);
    grade(&site, "eval-b/without_skill", &outcomes("expectations", &[false]), &Value::Null);
    grade(&site, "eval-a/old_skill", &outcomes("expectations", &[false]), &Value::Null);
    let summary = report(&site)["run_summary"].clone();
    assert_eq!(summary["without_skill"]["pass_rate"]["mean"], 0.5);
    assert_eq!(summary["delta"]["pass_rate"], "+0.00", "and without_skill counts before old_skill");
}

/// RFC-0016:C-REPORT
#[test]
fn a_report_is_written_as_json_and_as_a_page() {
    let site = Site::new();
    let folder = site.project().join("demo-workspace");
    let markup = "<img src=x onerror=alert(1)> | `x`";
    let grading = json!({ "expectations": [{ "text": markup, "passed": false, "evidence": "none </td>" }] });
    put(&folder.join("iteration-1/eval-a/with_skill/grading.json"), grading.to_string());
    put(&folder.join("iteration-1/eval-a/eval_metadata.json"), json!({ "eval_name": markup }).to_string());
    let run =
        site.skc(["eval", "report", "demo-workspace", "--benchmark", "b.json", "--html", "b.html"]).ok();
    assert!(run.out.contains("Wrote b.json\nWrote b.html"), "{}", run.out);
    let written: Value = serde_json::from_slice(&fs::read(site.project().join("b.json")).unwrap()).unwrap();
    let mut printed = site.skc(["eval", "report", "demo-workspace/iteration-1", "-o", "json"]).ok().json();
    printed["metadata"]["timestamp"] = written["metadata"]["timestamp"].clone();
    assert_eq!(written, printed);
    assert_eq!(written["metadata"]["skill_name"], "demo");
    let page = fs::read_to_string(site.project().join("b.html")).unwrap();
    assert!(page.contains("Content-Security-Policy") && page.contains("Benchmark of demo"), "{page}");
    assert!(!page.contains("<img") && page.contains("&lt;img src=x onerror=alert(1)&gt;"), "{page}");
    assert!(!page.contains("http://") && !page.contains("https://"), "{page}");
    let markdown = site.skc(["eval", "report", "demo-workspace", "--format", "markdown"]).ok().out;
    assert!(markdown.contains("\\<img src=x onerror=alert(1)\\> \\| \\`x\\`"), "{markdown}");

    let again = ["eval", "report", "demo-workspace", "--benchmark", "b.json", "--html", "b.html"];
    site.skc(again).ok();
    for file in ["b.json", "b.html"] {
        put(&site.project().join(file), "{\"metadata\": {}}");
        site.skc(again).fails("E052");
        assert_eq!(fs::read_to_string(site.project().join(file)).unwrap(), "{\"metadata\": {}}");
        site.skc([&again[..], &["--force"]].concat()).ok();
    }
}

/// RFC-0016:C-REPORT
#[test]
fn a_folder_without_runs_is_refused() {
    let site = Site::new();
    put(&site.project().join("ws/eval-a/other/grading.json"), "{}");
    for line in [
        &["eval", "report"][..],
        &["eval", "report", "ws"],
        &["eval", "report", "gone"],
        &["eval", "report", "ws", "--queries", "q.json"],
        &["eval", "report", "ws", "--force"],
        &["eval", "discovery"],
        &["eval", "discovery", "ws", "--queries", "q.json", "--corpus", "."],
    ] {
        site.skc(line).fails("E100");
    }
    let run = site.skc(["eval", "report", "ws"]);
    assert!(run.err.contains("ws' has no run, such as eval-1/with_skill/grading.json"), "{}", run.err);
}
