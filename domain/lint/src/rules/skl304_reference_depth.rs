//! SKL304: files that an agent reaches only through another file.

use skillc_domain::format::is_markdown;
use crate::path_words::path_words;
use crate::reachability::destination;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::view::LintFile;
use crate::{IssueLocation, Report, SkillView};
use skillc_domain::path::RelPath;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    id: "SKL304",
    name: "reference-depth",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Specification("file references: keep them one level deep from SKILL.md"),
    why: "An agent often reads only the beginning of a file that another reference leads to, but reads a file that \
          SKILL.md names in full.",
    fix: "Name the file in SKILL.md too, and say when to read it.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        (
            "SKILL.md",
            crate::skill_md!("See [one](references/one.md), and [two](references/two.md) for more.\n"),
        ),
        ("references/one.md", "# One\n\nSee [two](two.md).\n"),
        ("references/two.md", "# Two\n\nBack to [one](one.md).\n"),
    ])],
    bad: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("See [one](references/one.md).\n")),
        ("references/one.md", "# One\n\nSee [two](two.md).\n"),
        ("references/two.md", "# Two\n\nText.\n"),
    ])],
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    let Some(skill_md) = view.files.iter().find(|file| file.is_skill_md()) else { return };
    let words: BTreeSet<&str> = path_words(skill_md.text.as_deref().unwrap_or_default())
        .map(|word| word.trim_matches(['.', '/']))
        .collect();
    let is_named = |path: &RelPath| words.contains(path.as_str()) || words.contains(path.name());
    let first = places(view, skill_md);
    let is_first =
        |path: &RelPath| first.contains(path) || folder(path).is_some_and(|folder| first.contains(&folder));
    let mut seen: BTreeSet<&RelPath> =
        view.files.iter().map(|file| &file.path).filter(|path| is_first(path) || is_named(path)).collect();
    seen.insert(&skill_md.path);
    let mut open: Vec<&LintFile> = seen.iter().rev().filter_map(|path| view.file(path)).collect();
    open.retain(|file| !file.is_skill_md());
    while let Some(file) = open.pop() {
        for link in file.markup.iter().flat_map(|markup| &markup.links) {
            let target = destination(view.context, &link.target, &file.path).filter(is_markdown);
            let Some(deep) = target.and_then(|path| view.file(&path)) else { continue };
            if seen.insert(&deep.path) {
                let place = IssueLocation::Span(link.target_span.clone().unwrap_or(link.span.clone()));
                let path = one_line(deep.path.as_str());
                report.elsewhere(&file.path, place, format!("'{path}' is not named in SKILL.md, only here"));
                open.push(deep);
            }
        }
    }
}

/// The files and folders that a file links to.
fn places(view: &SkillView<'_>, file: &LintFile) -> BTreeSet<RelPath> {
    let links = file.markup.iter().flat_map(|markup| &markup.links);
    links.filter_map(|link| destination(view.context, &link.target, &file.path)).collect()
}

fn folder(path: &RelPath) -> Option<RelPath> {
    let (folder, _) = path.as_str().rsplit_once('/')?;
    Some(RelPath::from_walk(folder.to_owned()))
}
