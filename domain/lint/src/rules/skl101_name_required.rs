//! SKL101: a skill without a name.

use crate::name_value::name_value;
use crate::required_field::{check_required, inserted};
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::rules::skl209_placeholder::is_template;
use crate::{FileView, Finding, Report};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL101",
    name: "name-required",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "A skill is listed and found by its name. Without one, some clients use the folder's name and others drop \
          the skill. In a plugin of Claude Code, which uses the folder's name, the tier is 'style', and so it is in '.claude/skills' if no skill there has a name.",
    fix: "Add 'name:' with the name of the skill's folder to the front matter.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[
        Example::new(&[(
            "SKILL.md",
            "---\ndescription: Shows a rule. Use when a rule needs an example.\n---\n\n# Demo\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname:\ndescription: Shows a rule. Use when a rule needs an example.\n---\n\n# Demo\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: [demo]\ndescription: Shows a rule. Use when a rule needs an example.\n---\n\n# Demo\n",
        )]),
    ],
    check: Check::File(check),
};

/// Lowers findings about a name in a plugin of Claude Code, or in a folder of its skills of which none has a name.
pub fn weigh_in_plugin<'f>(findings: impl IntoIterator<Item = &'f mut Finding>) {
    for finding in findings.into_iter().filter(|finding| finding.rule.id == RULE.id) {
        finding.issue.tier(Tier::Style).hint("Claude Code takes the folder's name; other clients drop the skill");
    }
}

/// Lowers the finding about a skill that is built into a program, which may take the name of its folder.
pub fn weigh_built_in(findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|finding| finding.rule.id == RULE.id) {
        finding.issue.tier(Tier::Style).hint("the program that the skill is built into may take the folder's name; other clients drop the skill");
    }
}

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    // The placeholder `name: [TODO: …]` of a skill template is filled in with the rest of it.
    let is_placeholder = |span: &Range<usize>| view.file.slice(span).starts_with("[TODO");
    let name = view.skill_fields().and_then(|fields| fields.get("name"));
    if is_template(view) && name.is_some_and(|name| is_placeholder(&name.span)) {
        return;
    }
    let Some(finding) = check_required(view, "name", report) else { return };
    if let Some(fix) = name_value(&view.context.folder).and_then(|name| inserted(view, "name", &name)) {
        finding.fix(fix);
    }
}
