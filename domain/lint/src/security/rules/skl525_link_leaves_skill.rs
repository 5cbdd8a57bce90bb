//! SKL525: symbolic links that lead out of the skill.

use crate::rule::{Check, Example, Origin, Rule, Severity};
use crate::shown::shown;
use crate::{Location, Report, SkillView};

/// The rule.
pub static RULE: Rule = Rule {
    id: "SKL525",
    name: "link-leaves-skill",
    severity: Severity::Error,
    origin: Origin::Field("CWE-59, for which skilo refuses links; OpenClaw holds real paths inside the skill"),
    why: "Whoever opens or copies the skill gets, or overwrites, what the link leads to on their own machine; and where \
          the link leads nowhere, a part of the skill is missing.",
    fix: "Put a copy of the file into the skill, and remove the link.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("See [notes](notes.md).\n")), ("notes.md", "# Notes\n\nText.\n")])],
    bad: &[],
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    for path in &view.scene.survey.escaping {
        let message = format!("symbolic link leads out of the skill: '{}'", shown(path.as_str()));
        report.elsewhere(path, Location::File, message);
    }
}
