//! SKL002: directives without effect.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};

pub static RULE: Rule = Rule {
    id: "SKL002",
    name: "unused-directive",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Clause("RFC-0008:C-DIRECTIVES"),
    why: "A directive that silences nothing hides findings that appear below it later; one that names no rule does \
          not do what its author intended.",
    fix: "Remove the directive, or correct the rule id in it.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n---\n\n# Other\n\n\
         <!-- skilllint-disable SKL203 -->\n",
    )])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("<!-- skilllint-disable SKL203 -->\n\nText.\n"))]),
        Example::new(&[("SKILL.md", crate::skill_md!("Text. <!-- skilllint-disable-line SKL000 -->\n"))]),
    ],
    check: Check::Run,
};
