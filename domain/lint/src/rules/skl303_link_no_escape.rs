//! SKL303: links that leave the skill.

use crate::fix::Fix;
use crate::link::{LinkTarget, path_bytes, path_written, place, target};
use crate::link_suggestion::link_between;
use crate::for_people::is_for_people;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::followed_links::followed_links;
use crate::sample_file::is_sample_file;
use crate::{FileView, Finding, Report, SkillView};
use crate::outside_path::OutsidePath;
use crate::view::LintFile;
use skillc_domain::markup::Link;
use skillc_domain::path::RelPath;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    id: "SKL303",
    name: "link-no-escape",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "A skill is installed as one folder: a target above it is missing or belongs to another skill, and clients \
          refuse to read outside the folder. A link to an existing target, such as another skill of the same collection or a file that its skills share, is of the tier 'style', since it works wherever both are installed together. The same holds for a link to a skill that is elsewhere in the run, since installers put all into one folder. If the same path exists below a folder further above, the missing target is a warning that names it. A link in a file that no agent is sent to, such as README.md, is a warning of that tier.",
    fix: "Correct the path; copy the file into the skill, or mention the other skill by name, if the skill should also work alone.",
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
    let Some((text, _)) = view.markdown() else { return };
    if is_sample_file(&view.file.path) {
        // Links in a document that is still to be written.
        return;
    }
    let from = &view.file.path;
    for link in followed_links(view.file) {
        let LinkTarget::Escapes(path) = target(&link.target, from) else { continue };
        let message = format!("link leaves the skill: '{}'", one_line(path_written(link)));
        let finding = report.at(place(link), message);
        if is_for_people(from) || is_way_back(view.file, link) {
            finding.tier(Tier::Style);
        }
        // Above a skill, `SKILL.md` belongs to another one. A bare name means another file, too: most `../../README.md`
        // mean the repository's.
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

/// Whether a link is the last line of a page of documentation and leads back: "Return to [Table of Contents](../README.md)".
fn is_way_back(file: &LintFile, link: &Link) -> bool {
    let line = file.line_at(place(link).start);
    let lower = file.slice(&line).trim_start_matches(|c: char| !c.is_alphabetic()).to_ascii_lowercase();
    let is_last = file.text.as_deref().is_some_and(|text| text[line.end..].trim().is_empty());
    is_last && ["return to", "back to", "home", "table of contents"].iter().any(|words| lower.starts_with(words))
}

/// The path below the skill's root that remains after removing the leading `..`.
fn within(path: &str) -> Option<RelPath> {
    RelPath::parse(path.trim_start_matches("./").trim_start_matches("../")).ok()
}

/// The places outside of a skill that its links lead to.
pub fn outside_paths(view: &SkillView<'_>) -> BTreeSet<OutsidePath> {
    let links = view.files.iter().flat_map(|file| followed_links(file).map(move |link| (file, link)));
    links.filter_map(|(file, link)| OutsidePath::of(&link.target, &file.path)).collect()
}

/// Adds to findings about links that leave the skill whether their targets exist, as far as they were looked up.
pub fn weigh_outside(view: &SkillView<'_>, findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|finding| finding.rule.id == RULE.id) {
        let Some(file) = view.file(&finding.path) else { continue };
        let Some(place) = OutsidePath::of(file.slice(&finding.span()), &file.path) else { continue };
        if view.context.outside.there.contains(&place) {
            finding.issue.tier(Tier::Style).hint(depends_on(&place));
        } else if let Some(climbs) = view.context.outside.higher.get(&place) {
            let better = place.written_at(*climbs, &file.path);
            finding.issue.message = nothing_here(file.slice(&finding.span()), &better);
            if !RULE.is_severity_set(&view.context.settings) {
                finding.severity = Severity::Warning;
            }
        } else if view.context.outside.missing.contains(&place) {
            finding.issue.message = nothing_there(&place, file.slice(&finding.span()));
        }
    }
}

/// Lowers findings about links to a skill that is not beside this one, but among those that are installed with it.
pub fn weigh_installed_together(
    view: &SkillView<'_>,
    findings: &mut [Finding],
    is_elsewhere: impl Fn(&OutsidePath) -> bool,
) {
    for finding in findings.iter_mut().filter(|finding| finding.rule.id == RULE.id) {
        let Some(file) = view.file(&finding.path) else { continue };
        let Some(place) = OutsidePath::of(file.slice(&finding.span()), &file.path) else { continue };
        if view.context.outside.missing.contains(&place) && is_elsewhere(&place) {
            finding.issue.tier(Tier::Style).hint(depends_on(&place));
        }
    }
}

fn depends_on(place: &OutsidePath) -> String {
    match place.neighbor() {
        Some(name) => format!("works only where '{}' is installed beside this skill", one_line(name)),
        None => "it is there, but missing where the skill is installed alone".to_owned(),
    }
}

fn nothing_here(written: &str, better: &str) -> String {
    let path = written.split(['?', '#']).next().unwrap_or_default();
    let (path, better) = (one_line(path), one_line(better));
    format!("link leaves the skill, and leads to nothing here: '{path}'; the repository has it at '{better}'")
}

fn nothing_there(place: &OutsidePath, written: &str) -> String {
    match place.neighbor().filter(|_| place.is_skill()) {
        Some(name) => format!("link leaves the skill: there is no skill '{}' beside this one", one_line(name)),
        None => {
            let path = written.split(['?', '#']).next().unwrap_or_default();
            format!("link leaves the skill, and leads to nothing: '{}'", one_line(path))
        }
    }
}
