//! Reads SKILL.md, once per build.

use crate::app::App;
use crate::failure::Failure;
use crate::resolve::not_a_skill;
use crate::source::skill_file;
use skillc_domain::document::Document;
use skillc_domain::fault::Fault;
use skillc_domain::frontmatter::{FrontMatterFlaw, Opening};
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::places::SKILL_FILE;
use skillc_ports::{ErrorKind, PortError, SkillTree};
use std::path::Path;

/// A valid SKILL.md.
pub struct SkillFile {
    /// `name` in the front matter.
    pub name: String,
    /// `description` in the front matter.
    pub description: String,
    pub text: String,
    pub document: Document,
}

/// Reads and checks the SKILL.md of the skill at `source`.
///
/// # Errors
/// E010 if there is none, E011 without name or description, E013 if the front matter is invalid, E012 if SKILL.md is a
/// link that leads out.
pub fn read_skill_file(app: &App, tree: &dyn SkillTree, source: &Path) -> Result<SkillFile, Failure> {
    let text = read_text(app, tree, source)?;
    let (name, description) = required_fields(app, &text)?;
    let document = app.ports.reader.document(&text, Opening::FrontMatter);
    Ok(SkillFile { name, description, text, document })
}

/// Reads the description of the skill at `source` without parsing its body.
///
/// # Errors
/// As `read_skill_file`.
pub fn read_description(app: &App, tree: &dyn SkillTree, source: &Path) -> Result<String, Failure> {
    required_fields(app, &read_text(app, tree, source)?).map(|(_, description)| description)
}

/// Name and description.
fn required_fields(app: &App, text: &str) -> Result<(String, String), Failure> {
    let front = app.ports.reader.front_matter(text).map_err(Fault::from)?.unwrap_or_default();
    Ok((front.required("name")?.to_owned(), front.required("description")?.to_owned()))
}

/// Reads the text of the SKILL.md of the skill at `source`.
///
/// # Errors
/// E010, E012, E013 if it is not text.
pub fn read_text(app: &App, tree: &dyn SkillTree, source: &Path) -> Result<String, Failure> {
    let content = tree.read(&skill_file(), TEXT_BYTES_MAX).map_err(|error| refusal(app, error, source))?;
    Ok(String::from_utf8(content.bytes).map_err(|_| invalid("the file is not UTF-8 text"))?)
}

fn invalid(message: &str) -> Fault {
    FrontMatterFlaw { message: message.to_owned(), at: None }.into()
}

fn refusal(app: &App, error: PortError, source: &Path) -> Failure {
    let fault = match error.kind {
        ErrorKind::NotFound | ErrorKind::NotAFile => not_a_skill(app, source),
        ErrorKind::Escapes => Fault::PathEscapes { path: SKILL_FILE.to_owned() },
        ErrorKind::TooLarge => invalid("the file is too large"),
        _ => return error.into(),
    };
    Failure::because(fault, error)
}
