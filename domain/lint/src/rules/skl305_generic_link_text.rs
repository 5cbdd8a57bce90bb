//! SKL305: links with a meaningless text.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::{FileView, Report};
use skillc_domain::markup::LinkKind;

pub static RULE: Rule = Rule {
    id: "SKL305",
    name: "generic-link-text",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Field("markdownlint MD059 (https://github.com/DavidAnson/markdownlint); agnix AS-026"),
    why: "An agent decides by the link text whether to read the target; 'here' gives it no reason either way.",
    fix: "Say what the target contains and when to read it.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("For fields of forms, read [the form reference](https://example.com/forms).\n"),
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("For forms, click [here](https://example.com/forms).\n"),
    )])],
    check: Check::File(check),
};

/// Texts that fit any link.
const GENERIC: [&str; 15] = [
    "click here",
    "click this",
    "click this link",
    "go here",
    "here",
    "learn more",
    "link",
    "more info",
    "more information",
    "read more",
    "see here",
    "see this",
    "this",
    "this link",
    "this page",
];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((_, markup)) = view.markdown() else { return };
    for link in &markup.links {
        let is_written = match link.kind {
            LinkKind::Inline | LinkKind::Reference => true,
            LinkKind::Autolink | LinkKind::Image | LinkKind::Html => false,
        };
        let text = link.text.trim().trim_end_matches(['.', '!', '…', ':']).to_ascii_lowercase();
        if is_written && !link.target.starts_with('#') && GENERIC.contains(&text.as_str()) {
            report.at(link.span.clone(), format!("link text says nothing: '{}'", one_line(link.text.trim())));
        }
    }
}
