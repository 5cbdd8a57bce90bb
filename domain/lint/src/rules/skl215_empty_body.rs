//! SKL215: skills without instructions.

use crate::rules::skl100_frontmatter_valid::other_manifest;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL215",
    name: "empty-body",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("agnix CL-SK-004; the specification: the body contains the skill instructions"),
    why: "An agent that chooses the skill reads an empty text and learns nothing.",
    fix: "Write instructions for the agent below the front matter.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\n# skilllint-disable SKL202 -- there is no text at all\nname: demo\n\
         description: Shows how one rule works. Use when a rule needs an example.\n---\n\n",
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.skill_md() else { return };
    let start = markup.body_start();
    if text[start..].trim().is_empty() {
        let last = view.file.line_at(start.saturating_sub(1));
        let finding = report.whole(last, "no text below the front matter");
        if let Some(manifest) = other_manifest(view.context) {
            finding.tier(Tier::Style).hint(format!("the program that reads '{manifest}' may need none"));
        }
    }
}
