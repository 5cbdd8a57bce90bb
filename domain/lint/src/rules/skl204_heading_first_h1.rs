//! SKL204: a file whose first heading is no title.

use crate::heading_line::heading_line;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

/// The rule.
pub static RULE: Rule = Rule {
    id: "SKL204",
    name: "heading-first-h1",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "The first heading says what a file is about. If it is not an H1, the file reads like a fragment, and lists \
          of files show no title for it.",
    fix: "Put a heading with one '#' before it.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("See [more](references/more.md).\n")),
        ("references/more.md", "# More\n\n## Part\n\nText.\n"),
    ])],
    bad: &[
        Example::new(&[
            ("SKILL.md", crate::skill_md!("See [more](references/more.md).\n")),
            ("references/more.md", "## More\n\nText.\n"),
        ]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows a rule. Use when needed.\n---\n\n## Before\n\nText.\n\n# Demo\n\nText.\n",
        )]),
    ],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown() else { return };
    if view.file.is_skill_md() && markup.body_start() == 0 && text.trim_start().starts_with("---") {
        // Front matter that is none (SKL100) is underlined by its own closing line.
        return;
    }
    let Some(first) = markup.headings.first().filter(|heading| heading.level > 1) else { return };
    report.at(heading_line(text, first), format!("first heading is an H{}, not an H1", first.level));
}
