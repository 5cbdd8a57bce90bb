//! Findings of skills that a repository has in several places: copies, and the same skill for several clients.

use super::Engine;
use super::collection::{findings, slashed};
use super::outcome::LintOutcome;
use super::skill::LintedSkill;
use crate::run::Run;
use skillc_domain::path::RelPath;
use skillc_lint::rule::Tier;
use skillc_lint::rules::skl301_link_file_exists::{RULE as MISSING_TARGET, weigh_assembled};
use skillc_lint::set_aside::is_set_aside;
use skillc_lint::{Finding, SkillView};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// Shows what several copies of a skill have in common once; copies have the same SKILL.md. What only the copy in the
/// folder of the run itself has, such as the readme of a package, is not shown either.
pub fn weigh_copies(done: &mut [LintOutcome], base: &Path) {
    let mut copies: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, outcome) in done.iter().enumerate() {
        let skill_md = outcome.linted.as_ref().and_then(LintedSkill::skill_md);
        if let Some(text) = skill_md.and_then(|file| file.text.as_deref()) {
            copies.entry(text).or_default().push(at);
        }
    }
    let is_hidden = |path: &Path| {
        let within = path.strip_prefix(base).unwrap_or(path);
        within.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
    };
    let rank = |at: &usize| {
        let path = &done[*at].skill.path;
        (path == base, is_hidden(path), path.clone())
    };
    let mut groups: Vec<Vec<usize>> = copies.into_values().filter(|group| group.len() > 1).collect();
    for group in &mut groups {
        group.sort_by_cached_key(rank);
    }
    for group in groups {
        let is_aside = |at: &usize| {
            let within = done[*at].skill.path.strip_prefix(base).map(slashed);
            within.is_ok_and(|within| is_set_aside(&within))
        };
        let is_elsewhere = group.iter().any(|at| done[*at].skill.path != base && !is_aside(at));
        let mut shown = BTreeSet::new();
        for at in group {
            let is_of_base = is_elsewhere && done[at].skill.path == base;
            for finding in findings(&mut done[at]).filter(|finding| finding.tier() != Tier::Style) {
                if !shown.insert(identity(finding)) || is_of_base {
                    finding.issue.tier(Tier::Style);
                }
            }
        }
    }
}

/// What findings of copies have in common.
fn identity(finding: &Finding) -> (&'static str, RelPath, usize, String) {
    (finding.rule.id, finding.path.clone(), finding.span().start, finding.message.clone())
}

/// Lowers findings about links to files that a skill lacks and another one in a folder of that name has, such as the same
/// skill for another client, if the code of the project names the file: it probably puts it into both.
pub fn weigh_shared_files(run: &Run<'_>, engine: &Engine, done: &mut [LintOutcome]) {
    let is_missing = |finding: &Finding| finding.rule.id == MISSING_TARGET.id;
    let lacks_some = |linted: &&LintedSkill| linted.findings.iter().any(is_missing);
    let linted = || done.iter().filter_map(|outcome| outcome.linted.as_ref());
    let folders: HashSet<&str> =
        linted().filter(lacks_some).map(|linted| linted.context.folder.as_str()).collect();
    let is_of_name = |linted: &&LintedSkill| folders.contains(linted.context.folder.as_str());
    let files = linted().filter(is_of_name).flat_map(|linted| {
        linted.context.survey.files.iter().map(|file| (linted.context.folder.clone(), file.path.clone()))
    });
    let files: HashSet<(String, RelPath)> = files.collect();
    for outcome in done.iter_mut() {
        let Some(linted) = &mut outcome.linted else { continue };
        let (path, view) =
            (&outcome.skill.path, SkillView { context: &linted.context, files: &linted.files });
        weigh_assembled(&view, &mut linted.findings, |file| {
            let is_in_other = files.contains(&(linted.context.folder.clone(), file.clone()));
            is_in_other && engine.code.uses(run, path, file)
        });
    }
}
