//! Chooses a skill's runtime, reads its manifest, and completes interrupted publishes.

use crate::app::App;
use crate::skill::Skill;
use serde::{Deserialize, Serialize};
use skillc_domain::config::IndexSettings;
use skillc_domain::digest::Digest;
use skillc_domain::fault::Fault;
use skillc_domain::limits::STUB_MANIFEST_BYTES_MAX;
use skillc_domain::listing::Scope;
use skillc_domain::manifest::Manifest;
use skillc_domain::places::{META_DIR, below, index_file, is_index_name};
use skillc_ports::{PortError, PublishedFile, RuntimeFile};
use std::path::{Path, PathBuf};

/// How the index of a runtime is built and read. A project's file decides for the runtimes of the project alone.
pub fn index_settings(app: &App, runtime: &Path) -> IndexSettings {
    let settings = &app.call.settings;
    if app.call.places.is_global_runtime(runtime) { settings.home_index } else { settings.index }
}

/// The JSON form of a manifest.
#[derive(Serialize, Deserialize)]
struct ManifestFile {
    skill: String,
    version: u32,
    built_at: String,
    source_hash: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    stub: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin_hash: Option<String>,
}

/// The content of `manifest.json`, with a final line feed.
pub fn write_manifest(manifest: &Manifest) -> Vec<u8> {
    let file = ManifestFile {
        skill: manifest.skill.clone(),
        version: manifest.version,
        built_at: manifest.built_at.clone(),
        source_hash: manifest.source_hash.to_string(),
        source: manifest.source.clone(),
        stub: manifest.stub.clone(),
        origin: manifest.origin.clone(),
        origin_hash: manifest.origin_hash.as_ref().map(Digest::to_string),
    };
    // Strings and numbers can always be serialized.
    let mut bytes = serde_json::to_vec_pretty(&file).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// Parses a manifest; `None` if it is invalid.
pub fn read_manifest(bytes: &[u8]) -> Option<Manifest> {
    let bytes = Some(bytes).filter(|bytes| bytes.len() as u64 <= STUB_MANIFEST_BYTES_MAX)?;
    let file: ManifestFile = serde_json::from_slice(bytes).ok()?;
    Some(Manifest {
        source_hash: Digest::from_hex(&file.source_hash)?,
        skill: file.skill,
        version: file.version,
        built_at: file.built_at,
        source: file.source,
        stub: file.stub,
        origin: file.origin,
        origin_hash: file.origin_hash.as_deref().and_then(Digest::from_hex),
    })
}

/// The manifest of a runtime; `None` if there is no valid one.
pub fn manifest(app: &App, runtime: &Path) -> Option<Manifest> {
    read_manifest(&app.ports.runtimes.read(runtime, RuntimeFile::Manifest).ok()??)
}

/// The source that a manifest names; a relative path refers to this project.
pub fn source_of(app: &App, manifest: &Manifest) -> Option<PathBuf> {
    let source = PathBuf::from(&manifest.source);
    if source.is_absolute() {
        return Some(source);
    }
    let source = below(app.call.places.project.clone()?, &source);
    Some(source).filter(|source| !manifest.source.is_empty() && app.call.places.is_in_project(source))
}

/// The source from which a runtime was built, according to its manifest.
pub fn source_built(app: &App, runtime: &Path) -> Option<PathBuf> {
    source_of(app, &manifest(app, runtime)?)
}

/// The runtimes that a skill with this name may have, with their scopes.
pub fn of_name(app: &App, name: &str) -> impl Iterator<Item = (Scope, PathBuf)> {
    let runtime = |scope| Some((scope, app.call.places.runtime(scope, name)?));
    [Scope::Project, Scope::Global].into_iter().filter_map(runtime)
}

/// Whether a runtime belongs to this skill; if it has no manifest, whether it is in the skill's scope.
pub fn is_of(app: &App, skill: &Skill, scope: Scope, runtime: &Path) -> bool {
    let is_source = |manifest: Manifest| manifest.source == skill.path_text();
    manifest(app, runtime).map_or(skill.scope == Some(scope), is_source)
}

/// The path of a skill's index in a runtime.
pub fn index_of(app: &App, runtime: &Path, skill: &Skill) -> PathBuf {
    index_file(runtime, &app.ports.files.digest(skill.path_text().as_bytes()))
}

/// E003: the index at a skill's path belongs to another skill.
pub fn collision(app: &App, skill: &Skill) -> Fault {
    Fault::IndexCollision { hash16: app.ports.files.digest(skill.path_text().as_bytes()).hash16() }
}

/// The runtime of a skill in a scope.
///
/// # Errors
/// E999 for the project scope outside a project, where no skill is found.
pub fn of_scope(app: &App, scope: Scope, name: &str) -> Result<PathBuf, Fault> {
    let outside = || Fault::Internal { message: format!("there is no project to build '{name}' in") };
    app.call.places.runtime(scope, name).ok_or_else(outside)
}

/// The runtimes that may be read for a skill, best first: for a project skill the project's, otherwise the global
/// one. If both manifests name this source, the one built last comes first (RFC-0007:C-RESOLUTION).
pub fn candidates(app: &App, skill: &Skill) -> Vec<PathBuf> {
    let places = &app.call.places;
    let global = places.global_runtime(&skill.name);
    let own = match skill.home_scope(places) {
        Scope::Project => places.runtime(Scope::Project, &skill.name),
        Scope::Global => None,
    };
    let Some(own) = own else { return vec![global] };
    if skill.scope.is_none() {
        return vec![own];
    }
    let built_at = |runtime: &Path| {
        manifest(app, runtime).filter(|m| m.source == skill.path_text()).map(|manifest| manifest.built_at)
    };
    // Most skills have no global runtime, so the other manifest need not be read.
    let Some(there) = built_at(&global) else { return vec![own] };
    match built_at(&own) {
        None => vec![global],
        Some(here) if there > here => vec![global, own],
        Some(_) => vec![own, global],
    }
}

/// The best of the [`candidates`].
pub fn reading(app: &App, skill: &Skill) -> PathBuf {
    candidates(app, skill).swap_remove(0)
}

/// Completes a publish whose process died between committing the index and writing the files. Does nothing while
/// another build holds the lock, since that build writes the files itself.
pub async fn roll_forward(app: &App, runtime: &Path) {
    if app.ports.runtimes.pending(runtime).is_none() {
        return;
    }
    if let Some(_guard) = app.ports.runtimes.try_lock(runtime) {
        finish_pending(app, runtime).await;
    }
}

/// Like [`roll_forward`], for a caller that holds the lock. If the runtime cannot be written to, the files stay
/// outdated, which is harmless because the index is read in any case.
pub async fn finish_pending(app: &App, runtime: &Path) {
    let Some(index_name) = app.ports.runtimes.pending(runtime) else { return };
    app.call.detail(|| format!("finishing an interrupted build in {}", runtime.display()));
    // The marker is untrusted: only the name of an index in this runtime is accepted.
    let index = is_index_name(&index_name).then(|| runtime.join(META_DIR).join(index_name));
    let reader = match index {
        Some(index) => app.ports.index.open(&index).await.present(),
        None => None,
    };
    let published = match reader {
        Some(reader) => reader.published_files().await,
        None => Ok(Vec::new()),
    };
    if published.and_then(|files| write_published(app, runtime, &files)).is_ok() {
        let _ = app.ports.runtimes.clear_pending(runtime);
    }
}

/// Writes the stub and the manifest of a runtime if they differ from the published ones.
pub fn write_published(app: &App, runtime: &Path, published: &[PublishedFile]) -> Result<(), PortError> {
    for file in [RuntimeFile::Stub, RuntimeFile::Manifest] {
        let Some(content) = content_of(published, file) else { continue };
        if app.ports.runtimes.read(runtime, file)?.as_deref() != Some(content) {
            app.ports.runtimes.write(runtime, file, content)?;
        }
    }
    Ok(())
}

/// The content of a published file.
pub fn content_of(published: &[PublishedFile], file: RuntimeFile) -> Option<&[u8]> {
    published.iter().find(|published| published.name == file.path()).map(|found| found.bytes.as_slice())
}
