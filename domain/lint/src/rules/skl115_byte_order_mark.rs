//! SKL115: a byte order mark before the front matter.

use crate::fix::Fix;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL115",
    name: "byte-order-mark",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Client("Claude Code", "https://github.com/anthropics/claude-code CHANGELOG.md, 2.1.239"),
    why: "A reader that expects '---' at the very start finds three other bytes and assumes that there is no front \
          matter, so the skill has no name and no description.",
    fix: "Save the file as UTF-8 without a byte order mark.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example::new(&[(
        "SKILL.md",
        "\u{feff}---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n---\n\n\
         # Demo\n\nText.\n",
    )])],
    check: Check::File(check),
};

const MARK: char = '\u{feff}';

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let text = view.file.text.as_deref().filter(|_| view.file.is_skill_md()).unwrap_or_default();
    if text.starts_with(MARK) {
        let span = 0..MARK.len_utf8();
        let finding = report.whole(span.clone(), "file begins with a byte order mark");
        finding.fix(Fix::safe("remove the byte order mark", span, ""));
    }
}
