//! SKL112: consecutive hyphens in `name`.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::scalar::part_of;
use crate::one_line::one_line;
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL112",
    name: "name-double-hyphen",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Specification("name field"),
    why: "The specification allows single hyphens only, and strict clients reject the skill.",
    fix: "Use a single hyphen, and rename the folder to match.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example {
        folder: "one--demo",
        files: &[(
            "SKILL.md",
            "---\nname: one--demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n---\n\n\
             # one--demo\n\nText.\n",
        )],
    }],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, _)) = view.skill_md() else { return };
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("name")) else { return };
    let Some(name) = node.text() else { return };
    if let Some(at) = name.find("--") {
        let hyphens = name[at..].bytes().take_while(|byte| *byte == b'-').count();
        let span = part_of(text, node, at..at + hyphens);
        report.at(span, format!("name '{}' contains hyphens in a row", one_line(name)));
    }
}
