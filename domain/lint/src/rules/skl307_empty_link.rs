//! SKL307: links that lead nowhere.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::followed_links::written_links;
use crate::one_line::one_line;
use crate::sample_file::is_sample_file;
use crate::{FileView, Report};
use skillc_domain::markup::LinkKind;

pub static RULE: Rule = Rule {
    id: "SKL307",
    name: "empty-link",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Field("markdownlint MD042 (https://github.com/DavidAnson/markdownlint)"),
    why: "The link was never filled in; an agent that follows it finds nothing. In a template, \
          which is still to be filled in, the tier is 'style'. A badge, an image that links to '#', leads nowhere on purpose.",
    fix: "Write the target, or remove the brackets.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("See [the title](#demo).\n"))])],
    bad: &[Example::new(&[("SKILL.md", crate::skill_md!("See [the manual]() and [the site](#).\n"))])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    for link in written_links(view.file) {
        let is_empty = match link.kind {
            LinkKind::Inline | LinkKind::Image => matches!(link.target.trim(), "" | "#"),
            LinkKind::Reference | LinkKind::Autolink | LinkKind::Html => false,
        };
        if is_empty && !is_badge(view.file.slice(&link.span), &link.target) {
            let finding = report.at(link.span.clone(), format!("link has no target: '{}'", one_line(&link.text)));
            if is_sample_file(&view.file.path) {
                finding.tier(Tier::Style);
            }
        }
    }
}

/// Whether a link to the page itself consists of an image.
fn is_badge(written: &str, target: &str) -> bool {
    target.trim() == "#" && written.starts_with("[![") && written.ends_with("](#)")
}
