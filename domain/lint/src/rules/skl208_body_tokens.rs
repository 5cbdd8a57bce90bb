//! SKL208: a `SKILL.md` that takes too many tokens.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::rules::skl201_skill_size;
use crate::size_limit::{MAX_TOKENS, max_tokens};
use crate::tokens::tokens;
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL208",
    name: "body-tokens",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Specification("progressive disclosure"),
    why: "The whole body is read whenever the skill is used, and stays in the context for the rest of the session, \
          where it leaves less room for the task. Up to twice the limit it is of the tier 'style'. It is not reported in addition to a finding of SKL201 of the tier 'harms', which has the number of tokens.",
    fix: "Move what only some uses need into files under 'references/', and say in SKILL.md when to read each.",
    params: &[MAX_TOKENS],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example::new(&[
        (".skilllint.toml", "[rules]\nSKL208 = { max-tokens = 20 }\n"),
        (
            "SKILL.md",
            crate::skill_md!(
                "More than a setting allows: far more than twenty tokens in a text that says nothing else.\n"
            ),
        ),
    ])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.skill_md() else { return };
    let start = markup.body_start();
    let (found, max) = (tokens(&text[start..]), max_tokens(&view.context.settings));
    if found > max && !skl201_skill_size::is_harmful(markup.lines, found, &view.context.settings) {
        let title = markup.headings.first().map_or(start, |heading| heading.offset);
        let message = format!("body has about {found} tokens (max: {max})");
        let finding = report.whole(view.file.line_at(title), message);
        if found > 2 * max {
            finding.tier(Tier::Harms);
        }
    }
}
