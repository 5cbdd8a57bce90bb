//! SKL411: evaluation cases with the same id.

use crate::eval_file::EvalFile;
use crate::one_line::one_line;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    id: "SKL411",
    name: "eval-id-unique",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("agentskills.io, Evaluating skills"),
    why: "Results are stored by the id of their case: if two cases have the same id, the second overwrites the first, or both count as one.",
    fix: "Give each case a unique id.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("evals/evals.json", "{\"skill_name\": \"demo\", \"evals\": [\n  {\"id\": 1, \"prompt\": \"Show a rule.\", \"expected_output\": \"A rule.\", \"assertions\": [\"names it\"]},\n  {\"id\": 2, \"prompt\": \"Show a rule.\", \"expected_output\": \"A rule.\", \"assertions\": [\"names it\"]}\n]}\n"),
        ])],
    bad: &[Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("evals/evals.json", "{\"skill_name\": \"demo\", \"evals\": [\n  {\"id\": 1, \"prompt\": \"Show a rule.\", \"expected_output\": \"A rule.\", \"assertions\": [\"names it\"]},\n  {\"id\": 1, \"prompt\": \"Show a rule.\", \"expected_output\": \"A rule.\", \"assertions\": [\"names it\"]}\n]}\n"),
        ])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let EvalFile::Cases(cases) = &view.file.evals else { return };
    let mut seen = BTreeSet::new();
    for case in cases {
        if let Some(id) = case.id.as_deref().filter(|id| !seen.insert(*id)) {
            report.at(case.span.clone(), format!("id '{}' is that of an earlier case", one_line(id)));
        }
    }
}
