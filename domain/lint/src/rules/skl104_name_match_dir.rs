//! SKL104: a name that differs from the folder's.

use crate::fix::Fix;
use crate::name_value::name_value;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::rules::skl102_name_format;
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL104",
    name: "name-match-dir",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "The specification requires both to be the same. Some clients drop the skill, and commands that look for \
          the folder's name do not find it. It is not reported if the fix of SKL102 gives the folder's name. The \
          tier is 'style' in a folder called 'skill', 'agent_skills' or the like: what installs the skill from there names the copy.",
    fix: "Give the folder and 'name' the same value.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example { folder: "other", files: &[("SKILL.md", crate::skill_md!("Text.\n"))] }],
    check: Check::File(check),
};

/// Folders of a package from which its installer copies the only skill.
const SOURCE_FOLDERS: [&str; 6] = ["skill", "skills", "agent-skill", "agent-skills", "agent_skill", "agent_skills"];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("name")) else { return };
    let Some(name) = node.text().filter(|name| !name.trim().is_empty()) else { return };
    let folder = view.context.folder.as_str();
    if name == folder || folder.is_empty() {
        return;
    }
    if skl102_name_format::corrects_to(name, folder, &view.context.settings) {
        return;
    }
    let message = format!("name '{}' does not match directory '{}'", one_line(name), one_line(folder));
    let finding = report.at(node.span.clone(), message);
    if SOURCE_FOLDERS.contains(&folder) {
        finding.tier(Tier::Style);
    } else if let Some(value) = name_value(folder) {
        finding.fix(Fix::risky(format!("rename to '{folder}'"), node.span.clone(), value));
    }
}
