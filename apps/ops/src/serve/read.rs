//! Reads one file of a skill as a resource, and logs it as a use of the skill.

use super::served_skill::ServedSkill;
use super::served_skills::ServedSkills;
use crate::app::App;
use crate::failure::Failure;
use crate::policy::admit_file;
use crate::run::Run;
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::Map;
use skillc_domain::fault::Fault;
use skillc_domain::limits::SERVED_BYTES_MAX;
use skillc_domain::media_type::media_type;
use skillc_domain::path::RelPath;
use skillc_domain::skill_uri::SkillUri;
use skillc_ports::{ErrorKind, PortError};
use std::path::PathBuf;

/// The command under which a read is logged.
const COMMAND: &str = "read";

/// The whole content of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum ResourceContent {
    /// UTF-8 text.
    Text(String),
    /// Any other bytes, in base64.
    Base64(String),
}

/// A file that was read.
#[derive(Debug)]
pub struct ServedFile {
    /// Its whole content.
    pub content: ResourceContent,
    /// Its media type, guessed from the file name.
    pub media_type: &'static str,
    /// The base directory of its skill.
    pub dir: PathBuf,
}

/// Reads a file by its URI. Also logged if the file is missing, but not if the skill is not served.
///
/// # Errors
/// E001 if the skill is not served, E074 if the user has to consent first, E021 if the skill has no such file.
pub async fn read(app: &App, skills: &ServedSkills, uri: &str) -> Result<ServedFile, Failure> {
    let unknown = || not_served(uri.to_owned());
    let target = SkillUri::parse(uri).ok_or_else(unknown)?;
    let served = skills.open(app, &target.place)?;
    admit_file(app, &served.skill, &target.path)?;
    let mut run = Run::new(app);
    run.uses(&served.skill);
    run.asks_for(target.path.as_str());
    let done = content(app, skills, &served, &target.path);
    if done.is_ok() {
        run.reads(target.path.as_str(), None);
    }
    let args = Map::from_iter([("uri".to_owned(), uri.into())]);
    run.finish(COMMAND, args, done.as_ref().err()).await;
    done
}

/// Reads a file that the survey of the skill lists.
fn content(
    app: &App,
    skills: &ServedSkills,
    served: &ServedSkill,
    path: &RelPath,
) -> Result<ServedFile, Failure> {
    let unknown = || not_served(served.uri(path));
    let (tree, survey) = skills.files(app, served).map_err(|_| unknown())?;
    survey.get(path).ok_or_else(unknown)?;
    let content = tree.read(path, SERVED_BYTES_MAX).map_err(|error| refusal(error, unknown()))?;
    let content = match String::from_utf8(content.bytes) {
        Ok(text) => ResourceContent::Text(text),
        Err(no_text) => ResourceContent::Base64(BASE64_STANDARD.encode(no_text.as_bytes())),
    };
    Ok(ServedFile { content, media_type: media_type(path), dir: served.skill.path.clone() })
}

/// E021 for a URI.
fn not_served(uri: String) -> Fault {
    Fault::FileNotFound { path: uri, skill: String::new(), suggestions: String::new() }
}

/// The failure for a file that disappeared or must not be read.
fn refusal(error: PortError, unknown: Fault) -> Failure {
    match error.kind {
        ErrorKind::NotFound
        | ErrorKind::NotAFile
        | ErrorKind::Escapes
        | ErrorKind::TooLarge
        | ErrorKind::Denied => Failure::because(unknown, error),
        _ => error.into(),
    }
}
