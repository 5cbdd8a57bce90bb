//! SKL103: a `name` that is too long.

use skillc_domain::limits::SKILL_NAME_CHARS_MAX;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::{FileView, Report};

/// A name of 65 characters.
macro_rules! long_name {
    () => {
        "a-name-that-goes-on-and-on-until-it-is-one-character-too-long-now"
    };
}

pub static RULE: Rule = Rule {
    id: "SKL103",
    name: "name-length",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "Clients refuse or silently drop a skill whose name is empty or longer than 64 characters.",
    fix: "Choose a name of 1 to 64 characters, and use it for the folder too.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example {
        folder: long_name!(),
        files: &[(
            "SKILL.md",
            concat!(
                "---\nname: ",
                long_name!(),
                "\ndescription: Shows a rule. Use when a rule needs an example.\n---\n\n# ",
                long_name!(),
                "\n"
            ),
        )],
    }],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("name")) else { return };
    let Some(name) = node.text() else { return };
    let chars = name.chars().count();
    if name.trim().is_empty() {
        report.at(node.span.clone(), "name is empty");
    } else if chars > SKILL_NAME_CHARS_MAX {
        let message =
            format!("name '{}' has {chars} characters (max: {SKILL_NAME_CHARS_MAX})", one_line(name));
        report.at(node.span.clone(), message);
    }
}
