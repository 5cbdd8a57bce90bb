//! SKL410: evaluation cases that use two keys for their assertions.

use crate::eval_file::{EvalCase, EvalFile};
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL410",
    name: "eval-mixed-spelling",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("agentskills.io, Evaluating skills"),
    why: "The specification calls them `assertions`, skill-creator `expectations`. A program that reads one of them grades the other cases as if nothing was expected. A case with both is read by either.",
    fix: "Use `assertions` in every case.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("evals/evals.json", "{\"skill_name\": \"demo\", \"evals\": [\n  {\"id\": 1, \"prompt\": \"Show a rule.\", \"expected_output\": \"A rule.\", \"assertions\": [\"names it\"]},\n  {\"id\": 2, \"prompt\": \"Show a rule.\", \"expected_output\": \"A rule.\", \"assertions\": [\"names it\"]}\n]}\n"),
        ])],
    bad: &[Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("evals/evals.json", "{\"skill_name\": \"demo\", \"evals\": [\n  {\"id\": 1, \"prompt\": \"Show a rule.\", \"expected_output\": \"A rule.\", \"assertions\": [\"names it\"]},\n  {\"id\": 2, \"prompt\": \"Show a rule.\", \"expected_output\": \"A rule.\", \"expectations\": [\"names it\"]}\n]}\n"),
        ])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let EvalFile::Cases(cases) = &view.file.evals else { return };
    let has_assertions = cases.iter().any(|case| case.has_assertions);
    // A case with both is read by either kind of program.
    let has_only_expectations = |case: &&EvalCase| case.has_expectations && !case.has_assertions;
    let Some(other) = cases.iter().find(has_only_expectations).filter(|_| has_assertions) else { return };
    report.at(other.span.clone(), "cases have 'assertions' and 'expectations': programs read one of them");
}
