//! Folders that every user of the machine may write to.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use skillc_domain::listing::Scope;
use skillc_domain::text::shell::quote;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub static CHECK: HealthCheck = HealthCheck {
    id: "writable-by-others",
    title: "folders that other users can write to",
    why: "anyone on this machine can give your agents instructions",
    find,
};

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let mut found: Vec<PathBuf> = Vec::new();
    // Sorted, so that a folder precedes its contents, which are then not reported again.
    for folder in folders(scene) {
        let is_below = found.last().is_some_and(|above| folder.starts_with(above));
        if !is_below && is_writable(scene, &folder) {
            found.push(folder);
        }
    }
    found.iter().map(|folder| finding(folder)).collect()
}

/// skc's own folders, skills folders, and the folders of skills in them, with links resolved.
fn folders(scene: &HealthScene) -> BTreeSet<PathBuf> {
    let places = &scene.app.call.places;
    let own = [Scope::Project, Scope::Global].into_iter();
    let own = own.flat_map(|scope| [places.skillc_dir(scope), places.runtimes(scope)]).flatten();
    let of_root = scene.scans.roots.iter().flat_map(|(_, scanned)| {
        let skills = (0..scanned.folders.len()).filter(|at| {
            let folder = &scanned.folders[*at];
            folder.skill.is_some() && !folder.is_single_file()
        });
        skills.map(|at| scanned.canonical(at)).chain([scanned.root.clone()])
    });
    own.chain(of_root).collect()
}

fn is_writable(scene: &HealthScene, folder: &Path) -> bool {
    let entry = scene.app.ports.inspector.entry(folder);
    entry.ok().flatten().is_some_and(|entry| entry.is_world_writable)
}

fn finding(folder: &Path) -> HealthFinding {
    let fix = format!("chmod o-w {}", quote(&folder.to_string_lossy()));
    HealthFinding::new(FindingSeverity::Error, folder, "every user of this machine can write to it", fix)
}
