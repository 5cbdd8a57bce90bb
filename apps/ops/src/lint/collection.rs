//! Weighs findings that depend on the other skills of a run in the same folder.

use crate::lint::outcome::LintOutcome;
use skillc_lint::rules::skl104_name_match_dir::{shared_prefix, weigh_prefixed};
use std::collections::BTreeMap;
use std::path::PathBuf;

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

/// The name of a skill and that of its folder.
fn names(outcome: &LintOutcome) -> Option<(&str, &str)> {
    let linted = outcome.linted.as_ref()?;
    let name = linted.skill_md()?.fields()?.get("name")?.text()?;
    Some((name, &linted.context.folder))
}
