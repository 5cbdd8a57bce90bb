//! Reads the text of a skill and lists its other files, in its own folder only.

use crate::app::App;
use crate::failure::Failure;
use crate::refusal::unreadable;
use crate::shipped;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::load::listed;
use skillc_domain::discovery::skill::{CatalogSkill, SkillKind};
use skillc_domain::limits::LOAD_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_ports::{ErrorKind, PortError, SkillTree};
use std::path::PathBuf;

/// The current text of a skill.
pub struct SkillText {
    /// The whole text.
    pub text: String,
    /// SHA-256 of the text.
    pub digest: Digest,
    /// Modification time, in milliseconds since 1970 UTC.
    pub mtime_ms: i64,
    /// Its folder; `None` for a built-in skill that cannot be written to disk.
    tree: Option<Box<dyn SkillTree>>,
}

/// Reads a skill through the folder that the catalog saw.
///
/// # Errors
/// E076 if it no longer exists, leads out of its folder, is not a regular file, is too large, or is not UTF-8.
pub fn text_of(app: &App, skill: &CatalogSkill) -> Result<SkillText, Failure> {
    if skill.kind == SkillKind::Builtin {
        let own = app.call.environment.builtin_skills.iter().find(|own| own.name == skill.name);
        let text = own.map(|own| own.text.to_owned()).unwrap_or_default();
        // If it cannot be written to disk, its text is all there is.
        let folder = own.and_then(|own| shipped::write(app, own).ok());
        let tree = folder.and_then(|folder| app.ports.files.open(&folder).ok());
        return Ok(SkillText { text, digest: skill.digest, mtime_ms: skill.mtime_ms, tree });
    }
    let refuse = |error: PortError| Failure::because(unreadable(&skill.path, reason(&error)), error);
    let tree = app.ports.files.open(&skill.dir).map_err(refuse)?;
    // If the folder has become a link, it leads to another skill than the selected one.
    if app.ports.stores.real_path(&skill.dir) != skill.dir {
        return Err(unreadable(&skill.path, "its folder was replaced with a link").into());
    }
    let content = tree.read(&RelPath::from_walk(own_file(skill)), LOAD_BYTES_MAX).map_err(refuse)?;
    let digest = app.ports.files.digest(&content.bytes);
    let text = String::from_utf8(content.bytes).map_err(|_| unreadable(&skill.path, "not UTF-8 text"))?;
    let mtime_ms = content.stamp.mtime_ns.div_euclid(1_000_000);
    Ok(SkillText { text, digest, mtime_ms, tree: Some(tree) })
}

fn reason(error: &PortError) -> String {
    match error.kind {
        ErrorKind::TooLarge => format!("larger than {LOAD_BYTES_MAX} bytes"),
        _ => error.reason().to_owned(),
    }
}

fn own_file(skill: &CatalogSkill) -> String {
    skill.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The other files of a skill, and whether some are not listed. Errors of listing are ignored.
pub fn files_of(skill: &CatalogSkill, text: &SkillText) -> (Vec<PathBuf>, bool) {
    // Files next to a single-file skill do not belong to it.
    let Some(tree) = text.tree.as_ref().filter(|_| !skill.is_single_file()) else {
        return (Vec::new(), false);
    };
    match tree.survey() {
        Ok(survey) => listed(&skill.dir, &own_file(skill), survey.files.iter().map(|file| &file.path)),
        Err(_) => (Vec::new(), true),
    }
}
