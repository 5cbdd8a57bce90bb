//! Files and folders left behind by killed commands.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding, SafeFix};
use crate::doctor::scene::HealthScene;
use skillc_domain::listing::Scope;
use skillc_domain::places::META_DIR;
use skillc_ports::{InspectedEntry, InspectedKind};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

pub static CHECK: HealthCheck = HealthCheck {
    id: "leftover",
    title: "leftovers of commands that were killed",
    why: "they take up space, and some tools take them for skills",
    find,
};

/// Prefixes of the names of incomplete files and folders.
const INCOMPLETE: [&str; 3] = [".skillc-tmp-", ".skillc-import-", ".skillc-shipped-"];
/// Prefix of the name of a replaced item that did not reach the trash; the id of its entry follows.
const REPLACED: &str = ".skillc-replaced-";
/// The folder below which `skc prove` builds skills.
const PROOFS: &str = "prove";
/// Age from which no living process can still be working on an entry.
const AGE_MIN_NS: i64 = 3_600 * 1_000_000_000;

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let app = &scene.app;
    let ids: HashSet<String> =
        app.ports.trash.entries().unwrap_or_default().into_iter().map(|entry| entry.id).collect();
    let now = app.ports.clock.now();
    let is_old = |entry: &InspectedEntry| now.saturating_sub(entry.modified_ns) > AGE_MIN_NS;
    let mut found = Vec::new();
    for folder in folders(scene) {
        let Ok(real) = app.agents_path(&folder) else { continue };
        let entries = app.ports.inspector.entries(&real).unwrap_or_default();
        found.extend(entries.into_iter().filter(|entry| is_leftover(&entry.path, &ids) && is_old(entry)));
    }
    let trash = app.ports.inspector.entries(&app.call.places.trash()).unwrap_or_default();
    let is_entry = |path: &Path| name(path).is_some_and(|name| ids.contains(name));
    let orphans =
        trash.into_iter().filter(|entry| entry.kind == InspectedKind::Folder && !is_entry(&entry.path));
    found.extend(orphans.filter(|entry| is_old(entry)));
    let proofs = app.ports.inspector.entries(&app.call.places.own.join(PROOFS)).unwrap_or_default();
    found.extend(proofs.into_iter().filter(|entry| entry.kind == InspectedKind::Folder && is_old(entry)));
    found.iter().map(|entry| finding(&entry.path)).collect()
}

/// The folders in which skc creates files and folders: its own, those of skills, and runtimes.
fn folders(scene: &HealthScene) -> BTreeSet<PathBuf> {
    let places = &scene.app.call.places;
    let own = [Scope::Project, Scope::Global].into_iter().filter_map(|scope| places.skillc_dir(scope));
    let runtimes =
        scene.runtimes.iter().flat_map(|runtime| [runtime.path.clone(), runtime.path.join(META_DIR)]);
    let roots = scene.scans.roots.iter().map(|(root, _)| root.path.clone());
    let all = own.flat_map(|own| [own.join("runtime"), own.join("journal"), own.join("shipped"), own]);
    all.chain(runtimes).chain(roots).collect()
}

fn name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// Whether a name was left behind by a killed command. Items that wait for the trash belong to `skc undo`.
fn is_leftover(path: &Path, ids: &HashSet<String>) -> bool {
    let Some(name) = name(path) else { return false };
    let is_replaced = name.strip_prefix(REPLACED).is_some_and(|id| !ids.contains(id));
    is_replaced || INCOMPLETE.iter().any(|start| name.starts_with(start))
}

fn finding(path: &Path) -> HealthFinding {
    let what = "the command that created it was killed";
    HealthFinding::fixable(FindingSeverity::Note, path, what, SafeFix::Remove(path.to_owned()))
}
