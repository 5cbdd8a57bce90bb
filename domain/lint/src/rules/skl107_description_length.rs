//! SKL107: a `description` that is too long.

use crate::rule::{Check, Example, Origin, Param, Rule, Severity, Tier};
use crate::{FileView, Report};

/// A sentence of 64 characters, including a space.
macro_rules! sentence {
    () => {
        "Each sentence of this text is one of many that say all the same. "
    };
}

pub static RULE: Rule = Rule {
    id: "SKL107",
    name: "description-length",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "The specification allows 1024 characters. Some clients drop a skill with more and others truncate the \
          text; every character costs context in each conversation.",
    fix: "Keep what the skill does and when to use it; move the rest into the body.",
    params: &[Param { name: "max-chars", default: 1024, meaning: "characters of a description" }],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example::new(&[(
        "SKILL.md",
        concat!(
            "---\nname: demo\ndescription: Use when a rule needs an example. ",
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            sentence!(),
            "\n---\n\n# Demo\n"
        ),
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("description")) else { return };
    let Some(text) = node.text() else { return };
    let max = RULE.param(&view.context.settings, "max-chars");
    // The line break that ends a block scalar was not written by the author.
    let chars = text.trim_end_matches('\n').chars().count();
    if u32::try_from(chars).unwrap_or(u32::MAX) > max {
        report.at(node.span.clone(), format!("description has {chars} characters (max: {max})"));
    }
}
