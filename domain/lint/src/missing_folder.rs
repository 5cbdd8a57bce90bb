//! Several missing files of one folder that the skill does not have: one finding says it for all.

use crate::finding::Finding;
use crate::link::{LinkTarget, place, target};
use crate::one_line::one_line;
use crate::tier::Tier;
use crate::view::{SkillContext, SkillView};
use skillc_domain::path::RelPath;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The rules about missing files, the one about links first.
const RULES: [&str; 2] = ["SKL301", "SKL407"];

/// Of findings about missing files in the same missing folder, makes the first speak for all, and the others a matter of
/// style. Findings with a hint or fix, such as a similar name, and those that are a matter of style already stay as
/// they are.
pub fn weigh_missing_folders(view: &SkillView<'_>, findings: &mut [Finding]) {
    let links = links_of(view, findings);
    let mut folders: BTreeMap<RelPath, Vec<(usize, RelPath)>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        let Some(file) = missing_file(view, finding, &links) else { continue };
        if let Some(folder) = missing_folder(view.context, &file) {
            folders.entry(folder).or_default().push((at, file));
        }
    }
    for (folder, found) in folders {
        let files: BTreeSet<&RelPath> = found.iter().map(|(_, file)| file).collect();
        let order = |at: &usize| (findings[*at].rule.id, !is_in_skill_md(&findings[*at]), *at);
        let Some(first) = found.iter().map(|(at, _)| *at).min_by_key(order) else { continue };
        let (more, folder) = (files.len() - 1, one_line(folder.as_str()).into_owned());
        for (at, _) in found.iter().filter(|(at, _)| *at != first) {
            findings[*at].issue.tier(Tier::Style).hint(format!("the skill has no folder '{folder}'"));
        }
        if more > 0 {
            let noun = if more == 1 { "file" } else { "files" };
            findings[first].issue.message +=
                &format!(", nor {more} more {noun} of the folder '{folder}', which does not exist");
        }
    }
}

fn is_in_skill_md(finding: &Finding) -> bool {
    finding.path.as_str() == "SKILL.md"
}

/// The targets of links by their file and place.
type Links<'a> = HashMap<(&'a RelPath, usize), &'a str>;

/// The targets of all links in files with broken ones.
fn links_of<'a>(view: &SkillView<'a>, findings: &[Finding]) -> Links<'a> {
    let paths: BTreeSet<&RelPath> = findings
        .iter()
        .filter(|finding| finding.rule.id == RULES[0])
        .map(|finding| &finding.issue.path)
        .collect();
    let files = paths.into_iter().filter_map(|path| view.file(path));
    let links = files
        .flat_map(|file| file.markup.iter().flat_map(|markup| &markup.links).map(move |link| (file, link)));
    links.map(|(file, link)| ((&file.path, place(link).start), link.target.as_str())).collect()
}

/// The missing file that a finding is about. Where a directive may silence one of several findings, each speaks for itself.
fn missing_file(view: &SkillView<'_>, finding: &Finding, links: &Links<'_>) -> Option<RelPath> {
    let is_concerned = RULES.contains(&finding.rule.id)
        && finding.tier() != Tier::Style
        && finding.issue.hint.is_none()
        && finding.issue.fix.is_none();
    let file = view.file(&finding.path).filter(|file| is_concerned && !file.has_directives)?;
    let written = match finding.rule.id == RULES[0] {
        true => *links.get(&(&finding.issue.path, finding.span().start))?,
        false => file.slice(&finding.span()),
    };
    match target(written, &finding.path) {
        LinkTarget::Inside(path, _) => Some(path),
        _ => None,
    }
}

/// The topmost folder of a path that does not exist; `None` if all do.
fn missing_folder(context: &SkillContext, file: &RelPath) -> Option<RelPath> {
    let folders = file.as_str().match_indices('/').map(|(at, _)| &file.as_str()[..at]);
    folders.filter_map(|folder| RelPath::parse(folder).ok()).find(|folder| !context.has_folder(folder))
}
