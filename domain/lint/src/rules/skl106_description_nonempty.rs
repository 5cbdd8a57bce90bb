//! SKL106: an empty description.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL106",
    name: "description-nonempty",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "An agent sees only the description when it chooses a skill. Most clients drop a skill whose description is \
          empty.",
    fix: "Write what the skill does and when to use it.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example::new(&[("SKILL.md", "---\nname: demo\ndescription: \"  \"\n---\n\n# Demo\n")])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("description")) else { return };
    if node.text().is_some_and(|text| text.trim().is_empty()) {
        report.at(node.span.clone(), "description is empty");
    }
}
