//! Finds problems with the skills of this machine (RFC-0016:C-DOCTOR): checks, their findings, and safe fixes.

mod check;
mod checks;
mod finding;
mod fix;
mod scan_memory;
mod scene;

pub use finding::{FindingSeverity, HealthFinding};
pub use fix::{Fixed, fix};

use crate::app::App;
use crate::policy::{is_admitted, known};
use checks::CHECKS;
use scene::HealthScene;
use skillc_domain::discovery::roots::Which;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The check whose findings others may already have reported, and those others.
const REPEATING: (&str, [&str; 3]) =
    ("left-out-skill", ["dropped-skill", "lost-source", "unreadable-folder"]);

/// Runs every check and returns the findings: highest severity first, then in the order of the checks. Writes nothing.
/// Findings about skills that are hidden from an agent are not returned to it.
pub fn examine(app: &App, which: Which) -> Vec<HealthFinding> {
    let scene = HealthScene::read(app, which);
    let mut found = Vec::new();
    for check in CHECKS {
        let findings = app_timed(app, check.id, || (check.find)(&scene));
        found.extend(findings.into_iter().map(|finding| HealthFinding {
            check: check.id,
            why: if finding.why.is_empty() { check.why } else { finding.why },
            ..finding
        }));
    }
    drop_repeats(app, &mut found);
    found.retain(|finding| is_admitted_finding(app, finding));
    found.sort_by_key(|finding| finding.severity);
    found
}

/// The title of a check.
pub fn title(check: &str) -> &'static str {
    CHECKS.iter().find(|known| known.id == check).map_or("", |check| check.title)
}

/// Reports the time of a check for `-v`.
fn app_timed<T>(app: &App, check: &str, work: impl FnOnce() -> T) -> T {
    let start = std::time::Instant::now();
    let done = work();
    app.call.detail(|| format!("{check}: {:.1} ms", start.elapsed().as_secs_f64() * 1e3));
    done
}

/// Drops findings about skills that are omitted from the catalog for the same reason for which a client drops them.
fn drop_repeats(app: &App, found: &mut Vec<HealthFinding>) {
    let (repeating, others) = REPEATING;
    if found.iter().all(|finding| finding.check != repeating) {
        return;
    }
    let real = |path: &Path| app.ports.stores.real_path(path);
    let reported = found.iter().filter(|finding| others.contains(&finding.check));
    let reported: HashSet<PathBuf> = reported.map(|finding| real(&finding.path)).collect();
    found.retain(|finding| finding.check != repeating || !reported.contains(&real(&finding.path)));
}

/// Whether the caller may know about every skill that a finding names.
fn is_admitted_finding(app: &App, finding: &HealthFinding) -> bool {
    if !app.call.is_agent() {
        return true;
    }
    let names = finding.path.iter().map(|part| part.to_string_lossy());
    let is_open = |name: &str| is_admitted(app, name);
    known(app).is_ok()
        && names.into_iter().all(|name| is_open(&name))
        && finding.skill.as_deref().is_none_or(is_open)
        && finding.what.split(['\'', '/', ' ', ',']).all(is_open)
}
