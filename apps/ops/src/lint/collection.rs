//! Findings that depend on the other skills of a run.

use crate::lint::outcome::LintOutcome;
use skillc_domain::path::RelPath;
use skillc_lint::outside_path::OutsidePath;
use skillc_lint::rule::Tier;
use skillc_lint::rules::skl102_name_format::{convention, weigh_namespaced};
use skillc_lint::rules::skl104_name_match_dir::{shared_prefix, weigh_prefixed};
use skillc_lint::rules::skl303_link_no_escape::weigh_installed_together;
use skillc_lint::rules::skl402_file_not_mentioned::{is_about_file, is_about_folder};
use skillc_lint::set_aside::{
    is_part, is_set_aside, is_template, is_translated, weigh_part, weigh_set_aside, weigh_size,
};
use skillc_lint::{Finding, SkillView};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Lowers findings about names that all skills of a folder form alike.
pub fn weigh_names(done: &mut [LintOutcome]) {
    let mut folders: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for (at, outcome) in done.iter().enumerate() {
        if let Some(parent) = outcome.skill.path.parent() {
            folders.entry(parent.to_owned()).or_default().push(at);
        }
    }
    for skills in folders.values() {
        let names = skills.iter().filter_map(|at| names(&done[*at]));
        let Some(prefix) = shared_prefix(names).map(str::to_owned) else { continue };
        for at in skills {
            weigh_prefixed(findings(&mut done[*at]), &prefix);
        }
    }
    weigh_namespaces(done);
}

/// Lowers findings about names that several skills form alike for a client that allows them.
fn weigh_namespaces(done: &mut [LintOutcome]) {
    let space = |outcome: &LintOutcome| {
        names(outcome).and_then(|(name, folder)| convention(name, folder)).map(str::to_owned)
    };
    let spaces: Vec<Option<String>> = done.iter().map(space).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    spaces.iter().flatten().for_each(|space| *counts.entry(space).or_default() += 1);
    for (outcome, space) in done.iter_mut().zip(&spaces) {
        if space.as_ref().is_some_and(|space| counts[space.as_str()] > 1) {
            weigh_namespaced(findings(outcome));
        }
    }
}

/// Lowers findings about links to a skill that is not beside the linking one, but elsewhere in the run: an installer
/// puts both into one folder.
pub fn weigh_links_between(done: &mut [LintOutcome]) {
    let folder = |outcome: &LintOutcome| Some(outcome.skill.path.file_name()?.to_string_lossy().into_owned());
    let folders: BTreeSet<String> = done.iter().filter_map(folder).collect();
    let is_elsewhere =
        |place: &OutsidePath| place.is_skill() && place.neighbor().is_some_and(|name| folders.contains(name));
    for linted in done.iter_mut().filter_map(|outcome| outcome.linted.as_mut()) {
        let view = SkillView { context: &linted.context, files: &linted.files };
        weigh_installed_together(&view, &mut linted.findings, is_elsewhere);
    }
}

/// Maximum number of places that are searched for in the texts of the other skills of a run.
const PLACES_MAX: usize = 64;

/// Lowers findings about files that nothing in the skill mentions, but another skill of the run, with the folder of the
/// first: `demo/scripts/env.sh`.
pub fn weigh_used_by_others(done: &mut [LintOutcome]) {
    let places: Vec<(usize, RelPath)> = unmentioned(done).take(PLACES_MAX).collect();
    for (at, path) in places {
        let Some(folder) = done[at].linted.as_ref().map(|linted| linted.context.folder.clone()) else {
            continue;
        };
        let place = format!("{folder}/{path}");
        let others = done
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .filter_map(|(_, other)| other.linted.as_ref());
        let mut texts = others.flat_map(|linted| &linted.files).filter_map(|file| file.text.as_deref());
        if texts.any(|text| names_place(text, &place)) {
            let is_of_it = |finding: &&mut Finding| is_unmentioned(finding) && finding.path == path;
            findings(&mut done[at]).filter(is_of_it).for_each(|finding| {
                finding.issue.tier(Tier::Style).hint("another skill mentions it");
            });
        }
    }
}

/// Whether a text has a path that ends with these complete parts.
fn names_place(text: &str, place: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    text.match_indices(place).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + place.len()..].starts_with(char::is_alphanumeric)
    })
}

/// The files that are reported as unmentioned, with the index of their skill.
fn unmentioned(done: &[LintOutcome]) -> impl Iterator<Item = (usize, RelPath)> + '_ {
    done.iter().enumerate().flat_map(|(at, outcome)| {
        let findings = outcome.linted.iter().flat_map(|linted| &linted.findings);
        findings.filter(|finding| is_unmentioned(finding)).map(move |finding| (at, finding.path.clone()))
    })
}

fn is_unmentioned(finding: &Finding) -> bool {
    is_about_file(finding) && finding.tier() != Tier::Style && !is_about_folder(finding)
}

pub(super) fn findings(outcome: &mut LintOutcome) -> impl Iterator<Item = &mut Finding> {
    outcome.linted.iter_mut().flat_map(|linted| &mut linted.findings)
}

/// Lowers the findings of those skills of a run that are in folders from which no client loads any, relative to `base`.
pub fn weigh_unused(done: &mut [LintOutcome], base: &Path) {
    for outcome in done {
        let within = outcome.skill.path.strip_prefix(base).map(slashed);
        let (Ok(path), Some(linted)) = (within, &mut outcome.linted) else { continue };
        if is_set_aside(&path) {
            weigh_set_aside(&mut linted.findings, &path);
        } else if is_translated(&path) {
            weigh_size(&mut linted.findings);
        }
    }
}

/// A path with '/' between its parts on every system.
pub fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Lowers findings about skills inside another one of the run: those about front matter if they are parts of it, all if
/// they are templates.
pub fn weigh_parts(done: &mut [LintOutcome]) {
    let folders: BTreeSet<PathBuf> = done.iter().map(|outcome| outcome.skill.path.clone()).collect();
    for outcome in done {
        let path = outcome.skill.path.clone();
        let outer = path.ancestors().skip(1).find(|above| folders.contains(*above));
        let inner = outer.and_then(|outer| path.strip_prefix(outer).ok());
        let (Some(inner), Some(linted)) = (inner.map(slashed), &mut outcome.linted) else { continue };
        if is_template(&inner) {
            weigh_set_aside(&mut linted.findings, &inner);
        } else if is_part(&inner) {
            weigh_part(&mut linted.findings);
        }
    }
}

/// Removes findings about files of a skill inside another one, which that skill has itself in the same run. That nothing
/// leads to such a file concerns the outer skill alone.
pub fn drop_repeated(done: &mut [LintOutcome]) {
    let folders: BTreeSet<PathBuf> = done.iter().map(|outcome| outcome.skill.path.clone()).collect();
    for outcome in done {
        let Some(linted) = &mut outcome.linted else { continue };
        // Paths are sorted by their parts, so the folders in a folder follow it.
        let inner = folders.range(outcome.skill.path.clone()..).skip(1);
        let inner: Vec<&Path> =
            inner.map_while(|folder| folder.strip_prefix(&outcome.skill.path).ok()).collect();
        if !inner.is_empty() {
            let is_own =
                |path: &RelPath| !inner.iter().any(|inner| Path::new(path.as_str()).starts_with(inner));
            linted.findings.retain(|finding| is_own(&finding.issue.path) || is_about_file(finding));
        }
    }
}

/// The name of a skill and that of its folder.
fn names(outcome: &LintOutcome) -> Option<(&str, &str)> {
    let linted = outcome.linted.as_ref()?;
    let name = linted.skill_md()?.fields()?.get("name")?.text()?;
    Some((name, &linted.context.folder))
}
