//! SKL412: trigger queries that are all of one kind.

use crate::eval_file::EvalFile;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL412",
    name: "trigger-queries-balanced",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("agentskills.io, Optimizing descriptions"),
    why: "A description that triggers on everything passes queries that should all trigger, and one that never triggers passes the others. Eight to ten of each kind distinguish them.",
    fix: "Add queries of the other kind; the best that should not trigger are near misses.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("evals/eval_queries.json", "[\n  {\"query\": \"how do I check one thing\", \"should_trigger\": true},\n  {\"query\": \"which check covers this case\", \"should_trigger\": true},\n  {\"query\": \"write a poem about the sea\", \"should_trigger\": false},\n  {\"query\": \"book a table for two\", \"should_trigger\": false}\n]\n"),
        ])],
    bad: &[Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("evals/eval_queries.json", "[\n  {\"query\": \"how do I check one thing\", \"should_trigger\": true},\n  {\"query\": \"which check covers this case\", \"should_trigger\": true},\n  {\"query\": \"is there something that checks names\", \"should_trigger\": true},\n  {\"query\": \"what does this check mean\", \"should_trigger\": true}\n]\n"),
        ])],
    check: Check::File(check),
};

/// Number of queries from which a file is complete enough to be judged.
const QUERIES_MIN: usize = 4;
/// Each kind must have at least one in this many queries; the guide recommends about half.
const PART_MIN: usize = 4;

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let EvalFile::Queries(queries) = &view.file.evals else { return };
    let Some(first) = queries.first().filter(|_| queries.len() >= QUERIES_MIN) else { return };
    let meant = queries.iter().filter(|query| query.should_trigger).count();
    let (fewer, what) = match meant * 2 > queries.len() {
        true => (queries.len() - meant, "should not trigger"),
        false => (meant, "should trigger"),
    };
    if fewer * PART_MIN < queries.len() {
        let message = format!("{fewer} of {} queries {what}", queries.len());
        report.whole(first.span.clone(), message);
    }
}
