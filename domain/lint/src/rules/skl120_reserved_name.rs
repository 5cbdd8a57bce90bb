//! SKL120: names that are reserved for Anthropic.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::scalar::part_of;
use crate::one_line::one_line;
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL120",
    name: "reserved-name",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Client(
        "Anthropic's platform",
        "https://platform.claude.com/docs/en/build-with-claude/skills-guide",
    ),
    why: "Anthropic's platform rejects a name that contains one of its reserved words, and users may take the skill \
          for an official one. A skill that is not uploaded there is not affected.",
    fix: "Name the skill after what it does.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("For Claude and others.\n"))])],
    bad: &[Example {
        folder: "claude-demo",
        files: &[(
            "SKILL.md",
            "---\nname: claude-demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n---\n\n\
             # claude-demo\n\nText.\n",
        )],
    }],
    check: Check::File(check),
};

/// Words that a name must not contain.
const WORDS: [&str; 2] = ["anthropic", "claude"];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((file, _)) = view.skill_md() else { return };
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("name")) else { return };
    let Some(name) = node.text() else { return };
    let mut at = 0;
    for word in name.split(|c: char| !c.is_alphanumeric()) {
        if WORDS.iter().any(|reserved| word.eq_ignore_ascii_case(reserved)) {
            let span = part_of(file, node, at..at + word.len());
            report.at(span, format!("name '{}' contains the reserved word '{word}'", one_line(name)));
            return;
        }
        let behind = at + word.len();
        at = behind + name[behind..].chars().next().map_or(0, char::len_utf8);
    }
}
