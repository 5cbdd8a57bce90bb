//! SKL113: a `compatibility` that is too long.

use skillc_domain::frontmatter::Value;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL113",
    name: "compatibility-length",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Specification("compatibility field"),
    why: "The specification allows 1 to 500 characters, and validators reject anything else.",
    fix: "State the requirements in one sentence, or remove the field; move details into the body.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
         compatibility: Needs git and network access.\n---\n\n# Demo\n\nText.\n",
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
         compatibility: \"\"\n---\n\n# Demo\n\nText.\n",
    )])],
    check: Check::File(check),
};

/// The specification's limit in characters.
const CHARS_MAX: usize = 500;

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(fields) = view.skill_fields() else { return };
    let Some((key, node)) = fields.fields.iter().rfind(|(key, _)| key.text() == Some("compatibility")) else {
        return;
    };
    let chars = match &node.value {
        Value::Null => 0,
        Value::Scalar { text, .. } => text.trim().chars().count(),
        Value::List(_) | Value::Map(_) => return,
    };
    if chars == 0 {
        report.at(key.span.clone(), "compatibility is empty");
    } else if chars > CHARS_MAX {
        report.at(node.span.clone(), format!("compatibility has {chars} characters (max: {CHARS_MAX})"));
    }
}
