//! SKL525: symbolic links that lead out of the skill.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::{IssueLocation, Report, SkillView};

pub static RULE: Rule = Rule {
    id: "SKL525",
    name: "link-leaves-skill",
    severity: Severity::Error,
    tier: Tier::Harms,
    origin: Origin::Field("CWE-59, for which skilo refuses links; OpenClaw holds real paths inside the skill"),
    why: "Anyone who opens or copies the skill reads or overwrites the target on their own machine; if the target \
          does not exist, part of the skill is missing.",
    fix: "Replace the link with a copy of the file.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("See [notes](notes.md).\n")), ("notes.md", "# Notes\n\nText.\n")])],
    bad: &[],
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    for path in &view.context.survey.escaping {
        let message = format!("symbolic link leaves the skill: '{}'", one_line(path.as_str()));
        report.elsewhere(path, IssueLocation::File, message);
    }
}
