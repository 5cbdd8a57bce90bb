//! What the stub needs to know of a skill: its SKILL.md and the first reference files.

use crate::app::App;
use crate::failure::Failure;
use skillc_domain::document::Document;
use skillc_domain::fault::Fault;
use skillc_domain::format::is_markdown;
use skillc_domain::frontmatter::{FrontMatter, FrontMatterFlaw, Opening};
use skillc_domain::limits::{STUB_REFERENCES_MAX, TEXT_BYTES_MAX};
use skillc_domain::path::RelPath;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::section::Heading;
use skillc_domain::stub::{Reference, StubInput, body};
use skillc_domain::survey::Survey;
use skillc_ports::{DocumentReader, ErrorKind, PortError, SkillTree};

/// Name and description of a skill, with the text that they stand in.
pub struct Head {
    /// `name`.
    pub name: String,
    /// `description`.
    pub description: String,
    headings: Vec<Heading>,
}

/// Reads SKILL.md.
///
/// # Errors
/// E010 without one, E011 without name or description, E013 when the front matter cannot be read, E012 when SKILL.md
/// is a link that leads out.
pub fn head(app: &App, tree: &dyn SkillTree, source: &std::path::Path) -> Result<Head, Failure> {
    let path = RelPath::from_walk(SKILL_FILE.to_owned());
    let content = tree.read(&path, TEXT_BYTES_MAX).map_err(|error| refusal(error, source))?;
    let text = String::from_utf8(content.bytes).map_err(|_| flaw("the file is not UTF-8 text"))?;
    let front = app.reader.front_matter(&text).map_err(Fault::from)?.unwrap_or_default();
    Ok(Head {
        name: required(&front, "name")?,
        description: required(&front, "description")?,
        headings: app.reader.document(&text, Opening::FrontMatter).headings,
    })
}

fn required(front: &FrontMatter, key: &str) -> Result<String, Fault> {
    front.required(key).map(str::to_owned)
}

fn flaw(message: &str) -> Fault {
    FrontMatterFlaw { message: message.to_owned(), at: None }.into()
}

fn refusal(error: PortError, source: &std::path::Path) -> Failure {
    let fault = match error.kind {
        ErrorKind::NotFound | ErrorKind::NotAFile => {
            Fault::NotASkill { path: source.to_string_lossy().into_owned() }
        }
        ErrorKind::Escapes => Fault::PathEscapes { path: SKILL_FILE.to_owned() },
        ErrorKind::TooLarge => flaw("the file is too large"),
        _ => return error.into(),
    };
    Failure::because(fault, error)
}

/// Paths of the reference files: the first that a stub lists, and how many there are.
pub fn listed(survey: &Survey) -> (Vec<RelPath>, usize) {
    let is_reference = |path: &&RelPath| is_markdown(path) && path.as_str() != SKILL_FILE;
    let all = || survey.files.iter().map(|file| &file.path).filter(is_reference);
    (all().take(STUB_REFERENCES_MAX).cloned().collect(), all().count())
}

/// The bytes of the stub. Titles that were gathered on the way into the index are taken from there, others are read.
pub fn stub(
    app: &App,
    tree: &dyn SkillTree,
    survey: &Survey,
    head: &Head,
    resolves_as: &str,
    gathered: &[(RelPath, Reference)],
) -> Vec<u8> {
    let (paths, references_total) = listed(survey);
    let known = |path: &RelPath| {
        gathered.binary_search_by(|(p, _)| p.cmp(path)).ok().map(|at| gathered[at].1.clone())
    };
    let references: Vec<Reference> =
        paths.iter().map(|path| known(path).unwrap_or_else(|| read_reference(app, tree, path))).collect();
    let body = body(&StubInput {
        resolves_as,
        name: &head.name,
        headings: &head.headings,
        references: &references,
        references_total,
    });
    let fields = [("name", head.name.as_str()), ("description", head.description.as_str())];
    (app.reader.write_front_matter(&fields) + &body).into_bytes()
}

/// A file that cannot be read is listed by its path; the build warns of it elsewhere.
fn read_reference(app: &App, tree: &dyn SkillTree, path: &RelPath) -> Reference {
    let text = tree.read(path, TEXT_BYTES_MAX).ok().and_then(|content| String::from_utf8(content.bytes).ok());
    let text = text.unwrap_or_default();
    reference(app.reader.as_ref(), path, &text, &app.reader.document(&text, Opening::of(path)))
}

/// A reference file as the stub lists it.
pub fn reference(reader: &dyn DocumentReader, path: &RelPath, text: &str, document: &Document) -> Reference {
    let front = reader.front_matter(text).ok().flatten().unwrap_or_default();
    Reference {
        title: document.title().map_or_else(|| path.to_string(), str::to_owned),
        description: front.get("description").and_then(|node| node.text()).map(str::to_owned),
    }
}
