//! SKL001: compiled skills are skipped.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};

pub static RULE: Rule = Rule {
    id: "SKL001",
    name: "skip-compiled",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "A compiled skill is a stub that a build generated; its author cannot fix findings there.",
    fix: "Lint the source that 'skc list -v' shows. With '--force' the stub is linted, and this rule reports that.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[],
    check: Check::Run,
};
