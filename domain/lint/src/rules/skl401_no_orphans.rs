//! SKL401: Markdown files that no link leads to.

use skillc_domain::format::is_markdown;
use crate::link::{LinkTarget, target};
use crate::reachability::reached;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::view::LintFile;
use crate::{IssueLocation, Report, SkillView};
use skillc_domain::path::RelPath;
use std::collections::{BTreeMap, BTreeSet};

/// Names of files that are for people who look after the skill; compared in any case.
const APART: &[&str] = &["SKILL.md", "LICENSE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md"];

/// The rule.
pub static RULE: Rule = Rule {
    id: "SKL401",
    name: "no-orphans",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "An agent reads files that SKILL.md leads it to. A file without a link is distributed but never read, or \
          was forgotten. A link to a folder covers the Markdown files directly in it.",
    fix: "Link to the file from SKILL.md or from a file that SKILL.md links to, or remove it.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        (
            "SKILL.md",
            crate::skill_md!(
                "See [more](references/more.md), which builds on `references/deep.md`, and the [guides](guides/).\n"
            ),
        ),
        ("references/more.md", "# More\n\nSee [deep](deep.md).\n"),
        ("references/deep.md", "# Deep\n\nText.\n"),
        ("guides/one.md", "# One\n\nText.\n"),
        ("CHANGELOG.md", "# Changes\n\nText.\n"),
    ])],
    bad: &[
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("old-notes.md", "# Old notes\n\nText.\n"),
        ]),
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Read `references/more.md` first.\n")),
            ("references/more.md", "# More\n\nText.\n"),
        ]),
    ],
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    if view.files.iter().all(|file| !file.is_skill_md() || file.text.is_none()) {
        return;
    }
    let reached = reached(view);
    let is_apart = |path: &RelPath| APART.iter().any(|name| name.eq_ignore_ascii_case(path.name()));
    let orphans: Vec<&LintFile> = view
        .files
        .iter()
        .filter(|file| is_markdown(&file.path) && !is_apart(&file.path) && !reached.contains(&file.path))
        .collect();
    if orphans.is_empty() {
        return;
    }
    let mentions = mentions(view, &reached, &orphans.iter().map(|file| &file.path).collect());
    for file in orphans {
        let place = match file.text {
            Some(_) => IssueLocation::Whole(file.line_at(0)),
            None => IssueLocation::File,
        };
        let finding = report.elsewhere(&file.path, place, format!("orphaned file: '{}'", file.path));
        if let Some(by) = mentions.get(&file.path) {
            finding.hint(format!("mentioned in {by} as text; make it a link"));
        }
    }
}

/// The files whose path stands as text in a file that is reached, with the first that names it. Linear in the texts.
fn mentions<'a>(
    view: &SkillView<'a>,
    reached: &BTreeSet<&RelPath>,
    orphans: &BTreeSet<&RelPath>,
) -> BTreeMap<RelPath, &'a RelPath> {
    let mut mentions = BTreeMap::new();
    let (root, readers) = (RelPath::default(), view.files.iter().filter(|file| reached.contains(&file.path)));
    // SKILL.md first: a reader begins there.
    let (first, others): (Vec<_>, Vec<_>) = readers.partition(|file| file.is_skill_md());
    for file in first.into_iter().chain(others) {
        for path in paths_in(file.text.as_deref().unwrap_or_default()) {
            for from in [&root, &file.path] {
                if let LinkTarget::Inside(path, _) = target(path, from)
                    && orphans.contains(&path)
                {
                    mentions.entry(path).or_insert(&file.path);
                }
            }
        }
    }
    mentions
}

/// Words that are paths of Markdown files.
fn paths_in(text: &str) -> impl Iterator<Item = &str> {
    let is_in_path = |c: char| c.is_alphanumeric() || "_-./{}$".contains(c);
    let words = text.split(move |c| !is_in_path(c)).map(|word| word.trim_end_matches('.'));
    words.filter(|word| word.len() > 3 && word.as_bytes()[word.len() - 3..].eq_ignore_ascii_case(b".md"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_text() {
        let text = "Read `references/a.md`, then ./b.MD. See {baseDir}/c.md (é.md) and .md, x.mdx";
        assert_eq!(
            paths_in(text).collect::<Vec<_>>(),
            ["references/a.md", "./b.MD", "{baseDir}/c.md", "é.md"]
        );
    }
}
