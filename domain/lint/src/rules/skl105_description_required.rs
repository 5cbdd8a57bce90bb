//! SKL105: a skill without a description.

use crate::required_field::check_required;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL105",
    name: "description-required",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "An agent sees only the description when it chooses a skill. Most clients drop a skill without one.",
    fix: "Add 'description:' to the front matter: what the skill does and when to use it.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[
        Example::new(&[("SKILL.md", "---\nname: demo\n---\n\n# Demo\n")]),
        Example::new(&[("SKILL.md", "---\nname: demo\ndescription: ~\n---\n\n# Demo\n")]),
        Example::new(&[("SKILL.md", "---\nname: demo\ndescription:\n  - Shows a rule.\n---\n\n# Demo\n")]),
    ],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    check_required(view, "description", report);
}
