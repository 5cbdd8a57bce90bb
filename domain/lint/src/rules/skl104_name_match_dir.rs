//! SKL104: a name that differs from the folder's.

use crate::fix::Fix;
use crate::name_value::name_value;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::rules::skl102_name_format;
use crate::rules::skl209_placeholder::is_unfilled;
use crate::set_aside::client_in_name;
use crate::view::SkillContext;
use crate::{FileView, Finding, Report};
use skillc_domain::path::RelPath;

pub static RULE: Rule = Rule {
    id: "SKL104",
    name: "name-match-dir",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "The specification requires both to be the same. Some clients drop the skill, and commands that look for \
          the folder's name do not find it. A name that SKL102 reports has to change anyway, and is not reported here. \
          The tier is 'style' in a folder called 'skill', 'agent_skills' or the like, and in one called 'data', 'templates' \
          or the like that is not directly below 'skills', in a Python package, and in a folder named after a client, such as 'codex' or 'codex-demo': what installs the skill from there names the copy. It is also \
          'style' if all skills beside it have the same prefix, most of them before the folder's name, and in the root of a repository ('.git', '.gitignore' or '.github') or the source of a package, together with unmentioned files: \
          the folder or one above it has a manifest such as package.json, the skill has no skills beside it, and the folder \
          above it is not one of skills.",
    fix: "Give the folder and 'name' the same value.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example { folder: "other", files: &[("SKILL.md", crate::skill_md!("Text.\n"))] }],
    check: Check::File(check),
};

/// Folders of a package from which its installer copies the only skill.
const SOURCE_FOLDERS: [&str; 7] = ["canonical", "skill", "skills", "agent-skill", "agent-skills", "agent_skill", "agent_skills"];

/// Folders of a package or repository that contain a skill without being named after it, unless they are below
/// `skills`.
const CONTAINERS: [&str; 26] = [
    "antigravity", "assets", "build", "bundle", "claude", "clawdbot", "codex", "copilot", "cursor", "gemini", "openclaw", "opencode", "content", "data", "dist", "lib", "out", "output", "package", "prompts",
    "resources", "skill-template", "skills-manifest", "src", "template", "templates",
];
/// The folder whose subfolders clients load as skills.
const STORE: &str = "skills";

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("name")) else { return };
    let Some(name) = node.text().filter(|name| !name.trim().is_empty()) else { return };
    let folder = view.context.folder.as_str();
    if name == folder || folder.is_empty() || is_unfilled(view) {
        return;
    }
    if skl102_name_format::rejects(name, &view.context.settings) {
        return;
    }
    let message = format!("name '{}' does not match directory '{}'", one_line(name), one_line(folder));
    let finding = report.at(node.span.clone(), message);
    // The folder of a version: `demo/1`.
    let is_version = folder.bytes().all(|byte| byte.is_ascii_digit()) && view.context.parent == name;
    if is_container(folder, &view.context.parent) || is_package(view) || is_version {
        finding.tier(Tier::Style);
    } else if client_in_name(folder, name).is_some() {
        finding.tier(Tier::Style).hint("the folder is named after a client, which may get the skill under its own name");
    } else if let Some(value) = name_value(folder) {
        finding.fix(Fix::risky(format!("rename to '{folder}'"), node.span.clone(), value));
    }
}

/// Whether the folder is a Python package, whose name may not contain hyphens.
fn is_package(view: &FileView<'_>) -> bool {
    RelPath::parse("__init__.py").is_ok_and(|path| view.context.has_file(&path))
}

/// Whether a folder holds a skill only until it is installed under its name.
fn is_container(folder: &str, parent: &str) -> bool {
    SOURCE_FOLDERS.contains(&folder) || CONTAINERS.contains(&folder) && parent != STORE
}

/// The prefix that all names have, and most have before their folder's name: `audit` for `audit-quality` in
/// `quality`, `audit-finance` in `finance` and `audit-review` in `check`.
pub fn shared_prefix<'n>(skills: impl Iterator<Item = (&'n str, &'n str)> + Clone) -> Option<&'n str> {
    let first = skills.clone().find_map(|(name, folder)| prefix(name, folder))?;
    let has_it = |name: &str| name.strip_prefix(first).is_some_and(|rest| rest.starts_with('-'));
    let before_folder = skills.clone().filter(|(name, folder)| prefix(name, folder) == Some(first)).count();
    let is_most = before_folder > 1 && before_folder * 2 > skills.clone().count();
    (is_most && skills.clone().all(|(name, _)| has_it(name))).then_some(first)
}

fn prefix<'n>(name: &'n str, folder: &str) -> Option<&'n str> {
    name.strip_suffix(folder)?.strip_suffix('-').filter(|prefix| !prefix.is_empty())
}

/// Lowers findings about a name that has the same prefix as those of all skills beside it.
pub fn weigh_prefixed<'f>(findings: impl Iterator<Item = &'f mut Finding>, prefix: &str) {
    for finding in findings.filter(|finding| finding.rule.id == RULE.id) {
        let hint = format!("all skills beside it are called '{}-…' as well", one_line(prefix));
        finding.issue.tier(Tier::Style).hint(hint);
    }
}

/// Files of a package that installs the skills in it.
pub const MANIFESTS: [&str; 7] =
    ["package.json", "pyproject.toml", "setup.py", "setup.cfg", "__init__.py", "Cargo.toml", "go.mod"];

/// Whether a folder may be the source of a skill that is installed under its own name elsewhere: its name differs from
/// the skill's, and the folder above it is not one of skills.
pub fn may_be_source(context: &SkillContext, findings: &[Finding]) -> bool {
    !context.parent.to_ascii_lowercase().ends_with(STORE) && findings.iter().any(|finding| finding.rule.id == RULE.id)
}

/// Whether a skill's folder is that of a plugin for OpenClaw or the like, whose manifest lists the skills.
pub fn is_beside_plugin(context: &SkillContext) -> bool {
    context.survey.files.iter().any(|file| file.path.folder().is_empty() && file.path.name().ends_with(".plugin.json"))
}

/// Lowers findings about the name and about unmentioned files in a folder from which a package installs the skill.
pub fn weigh_source(findings: &mut [Finding]) {
    let is_of_folder = |finding: &&mut Finding| [RULE.id, "SKL401", "SKL402"].contains(&finding.rule.id);
    for finding in findings.iter_mut().filter(is_of_folder) {
        finding.issue.tier(Tier::Style).hint("the folder is that of a package or repository, which may install the skill under its own name");
    }
}

/// Lowers the finding about a name if code of the project names the skill and its folder.
pub fn weigh_installed(findings: &mut [Finding], is_installed: impl Fn() -> bool) {
    let is_shown = |finding: &&mut Finding| finding.rule.id == RULE.id && finding.tier() != Tier::Style;
    if let Some(finding) = findings.iter_mut().find(is_shown).filter(|_| is_installed()) {
        finding.issue.tier(Tier::Style).hint("code of the project names both, and may install the skill under its own name");
    }
}

#[cfg(test)]
mod tests {
    use super::shared_prefix;

    #[test]
    fn a_prefix_is_shared_if_every_name_has_it_and_most_before_the_folder() {
        for (skills, expected) in [
            (&[("a-x", "x"), ("a-y-z", "y-z")][..], Some("a")),
            (&[("a-x", "x"), ("a-y", "y"), ("a-z", "other")], Some("a")),
            (&[("a-x", "x"), ("a-y", "why"), ("a-z", "other")], None),
            (&[("a-x", "x"), ("a-y", "y"), ("use-a", "use-a")], None),
            (&[("a-x", "x")], None),
            (&[("a-x", "x"), ("b-y", "y")], None),
            (&[("a-x", "x"), ("y", "y")], None),
            (&[("ax", "x"), ("ay", "y")], None),
            (&[], None),
        ] {
            assert_eq!(shared_prefix(skills.iter().copied()), expected, "{skills:?}");
        }
    }
}
