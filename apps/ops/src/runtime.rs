//! Which runtime a reader takes, its manifest, and the roll-forward of a publish that was interrupted.

use crate::app::App;
use crate::resolve::Skill;
use serde::{Deserialize, Serialize};
use skillc_domain::digest::Digest;
use skillc_domain::limits::STUB_MANIFEST_BYTES_MAX;
use skillc_domain::listing::Scope;
use skillc_domain::manifest::Manifest;
use skillc_domain::places::{META_DIR, index_file, is_index_name};
use skillc_ports::{Artifact, PortError, Projection};
use std::path::{Path, PathBuf};

/// The manifest as it stands in its file.
#[derive(Serialize, Deserialize)]
struct ManifestFile {
    skill: String,
    version: u32,
    built_at: String,
    source_hash: String,
    #[serde(default)]
    source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
}

/// The bytes of a manifest.
pub fn write_manifest(manifest: &Manifest) -> Vec<u8> {
    let file = ManifestFile {
        skill: manifest.skill.clone(),
        version: manifest.version,
        built_at: manifest.built_at.clone(),
        source_hash: manifest.source_hash.to_string(),
        source: manifest.source.clone(),
        origin: manifest.origin.clone(),
    };
    // Strings and numbers always have a JSON form.
    let mut bytes = serde_json::to_vec_pretty(&file).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// Reads a manifest; `None` for anything that is not a valid one.
pub fn read_manifest(bytes: &[u8]) -> Option<Manifest> {
    let bytes = Some(bytes).filter(|bytes| bytes.len() as u64 <= STUB_MANIFEST_BYTES_MAX)?;
    let file: ManifestFile = serde_json::from_slice(bytes).ok()?;
    Some(Manifest {
        source_hash: Digest::from_hex(&file.source_hash)?,
        skill: file.skill,
        version: file.version,
        built_at: file.built_at,
        source: file.source,
        origin: file.origin,
    })
}

/// The manifest of a runtime, if it has a valid one.
pub fn manifest(app: &App, runtime: &Path) -> Option<Manifest> {
    read_manifest(&app.runtimes.read(runtime, Artifact::Manifest).ok()??)
}

/// The index of a skill in a runtime.
pub fn index_of(app: &App, runtime: &Path, skill: &Skill) -> PathBuf {
    index_file(runtime, &app.files.digest(skill.path_text().as_bytes()))
}

/// The runtime of a scope, which exists for every skill that resolved there.
pub fn of_scope(app: &App, scope: Scope, name: &str) -> PathBuf {
    app.places.runtime(scope, name).unwrap_or_else(|| app.places.own.join("runtime").join(name))
}

/// The runtimes that a reader may take, the better one first: for a project skill the project's, else the global one;
/// where both manifests name this source, the one built last (RFC-0007:C-RESOLUTION).
pub fn readable(app: &App, skill: &Skill) -> Vec<PathBuf> {
    let own = of_scope(app, skill.home_scope(&app.places), &skill.name);
    if skill.scope != Some(Scope::Project) {
        return vec![own];
    }
    let global = of_scope(app, Scope::Global, &skill.name);
    let built_at = |runtime: &Path| {
        manifest(app, runtime).filter(|m| m.source == skill.path_text()).map(|manifest| manifest.built_at)
    };
    // Most have none there, and then the other one need not be read.
    let Some(there) = built_at(&global) else { return vec![own] };
    match built_at(&own) {
        None => vec![global],
        Some(here) if there > here => vec![global, own],
        Some(_) => vec![own, global],
    }
}

/// The best of them.
pub fn reading(app: &App, skill: &Skill) -> PathBuf {
    readable(app, skill).swap_remove(0)
}

/// Finishes a publish whose process died between its commit and its files. While another build holds the lock nothing
/// is done: what it committed is the truth, and it writes the files itself.
pub async fn roll_forward(app: &App, runtime: &Path) {
    if app.runtimes.pending(runtime).is_none() {
        return;
    }
    if let Some(_guard) = app.runtimes.try_lock(runtime) {
        finish_pending(app, runtime).await;
    }
}

/// The same for a caller who holds the lock. In a runtime that cannot be written the files stay as they are: every
/// answer comes from the index anyway.
pub async fn finish_pending(app: &App, runtime: &Path) {
    let Some(index_name) = app.runtimes.pending(runtime) else { return };
    app.detail(|| format!("finishing an interrupted build in {}", runtime.display()));
    // A marker can be anybody's file: what it names is an index of this runtime or nothing.
    let index = is_index_name(&index_name).then(|| runtime.join(META_DIR).join(index_name));
    let reader = match index {
        Some(index) => app.index.open(&index).await,
        None => None,
    };
    let projections = match reader {
        Some(reader) => reader.projections().await,
        None => Ok(Vec::new()),
    };
    if projections.and_then(|p| put_projections(app, runtime, &p)).is_ok() {
        let _ = app.runtimes.clear_pending(runtime);
    }
}

/// Writes the projections that differ from what stands there; whether any did.
pub fn put_projections(app: &App, runtime: &Path, projections: &[Projection]) -> Result<bool, PortError> {
    let mut has_written = false;
    for artifact in [Artifact::Stub, Artifact::Manifest] {
        let Some(wanted) = projections.iter().find(|p| p.name == artifact.path()) else { continue };
        if app.runtimes.read(runtime, artifact)?.as_deref() != Some(wanted.bytes.as_slice()) {
            app.runtimes.write(runtime, artifact, &wanted.bytes)?;
            has_written = true;
        }
    }
    Ok(has_written)
}
