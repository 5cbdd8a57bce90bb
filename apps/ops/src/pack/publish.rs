//! Publishes skills as the files of a well-known index, for any static server.

use super::check::{metadata, refuse, verdict};
use super::make::{listing_of, read_members};
use super::member::{Division, divide};
use super::reply::TargetVerdict;
use super::site_reply::CheckedSite;
use crate::app::App;
use crate::failure::Failure;
use crate::render::{Render, View, line, plain, table};
use crate::resolve::typed;
use crate::run::Run;
use crate::skill::Skill;
use crate::source::skill_file;
use crate::written::{self, Allowed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::archive::ArchiveMember;
use skillc_domain::fault::Fault;
use skillc_domain::limits::ARCHIVE_UNPACKED_BYTES_MAX;
use skillc_domain::places::SKILL_FILE;
use skillc_lint::pack::{ARCHIVE_TYPE, INDEX_SCHEMA, PackTarget, SKILL_MD_TYPE};
use skillc_ports::ErrorKind;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where clients look for the index, relative to the root of a server.
pub(super) const FOLDER: &str = ".well-known/agent-skills";
pub(super) const INDEX: &str = "index.json";
/// Maximum size in bytes of an index that is replaced: ten thousand skills with the longest descriptions.
const INDEX_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// The value of `generator`, which identifies an index written by skc.
const GENERATOR: &str = "skc publish";

/// The index, in the format of version 0.2.0.
#[derive(Debug, Serialize, Deserialize)]
struct WellKnownIndex {
    #[serde(rename = "$schema")]
    schema: String,
    #[serde(default)]
    generator: String,
    skills: Vec<PublishedArtifact>,
}

/// A skill in the index.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PublishedArtifact {
    /// `name` in its SKILL.md.
    pub name: String,
    /// `skill-md` for a skill of that file alone, else `archive`.
    pub r#type: String,
    /// `description` in its SKILL.md.
    pub description: String,
    /// The file, relative to the index.
    pub url: String,
    /// SHA-256 of the file.
    pub digest: String,
}

/// The files that were written, or how clients treat a site.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct PublishReply {
    /// The index; none if a skill cannot be published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<PathBuf>,
    /// The skills in it, by name.
    pub skills: Vec<PublishedArtifact>,
    /// Files in the replaced index that the new one does not list; they are not deleted.
    pub stale: Vec<PathBuf>,
    /// The site that was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<CheckedSite>,
}

/// A skill, with the content of its file.
struct Artifact {
    published: PublishedArtifact,
    bytes: Vec<u8>,
}

/// Publishes skills below the root of a static server. Nothing is written if clients would refuse one of them; each
/// reason is then reported as an E057.
///
/// # Errors
/// E012 and E016 as for a build; E018, E052 for files in the way; E100 if two skills have the same name.
pub fn publish(
    run: &mut Run<'_>,
    skills: &[Skill],
    target: &'static PackTarget,
    root: &str,
    allowed: Allowed,
) -> Result<PublishReply, Failure> {
    let app = run.app;
    let folder = app.agents_path(&typed(app, root))?.join(FOLDER);
    let old = old_index(app, &folder, allowed)?;
    let mut artifacts = Vec::new();
    let mut is_refused = false;
    for skill in skills {
        run.uses(skill);
        match artifact(run, skill, target)? {
            Ok(artifact) => artifacts.push(artifact),
            Err(verdict) => {
                refuse(run, &[verdict], &skill.path);
                is_refused = true;
            }
        }
    }
    if is_refused {
        return Ok(PublishReply::default());
    }
    artifacts.sort_by(|a, b| a.published.name.cmp(&b.published.name));
    if let Some([one, _]) = artifacts.array_windows().find(|[a, b]| a.published.name == b.published.name) {
        return Err(Fault::invalid_option(format!("two skills are called '{}'", one.published.name)).into());
    }
    write(app, &folder, &artifacts, &old, allowed)?;
    let skills: Vec<PublishedArtifact> = artifacts.into_iter().map(|artifact| artifact.published).collect();
    let is_listed = |url: &String| skills.iter().any(|skill| skill.url == *url);
    let stale = old.iter().map(|skill| &skill.url).filter(|url| !is_listed(url)).map(|url| folder.join(url));
    Ok(PublishReply { index: Some(folder.join(INDEX)), stale: stale.collect(), skills, checked: None })
}

/// The skills in an index written by skc; empty if there is no index.
fn old_index(app: &App, folder: &Path, allowed: Allowed) -> Result<Vec<PublishedArtifact>, Failure> {
    let path = folder.join(INDEX);
    let bytes = match app.ports.named.read(&path, INDEX_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    match own_index(&bytes) {
        Some(index) => Ok(index.skills),
        None if allowed.is_forced || bytes.is_empty() => Ok(Vec::new()),
        None => Err(Fault::FileNotOurs { path }.into()),
    }
}

fn own_index(bytes: &[u8]) -> Option<WellKnownIndex> {
    serde_json::from_slice(bytes).ok().filter(|index: &WellKnownIndex| index.generator == GENERATOR)
}

/// The digest of the file that `publish` writes for a skill; `None` if it writes none.
pub(super) fn published_digest(
    run: &mut Run<'_>,
    skill: &Skill,
    target: &'static PackTarget,
) -> Option<String> {
    artifact(run, skill, target).ok()?.ok().map(|artifact| artifact.published.digest)
}

/// The file of a skill, or why clients would refuse it.
fn artifact(
    run: &mut Run<'_>,
    skill: &Skill,
    target: &'static PackTarget,
) -> Result<Result<Artifact, TargetVerdict>, Failure> {
    let tree = run.app.ports.files.open(&skill.path)?;
    let Division { packed, .. } = divide(run, tree.as_ref(), &[])?;
    let skill_md = tree.read(&skill_file(), ARCHIVE_UNPACKED_BYTES_MAX)?.bytes;
    let metadata = metadata(run.app, &skill_md);
    let listing = listing_of(&packed, |path| path.to_owned());
    let verdict = verdict(target, &listing, Some(&metadata));
    if !verdict.accepts {
        return Ok(Err(verdict));
    }
    let (name, description) = (metadata.name.unwrap_or_default(), metadata.description.unwrap_or_default());
    let (r#type, url, bytes) = match packed.len() {
        1 => (SKILL_MD_TYPE, format!("{name}/{SKILL_FILE}"), skill_md),
        _ => {
            let members: Vec<ArchiveMember> = read_members(tree.as_ref(), &packed)?;
            (ARCHIVE_TYPE, format!("{name}.zip"), run.app.ports.archives.pack(&members)?)
        }
    };
    let digest = digest_of(run.app, &bytes);
    let published = PublishedArtifact { name, r#type: r#type.to_owned(), description, url, digest };
    Ok(Ok(Artifact { published, bytes }))
}

/// The digest of a file, in the form of the index.
pub(super) fn digest_of(app: &App, bytes: &[u8]) -> String {
    format!("sha256:{}", app.ports.files.digest(bytes))
}

/// Writes the files of the skills, then the index that names them.
fn write(
    app: &App,
    folder: &Path,
    artifacts: &[Artifact],
    old: &[PublishedArtifact],
    allowed: Allowed,
) -> Result<(), Failure> {
    let old: BTreeSet<&str> = old.iter().map(|skill| skill.digest.as_str()).collect();
    app.ports.stores.create_folder(folder)?;
    for Artifact { published, bytes } in artifacts {
        let path = folder.join(&published.url);
        if let Some(folder) = path.parent() {
            app.ports.stores.create_folder(folder)?;
        }
        let is_ours = |now: &[u8]| {
            now == bytes || old.contains(digest_of(app, now).as_str()) || app.ports.archives.is_packed(now)
        };
        written::write(app, &path, bytes, allowed, &is_ours)?;
    }
    let skills = artifacts.iter().map(|artifact| artifact.published.clone()).collect();
    let index = WellKnownIndex { schema: INDEX_SCHEMA.to_owned(), generator: GENERATOR.to_owned(), skills };
    // Strings and lists can always be serialized.
    let mut bytes = serde_json::to_vec_pretty(&index).unwrap_or_default();
    bytes.push(b'\n');
    written::write(app, &folder.join(INDEX), &bytes, allowed, &|now| own_index(now).is_some())
}

impl Render for PublishReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if let Some(site) = &self.checked {
            return site.render(view, out);
        }
        let Some(index) = &self.index else { return };
        let row =
            |skill: &PublishedArtifact| vec![plain(&skill.name), skill.url.clone(), skill.digest.clone()];
        let rows: Vec<Vec<String>> = self.skills.iter().map(row).collect();
        line(out, table(view, &["SKILL", "FILE", "DIGEST"], &rows));
        line(out, format!("Index: {}", view.path(index)));
        for path in &self.stale {
            line(out, format!("No longer listed: {}", view.path(path)));
        }
    }
}
