//! Deployed copies that differ from their build.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding, SafeFix};
use crate::doctor::scene::HealthScene;
use crate::runtime::{read_manifest, source_of};
use crate::source::skill_file;
use skillc_domain::deploy::Occupant;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::manifest::Manifest;
use skillc_ports::RuntimeFile;
use std::path::Path;

pub static CHECK: HealthCheck = HealthCheck {
    id: "differing-copy",
    title: "copies that differ from their source",
    why: "agents that read the copy get a different text from those that read the build",
    find,
};

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let copies = scene.entries.iter().filter_map(|entry| match &entry.occupant {
        Occupant::Compiled(manifest) => Some((&entry.place, read_manifest(manifest)?)),
        _ => None,
    });
    copies.filter_map(|(place, manifest)| finding(scene, place, &manifest)).collect()
}

fn finding(scene: &HealthScene, place: &Path, manifest: &Manifest) -> Option<HealthFinding> {
    let source = source_of(&scene.app, manifest).filter(|source| scene.is_there(source))?;
    let runtime = scene.runtime_of(&source, place)?;
    let what = match runtime.manifest.as_ref()?.source_hash == manifest.source_hash {
        true if has_stub_of(scene, place, &runtime.path) => return None,
        true => "its text was edited",
        false => "its version differs from that of the build",
    };
    let fix = SafeFix::Copy { runtime: runtime.path.clone(), place: place.to_owned() };
    Some(HealthFinding::fixable(FindingSeverity::Warning, place, what, fix).of_skill(&runtime.name))
}

/// Whether the copy has the same stub as the runtime.
fn has_stub_of(scene: &HealthScene, place: &Path, runtime: &Path) -> bool {
    let ports = &scene.app.ports;
    let copied = ports.files.open(place).and_then(|tree| tree.read(&skill_file(), TEXT_BYTES_MAX));
    let stub = ports.runtimes.read(runtime, RuntimeFile::Stub).ok().flatten();
    match (copied, stub) {
        (Ok(copied), Some(stub)) => copied.bytes == stub,
        // Without a stub, there is nothing to copy.
        (_, None) => true,
        (Err(_), Some(_)) => false,
    }
}
