//! Surveys and digests of the source of a skill.

use crate::app::App;
use crate::failure::Failure;
use skillc_domain::digest::{Digest, FileDigest, source_hash_input};
use skillc_domain::fault::Fault;
use skillc_domain::freshness::SummarizedSurvey;
use skillc_domain::limits::SKILL_FILES_MAX;
use skillc_domain::path::RelPath;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::survey::{ListedFiles, Survey};
use skillc_ports::{ErrorKind, PortError, SkillTree};
use std::path::Path;
use std::sync::Arc;

/// The path of SKILL.md in a skill.
pub fn skill_file() -> RelPath {
    RelPath::from_walk(SKILL_FILE.to_owned())
}

/// Walks a skill.
///
/// # Errors
/// E016 if it has too many files.
pub fn survey(tree: &dyn SkillTree) -> Result<Survey, Failure> {
    tree.survey().map_err(too_many_files)
}

fn too_many_files(error: PortError) -> Failure {
    match error.kind {
        ErrorKind::TooLarge => Failure::because(Fault::TooManyFiles { limit: SKILL_FILES_MAX }, error),
        _ => error.into(),
    }
}

/// The names of a skill's files: those of the cached survey if it is valid, else of a walk that examines no file.
///
/// # Errors
/// As `survey`.
pub fn current_listing(tree: &dyn SkillTree) -> Result<ListedFiles, Failure> {
    match tree.cached_survey() {
        Some(known) => Ok(ListedFiles::from(&**known)),
        None => tree.listing().map_err(too_many_files),
    }
}

/// The cached survey of a skill if it is valid, otherwise a new one.
///
/// # Errors
/// As `survey`.
pub fn current_survey(tree: &dyn SkillTree) -> Result<Arc<SummarizedSurvey>, Failure> {
    match tree.cached_survey() {
        Some(known) => Ok(known),
        None => survey(tree).map(|survey| Arc::new(SummarizedSurvey::new(survey))),
    }
}

/// The digest of a file; `None` if it no longer exists.
///
/// # Errors
/// `Failed` and other errors of the file system, but not `Denied`, which yields `Unreadable`.
pub fn digest_of(tree: &dyn SkillTree, path: &RelPath) -> Result<Option<FileDigest>, PortError> {
    match tree.digest(path) {
        Ok(digest) => Ok(Some(FileDigest::Content(digest))),
        Err(error) => match error.kind {
            ErrorKind::NotFound | ErrorKind::NotAFile | ErrorKind::Escapes => Ok(None),
            ErrorKind::Denied => Ok(Some(FileDigest::Unreadable)),
            _ => Err(error),
        },
    }
}

/// The hash over all files of a source. Reads every file.
///
/// # Errors
/// E016 if it has too many files.
pub fn source_hash(app: &App, source: &Path) -> Result<Digest, Failure> {
    let tree = app.ports.files.open(source)?;
    hash_of(app, tree.as_ref(), &survey(tree.as_ref())?)
}

/// The same for a source that was surveyed.
///
/// # Errors
/// If a file cannot be read.
pub fn hash_of(app: &App, tree: &dyn SkillTree, survey: &Survey) -> Result<Digest, Failure> {
    let mut digests = Vec::with_capacity(survey.files.len());
    for file in &survey.files {
        if let Some(digest) = digest_of(tree, &file.path)? {
            digests.push((&file.path, digest));
        }
    }
    Ok(app.ports.files.digest(&source_hash_input(digests.into_iter())))
}
