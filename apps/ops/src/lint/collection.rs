//! Findings that depend on the other skills of a run.

use crate::lint::outcome::LintOutcome;
use skillc_domain::path::RelPath;
use skillc_lint::Finding;
use skillc_lint::rules::skl104_name_match_dir::{shared_prefix, weigh_prefixed};
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
            let findings = done[*at].linted.iter_mut().flat_map(|linted| &mut linted.findings);
            weigh_prefixed(findings, &prefix);
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
            let is_outer = |finding: &Finding| ["SKL401", "SKL402"].contains(&finding.rule.id);
            linted.findings.retain(|finding| is_own(&finding.issue.path) || is_outer(finding));
        }
    }
}

/// The name of a skill and that of its folder.
fn names(outcome: &LintOutcome) -> Option<(&str, &str)> {
    let linted = outcome.linted.as_ref()?;
    let name = linted.skill_md()?.fields()?.get("name")?.text()?;
    Some((name, &linted.context.folder))
}
