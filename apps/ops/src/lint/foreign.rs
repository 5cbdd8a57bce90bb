//! Skills that an installer put into the project, and that their authors maintain elsewhere.

use crate::lint::outcome::LintOutcome;
use crate::lint::surroundings::{exists, is_in_client_folder};
use crate::run::Run;
use serde_json::Value;
use skillc_domain::path::RelPath;
use skillc_lint::set_aside::weigh_set_aside;
use std::collections::BTreeSet;

/// The file in which ClawHub's installer records where a skill comes from, in the skill's folder.
const ORIGIN: &str = ".clawhub/origin.json";
/// The file in which `npx skills` records what it installed, in the project's root.
const LOCK: &str = "skills-lock.json";
/// Maximum size of a lock file, in bytes.
const LOCK_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Lowers the findings of those skills of a run that an installer put there, as for skills that are set aside.
pub fn weigh_foreign(run: &Run<'_>, done: &mut [LintOutcome]) {
    let installed = installed(run).unwrap_or_default();
    for outcome in done {
        let path = &outcome.skill.path;
        let Some(linted) = outcome.linted.as_mut().filter(|linted| !linted.findings.is_empty()) else {
            continue;
        };
        let is_listed = installed.contains(&linted.context.folder) && is_in_client_folder(path);
        if is_listed || exists(run, &path.join(ORIGIN)) {
            weigh_set_aside(&mut linted.findings, "");
        }
    }
}

/// The names of the skills in the lock file of the run's folder; `None` if it has none that can be read.
fn installed(run: &Run<'_>) -> Option<BTreeSet<String>> {
    let tree = run.app.ports.files.open(&run.app.call.places.cwd).ok()?;
    let read = tree.read(&RelPath::parse(LOCK).ok()?, LOCK_BYTES_MAX).ok()?;
    let lock: Value = serde_json::from_slice(&read.bytes).ok()?;
    Some(lock.get("skills")?.as_object()?.keys().cloned().collect())
}
