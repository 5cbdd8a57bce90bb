//! SKL201: a `SKILL.md` that is too long.

use crate::rule::{Check, Example, Origin, Param, Rule, Severity, Tier};
use crate::size_limit::{is_far_beyond, is_surely_above};
use crate::tokens::tokens;
use crate::{FileView, Report};
use skillc_domain::rule_settings::LintSettings;
use skillc_domain::text::lines;

/// Repeats a text a hundred times.
macro_rules! hundred {
    ($text:literal) => {
        concat!(
            ten!($text),
            ten!($text),
            ten!($text),
            ten!($text),
            ten!($text),
            ten!($text),
            ten!($text),
            ten!($text),
            ten!($text),
            ten!($text)
        )
    };
}

/// Repeats a text ten times.
macro_rules! ten {
    ($text:literal) => {
        concat!($text, $text, $text, $text, $text, $text, $text, $text, $text, $text)
    };
}

pub static RULE: Rule = Rule {
    id: "SKL201",
    name: "skill-size",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "An agent reads all of SKILL.md when it loads the skill; text that the task does not need distracts it. \
          From 30 % above the limit the tier is 'harms', if \
          the text also exceeds the tokens that SKL208 allows by more than 8 %, the error of the estimate.",
    fix: "Move what is needed only sometimes into files below 'references', and link to them.",
    params: &[Param { name: "max-lines", default: 500, meaning: "maximum lines of SKILL.md" }],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example::new(&[(
        "SKILL.md",
        concat!(
            "---\nname: demo\ndescription: Shows a rule. Use when a rule needs an example.\n---\n\n# Demo\n\n",
            hundred!("Text.\n"),
            hundred!("Text.\n"),
            hundred!("Text.\n"),
            hundred!("Text.\n"),
            hundred!("Text.\n"),
        ),
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.skill_md() else { return };
    let max = RULE.param(&view.context.settings, "max-lines");
    if markup.lines <= max {
        return;
    }
    let allowed = lines::split_text(text).take(usize::try_from(max).unwrap_or(usize::MAX));
    let first_beyond = allowed.map(str::len).sum();
    let mut message = format!("SKILL.md has {} lines (max: {max})", markup.lines);
    let is_far = is_far_beyond(markup.lines as usize, max as usize);
    let tokens = if is_far { tokens(&text[markup.body_start()..]) } else { 0 };
    if is_far {
        message += &format!(", about {tokens} tokens");
    }
    let finding = report.whole(view.file.line_at(first_beyond), message);
    if is_harmful(markup.lines, tokens, &view.context.settings) {
        finding.tier(Tier::Harms);
    }
}

/// Whether this many lines and tokens put the finding in the tier 'harms'.
pub fn is_harmful(lines: u32, tokens: usize, settings: &LintSettings) -> bool {
    RULE.severity_in(settings) != Severity::Off
        && is_surely_above(tokens, settings)
        && is_far_beyond(lines as usize, RULE.param(settings, "max-lines") as usize)
}
