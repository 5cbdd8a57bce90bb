//! A trash that has grown large.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use skillc_domain::text::shell::quote;

pub static CHECK: HealthCheck = HealthCheck {
    id: "large-trash",
    title: "a trash that has grown large",
    why: "only you can empty it",
    find,
};

/// Size in bytes from which it is reported: more than a hundred of the largest skills.
const BYTES_MIN: u64 = 256 * 1024 * 1024;

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let trash = scene.app.call.places.trash();
    let size = scene.app.ports.inspector.size(&trash);
    if size.bytes < BYTES_MIN {
        return Vec::new();
    }
    let what = format!("holds {} MiB in {} files", size.bytes / (1024 * 1024), size.files);
    let fix = format!("rm -r {}", quote(&trash.to_string_lossy()));
    vec![HealthFinding::new(FindingSeverity::Note, &trash, what, fix)]
}
