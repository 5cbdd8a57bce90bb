//! SKL303: links that leave the skill.

use crate::fix::Fix;
use crate::link::{LinkTarget, path_bytes, path_written, place, target};
use crate::link_suggestion::link_between;
use crate::rules::skl401_no_orphans::{is_apart, is_of_plugin};
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::followed_links::followed_links;
use crate::sample_file::is_sample_file;
use crate::{FileView, Finding, Report, SkillView};
use skillc_domain::path::RelPath;
use std::collections::BTreeSet;

/// The rule.
pub static RULE: Rule = Rule {
    id: "SKL303",
    name: "link-no-escape",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "A skill is installed as one folder: a target above it is missing or belongs to another skill, and clients \
          refuse to read outside the folder. A link to another skill beside this one that is there is of the tier \
          'style': it works wherever both are installed together; so is a link in a file for people, such as README.md.",
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
    let Some((text, _)) = view.markdown() else { return };
    if is_sample_file(&view.file.path) {
        // Links of a document that is still to be written.
        return;
    }
    let from = &view.file.path;
    let is_for_people = !view.file.is_skill_md() && is_apart(from) && !is_of_plugin(from);
    for link in followed_links(view.file) {
        let LinkTarget::Escapes(path) = target(&link.target, from) else { continue };
        let message = format!("link leaves the skill: '{}'", one_line(path_written(link)));
        let finding = report.at(place(link), message);
        if is_for_people {
            finding.tier(Tier::Style);
        }
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

/// The skills beside this one that links lead to by `../name`, `../name/` or `../name/SKILL.md`.
pub fn linked_neighbors(view: &SkillView<'_>) -> BTreeSet<String> {
    let links = view.files.iter().flat_map(|file| file.markup.iter().flat_map(move |markup| markup.links.iter().map(move |link| (file, link))));
    links.filter_map(|(file, link)| neighbor(&link.target, &file.path)).collect()
}

/// The name of the skill beside this one that a link in the file at `from` leads to.
fn neighbor(written: &str, from: &RelPath) -> Option<String> {
    let LinkTarget::Escapes(path) = target(written, from) else { return None };
    let climb = "../".repeat(from.as_str().matches('/').count() + 1);
    let name = path.trim_start_matches("./").strip_prefix(&climb)?.trim_end_matches('/');
    let name = name.strip_suffix("/SKILL.md").unwrap_or(name);
    let is_name = !name.is_empty() && !name.contains(['/', '\\']) && !name.contains('.');
    is_name.then(|| name.to_owned())
}

/// Says of links to skills beside this one whether these are there, where that was looked up.
pub fn weigh_neighbors(view: &SkillView<'_>, findings: &mut [Finding]) {
    let Some(there) = &view.context.neighbors else { return };
    for finding in findings.iter_mut().filter(|finding| finding.rule.id == RULE.id) {
        let Some(file) = view.file(&finding.path) else { continue };
        let Some(name) = neighbor(file.slice(&finding.span()), &file.path) else { continue };
        if there.contains(&name) {
            finding.issue.tier(Tier::Style).hint(format!("works only where '{}' is installed beside this skill", one_line(&name)));
        } else {
            finding.issue.message = format!("link leaves the skill: there is no skill '{}' beside this one", one_line(&name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighbor_is_a_folder_beside_the_skill() {
        for (written, from, expected) in [
            ("../core/SKILL.md", "SKILL.md", Some("core")),
            ("../core/", "SKILL.md", Some("core")),
            ("../core", "SKILL.md", Some("core")),
            ("../core/SKILL.md#part", "SKILL.md", Some("core")),
            ("../../core/SKILL.md", "references/a.md", Some("core")),
            ("../core/references/a.md", "SKILL.md", None),
            ("../../core/SKILL.md", "SKILL.md", None),
            ("../README.md", "SKILL.md", None),
            ("core/SKILL.md", "SKILL.md", None),
        ] {
            let from = RelPath::parse(from).unwrap();
            assert_eq!(neighbor(written, &from).as_deref(), expected, "{written}");
        }
    }
}
