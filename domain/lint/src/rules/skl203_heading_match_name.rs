//! SKL203: a title that differs from the skill's name.

use skillc_domain::text::case_fold::fold;
use crate::heading_line::heading_line;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL203",
    name: "heading-match-name",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "If the title does not contain the skill's name, the catalog and the text seem to describe two different \
          skills.",
    fix: "Put the name into the first H1, with spaces for hyphens: '# My Skill Guide' for 'my-skill'.",
    params: &[],
    patterns: &[],
    good: &[
        Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))]),
        Example {
            folder: "my-demo",
            files: &[(
                "SKILL.md",
                "---\nname: my-demo\ndescription: Shows a rule. Use when needed.\n---\n\n# The MY Demo Guide\n",
            )],
        },
    ],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows a rule. Use when a rule needs an example.\n---\n\n# Other\n",
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.skill_md() else { return };
    let name = view.skill_fields().and_then(|fields| fields.get("name")).and_then(|node| node.text());
    let Some(name) = name.filter(|name| !name.trim().is_empty()) else { return };
    let Some(title) = markup.headings.iter().find(|heading| heading.level == 1) else { return };
    if !holds(&title.text, name) {
        let message =
            format!("first heading '{}' does not contain the name '{}'", one_line(&title.text), one_line(name));
        report.whole(heading_line(text, title), message);
    }
}

/// Whether a heading contains a name. Case, spaces and punctuation are ignored: `Next.js Patterns` contains
/// `nextjs-patterns`.
fn holds(heading: &str, name: &str) -> bool {
    letters(heading).contains(&letters(name))
}

fn letters(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0008:C-REGISTRY
    #[test]
    fn a_heading_holds_a_name_whatever_case_and_signs() {
        for (heading, name, expected) in [
            ("My Skill Guide", "my-skill", true),
            ("my-skill", "my-skill", true),
            ("The MY  SKILL", "my-skill", true),
            ("Über-Prüfung", "über-prüfung", true),
            ("MySkill: X", "my-skill", true),
            ("CI/CD & Deploy", "ci-cd-deploy", true),
            ("Skill", "my-skill", false),
            ("", "a", false),
        ] {
            assert_eq!(holds(heading, name), expected, "{heading}");
        }
    }
}
