//! Deployed skills whose source no longer exists.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::{BuiltRuntime, HealthScene};
use crate::runtime::{read_manifest, source_of};
use skillc_domain::deploy::Occupant;
use skillc_domain::text::shell::{argument, quote};
use std::collections::HashMap;
use std::path::Path;

pub static CHECK: HealthCheck = HealthCheck {
    id: "lost-source",
    title: "deployed skills whose source is gone",
    why: "agents still see the stub, and each of its commands fails",
    find,
};

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let mut links: HashMap<&Path, &Path> = HashMap::new();
    for entry in &scene.entries {
        if let Occupant::Link { to, .. } = &entry.occupant {
            links.entry(to).or_insert(&entry.place);
        }
    }
    let runtimes = scene.runtimes.iter().filter_map(|runtime| of_runtime(scene, runtime, &links));
    let copies = scene.entries.iter().filter_map(|entry| match &entry.occupant {
        Occupant::Compiled(manifest) => of_copy(scene, &entry.place, manifest),
        _ => None,
    });
    runtimes.chain(copies).collect()
}

/// Findings for a runtime without a source. `links` maps paths to the links that lead to them.
fn of_runtime(
    scene: &HealthScene,
    runtime: &BuiltRuntime,
    links: &HashMap<&Path, &Path>,
) -> Option<HealthFinding> {
    let source = runtime.source.as_ref().filter(|source| !scene.is_there(source))?;
    let place = links.get(runtime.path.as_path())?;
    let fix = format!("skc undeploy {}", argument(&runtime.name));
    Some(finding(place, source, fix).of_skill(&runtime.name))
}

/// A copy whose source no longer exists; if it has a runtime, it is removed together with that.
fn of_copy(scene: &HealthScene, place: &Path, manifest: &[u8]) -> Option<HealthFinding> {
    let manifest = read_manifest(manifest)?;
    let source = source_of(&scene.app, &manifest)?;
    if scene.is_there(&source) {
        return None;
    }
    let name = place.file_name()?.to_string_lossy();
    let fix = match scene.runtime_of(&source, place).is_some() {
        true => format!("skc undeploy {}", argument(&name)),
        false => format!("rm -r {}", quote(&place.to_string_lossy())),
    };
    Some(finding(place, &source, fix).of_skill(&name))
}

fn finding(place: &Path, source: &Path, fix: String) -> HealthFinding {
    let what = format!("was built from '{}', which is gone", source.display());
    HealthFinding::new(FindingSeverity::Error, place, what, fix)
}
