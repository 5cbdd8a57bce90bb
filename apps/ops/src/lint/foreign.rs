//! Skills that an installer put into the project, and that their authors maintain elsewhere.

use crate::lint::outcome::LintOutcome;
use crate::lint::surroundings::is_in_client_folder;
use crate::run::Run;
use serde_json::Value;
use skillc_domain::path::RelPath;
use skillc_lint::set_aside::weigh_set_aside;
use std::collections::BTreeSet;
use std::path::Path;

/// The file in which ClawHub's installer records where a skill comes from, in the skill's folder.
const ORIGIN: &str = ".clawhub/origin.json";
/// The file in which `npx skills` records what it installed, in the project's root.
const LOCK: &str = "skills-lock.json";
/// Maximum size of a lock file, in bytes.
const LOCK_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Lowers the findings of those skills of a run that an installer put there, as for skills that are set aside.
pub fn weigh_foreign(run: &Run<'_>, done: &mut [LintOutcome]) {
    let installed = installed(run);
    for outcome in done {
        let path = outcome.skill.path.clone();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let has_origin =
            || run.app.ports.inspector.entry(&path.join(ORIGIN)).is_ok_and(|entry| entry.is_some());
        let Some(linted) = outcome.linted.as_mut().filter(|linted| !linted.findings.is_empty()) else {
            continue;
        };
        if installed.contains(&name) && is_in_client_folder(&path) || has_origin() {
            weigh_set_aside(&mut linted.findings, "");
        }
    }
}

/// The names of the skills in the lock file of the run's folder.
fn installed(run: &Run<'_>) -> BTreeSet<String> {
    let read = |path: &Path| {
        let tree = run.app.ports.files.open(path).ok()?;
        let read = tree.read(&RelPath::parse(LOCK).ok()?, LOCK_BYTES_MAX).ok()?;
        serde_json::from_slice::<Value>(&read.bytes).ok()
    };
    let lock = read(&run.app.call.places.cwd);
    let skills = lock.as_ref().and_then(|lock| lock.get("skills")?.as_object());
    skills.map(|skills| skills.keys().cloned().collect()).unwrap_or_default()
}
