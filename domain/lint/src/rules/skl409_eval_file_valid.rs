//! SKL409: evaluation files that no program can run.

use crate::eval_file::EvalFile;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL409",
    name: "eval-file-valid",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("agentskills.io, Evaluating skills"),
    why: "Programs that evaluate a skill skip a file that is not JSON, or a case without its prompt, often silently: the skill passes because nothing was asked. \
          A file that is JSON of another form as a whole, as another program may have it, is of the tier 'style'.",
    fix: "Correct the JSON. A case has `id`, `prompt` and `expected_output`; a query has `query` and `should_trigger`.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("evals/evals.json", "{\"skill_name\": \"demo\", \"evals\": [\n  {\"id\": 1, \"prompt\": \"Show a rule.\", \"expected_output\": \"A rule.\", \"assertions\": [\"names it\"]}\n]}\n"),
        ])],
    bad: &[Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("evals/evals.json", "{\"skill_name\": \"demo\", \"evals\": [\n  {\"id\": 1, \"expected_output\": \"A rule.\"}\n]}\n"),
        ])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    if let EvalFile::Invalid(flaw) = &view.file.evals {
        let finding = report.at(flaw.span.clone(), flaw.message.clone());
        if flaw.is_other_form {
            finding.tier(Tier::Style);
        }
    }
}
