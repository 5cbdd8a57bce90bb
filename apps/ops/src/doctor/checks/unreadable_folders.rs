//! Skills folders that cannot be read, at least in part.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use skillc_domain::text::shell::quote;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub static CHECK: HealthCheck = HealthCheck {
    id: "unreadable-folder",
    title: "folders that cannot be read",
    why: "neither skc nor agents see the skills in it",
    find,
};

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let mut found: BTreeMap<PathBuf, String> = BTreeMap::new();
    let is_denied = |message: &str| message.starts_with("permission denied");
    let is_folder = |path: &Path| path.extension().is_none_or(|end| end != "md" && end != "toml");
    for error in scene.catalog.errors.iter().filter(|error| is_folder(&error.path)) {
        found.insert(error.path.clone(), error.message.clone());
    }
    for (path, error) in &scene.unreadable {
        found.entry(path.clone()).or_insert_with(|| error.reason().to_owned());
    }
    let unreadable = found.into_iter().map(|(path, message)| {
        let place = quote(&path.to_string_lossy());
        let fix =
            if is_denied(&message) { format!("chmod u+rwx {place}") } else { format!("ls -ldb {place}") };
        HealthFinding::new(FindingSeverity::Error, &path, message, fix)
    });
    unreadable.chain(cut(scene)).collect()
}

/// Folders that are too deep or too large to be searched completely.
fn cut(scene: &HealthScene) -> impl Iterator<Item = HealthFinding> {
    let cut = scene.scans.roots.iter().filter(|(_, scanned)| scanned.truncated);
    cut.map(|(root, _)| {
        let what = "is too deep or too large; only a part was searched";
        let fix = format!("du {} | sort -n | tail", quote(&root.path.to_string_lossy()));
        HealthFinding::new(FindingSeverity::Warning, &root.path, what, fix)
    })
}
