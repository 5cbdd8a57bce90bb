//! One file of a skill, as a resource: read, and logged as a use of the skill.

use super::shelf::{Served, Shelf};
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

/// How the reading of a resource stands in the log.
const COMMAND: &str = "read";

/// All bytes of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Content {
    /// As UTF-8 text.
    Text(String),
    /// In base64, where they are none.
    Base64(String),
}

/// A file that is served.
#[derive(Debug)]
pub struct ServedFile {
    /// All its bytes.
    pub content: Content,
    /// What kind of content they are.
    pub media_type: &'static str,
}

/// Reads a file by its name and logs it, also when the file is not there; for a skill that is not served there is no log.
///
/// # Errors
/// E001 when no skill is served there, E074 when somebody has to agree first, E021 when the file is none of the skill's.
pub async fn read(app: &App, shelf: &Shelf, uri: &str) -> Result<ServedFile, Failure> {
    let unknown = || Fault::FileNotFound { path: uri.to_owned() };
    let target = SkillUri::parse(uri).ok_or_else(unknown)?;
    let served = shelf.open(app, &target.place)?;
    admit_file(app, &served.skill, &target.path)?;
    let mut run = Run::new(app);
    run.uses(&served.skill);
    run.asks_for(target.path.as_str());
    let done = content(app, shelf, &served, &target.path);
    if done.is_ok() {
        run.reads(target.path.as_str(), None);
    }
    let args = Map::from_iter([("uri".to_owned(), uri.into())]);
    run.finish(COMMAND, args, done.as_ref().err()).await;
    done
}

/// The bytes of a file that a walk over the skill finds.
fn content(app: &App, shelf: &Shelf, served: &Served, path: &RelPath) -> Result<ServedFile, Failure> {
    let unknown = || Fault::FileNotFound { path: served.uri(path) };
    let (tree, survey) = shelf.files(app, served).map_err(|_| unknown())?;
    survey.get(path).ok_or_else(unknown)?;
    let content = tree.read(path, SERVED_BYTES_MAX).map_err(|error| refusal(error, unknown()))?;
    let content = match String::from_utf8(content.bytes) {
        Ok(text) => Content::Text(text),
        Err(no_text) => Content::Base64(BASE64_STANDARD.encode(no_text.as_bytes())),
    };
    Ok(ServedFile { content, media_type: media_type(path) })
}

/// What is no longer a file of the skill was none.
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
