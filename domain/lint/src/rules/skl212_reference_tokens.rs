//! SKL212: a reference file that takes too many tokens.

use crate::rule::{Check, Example, Origin, Param, Rule, Severity, Tier};
use crate::tokens::tokens;
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL212",
    name: "reference-tokens",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Specification("progressive disclosure: keep individual reference files focused"),
    why: "A reference file is usually read whole; one of ten thousand tokens costs twice as much as SKILL.md may, to \
          answer one question.",
    fix: "Split the file by topic, and say in SKILL.md when to read each part.",
    params: &[Param {
        name: "max-tokens",
        default: 10_000,
        meaning: "maximum tokens of a Markdown file other than SKILL.md; an estimate, within 9 % for most texts",
    }],
    patterns: &[],
    good: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("See [the reference](reference.md).\n")),
        ("reference.md", "# Reference\n\nText.\n"),
    ])],
    bad: &[Example::new(&[
        (".skilllint.toml", "[rules]\nSKL212 = { max-tokens = 20 }\n"),
        ("SKILL.md", crate::skill_md!("See [the reference](reference.md).\n")),
        (
            "reference.md",
            "# Reference\n\nMore than a setting allows: far more than twenty tokens in a text that says nothing else.\n",
        ),
    ])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown().filter(|_| !view.file.is_skill_md()) else { return };
    let max = RULE.param(&view.context.settings, "max-tokens") as usize;
    // A token has at least one byte.
    let found = if text.len() > max { tokens(text) } else { 0 };
    if found > max {
        let title = markup.headings.first().map_or(0, |heading| heading.offset);
        report.whole(view.file.line_at(title), format!("file has about {found} tokens (max: {max})"));
    }
}
