//! SKL303: links that leave the skill.

use crate::fix::Fix;
use crate::link::{LinkTarget, path_bytes, path_written, place, target};
use crate::link_suggestion::link_between;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::{FileView, Report};
use skillc_domain::markup::LinkKind;
use skillc_domain::path::RelPath;

/// The rule.
pub static RULE: Rule = Rule {
    id: "SKL303",
    name: "link-no-escape",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "A skill is installed as one folder: a target above it is missing or belongs to another skill, and clients \
          refuse to read outside the folder.",
    fix: "Copy the file into the skill, or mention the other skill by name.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("See [more](references/more.md).\n")),
        ("references/more.md", "# More\n\nBack to [the skill](../SKILL.md).\n"),
    ])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("See [another](../other/SKILL.md).\n"))]),
        Example::new(&[
            ("SKILL.md", crate::skill_md!("See [more](references/more.md).\n")),
            ("references/more.md", "# More\n\nBack to <a href=\"../../README.md\">all</a>.\n"),
        ]),
    ],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown() else { return };
    let from = &view.file.path;
    for link in markup.links.iter().filter(|link| link.kind != LinkKind::Autolink) {
        let LinkTarget::Escapes(path) = target(&link.target, from) else { continue };
        let message = format!("link leaves the skill: '{}'", one_line(path_written(link)));
        let finding = report.at(place(link), message);
        // Above a skill, `SKILL.md` is another's.
        // A name alone is that of another file, too: most `../../README.md` mean the repository's.
        let is_meant = |within: &RelPath| {
            view.context.has_file(within) && within.name() != "SKILL.md" && within.as_str().contains('/')
        };
        let Some(within) = within(&path).filter(is_meant) else { continue };
        let better = link_between(from, &within);
        finding.hint(format!("did you mean '{better}'?"));
        if let Some(bytes) = path_bytes(text, link) {
            finding.fix(Fix::risky(format!("link to '{better}'"), bytes, better));
        }
    }
}

/// The path below the skill's root that a climbing one would be without its climbing.
fn within(path: &str) -> Option<RelPath> {
    RelPath::parse(path.trim_start_matches("./").trim_start_matches("../")).ok()
}
