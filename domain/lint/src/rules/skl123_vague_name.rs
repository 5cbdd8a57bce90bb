//! SKL123: names that could be those of any skill.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL123",
    name: "vague-name",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Client(
        "Anthropic's platform",
        "https://platform.claude.com/docs/en/agents-and-tools/agent-skills/best-practices",
    ),
    why: "A name such as 'helper' does not tell an agent when to choose the skill, and is likely to collide with a \
          skill of another store.",
    fix: "Name what the skill does and to what: 'pdf-forms', 'release-notes'.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example {
        folder: "helper",
        files: &[(
            "SKILL.md",
            "---\nname: helper\ndescription: Shows how one rule works. Use when a rule needs an example.\n---\n\n\
             # Helper\n\nText.\n",
        )],
    }],
    check: Check::File(check),
};

/// Names without meaning: those in the documentation, and similar ones.
const NAMES: [&str; 28] = [
    "agent",
    "assistant",
    "common",
    "data",
    "doc",
    "docs",
    "document",
    "documents",
    "file",
    "files",
    "general",
    "helper",
    "helpers",
    "misc",
    "my-skill",
    "new-skill",
    "shared",
    "skill",
    "skill-name",
    "skills",
    "stuff",
    "template",
    "tool",
    "tools",
    "util",
    "utilities",
    "utility",
    "utils",
];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("name")) else { return };
    let Some(name) = node.text() else { return };
    if NAMES.contains(&name.trim().to_ascii_lowercase().as_str()) {
        report.at(node.span.clone(), format!("name '{name}' says nothing about the skill"));
    }
}
