//! Builds that are out of date or incomplete.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding, SafeFix};
use crate::doctor::scene::{BuiltRuntime, HealthScene};
use crate::runtime::{index_of, index_settings};
use crate::skill::Skill;
use crate::source::source_hash;
use skillc_domain::config::OnStale;
use skillc_domain::listing::Scope;
use skillc_domain::manifest::Manifest;
use skillc_ports::RuntimeFile;
use std::path::{Path, PathBuf};

pub static CHECK: HealthCheck = HealthCheck {
    id: "stale-build",
    title: "builds that are out of date",
    why: "agents read the old outline, and 'show' and 'search' fail with E002",
    find,
};

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    scene.runtimes.iter().filter_map(|runtime| finding(scene, runtime)).collect()
}

fn finding(scene: &HealthScene, runtime: &BuiltRuntime) -> Option<HealthFinding> {
    let skill = skill(scene, runtime, source(scene, runtime)?);
    let what = flaw(scene, runtime, &skill)?;
    let fix = SafeFix::Build { skill: skill.clone(), scope: runtime.scope };
    let found = HealthFinding::fixable(FindingSeverity::Warning, &skill.path, what, fix);
    let found = match index_settings(&scene.app, &runtime.path).on_stale {
        OnStale::Error => found,
        OnStale::Rebuild => found
            .because("agents read the old outline, and the next 'show' or 'search' has to build it first"),
    };
    Some(found.of_skill(&runtime.name))
}

/// The source of a runtime; without a manifest, the skill with its name in a store.
fn source(scene: &HealthScene, runtime: &BuiltRuntime) -> Option<PathBuf> {
    match &runtime.source {
        // A project's manifest may come from a clone and name any folder.
        Some(source) => Some(source.clone()).filter(|source| {
            let is_own = runtime.scope == Scope::Global || scene.app.call.places.is_in_project(source);
            is_own && scene.is_there(source)
        }),
        None => {
            let stores = scene.app.call.places.stores(runtime.scope);
            stores.into_iter().map(|store| store.join(&runtime.name)).find(|place| scene.is_there(place))
        }
    }
}

fn flaw(scene: &HealthScene, runtime: &BuiltRuntime, skill: &Skill) -> Option<String> {
    let app = &scene.app;
    if app.ports.runtimes.pending(&runtime.path).is_some() {
        return Some("a build of it was killed before it was complete".to_owned());
    }
    let Some(manifest) = &runtime.manifest else {
        let has_stub = app.ports.runtimes.read(&runtime.path, RuntimeFile::Stub).ok()?.is_some();
        return has_stub.then(|| "the manifest of its build cannot be read".to_owned());
    };
    if !app.ports.stores.is_file(&index_of(app, &runtime.path, skill)) {
        return Some("the index of its build is missing".to_owned());
    }
    has_changed(scene, manifest, &skill.path).then(|| "changed since it was built".to_owned())
}

/// Whether the source differs from the build. Sources that cannot be read are reported by other checks.
fn has_changed(scene: &HealthScene, manifest: &Manifest, source: &Path) -> bool {
    source_hash(&scene.app, source).is_ok_and(|hash| hash != manifest.source_hash)
}

/// The skill of a runtime. It is named after the runtime, whatever the name of the folder that a link in a store
/// leads to.
fn skill(scene: &HealthScene, runtime: &BuiltRuntime, path: PathBuf) -> Skill {
    let scope = scene.app.call.places.scope_of(&path).unwrap_or(runtime.scope);
    Skill { name: runtime.name.clone(), path, scope: Some(scope), given: runtime.name.clone(), origin: None }
}
