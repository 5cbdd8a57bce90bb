//! RFC-0008:C-DIAGNOSTICS: which findings the text output shows, and in which order.

use crate::site::{Run, Site, skill_md};

/// A skill with a dead link in every file, an orphaned file, and headings with style findings.
fn repeated() -> Site {
    let site = Site::new();
    let files = ["a", "b", "c", "d", "e", "f"];
    let links: String = files.iter().map(|name| format!("[{name}](rules/{name}.md) ")).collect();
    site.write_skill("demo", &format!("# demo\n\n{links}\n"));
    for name in files {
        site.write("demo", &format!("rules/{name}.md"), format!("## {name}\n\n[x](none-{name}.md)\n"));
    }
    site.write("demo", "notes.md", "# Notes\n");
    site
}

fn heads(run: &Run) -> Vec<&str> {
    run.err.lines().filter(|line| line.contains("[SKL")).collect()
}

/// RFC-0008:C-DIAGNOSTICS
#[test]
fn matters_of_style_are_one_line_for_each_rule() {
    let site = repeated();
    let run = site.skc(["lint", "demo"]);
    assert!(run.err.ends_with("\nSKL204 heading-first-h1: 6 in 6 files; `--select SKL204`\n"), "{}", run.err);
    let shown = site.skc(["lint", "demo", "--select", "SKL204"]);
    assert_eq!((heads(&shown).len(), shown.status), (6, 0), "{}", shown.err);
}

/// RFC-0008:C-DIAGNOSTICS
#[test]
fn repeated_findings_of_a_rule_are_folded_after_three() {
    let run = repeated().skc(["lint", "demo"]);
    let links: Vec<&str> = heads(&run).into_iter().filter(|line| line.contains("[SKL301]")).collect();
    assert_eq!(links.len(), 4, "{}", run.err);
    assert_eq!(links[3], ".skillc/skills/demo/rules/: error[SKL301]: and 3 more; `--select SKL301`");
}

/// RFC-0008:C-DIAGNOSTICS
#[test]
fn the_gravest_findings_come_first() {
    let site = repeated();
    site.write(
        "demo",
        "SKILL.md",
        skill_md("demo", "# demo\n\n[rules](rules)\n").replace(" Use when testing", ""),
    );
    let run = site.skc(["lint", "demo"]);
    let at = |rule: &str| run.err.find(rule).unwrap_or_else(|| panic!("no {rule} in {}", run.err));
    assert!(at("[SKL301]") < at("[SKL108]") && at("[SKL108]") < at("SKL204"), "{}", run.err);
}

/// RFC-0008:C-PROFILES
#[test]
fn a_client_that_drops_the_skill_is_named_first_and_in_the_verdict() {
    let site = Site::new();
    let long = "long ".repeat(250);
    site.write("demo", "SKILL.md", skill_md("demo", "# demo\n").replace("Does demo", &long));
    let run = site.skc(["lint", "demo"]);
    let first = run.err.lines().next().unwrap();
    assert!(first.starts_with(".skillc/skills/demo/SKILL.md: dropped by "), "{}", run.err);
    assert!(first.contains("codex") && first.contains(" — "), "{first}");
    assert!(run.out.contains("\nverdict: dropped by "), "{}", run.out);
    assert_eq!((run.status, site.skc(["lint", "demo", "--exit-on", "verdict"]).status), (0, 1));
    let reply = site.skc(["lint", "demo", "--format", "json"]).json();
    assert_eq!(reply["skills"][0]["dropped_by"][0]["client"], "codex");
    let other = site.skc(["lint", "demo", "--profile", "cursor"]);
    assert!(!other.err.contains("dropped by"), "a chosen client counts alone: {}", other.err);
}

/// RFC-0008:C-DIAGNOSTICS
#[test]
fn rules_are_selected_and_ignored_by_tier_id_prefix_and_name() {
    let site = repeated();
    let of = |line: &[&str]| {
        let run = site.skc(["lint", "demo", "--format", "json"].iter().chain(line));
        let mut rules: Vec<String> = run.json()["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .map(|d| d["rule"].as_str().unwrap().to_owned())
            .collect();
        rules.dedup();
        rules.sort();
        rules.dedup();
        rules
    };
    assert_eq!(of(&["--select", "breaks"]), ["SKL301"]);
    assert_eq!(of(&["--select", "SKL2,no-orphans"]), ["SKL204", "SKL401"]);
    assert_eq!(of(&["--ignore", "style", "--ignore", "skl4"]), ["SKL301"]);
    assert_eq!(site.skc(["lint", "demo", "--ignore", "SKL301"]).status, 0, "what is ignored does not fail");
    for option in ["--select", "--ignore"] {
        site.skc(["lint", "demo", option, "SKL9"]).fails("E100");
    }
}

/// RFC-0008:C-DIAGNOSTICS
#[test]
fn the_quiet_form_is_a_line_for_each_finding_and_statistics_count_them() {
    let site = repeated();
    let quiet = site.skc(["lint", "demo", "-q"]);
    assert_eq!((quiet.out.as_str(), heads(&quiet).len()), ("", quiet.err.lines().count()), "{}", quiet.err);
    let counted = site.skc(["lint", "demo", "--statistics"]);
    assert_eq!(counted.err, "");
    assert!(
        counted.out.starts_with("FINDINGS  FILES  TIER    RULE\n6         6      style   SKL204"),
        "{}",
        counted.out
    );
    let few = site.skc(["lint", "demo", "--max", "1"]);
    assert_eq!(heads(&few).len(), 1, "{}", few.err);
    assert!(few.err.contains("more findings; raise --max "), "{}", few.err);
}

/// RFC-0008:C-FORMATS
#[test]
fn a_report_is_written_to_a_file_in_the_form_of_its_extension() {
    let site = repeated();
    for (file, part) in [("a.json", "\"diagnostics\""), ("a.sarif", "\"ruleId\""), ("a.txt", "[SKL301]")] {
        for _ in 0..2 {
            let run = site.skc(["lint", "demo", "--output", file]);
            assert_eq!((run.status, run.err.as_str()), (1, ""), "{}", run.out);
            assert!(run.out.contains("verdict: spec "), "{}", run.out);
        }
        let text = std::fs::read_to_string(site.project().join(file)).unwrap();
        assert!(text.contains(part), "{file}: {text}");
    }
    crate::site::put(&site.project().join("mine.txt"), "mine");
    site.skc(["lint", "demo", "--output", "mine.txt"]).fails("E052");
}
